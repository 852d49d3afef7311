//! The points of a report.

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::analyze::history::verdict::DayDoubt;
use benchbook_host::history::{Benchmark, BuildOrigin, CheckedMetric, CheckedResult, MachineClass};
use benchbook_host::units::{axis_value, percent};
use benchbook_report::history::fixed_value;
use serde::Serialize;

use super::change::{ReportedChange, signed};
use super::finding::Finding;
use crate::advised_command::AdvisedCommand;
use crate::arguments::typed;
use crate::check::compare::{ComparedPoint, CountDoubt, Doubt, PointFinding};
use crate::check::measure::MeasuredResult;

/// A point of the report.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(transform = changes_of_compared_points))]
pub(crate) struct ReportedPoint {
    pub(super) finding: Finding,
    #[serde(flatten)]
    pub(super) benchmark: Benchmark,
    /// The axis value; absent without an axis.
    #[serde(skip_serializing_if = "AxisValue::is_absent")]
    pub(super) x: AxisValue,
    /// The mean in the unit of the metric per call: nanoseconds, allocations, or bytes. Absent if the code is the same, so that it was not
    /// measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mean: Option<f64>,
    /// The change from the days of the accepted results, relative to the machine; if they are of one day, from the latest one; or from the baseline.
    /// Absent if it cannot be compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) change: Option<ReportedChange>,
    /// The latest accepted value of an exact metric, or that of the baseline; absent for timed metrics, and if it cannot be compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub(super) before: Option<f64>,
    /// The noise of a virtual machine, if it may be the reason why the change is undecided.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub(super) noise: Option<f64>,
    /// The smallest slowdown that the comparison of a time would have found: 0.1 is 10%. Absent if no time was compared, or if no slowdown could have been found.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub(super) detectable: Option<f64>,
    /// Whether a time was measured, but not even a great slowdown could have been found.
    #[serde(skip_serializing_if = "is_false")]
    pub(super) is_untested: bool,
    /// Remarks for the reader.
    pub(super) remarks: Vec<String>,
    /// The command that finds the call which made it slower; absent unless it is slower or has a greater count than at a known commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pinpoint: Option<String>,
    pub(super) build: BuildOrigin,
    pub(super) machine: MachineClass,
    /// The index of its benchmark.
    #[serde(skip)]
    pub(super) index: usize,
}

/// Only a compared point has a change, or the value before; only one with the same code has no mean.
#[cfg(test)]
fn changes_of_compared_points(schema: &mut schemars::Schema) {
    let rules = serde_json::json!([
        { "if": { "properties": { "finding": { "const": "same_code" } } }, "else": { "required": ["mean"] } },
        {
            "if": { "properties": { "finding": { "enum": ["new", "not_comparable", "same_code"] } } },
            "then": { "properties": { "change": false, "before": false } },
            "else": { "anyOf": [{ "required": ["change"] }, { "required": ["before"] }] },
        },
    ]);
    schema.insert("allOf".to_owned(), rules);
}

/// The digits of a commit in a command.
const COMMIT_DIGITS: usize = 12;

fn shortened(commit: &str) -> &str {
    commit.get(..COMMIT_DIGITS).unwrap_or(commit)
}

/// The command that compares a benchmark with a commit.
fn pinpoint(benchmark: &Benchmark, commit: &str) -> String {
    let Benchmark { function, generator, arguments, .. } = benchmark;
    let commit = shortened(commit);
    let set = arguments.iter().flat_map(|(name, argument)| ["--set".to_owned(), format!("{name}={}", typed(argument))]);
    let own = [function, "--baseline", commit, "--generator", generator].map(str::to_owned);
    AdvisedCommand::Pinpoint(&own.into_iter().chain(set).collect::<Vec<_>>()).to_string()
}

/// The command that shows how the code of a benchmark differs from that of a commit.
fn assembly(benchmark: &Benchmark, commit: &str) -> String {
    let own = [&benchmark.function, "--baseline", shortened(commit)].map(str::to_owned);
    AdvisedCommand::Assembly(&own).to_string()
}

