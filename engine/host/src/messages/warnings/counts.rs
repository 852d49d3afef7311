//! Counts the warnings of a curve by kind, and states each kind in a sentence.

use super::curve::{CurvePoint, CurveWarning};
use super::effort::NeededEffort;
use super::kind::WarningKind;
use crate::analyze::interval::Interval;
use crate::analyze::removed::may_be_removed;
use crate::response::{TwoLevelTimes, Warning};
use crate::units::{Nanos, TimeUnit, number, percent, plus_minus, significant};

/// The number of affected points, and a figure over all of them.
type AffectedPoints<T> = (usize, T);

/// The warnings of a curve by kind.
#[derive(Default)]
pub(super) struct WarningCounts {
    points: usize,
    samples: u32,
    /// The most calls per batch.
    most_calls: Option<u64>,
    /// The greatest number on the axis with batches.
    batched_up_to: Option<f64>,
    extreme_outliers: u32,
    /// The worst relative half-width, and what is needed to reach the target.
    imprecise: AffectedPoints<(f64, NeededEffort)>,
    slow_first: AffectedPoints<f64>,
    unsettled: usize,
    /// The worst change: the level before and after in nanoseconds, and whether it was gradual.
    changed: AffectedPoints<(f64, f64, bool)>,
    skewed: usize,
    /// The two levels that are farthest apart.
    two_levels: AffectedPoints<TwoLevelTimes>,
    correlated: usize,
    slow_code: usize,
    slow_machine: AffectedPoints<f64>,
    alone: usize,
    /// The number of samples, and the milliseconds lost, over all points.
    interrupted: AffectedPoints<(u32, f64)>,
    short_batches: usize,
    below_resolution: AffectedPoints<f64>,
    has_single_calls: bool,
    /// The upper ends of the means' intervals in nanoseconds.
    upper_ends: Vec<f64>,
    /// The least time of the reference kernel in nanoseconds.
    reference: Option<f64>,
}

