//! Gathers the warnings of all points by cause, and states each cause.

use std::collections::BTreeSet;

use super::cause::Cause;
use super::curve::ReportedCurve;
use super::effort::NeededEffort;
use super::kind::CauseKind;
use super::location::{PointIndex, ReportLayout};
use crate::analyze::interval::Interval;
use crate::analyze::removed::may_be_removed;
use crate::response::{MeasuredPoint, TwoLevelTimes, Warning};
use crate::units::{Nanos, TimeUnit, count, number, percent, plus_minus, significant, under};

/// The points that a cause affects, and a figure over all of them.
#[derive(Default)]
struct Affected<T> {
    points: BTreeSet<PointIndex>,
    figure: T,
}

/// The warnings of all points by cause.
#[derive(Default)]
pub(super) struct CauseCounts {
    points: usize,
    samples: u64,
    slow_code: Affected<()>,
    removed: Affected<()>,
    slowing: Affected<GreatestChange>,
    changed: Affected<GreatestChange>,
    imprecise: Affected<Imprecision>,
    /// The longest time to prepare a batch in nanoseconds.
    slow_setup: Affected<f64>,
    interrupted: Affected<Interruptions>,
    /// The greatest relative slowdown.
    slow_machine: Affected<f64>,
    unsettled: Affected<()>,
    skewed: Affected<()>,
    /// The two levels that are farthest apart.
    two_levels: Affected<Option<TwoLevelTimes>>,
    correlated: Affected<()>,
    alone: Affected<()>,
    /// The greatest upper bound in nanoseconds.
    below_resolution: Affected<f64>,
    short_batches: Affected<()>,
    /// The number of samples.
    extreme_outliers: Affected<u64>,
    /// The greatest factor.
    slow_first: Affected<f64>,
    /// The most calls per batch.
    batched: Affected<u64>,
    single_calls: Affected<()>,
    outputs_not_compared: Affected<()>,
    threads: Affected<()>,
}

/// The greatest change of the times.
#[derive(Default)]
struct GreatestChange {
    /// Relative to the lower level.
    relative: f64,
    is_gradual: bool,
}

/// The worst precision.
#[derive(Default)]
struct Imprecision {
    /// The worst relative half-width; 0 if none is known.
    worst: f64,
    /// The targets of the points.
    targets: Vec<f64>,
    needs: NeededEffort,
}

/// The interrupted samples.
#[derive(Default)]
struct Interruptions {
    samples: u64,
    ms: f64,
}

