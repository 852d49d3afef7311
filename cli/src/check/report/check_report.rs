//! The report of a check as data.

use std::collections::BTreeSet;

use benchbook_host::history::{AcceptedResult, CheckedResult};
use serde::Serialize;

use super::benchmark::ReportedBenchmark;
use super::change::ReportedCommonChange;
use super::finding::Finding;
use super::point::ReportedPoint;
use crate::check::compare::{ComparedPoint, Comparisons, KnownDays};
use crate::check::measure::{ChangedInputs, Interference, Measurements};
use crate::check::plan::HistoryTest;
use crate::project::deliberate::Deliberate;

/// The exit status if a function has become slower, or uses more memory.
pub(crate) const REGRESSION: u8 = 1;

/// The exit status if a measurement failed.
pub(crate) const FAILED: u8 = 3;

/// The exit status if the check would not have found a slowdown that it must find.
const INSENSITIVE: u8 = 4;

/// What makes a check fail, besides regressions and failures.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Strictness {
    /// Whether an undecided comparison, and a change of the code of the same source, counts as a regression.
    pub(crate) is_strict: bool,
    /// The slowdown that must be found wherever it is, as a ratio; absent if any sensitivity is enough.
    pub(crate) at_least: Option<f64>,
}

/// The version of the JSON form.
pub(super) const VERSION: u32 = 1;

/// The report that `cargo benchbook check --json` prints, version 1. docs/check-reference.md explains it. A later report of the same version may
/// have additional fields.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "Benchbook check", extend("$schema" = "https://json-schema.org/draft/2020-12/schema")))]
pub(crate) struct CheckReport {
    /// The version of this form: 1.
    #[cfg_attr(test, schemars(extend("const" = VERSION)))]
    benchbook_check: u32,
    /// The probability that the run reports no change if nothing has changed.
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1)))]
    pub(crate) confidence: f64,
    /// How accepted results were compared. With `interval`, false alarms are more frequent than `confidence` states.
    pub(super) test: HistoryTest,
    /// Why points were not compared with some of the accepted results.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) rejections: BTreeSet<String>,
    /// The commit or the results that were compared with; absent if all accepted results were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) baseline: Option<String>,
    /// The paths of the functions that only the baseline contains or, without one, of which only accepted results exist.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) removed: Vec<String>,
    /// Sentences about the versions of suites that measured the baseline, where that is not clear.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) suites: Vec<String>,
    /// The inputs that only one of the commits has, so that they are not compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) inputs: Vec<ChangedInputs>,
    /// The confidence of each interval, chosen so that the whole run has its confidence.
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1)))]
    pub(super) interval_confidence: f64,
    /// Whether the accepted results show how much days differ; absent with a baseline, with `interval`, and without accepted results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) days: Option<KnownDays>,
    /// The changes of all functions together, relative to the reference kernel: with eight functions and two days or more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) all_functions: Vec<ReportedCommonChange>,
    /// What other programs took from the measurements of times; absent if no time was measured on this machine.
    #[serde(skip_serializing_if = "Interference::is_empty")]
    pub(super) interference: Interference,
    /// The points, those that need attention first.
    pub(super) points: Vec<ReportedPoint>,
    /// A sentence for each point that could not be measured.
    pub(super) failures: Vec<String>,
    /// The results, in the order of the suites.
    #[serde(skip)]
    pub(super) benchmarks: Vec<ReportedBenchmark>,
}

impl CheckReport {
    /// The report of a comparison. `accepted`: the results that were compared with, the oldest first.
    pub(crate) fn new(compared: Comparisons, measured: &Measurements, accepted: &[&AcceptedResult]) -> Self {
        let Measurements { results, failures, baseline, interference } = measured;
        let commit = |result: &CheckedResult| match baseline {
            Some(baseline) => Some(baseline.commit.clone()),
            None => latest_commit(result, accepted),
        };
        let reported = |point: &ComparedPoint| {
            let executed = compared.executed_at(results[point.index].check, &point.x);
            ReportedPoint::new(point.clone(), results, commit).with_executed(executed)
        };
        let mut points: Vec<ReportedPoint> = compared.points.iter().map(reported).collect();
        // Stable: within a finding, the order of the suites remains.
        points.sort_by_key(|point| point.finding);
        Self {
            benchbook_check: VERSION,
            confidence: compared.rule.confidence,
            test: compared.rule.test,
            rejections: compared.rejections,
            baseline: baseline.as_ref().map(|baseline| baseline.name.clone()),
            removed: baseline.iter().flat_map(|baseline| baseline.removed.clone()).collect(),
            suites: baseline.iter().flat_map(|baseline| baseline.suites.clone()).collect(),
            inputs: baseline.iter().flat_map(|baseline| baseline.inputs.clone()).collect(),
            interval_confidence: compared.interval_confidence,
            days: compared.days,
            all_functions: compared.all_functions.into_iter().map(ReportedCommonChange::from).collect(),
            interference: *interference,
            points,
            failures: failures.clone(),
            benchmarks: results.iter().map(|one| ReportedBenchmark::new(one, accepted)).collect(),
        }
    }