impl WarningCounts {
    pub(super) fn of<'a>(points: impl Iterator<Item = CurvePoint<'a>>) -> Self {
        let mut counts = Self::default();
        for CurvePoint { x, measured, slow_first } in points {
            counts.points += 1;
            if let Some(factor) = slow_first {
                add_worst(&mut counts.slow_first, factor);
            }
            counts.samples += measured.summary.n;
            // Without an interval, nothing bounds the time of a point.
            let high = measured.summary.mean_interval.map_or(f64::INFINITY, |interval| interval.high);
            counts.upper_ends.push(high);
            for reference in measured.runs.iter().filter_map(|run| run.reference) {
                counts.reference = Some(counts.reference.map_or(reference, |least| least.min(reference)));
            }
            for warning in &measured.warnings {
                counts.add(x, warning);
            }
        }
        counts
    }

    fn add(&mut self, x: Option<f64>, warning: &Warning) {
        match *warning {
            Warning::Batched { calls } => {
                self.most_calls = self.most_calls.max(Some(calls));
                self.batched_up_to = x;
            }
            Warning::ExtremeOutliers { samples, .. } => self.extreme_outliers += samples,
            Warning::Imprecise { reached, needs_ms, needs_processes, .. } => {
                let (count, (worst, needs)) = &mut self.imprecise;
                *count += 1;
                *worst = worst.max(reached.unwrap_or(0.0));
                needs.add(reached.is_some(), needs_ms, needs_processes);
            }
            Warning::Unsettled => self.unsettled += 1,
            Warning::Changed { before, after, gradual } => {
                let (count, worst) = &mut self.changed;
                let factor = |before: f64, after: f64| (after / before).ln().abs();
                if *count == 0 || factor(before, after) > factor(worst.0, worst.1) {
                    *worst = (before, after, gradual);
                }
                *count += 1;
            }
            Warning::Skewed => self.skewed += 1,
            Warning::TwoLevels(levels) => {
                let (count, worst) = &mut self.two_levels;
                if *count == 0 || levels.high / levels.low > worst.high / worst.low {
                    *worst = levels;
                }
                *count += 1;
            }
            Warning::Correlated => self.correlated += 1,
            Warning::SlowCode { .. } => self.slow_code += 1,
            Warning::SlowMachine { by } => add_worst(&mut self.slow_machine, by),
            Warning::Alone => self.alone += 1,
            Warning::Interrupted { samples, ms } => {
                let (count, (all, lost)) = &mut self.interrupted;
                (*count, *all, *lost) = (*count + 1, *all + samples, *lost + ms);
            }
            Warning::ShortBatches { .. } => self.short_batches += 1,
            Warning::BelowResolution { under } => add_worst(&mut self.below_resolution, under),
            Warning::OneCallPerBatch => self.has_single_calls = true,
        }
    }

    /// Whether the optimiser may have removed the measured work. The times of slow code cannot show this.
    fn may_be_removed(&self) -> bool {
        self.slow_code == 0 && self.reference.is_some_and(|reference| may_be_removed(&self.upper_ends, reference))
    }

    pub(super) fn unreliable(&self) -> Vec<CurveWarning> {
        let mut warnings = Vec::new();
        let mut add = |kind, text, details| warnings.push(CurveWarning { kind, text, details });
        if let count @ 1.. = self.slow_code {
            let text = "the browser ran unoptimised code. Close the developer tools, reload, then measure again.";
            add(
                WarningKind::SlowCode,
                format!("{}: {text}", self.share(count)),
                "While developer tools are attached, browsers run only this code, which is several times slower.",
            );
        }
        if self.may_be_removed() {
            add(
                WarningKind::RemovedWork,
                "The optimiser may have removed the work. Return the result, or pass it through black_box.".to_owned(),
                "Every point takes under two cycles per call.",
            );
        }
        if let (count @ 1.., (before, after, is_gradual)) = self.changed {
            let (verb, details) = if is_gradual {
                ("drifted", "The machine was warming up, or the function retains state between calls.")
            } else {
                ("changed", "The browser switched to better code late, or the machine changed its speed.")
            };
            let (count, before, after) = (self.share(count), Nanos(before), Nanos(after));
            add(
                WarningKind::ChangedTimes,
                format!("{count}: the times {verb}, in the worst case from {before} to {after}. Measure again."),
                details,
            );
        }
        warnings
    }

    pub(super) fn noisy(&self) -> Vec<CurveWarning> {
        let mut warnings = Vec::new();
        let mut add = |kind, text, details| warnings.push(CurveWarning { kind, text, details });
        if let (count @ 1.., (worst, needs)) = self.imprecise {
            let worst = if worst > 0.0 { format!(" (worst {})", plus_minus(worst)) } else { String::new() };
            add(
                WarningKind::Imprecise,
                format!("{} missed the precision target{worst}. {}", self.share(count), needs.remedy()),
                "",
            );
        }
        if let (count @ 1.., (samples, ms)) = self.interrupted {
            let (samples, were) =
                if samples == 1 { ("1 sample".to_owned(), "was") } else { (format!("{samples} samples"), "were") };
            add(
                WarningKind::Interference,
                format!(
                    "Interference: {samples} at {} {were} preempted ({} in total). Close other programs, then measure again.",
                    points(count),
                    Nanos(ms * 1e6)
                ),
                "Or the function itself stalls occasionally.",
            );
        }
        if let (count @ 1.., by) = self.slow_machine {
            add(
                WarningKind::SlowMachine,
                format!(
                    "{}: the machine ran up to {} slower than at its best. Plug it in, close other programs, then measure again.",
                    points(count),
                    percent(by)
                ),
                "Typical causes: heat, battery power, another process on the same core.",
            );
        }
        if let count @ 1.. = self.unsettled {
            add(
                WarningKind::Unsettled,
                format!(
                    "{} did not settle during warm-up. Close other programs, then measure again.",
                    self.share(count)
                ),
                "Another process interfered, or the function itself keeps changing its speed.",
            );
        }
        if let count @ 1.. = self.skewed {
            add(
                WarningKind::Skewed,
                format!(
                    "{}: too few samples for such skewed times, so the mean is uncertain. Use the median, or measure longer.",
                    self.share(count)
                ),
                "",
            );
        }
        if let (count @ 1.., levels) = &self.two_levels {
            add(
                WarningKind::TwoLevels,
                format!("{}: {}", self.share(*count), two_levels(levels)),
                "This widens the mean's interval. Often, the branch predictor learns an input that repeats, and forgets it again.",
            );
        }
        if let count @ 1.. = self.correlated {
            add(
                WarningKind::Correlated,
                format!(
                    "{}: the times vary slowly, which widens the mean's interval. Close other programs, or measure longer.",
                    self.share(count)
                ),
                "The machine's speed varies, or the function retains state between calls.",
            );
        }
        warnings
    }

    pub(super) fn notes(&self, axis: &str) -> Vec<CurveWarning> {
        let mut warnings = Vec::new();
        let mut add = |kind, text, details| warnings.push(CurveWarning { kind, text, details });
        if let count @ 1.. = self.alone {
            add(
                WarningKind::MeasuredAlone,
                format!("{}: not interleaved with the other functions, so there is no ratio.", self.share(count)),
                "The suite crashed when its functions were interleaved.",
            );
        }
        if let (count @ 1.., under) = self.below_resolution {
            add(
                WarningKind::BelowResolution,
                format!("{}: the time is indistinguishable from zero (under {}).", self.share(count), Nanos(under)),
                "",
            );
        }
        if let count @ 1.. = self.short_batches {
            add(
                WarningKind::ShortBatches,
                format!("{}: batches are too short for this clock. Use the mean.", self.share(count)),
                "Median and quartiles are withheld.",
            );
        }
        if let count @ 1.. = self.extreme_outliers {
            add(
                WarningKind::ExtremeOutliers,
                format!("{count} of {} samples are extreme outliers.", self.samples),
                "They are over three interquartile ranges outside the quartiles, relative to the median of their block. Every figure includes them.",
            );
        }
        if let (count @ 1.., factor) = self.slow_first {
            add(
                WarningKind::SlowFirstCurve,
                format!("{}: the times of the first curve were up to {factor:.1} times as long.", self.share(count)),
                "In a browser, first calls run in code that is not optimised yet. Interference has the same effect.",
            );
        }
        if let Some(calls) = self.most_calls {
            let calls = number(calls as f64);
            let text = match self.batched_up_to {
                Some(x) => format!("{axis} up to {}: a sample is the mean of up to {calls} calls.", number(x)),
                None => format!("A sample is the mean of up to {calls} calls."),
            };
            add(WarningKind::Batches, text, "");
        }
        if self.has_single_calls {
            add(
                WarningKind::SingleCalls,
                "Each call is timed separately, since calls affect each other.".to_owned(),
                "",
            );
        }
        warnings
    }

    fn share(&self, count: usize) -> String {
        format!("{count} of {}", points(self.points))
    }
}

fn add_worst((count, worst): &mut AffectedPoints<f64>, value: f64) {
    *count += 1;
    *worst = worst.max(value);
}

fn points(count: usize) -> String {
    if count == 1 { "1 point".to_owned() } else { format!("{count} points") }
}

/// States the levels between which times switch, and the time on inputs that do not repeat.
fn two_levels(levels: &TwoLevelTimes) -> String {
    let TwoLevelTimes { low, high, high_share, repeats, new_inputs } = *levels;
    let remedy = match (repeats, new_inputs) {
        (Some(repeats), Some(Interval { low, high })) => {
            let unit = TimeUnit::for_largest(high);
            let (repeats, low, high) = (significant(repeats, 2), unit.digits(low), unit.format(high));
            format!("If your inputs do not repeat, expect {low} to {high} (here, each was used {repeats} times).")
        }
        _ => "Try other inputs.".to_owned(),
    };
    let (low, high, share) = (Nanos(low), Nanos(high), percent(high_share));
    format!("the times switch between two levels, such as {low} and {high} ({share} at the upper one). {remedy}")
}