/// What a doubt means for the reader. A change within the differences between days needs no remark: its interval shows it.
fn doubt_remark(doubt: Doubt) -> Option<&'static str> {
    match doubt {
        Doubt::NotConfirmed => Some("a second measurement did not confirm the slowdown"),
        Doubt::Days(DayDoubt::SingleDay) => Some("certain only for this day: how much days differ is unknown"),
        Doubt::Days(DayDoubt::NoReference) => Some("the machine may have changed, too"),
        // Its remark names a command.
        Doubt::Days(DayDoubt::WithinDays) | Doubt::SameSource => None,
    }
}

/// Why the comparison of a time is undecided, and what would decide it. `pairs`: how many pairs of builds were measured; absent without a baseline.
fn undecided_remark(change: ReportedChange, minimum_effect: f64, pairs: Option<usize>) -> String {
    const MOST_SAMPLES: f64 = 100.0;
    let half = (change.high - change.low) / 2.0;
    let reason = match (change.low > 0.0, change.high < 0.0) {
        (false, false) => format!("neither no change nor one of {} is excluded", percent(minimum_effect)),
        _ => format!("the change may be smaller than {}, which would not count", percent(minimum_effect)),
    };
    // An interval becomes narrower with the square root of the number of samples.
    let samples = pairs.map(|pairs| (pairs as f64 * (half / minimum_effect).powi(2)).ceil());
    match samples {
        Some(samples) if samples <= MOST_SAMPLES => format!("{reason}: about --samples {samples} would decide it"),
        Some(_) => format!(
            "{reason}: --samples 100 would not decide it, but a quieter machine or --minimum-effect {} would",
            percent((change.high.max(-change.low) * 1e3).ceil() / 1e3)
        ),
        None => format!("{reason}. Accepted results of more days would narrow the interval"),
    }
}

/// What a function executes before and now.
fn executed_remark([before, now]: [f64; 2]) -> String {
    let text = |count: f64| CheckedMetric::WasmInstructions.text(count);
    if before == now {
        return format!("it executes as much as before: {}", text(now));
    }
    let change = ReportedChange::exact(before, now).map(|change| format!(" ({})", signed(change.relative)));
    format!("it executes {} instead of {}{}", text(now), text(before), change.unwrap_or_default())
}

fn is_false(value: &bool) -> bool {
    !value
}

fn count_doubt_remark(doubt: CountDoubt, is_equal: bool) -> &'static str {
    match doubt {
        CountDoubt::NotConfirmed => "not confirmed: the count varies between measurements",
        CountDoubt::Varying => "the count depends on addresses in memory, as in a hash map with random keys",
        CountDoubt::OtherNativeCode if is_equal => "as many as before, but the native build has changed",
        CountDoubt::OtherNativeCode => "less than the smallest change that counts, but the native build has changed",
    }
}

impl ReportedPoint {
    /// `commit`: returns the commit that a result was compared with, if it is known.
    pub(super) fn new(
        point: ComparedPoint,
        results: &[MeasuredResult],
        commit: impl Fn(&CheckedResult) -> Option<String>,
    ) -> Self {
        let result = &results[point.index].result;
        let mut before = None;
        let (finding, change, remarks) = match point.finding {
            PointFinding::New => (Finding::New, None, Vec::new()),
            PointFinding::NotComparable(reasons) => (Finding::NotComparable, None, reasons),
            PointFinding::SameCode => (Finding::SameCode, None, Vec::new()),
            PointFinding::Compared { difference, doubt: Some(Doubt::SameSource), .. } => {
                let assembly = commit(result).map(|commit| assembly(&result.benchmark, &commit)).unwrap_or_default();
                let remark = format!(
                    "its source and that of all that it calls are the same, so the compiler has made other code of it: {assembly}"
                );
                (Finding::CodeGeneration, Some(difference.into()), vec![remark])
            }
            PointFinding::Compared { change, difference, doubt } => {
                let remark = doubt.and_then(doubt_remark).map(str::to_owned);
                (Finding::from(change), Some(difference.into()), remark.into_iter().collect())
            }
            PointFinding::Counted { change, before: value, doubt } => {
                before = Some(value);
                let remark = doubt.map(|doubt| count_doubt_remark(doubt, point.mean == before).to_owned());
                let finding = if doubt.is_some() { Finding::Undecided } else { Finding::from(change) };
                (finding, point.mean.and_then(|mean| ReportedChange::exact(value, mean)), remark.into_iter().collect())
            }
        };
        let noise = results[point.index].noise.filter(|_| finding == Finding::Undecided);
        let noise_remark = noise.map(|noise| {
            format!(
                "on this virtual machine, the build differs from itself by up to ±{}: smaller changes do not count",
                percent(noise)
            )
        });
        let MeasuredResult { minimum_effect, noise: limit, .. } = results[point.index];
        let is_timed = !result.benchmark.metric.is_exact();
        let is_untested = is_timed && (finding == Finding::NotComparable || !point.is_decisive);
        let compared: Option<ReportedChange> = change.filter(|_| is_timed && !is_untested);
        let detectable = compared.map(|change| change.detectable(limit.unwrap_or(minimum_effect).max(minimum_effect)));
        let is_undecided = finding == Finding::Undecided && is_timed && remarks.is_empty() && noise_remark.is_none();
        let undecided = compared
            .filter(|_| is_undecided)
            .map(|change| undecided_remark(change, minimum_effect, results[point.index].pairs_at(&point.x)));
        let is_regression = finding.is_regression();
        let commit = is_regression.then(|| commit(result)).flatten();
        Self {
            finding,
            pinpoint: commit.map(|commit| pinpoint(&result.benchmark, &commit)),
            benchmark: result.benchmark.clone(),
            x: point.x,
            mean: point.mean,
            change,
            before,
            noise,
            detectable,
            is_untested,
            remarks: remarks.into_iter().chain(noise_remark).chain(undecided).collect(),
            build: result.build.clone(),
            machine: result.machine.clone(),
            index: point.index,
        }
    }