    /// The report with functions of which only accepted results exist.
    pub(crate) fn with_removed(mut self, removed: Vec<String>) -> Self {
        self.removed.extend(removed);
        self
    }

    /// The report of a comparison with results that have this name.
    pub(crate) fn compared_with(self, name: &str) -> Self {
        Self { baseline: Some(name.to_owned()), ..self }
    }

    /// The report without the regressions that were accepted in advance. `today`: such as `2026-12-03`.
    pub(crate) fn accepting(mut self, accepted: &[Deliberate], today: &str) -> Self {
        for point in self.points.iter_mut().filter(|point| point.finding.is_regression()) {
            let accepts = |one: &&Deliberate| one.accepts(&point.benchmark.function, &point.x, today);
            if let Some(Deliberate { reason, .. }) = accepted.iter().find(accepts) {
                point.finding = Finding::Deliberate;
                point.remarks.push(format!("accepted: {reason}"));
            }
        }
        self.points.sort_by_key(|point| point.finding);
        self
    }

    /// The commands that find the calls which made functions slower, each once.
    pub(super) fn pinpoint_commands(&self) -> Vec<&str> {
        let mut commands: Vec<&str> = self.points.iter().filter_map(|point| point.pinpoint.as_deref()).collect();
        commands.sort_unstable();
        commands.dedup();
        commands
    }

    /// The exit status.
    pub(crate) fn status(&self, Strictness { is_strict, at_least }: Strictness) -> u8 {
        match () {
            () if self.has_regression() => REGRESSION,
            () if is_strict && (self.is_undecided() || self.count(Finding::CodeGeneration) > 0) => REGRESSION,
            () if self.has_failed() => FAILED,
            () if at_least.is_some_and(|slowdown| self.sensitivity().is_some_and(|found| found > slowdown)) => {
                INSENSITIVE
            }
            () => 0,
        }
    }

    /// Whether a function has become slower, or has a greater count.
    pub(crate) fn has_regression(&self) -> bool {
        let are_together = self.all_functions.iter().any(|together| together.finding.is_regression());
        are_together || self.points.iter().any(|point| point.finding.is_regression())
    }

    /// Whether it is uncertain for a point whether it has become slower.
    pub(crate) fn is_undecided(&self) -> bool {
        self.count(Finding::Undecided) > 0
    }

    /// The smallest slowdown that would have been found at every point, as a ratio; infinite if none would have been found at one of them. `None` if no time was to be
    /// compared.
    pub(super) fn sensitivity(&self) -> Option<f64> {
        let detectable = self.points.iter().filter_map(|point| match point.is_untested {
            true => Some(f64::INFINITY),
            false => point.detectable,
        });
        detectable.reduce(f64::max)
    }

    /// Whether a point could not be measured.
    pub(crate) fn has_failed(&self) -> bool {
        !self.failures.is_empty()
    }

    /// Whether a point was compared.
    pub(super) fn has_comparison(&self) -> bool {
        self.has_intervals() || self.points.iter().any(|point| point.before.is_some())
    }

    /// Whether the time of a point was compared.
    pub(super) fn has_intervals(&self) -> bool {
        self.points.iter().any(|point| point.change.is_some() && point.before.is_none())
    }

    pub(super) fn count(&self, finding: Finding) -> usize {
        self.points.iter().filter(|point| point.finding == finding).count()
    }

    /// The points that have changed, and the others.
    pub(super) fn changes_and_others(&self) -> (Vec<&ReportedPoint>, Vec<&ReportedPoint>) {
        self.points.iter().partition(|point| point.finding.is_change())
    }

    /// The report as JSON, see docs/check.schema.json.
    pub(crate) fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a report serializes to JSON") + "\n"
    }
}

/// The commit of the latest accepted result that can be compared with a result, if that was built from a commit.
fn latest_commit(result: &CheckedResult, accepted: &[&AcceptedResult]) -> Option<String> {
    let is_comparable = |other: &&&AcceptedResult| other.check_comparable(&result.benchmark, &result.machine).is_ok();
    let build = &accepted.iter().rev().find(is_comparable)?.result.build;
    build.commit.clone().filter(|_| !build.dirty)
}
