//! The warnings of a curve, gathered over its points: one line each, with its remedy.

use benchbook_host::analyze::removed::may_be_removed;
use benchbook_host::response::{Measured, Warning};
use benchbook_host::units::{Nanos, number, percent, plus_minus};

/// How much a warning affects the figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Severity {
    /// The figures may be wrong.
    Unreliable,
    /// The figures are less precise than they appear, or than requested.
    Noisy,
    /// The figures are right, with a restriction.
    Note,
}

impl Severity {
    /// A label for readers.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Unreliable => "Unreliable",
            Self::Noisy => "Noisy",
            Self::Note => "Note",
        }
    }
}

/// The kinds of warnings, the most serious first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum WarningKind {
    SlowCode,
    RemovedWork,
    ChangedTimes,
    Imprecise,
    Interference,
    SlowMachine,
    Unsettled,
    Skewed,
    MeasuredAlone,
    UnderResolution,
    ShortBatches,
    ExtremeOutliers,
    Batches,
    SingleCalls,
}

impl WarningKind {
    pub(crate) fn severity(self) -> Severity {
        match self {
            Self::SlowCode | Self::RemovedWork | Self::ChangedTimes => Severity::Unreliable,
            Self::Imprecise | Self::Interference | Self::SlowMachine | Self::Unsettled | Self::Skewed => {
                Severity::Noisy
            }
            Self::MeasuredAlone
            | Self::UnderResolution
            | Self::ShortBatches
            | Self::ExtremeOutliers
            | Self::Batches
            | Self::SingleCalls => Severity::Note,
        }
    }
}

/// A warning about a curve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CurveWarning {
    pub(crate) kind: WarningKind,
    /// The state, then the remedy.
    pub(crate) text: String,
    /// The cause; empty if the text contains all there is.
    pub(crate) cause: &'static str,
}

/// A warning that several curves may share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SharedWarning {
    /// The names of the curves.
    pub(crate) curves: Vec<String>,
    pub(crate) warning: CurveWarning,
}

/// Merges the equal warnings of several curves, the most serious first.
pub(crate) fn shared_warnings(curves: impl IntoIterator<Item = (String, Vec<CurveWarning>)>) -> Vec<SharedWarning> {
    let mut shared: Vec<SharedWarning> = Vec::new();
    for (name, warnings) in curves {
        for warning in warnings {
            match shared.iter_mut().find(|other| other.warning == warning) {
                Some(other) => other.curves.push(name.clone()),
                None => shared.push(SharedWarning { curves: vec![name.clone()], warning }),
            }
        }
    }
    shared.sort_by_key(|shared| shared.warning.kind);
    shared
}

/// Returns the warnings for a curve, most serious first. `points` are the measured points by rising axis value, `axis` is the
/// heading of the axis.
pub(crate) fn curve_warnings<'a>(points: impl Iterator<Item = (f64, &'a Measured)>, axis: &str) -> Vec<CurveWarning> {
    let counts = WarningCounts::of(points);
    let mut warnings = counts.unreliable();
    warnings.extend(counts.noisy());
    warnings.extend(counts.notes(axis));
    warnings
}

/// The number of affected points, and a figure over all of them.
type Affected<T> = (usize, T);

/// The warnings of a curve by kind.
#[derive(Default)]
struct WarningCounts {
    points: usize,
    samples: u32,
    /// The greatest axis value with batches, and the most calls per batch.
    batched_up_to: Option<(f64, u64)>,
    extreme_outliers: u32,
    /// The worst relative half-width, and the longest time needed in milliseconds: 0 if unknown, infinite if no time suffices.
    imprecise: Affected<(f64, f64)>,
    unsettled: usize,
    /// The worst change: the level before and after in nanoseconds, and whether it was gradual.
    changed: Affected<(f64, f64, bool)>,
    skewed: usize,
    slow_code: usize,
    slow_machine: Affected<f64>,
    alone: usize,
    /// The number of samples, and the milliseconds lost, over all points.
    interrupted: Affected<(u32, f64)>,
    short_batches: usize,
    under_resolution: Affected<f64>,
    has_single_calls: bool,
    /// The upper ends of the means' intervals in nanoseconds.
    upper_ends: Vec<f64>,
    /// The least time of the reference kernel in nanoseconds.
    reference: Option<f64>,
}