    /// The point with the counts of wasm instructions before and now, if its time is undecided.
    pub(super) fn with_executed(mut self, counts: Option<[f64; 2]>) -> Self {
        let is_undecided = self.finding == Finding::Undecided && self.benchmark.metric == CheckedMetric::Time;
        self.remarks.extend(counts.filter(|_| is_undecided).map(executed_remark));
        self
    }

    /// The mean as text; empty if it was not measured.
    pub(super) fn mean_text(&self) -> String {
        self.mean.map(|mean| self.benchmark.metric.text(mean)).unwrap_or_default()
    }

    /// The change as text: `+2.3% (+1.2% to +3.4%)`, `+50%, from 64 bytes`, `unchanged`. Empty without one.
    pub(super) fn change_text(&self) -> String {
        match (self.before, self.change) {
            (Some(before), _) if self.mean == Some(before) => "unchanged".to_owned(),
            (Some(before), change) => {
                let change = change.map(|change| format!("{}, ", signed(change.relative))).unwrap_or_default();
                format!("{change}from {}", self.benchmark.metric.text(before))
            }
            (None, Some(change)) => change.to_string(),
            (None, None) => String::new(),
        }
    }

    /// The function, and whatever else distinguishes the point from the others.
    pub(super) fn name(&self, all: &[Self]) -> Vec<String> {
        let own = &self.benchmark;
        let differs = |is_other: &dyn Fn(&Benchmark) -> bool| all.iter().any(|point| is_other(&point.benchmark));
        let function = match differs(&|other| other.suite != own.suite) {
            true => format!("{}::{}", own.suite, own.function),
            false => own.function.clone(),
        };
        let metric = differs(&|other| other.metric != own.metric).then(|| own.metric.to_string());
        let arguments = self.arguments(|parameter| {
            differs(&|other| {
                (&other.suite, &other.function) == (&own.suite, &own.function)
                    && other.arguments.get(parameter) != own.arguments.get(parameter)
            })
        });
        [function].into_iter().chain(metric).chain(arguments).collect()
    }

    /// The function, the metric and all arguments: a name that is the same in each report.
    pub(super) fn full_name(&self) -> String {
        let start = [self.benchmark.function.clone(), self.benchmark.metric.to_string()];
        start.into_iter().chain(self.arguments(|_| true)).collect::<Vec<_>>().join(", ")
    }

    /// The axis value, and the arguments of those other parameters that are to be named.
    fn arguments(&self, is_named: impl Fn(&str) -> bool) -> impl Iterator<Item = String> {
        self.benchmark.arguments.iter().filter_map(move |(parameter, argument)| match fixed_value(argument) {
            None => (!self.x.is_absent()).then(|| format!("{parameter} {}", axis_value(&self.x))),
            Some(value) => is_named(parameter).then(|| format!("{parameter} {value}")),
        })
    }
}
