//! The report of a check as data.

use std::collections::BTreeSet;

use benchbook_host::history::AcceptedResult;
use serde::Serialize;

use super::benchmark::ReportedBenchmark;
use super::finding::Finding;
use super::point::ReportedPoint;
use crate::check::compared::{ComparedRun, ComparisonRule, HistoryTest, ResultToCompare};

/// The version of the JSON form.
pub(super) const VERSION: u32 = 1;

/// The report of a check.
#[derive(Debug, Serialize)]
pub(in crate::check) struct CheckReport {
    /// The version of this form: 1.
    benchbook_check: u32,
    /// The probability that the run reports no change if nothing has changed.
    pub(super) confidence: f64,
    /// How accepted results were compared.
    pub(super) test: HistoryTest,
    /// Why points were not compared with some of the accepted results.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) rejections: BTreeSet<String>,
    /// The commit that was compared with; absent if accepted results were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) baseline: Option<String>,
    /// The paths of the functions that only the baseline contains.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) removed: Vec<String>,
    /// The confidence of each interval, chosen so that the whole run has its confidence.
    pub(super) interval_confidence: f64,
    /// The points, those that need attention first.
    pub(super) points: Vec<ReportedPoint>,
    /// A sentence for each point that could not be measured.
    pub(super) failures: Vec<String>,
    /// The results, in the order of the suites.
    #[serde(skip)]
    pub(super) benchmarks: Vec<ReportedBenchmark>,
}

impl CheckReport {
    /// The report of a run. `accepted`: the results that it was compared with, the oldest first. `rule`: that of the whole run.
    pub(in crate::check) fn new(
        run: ComparedRun,
        results: &[ResultToCompare],
        accepted: &[&AcceptedResult],
        failures: Vec<String>,
        rule: ComparisonRule,
    ) -> Self {
        let mut points: Vec<ReportedPoint> =
            run.points.into_iter().map(|point| ReportedPoint::new(point, results)).collect();
        // Stable: within a finding, the order of the suites remains.
        points.sort_by_key(|point| point.finding);
        let benchmarks = results.iter().map(|one| ReportedBenchmark::new(one, accepted)).collect();
        let interval_confidence = run.confidence;
        Self {
            benchbook_check: VERSION,
            confidence: rule.confidence,
            test: rule.test,
            rejections: run.rejections,
            baseline: None,
            removed: Vec::new(),
            interval_confidence,
            points,
            failures,
            benchmarks,
        }
    }

    /// The same report with the name of the commit that was compared with, and the functions that only this commit contains.
    pub(in crate::check) fn with_baseline(self, baseline: String, removed: Vec<String>) -> Self {
        Self { baseline: Some(baseline), removed, ..self }
    }

    /// Whether a function has become slower, or has a greater count.
    pub(in crate::check) fn has_regression(&self) -> bool {
        self.points.iter().any(|point| point.finding.is_regression())
    }

    /// Whether it is uncertain for a point whether it has become slower.
    pub(in crate::check) fn is_undecided(&self) -> bool {
        self.count(Finding::Undecided) > 0
    }

    /// Whether a point could not be measured.
    pub(in crate::check) fn has_failed(&self) -> bool {
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
    pub(in crate::check) fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a report serializes to JSON") + "\n"
    }
}