impl CauseCounts {
    pub(super) fn of(curves: &[ReportedCurve<'_>]) -> Self {
        let mut counts = Self::default();
        for (curve, reported) in curves.iter().enumerate() {
            for (point, curve_point) in reported.points.iter().enumerate() {
                let index = PointIndex { curve, point };
                counts.points += 1;
                counts.samples += u64::from(curve_point.measured.summary.n);
                if let Some(factor) = curve_point.slow_first {
                    counts.slow_first.add_greatest(index, factor);
                }
                for warning in &curve_point.measured.warnings {
                    counts.add(index, warning);
                }
            }
            counts.add_removed_work(curve, reported);
        }
        counts
    }

    fn add(&mut self, index: PointIndex, warning: &Warning) {
        match *warning {
            Warning::Batched { calls } => {
                let most = self.batched.at(index);
                *most = (*most).max(calls);
            }
            Warning::ExtremeOutliers { samples, .. } => *self.extreme_outliers.at(index) += u64::from(samples),
            Warning::Imprecise { reached, target, needs_ms, needs_processes } => {
                let imprecision = self.imprecise.at(index);
                imprecision.worst = imprecision.worst.max(reached.unwrap_or(0.0));
                imprecision.targets.push(target);
                imprecision.needs.add(reached.is_some(), needs_ms, needs_processes);
            }
            Warning::SlowSetup { setup } => self.slow_setup.add_greatest(index, setup),
            Warning::Unsettled => _ = self.unsettled.at(index),
            Warning::Changed { before, after, gradual, by_calls } => {
                let relative = before.max(after) / before.min(after) - 1.0;
                let worst = if by_calls { &mut self.slowing } else { &mut self.changed }.at(index);
                if relative > worst.relative {
                    *worst = GreatestChange { relative, is_gradual: gradual };
                }
            }
            Warning::Skewed => _ = self.skewed.at(index),
            Warning::TwoLevels(levels) => {
                let factor = |levels: &TwoLevelTimes| levels.high / levels.low;
                let worst = self.two_levels.at(index);
                if worst.as_ref().is_none_or(|worst| factor(&levels) > factor(worst)) {
                    *worst = Some(levels);
                }
            }
            Warning::Correlated => _ = self.correlated.at(index),
            Warning::SlowCode { .. } => _ = self.slow_code.at(index),
            Warning::SlowMachine { by } => self.slow_machine.add_greatest(index, by),
            Warning::Alone => _ = self.alone.at(index),
            Warning::Interrupted { samples, ms } => {
                let all = self.interrupted.at(index);
                (all.samples, all.ms) = (all.samples + u64::from(samples), all.ms + ms);
            }
            Warning::ShortBatches { .. } => _ = self.short_batches.at(index),
            Warning::BelowResolution { under } => self.below_resolution.add_greatest(index, under),
            Warning::OneCallPerBatch => _ = self.single_calls.at(index),
            Warning::OutputsNotCompared => _ = self.outputs_not_compared.at(index),
            Warning::Threads => _ = self.threads.at(index),
        }
    }

    /// Adds all points of a curve if the optimiser may have removed the work. The times of slow code cannot show this.
    fn add_removed_work(&mut self, curve: usize, reported: &ReportedCurve<'_>) {
        let measured = || reported.points.iter().map(|point| point.measured);
        let is_slow =
            |point: &MeasuredPoint| point.warnings.iter().any(|warning| matches!(warning, Warning::SlowCode { .. }));
        // Without an interval, nothing bounds the time of a point.
        let upper_ends: Vec<f64> = measured()
            .map(|point| point.summary.mean_interval.map_or(f64::INFINITY, |interval| interval.high))
            .collect();
        let references = measured().flat_map(|point| &point.runs).filter_map(|run| run.reference);
        let reference = references.fold(f64::INFINITY, f64::min);
        if reference.is_finite() && !measured().any(is_slow) && may_be_removed(&upper_ends, reference) {
            (0..upper_ends.len()).for_each(|point| _ = self.removed.at(PointIndex { curve, point }));
        }
    }

    /// The causes, most serious first.
    pub(super) fn causes(&self, layout: &ReportLayout<'_>) -> Vec<Cause> {
        let mut causes = self.rough(layout);
        causes.extend(self.noisy(layout));
        causes.extend(self.notes(layout));
        causes.sort_by_key(|cause| (cause.severity, cause.kind));
        causes
    }

    fn rough(&self, layout: &ReportLayout<'_>) -> Vec<Cause> {
        let mut causes = Vec::new();
        if let Some(points) = self.slow_code.affected() {
            causes.push(Cause {
                fix: "Close the developer tools, reload, then measure again.".to_owned(),
                explanation: "While developer tools are attached, browsers run only unoptimised code, which is several times slower.",
                ..cause(CauseKind::SlowCode, format!("{} ran unoptimised code", self.share(points)), layout.text(points))
            });
        }
        if let Some(points) = self.removed.affected() {
            causes.push(Cause {
                fix: "Return the result, or pass it through black_box.".to_owned(),
                explanation: "Every point takes under two cycles per call.",
                ..cause(
                    CauseKind::RemovedWork,
                    "The optimiser may have removed the work".to_owned(),
                    layout.text(points),
                )
            });
        }
        let change = |kind: CauseKind, affected: &Affected<GreatestChange>, subject: String, fix: &str, explanation| {
            let relative = affected.figure.relative;
            let change = match relative < 1.0 {
                true => format!("up to {}", percent(relative)),
                false => format!("a factor of up to {}", significant(1.0 + relative, 2)),
            };
            Cause {
                severity: kind.severity(relative),
                fix: fix.to_owned(),
                explanation,
                ..cause(kind, format!("{subject} by {change}"), layout.text(&affected.points))
            }
        };
        if let Some(points) = self.slowing.affected() {
            causes.push(change(
                CauseKind::SlowingCalls,
                &self.slowing,
                format!("Each call slows the next: the times of {} rise", self.share(points)),
                "Give each call fresh state, for example a collection created in setup.",
                "The times rise from the start of every process, so the machine is not the reason.",
            ));
        }
        if let Some(points) = self.changed.affected() {
            let at = self.share(points);
            let (subject, explanation) = match self.changed.figure.is_gradual {
                true => {
                    let explanation = "The machine was warming up, or the function keeps state between calls.";
                    (format!("The times of {at} drifted"), explanation)
                }
                false => {
                    let explanation = "The machine changed its speed, or a browser switched to better code late.";
                    (format!("The times of {at} changed"), explanation)
                }
            };
            let fix = "Measure again once the machine has warmed up.";
            causes.push(change(CauseKind::ChangedTimes, &self.changed, subject, fix, explanation));
        }
        causes
    }

    fn noisy(&self, layout: &ReportLayout<'_>) -> Vec<Cause> {
        let mut causes = Vec::new();
        let mut add = |kind, points: &BTreeSet<PointIndex>, problem: String, fix: &str, explanation| {
            let fix = fix.to_owned();
            causes.push(Cause { fix, explanation, ..cause(kind, problem, layout.text(points)) });
        };
        if let Some(points) = self.imprecise.affected() {
            let Imprecision { worst, targets, needs } = &self.imprecise.figure;
            let target = match targets.as_slice() {
                [first, others @ ..] if others.iter().all(|target| target == first) => {
                    format!("the target of {}", plus_minus(*first))
                }
                _ => "their precision targets".to_owned(),
            };
            let worst = if *worst > 0.0 { format!(" (worst {})", plus_minus(*worst)) } else { String::new() };
            let problem = format!("{} missed {target}{worst}", self.share(points));
            add(CauseKind::Imprecise, points, problem, &needs.fix(layout), "");
        }
        if let Some(points) = self.slow_setup.affected() {
            let setup = Nanos(self.slow_setup.figure);
            add(
                CauseKind::SlowSetup,
                points,
                format!("Setup of up to {setup} per batch leaves few calls to time at {}", self.share(points)),
                "Make setup shorter, or do more work per call.",
                "The timer's own cost dominates. Setup counts as time of the measurement.",
            );
        }
        if let Some(points) = self.interrupted.affected() {
            let Interruptions { samples, ms } = self.interrupted.figure;
            let were = if samples == 1 { "sample was" } else { "samples were" };
            let problem = format!("{} {were} interrupted ({} in total)", count(samples), Nanos(ms * 1e6));
            add(
                CauseKind::Interference,
                points,
                problem,
                &layout.with_less_load("then measure again"),
                "The function itself may also stall.",
            );
        }
        if let Some(points) = self.slow_machine.affected() {
            let by = percent(self.slow_machine.figure);
            add(
                CauseKind::SlowMachine,
                points,
                format!("The machine ran up to {by} slower than at its best"),
                &layout.with_less_load("then measure again"),
                "Typical causes: heat, battery power, another process on the same core.",
            );
        }
        if let Some(points) = self.unsettled.affected() {
            add(
                CauseKind::Unsettled,
                points,
                format!("{} did not settle during warm-up", self.share(points)),
                &layout.with_less_load("then measure again"),
                "Another process interfered, or the function itself keeps changing its speed.",
            );
        }
        if let Some(points) = self.skewed.affected() {
            add(
                CauseKind::Skewed,
                points,
                format!("Too few samples for skewed times at {}", self.share(points)),
                "Use the median, or measure longer.",
                "The mean is uncertain.",
            );
        }
        if let (Some(points), Some(levels)) = (self.two_levels.affected(), &self.two_levels.figure) {
            let TwoLevelTimes { low, high, high_share, .. } = *levels;
            let (low, high, share) = (Nanos(low), Nanos(high), percent(high_share));
            let at = self.share(points);
            add(
                CauseKind::TwoLevels,
                points,
                format!(
                    "The times of {at} switch between two levels, such as {low} and {high} ({share} at the upper one)"
                ),
                &two_levels_fix(levels),
                "This widens the mean's interval. Often, the branch predictor learns an input that repeats, and forgets it again.",
            );
        }
        if let Some(points) = self.correlated.affected() {
            add(
                CauseKind::Correlated,
                points,
                format!("The times of {} vary slowly", self.share(points)),
                &layout.with_less_load("or measure longer"),
                "This widens the mean's interval. The machine's speed varies, or the function keeps state between calls.",
            );
        }
        causes
    }

    fn notes(&self, layout: &ReportLayout<'_>) -> Vec<Cause> {
        let mut causes = Vec::new();
        let mut add = |kind, location: String, problem: String, fix: &str, explanation| {
            let fix = fix.to_owned();
            causes.push(Cause { fix, explanation, ..cause(kind, problem, location) });
        };
        if let Some(points) = self.alone.affected() {
            add(
                CauseKind::MeasuredAlone,
                layout.text(points),
                format!("No ratio at {}: the suite crashed when interleaving", self.share(points)),
                "Look for state that the functions share.",
                "",
            );
        }
        if let Some(points) = self.outputs_not_compared.affected() {
            add(
                CauseKind::OutputsNotCompared,
                layout.text(points),
                format!("The outputs of alternatives were not compared at {}", self.share(points)),
                "Return a type that implements Hash, such as a sorted Vec instead of a HashMap.",
                "A wrong result would remain unnoticed.",
            );
        }
        if let Some(points) = self.threads.affected() {
            add(
                CauseKind::Threads,
                layout.text(points),
                format!("The benchmark starts threads of its own at {}", self.share(points)),
                "No action needed: it was measured on all cores.",
                "The times depend on the number of cores and on what else runs there.",
            );
        }
        if let Some(points) = self.below_resolution.affected() {
            let under = under(Nanos(self.below_resolution.figure));
            add(
                CauseKind::BelowResolution,
                layout.text(points),
                format!("The time is indistinguishable from zero at {} ({under})", self.share(points)),
                "Do more work per call.",
                "",
            );
        }
        if let Some(points) = self.short_batches.affected() {
            add(
                CauseKind::ShortBatches,
                layout.text(points),
                format!("Batches are too short for this clock at {}", self.share(points)),
                "Use the mean.",
                "Median and quartiles are unavailable.",
            );
        }
        if let Some(points) = self.extreme_outliers.affected() {
            let (outliers, all) = (self.extreme_outliers.figure, self.samples);
            add(
                CauseKind::ExtremeOutliers,
                layout.text(points),
                format!("{} of {} samples are extreme outliers", count(outliers), count(all)),
                "No action needed: every figure includes them.",
                "They are over three interquartile ranges outside the quartiles, relative to the median of their block.",
            );
        }
        if let Some(points) = self.slow_first.affected() {
            let factor = self.slow_first.figure;
            add(
                CauseKind::SlowFirstCurve,
                layout.text(points),
                format!("The first curve was up to {factor:.1} times as high at {}", self.share(points)),
                "No action needed: later results replaced these.",
                "In a browser, first calls run in code that is not optimised yet. Interference has the same effect.",
            );
        }
        if let Some(points) = self.batched.affected() {
            let calls = number(self.batched.figure as f64);
            add(
                CauseKind::Batches,
                layout.up_to(points),
                format!("A sample is the mean of up to {calls} calls"),
                "No action needed: the clock cannot time such short calls one by one.",
                "",
            );
        }
        if let Some(points) = self.single_calls.affected() {
            add(
                CauseKind::SingleCalls,
                layout.text(points),
                "Each call is timed separately".to_owned(),
                "No action needed: calls affect each other, so they cannot share a batch.",
                "",
            );
        }
        causes
    }

    /// Such as `9 of 36 points`.
    fn share(&self, affected: &BTreeSet<PointIndex>) -> String {
        let all = self.points;
        format!("{} of {all} {}", affected.len(), if all == 1 { "point" } else { "points" })
    }
}

impl<T> Affected<T> {
    /// Adds a point, and returns the figure to change.
    fn at(&mut self, index: PointIndex) -> &mut T {
        self.points.insert(index);
        &mut self.figure
    }

    /// The points; `None` if there are none.
    fn affected(&self) -> Option<&BTreeSet<PointIndex>> {
        (!self.points.is_empty()).then_some(&self.points)
    }
}

impl Affected<f64> {
    fn add_greatest(&mut self, index: PointIndex, value: f64) {
        let greatest = self.at(index);
        *greatest = greatest.max(value);
    }
}

/// A cause without a fix and an explanation.
fn cause(kind: CauseKind, problem: String, location: String) -> Cause {
    Cause { kind, severity: kind.severity(0.0), problem, location, fix: String::new(), explanation: "" }
}

/// What to do about times at two levels: the time on inputs that do not repeat, if it is known.
fn two_levels_fix(levels: &TwoLevelTimes) -> String {
    match (levels.repeats, levels.new_inputs) {
        (Some(repeats), Some(Interval { low, high })) => {
            let unit = TimeUnit::for_largest(high);
            // An interval of few blocks may extend below 0, a time cannot.
            let low = low.max(0.0);
            let (repeats, low, high) = (significant(repeats, 2), unit.digits(low), unit.format(high));
            format!("If your inputs do not repeat, expect {low} to {high} (here, each was used {repeats} times).")
        }
        _ => "Try other inputs.".to_owned(),
    }
}