impl WarningCounts {
    fn of<'a>(points: impl Iterator<Item = (f64, &'a Measured)>) -> Self {
        let mut counts = Self::default();
        for (x, measured) in points {
            counts.points += 1;
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

    fn add(&mut self, x: f64, warning: &Warning) {
        match *warning {
            Warning::Batched { calls } => {
                let most = self.batched_up_to.map_or(0, |(_, most)| most);
                self.batched_up_to = Some((x, most.max(calls)));
            }
            Warning::SevereOutliers { left_out, .. } => self.extreme_outliers += left_out,
            Warning::Imprecise { reached, needs_ms, .. } => {
                let (count, (worst, needs)) = &mut self.imprecise;
                *count += 1;
                *worst = worst.max(reached.unwrap_or(0.0));
                *needs = needs.max(needs_ms.unwrap_or(if reached.is_some() { f64::INFINITY } else { 0.0 }));
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
            Warning::SlowCode { .. } => self.slow_code += 1,
            Warning::SlowMachine { by } => add_worst(&mut self.slow_machine, by),
            Warning::Alone => self.alone += 1,
            Warning::Interrupted { samples, ms } => {
                let (count, (all, lost)) = &mut self.interrupted;
                (*count, *all, *lost) = (*count + 1, *all + samples, *lost + ms);
            }
            Warning::ShortBatches { .. } => self.short_batches += 1,
            Warning::UnderResolution { under } => add_worst(&mut self.under_resolution, under),
            Warning::OneCallABatch => self.has_single_calls = true,
        }
    }

    /// Whether the optimiser may have removed the measured work. The times of slow code cannot show this.
    fn may_be_removed(&self) -> bool {
        self.slow_code == 0 && self.reference.is_some_and(|reference| may_be_removed(&self.upper_ends, reference))
    }

    fn unreliable(&self) -> Vec<CurveWarning> {
        let mut warnings = Vec::new();
        let mut add = |kind, text, cause| warnings.push(CurveWarning { kind, text, cause });
        if let count @ 1.. = self.slow_code {
            let text = "the browser ran its slow initial code. Close the developer tools, reload, then measure again.";
            add(
                WarningKind::SlowCode,
                format!("{}: {text}", self.share(count)),
                "Browsers run this code, which takes several times as long, while developer tools are attached to the worker.",
            );
        }
        if self.may_be_removed() {
            add(
                WarningKind::RemovedWork,
                "The optimiser may have removed the work. Return the result, or pass it through black_box.".to_owned(),
                "Every size takes under two cycles.",
            );
        }
        if let (count @ 1.., (before, after, is_gradual)) = self.changed {
            let (verb, cause) = if is_gradual {
                ("drifted", "The machine was warming up, or the function retains state between calls.")
            } else {
                ("changed", "The browser switched to better code late, or the machine changed its speed.")
            };
            let (count, before, after) = (self.share(count), Nanos(before), Nanos(after));
            add(
                WarningKind::ChangedTimes,
                format!("{count}: the times {verb}, at most from {before} to {after}. Measure again."),
                cause,
            );
        }
        warnings
    }

    fn noisy(&self) -> Vec<CurveWarning> {
        let mut warnings = Vec::new();
        let mut add = |kind, text, cause| warnings.push(CurveWarning { kind, text, cause });
        if let (count @ 1.., (worst, needs_ms)) = self.imprecise {
            let worst = if worst > 0.0 { format!(" (worst {})", plus_minus(worst)) } else { String::new() };
            let remedy = match needs_ms {
                0.0 => {
                    "The required time is unknown. Close other programs, or choose a wider precision target.".to_owned()
                }
                ..=LONGEST_MS => {
                    format!("Allow {} per point, or choose a wider precision target.", Nanos(needs_ms * 1e6))
                }
                _ => "It is out of reach with this clock. Choose a wider precision target.".to_owned(),
            };
            add(
                WarningKind::Imprecise,
                format!("{} missed the precision target{worst}. {remedy}", self.share(count)),
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
                "Alternatively, the function itself stalls now and then.",
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
                    "{}: too few samples for such skewed times; the mean's interval may be too narrow. Use the median, or measure longer.",
                    self.share(count)
                ),
                "",
            );
        }
        warnings
    }

    fn notes(&self, axis: &str) -> Vec<CurveWarning> {
        let mut warnings = Vec::new();
        let mut add = |kind, text, cause| warnings.push(CurveWarning { kind, text, cause });
        if let count @ 1.. = self.alone {
            add(
                WarningKind::MeasuredAlone,
                format!("{}: not measured in turn with the others, so there is no ratio.", self.share(count)),
                "Together, one of the functions ended the suite.",
            );
        }
        if let (count @ 1.., under) = self.under_resolution {
            add(
                WarningKind::UnderResolution,
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
                format!("{count} of {} samples are extreme outliers, excluded from mean and sd.", self.samples),
                "They are beyond the outer fences. Intervals, median and quartiles include them.",
            );
        }
        if let Some((x, calls)) = self.batched_up_to {
            let (x, calls) = (number(x), number(calls as f64));
            add(WarningKind::Batches, format!("{axis} up to {x}: a sample is the mean of up to {calls} calls."), "");
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

/// The longest time that a point may take, in milliseconds: an hour.
const LONGEST_MS: f64 = 3_600_000.0;

fn add_worst((count, worst): &mut Affected<f64>, value: f64) {
    *count += 1;
    *worst = worst.max(value);
}

fn points(count: usize) -> String {
    if count == 1 { "1 point".to_owned() } else { format!("{count} points") }
}

#[cfg(test)]
mod tests {
    use benchbook_host::analyze::blocks;
    use benchbook_host::analyze::interval::Interval;
    use benchbook_host::analyze::statistics::{Basis, summarize};
    use benchbook_host::response::{Overhead, Run};

    use super::*;

    /// A point of one sample, with a reference kernel of 2 000 ns.
    fn point(warnings: &[Warning], upper_end: f64) -> Measured {
        let runs = [blocks::RunTimes { times: &[5.0], blocks: &[1], overhead: 0.0 }];
        let basis = Basis { runs: &runs, calls: 1, resolution: 0.0, quartiles_withheld: false, steady: true };
        let mut summary = summarize(&basis).expect("there is a sample");
        summary.mean_interval = Some(Interval { low: 0.1, high: upper_end });
        let run = Run {
            calls: 1,
            overhead: Overhead::default(),
            settled: true,
            reference: Some(2_000.0),
            samples: Vec::new(),
            blocks: Vec::new(),
        };
        Measured { summary, runs: vec![run], outputs: None, warnings: warnings.to_vec() }
    }

    /// The warnings of a curve whose points, at 10, 20 and so on, have these warnings.
    fn warnings_of(points: &[&[Warning]], upper_end: f64) -> Vec<CurveWarning> {
        let points: Vec<Measured> = points.iter().map(|warnings| point(warnings, upper_end)).collect();
        let points = points.iter().enumerate().map(|(index, measured)| (10.0 * (index + 1) as f64, measured));
        let with_plain_spaces =
            |warning: CurveWarning| CurveWarning { text: warning.text.replace('\u{202f}', " "), ..warning };
        curve_warnings(points, "Number of keys").into_iter().map(with_plain_spaces).collect()
    }

    #[test]
    fn states_each_warning_with_its_remedy() {
        use Severity::{Noisy, Note, Unreliable};
        let changed = |before, after, gradual| Warning::Changed { before, after, gradual };
        let imprecise = |reached, needs_ms| Warning::Imprecise { reached, target: 0.01, needs_ms };
        type Row<'a> = (&'a [Warning], &'a [Warning], Severity, &'a str, &'a str);
        let table: [Row<'_>; 19] = [
            (
                &[changed(2_000.0, 1_000.0, false)],
                &[changed(1_000.0, 900.0, true)],
                Unreliable,
                "2 of 2 points: the times changed, at most from 2.00 µs to 1.00 µs. Measure again.",
                "better code",
            ),
            (
                &[],
                &[changed(1_000.0, 1_100.0, true)],
                Unreliable,
                "1 of 2 points: the times drifted, at most from 1.00 µs to 1.10 µs. Measure again.",
                "warming up",
            ),
            (
                &[Warning::Skewed],
                &[],
                Noisy,
                "1 of 2 points: too few samples for such skewed times; the mean's interval may be too narrow. Use the median, or measure longer.",
                "",
            ),
            (
                &[Warning::SlowCode { tier: 1.5 }],
                &[Warning::SlowCode { tier: 1.2 }],
                Unreliable,
                "2 of 2 points: the browser ran its slow initial code. Close the developer tools, reload, then measure again.",
                "several times as long, while developer tools are attached to the worker",
            ),
            (
                &[Warning::SlowMachine { by: 0.12 }],
                &[Warning::SlowMachine { by: 0.25 }],
                Noisy,
                "2 points: the machine ran up to 25 % slower than at its best. Plug it in, close other programs, then measure again.",
                "heat, battery power, another process",
            ),
            (
                &[Warning::SlowMachine { by: 0.12 }],
                &[],
                Noisy,
                "1 point: the machine ran up to 12 % slower than at its best. Plug it in, close other programs, then measure again.",
                "",
            ),
            (
                &[Warning::Alone],
                &[],
                Note,
                "1 of 2 points: not measured in turn with the others, so there is no ratio.",
                "ended the suite",
            ),
            (
                &[Warning::Interrupted { samples: 1, ms: 4.0 }],
                &[Warning::Interrupted { samples: 2, ms: 8.0 }],
                Noisy,
                "Interference: 3 samples at 2 points were preempted (12.0 ms in total). Close other programs, then measure again.",
                "the function itself",
            ),
            (
                &[Warning::Interrupted { samples: 1, ms: 4.0 }],
                &[],
                Noisy,
                "Interference: 1 sample at 1 point was preempted (4.00 ms in total). Close other programs, then measure again.",
                "",
            ),
            (
                &[imprecise(Some(0.05), Some(12_000.0))],
                &[imprecise(Some(0.02), Some(3_000.0))],
                Noisy,
                "2 of 2 points missed the precision target (worst ± 5.0 %). Allow 12.0 s per point, or choose a wider precision target.",
                "",
            ),
            (
                &[imprecise(Some(0.9), Some(1e9))],
                &[],
                Noisy,
                "1 of 2 points missed the precision target (worst ± 90 %). It is out of reach with this clock. Choose a wider precision target.",
                "",
            ),
            (
                &[imprecise(Some(0.9), None)],
                &[],
                Noisy,
                "1 of 2 points missed the precision target (worst ± 90 %). It is out of reach with this clock. Choose a wider precision target.",
                "",
            ),
            (
                &[imprecise(None, None)],
                &[],
                Noisy,
                "1 of 2 points missed the precision target. The required time is unknown. Close other programs, or choose a wider precision target.",
                "",
            ),
            (
                &[Warning::Batched { calls: 1_000 }],
                &[Warning::Batched { calls: 10 }],
                Note,
                "Number of keys up to 20: a sample is the mean of up to 1 000 calls.",
                "",
            ),
            (
                &[Warning::SevereOutliers { left_out: 1, of: 1 }],
                &[],
                Note,
                "1 of 2 samples are extreme outliers, excluded from mean and sd.",
                "median and quartiles include them",
            ),
            (
                &[Warning::UnderResolution { under: 3.0 }],
                &[],
                Note,
                "1 of 2 points: the time is indistinguishable from zero (under 3.00 ns).",
                "",
            ),
            (
                &[Warning::Unsettled],
                &[],
                Noisy,
                "1 of 2 points did not settle during warm-up. Close other programs, then measure again.",
                "Another process",
            ),
            (
                &[Warning::ShortBatches { batch: 5.0, resolution: 5.0 }],
                &[],
                Note,
                "1 of 2 points: batches are too short for this clock. Use the mean.",
                "Median and quartiles are withheld",
            ),
            (&[Warning::OneCallABatch], &[], Note, "Each call is timed separately, since calls affect each other.", ""),
        ];
        for (first, second, severity, text, cause) in table {
            let warnings = warnings_of(&[first, second], 5.5);
            assert_eq!(warnings.len(), 1, "{warnings:?}");
            let warning = &warnings[0];
            assert_eq!((warning.kind.severity(), warning.text.as_str()), (severity, text));
            assert!(warning.cause.contains(cause), "{cause}: {warning:?}");
        }
        assert_eq!(warnings_of(&[&[], &[]], 5.5), []);
    }

    #[test]
    fn suspects_removed_work_if_every_size_takes_under_two_cycles() {
        // Two cycles take 2 000 ns / 6 000 * 2.
        assert!(warnings_of(&[&[], &[]], 0.66)[0].text.starts_with("The optimiser may have removed the work"));
        assert_eq!(warnings_of(&[&[], &[]], 0.67), []);
        assert_eq!(warnings_of(&[&[]], 0.66), [], "one size proves nothing");
        let slow: &[Warning] = &[Warning::SlowCode { tier: 1.5 }];
        assert_eq!(warnings_of(&[slow, slow], 0.66).len(), 1, "only the slow code is reported");
    }

    #[test]
    fn lists_the_most_serious_warning_first() {
        let all = [Warning::OneCallABatch, Warning::Skewed, Warning::SlowCode { tier: 1.5 }];
        let kinds: Vec<WarningKind> = warnings_of(&[&all], 5.5).iter().map(|warning| warning.kind).collect();
        assert_eq!(kinds, [WarningKind::SlowCode, WarningKind::Skewed, WarningKind::SingleCalls]);
    }

    #[test]
    fn merges_equal_warnings_of_several_curves() {
        let skewed = warnings_of(&[&[Warning::Skewed]], 5.5);
        let slow = warnings_of(&[&[Warning::SlowCode { tier: 1.5 }]], 5.5);
        let curves = [("a".to_owned(), skewed.clone()), ("b".to_owned(), [slow.clone(), skewed.clone()].concat())];
        let shared = |curves: &[&str], warning: &CurveWarning| SharedWarning {
            curves: curves.iter().map(|&name| name.to_owned()).collect(),
            warning: warning.clone(),
        };
        assert_eq!(shared_warnings(curves), [shared(&["b"], &slow[0]), shared(&["a", "b"], &skewed[0])]);
        assert_eq!(shared_warnings([]), []);
    }
}
