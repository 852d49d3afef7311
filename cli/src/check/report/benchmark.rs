//! The benchmarks of a report, with the accepted results that their points are compared with.

use benchbook_host::history::{AcceptedResult, CheckedPoint, CheckedResult};

use super::series::{ResultSeries, SeriesResult};
use crate::check::measure::{BaselineFigures, MeasuredResult};

/// A result of the check, and the accepted results that can be compared with it.
#[derive(Debug)]
pub(crate) struct ReportedBenchmark {
    pub(super) result: CheckedResult,
    /// The oldest is the first.
    accepted: Vec<AcceptedResult>,
    /// The result of the baseline that was interleaved with it.
    baseline: Option<CheckedResult>,
}

impl ReportedBenchmark {
    pub(super) fn new(one: &MeasuredResult, accepted: &[&AcceptedResult]) -> Self {
        let result = one.result.clone();
        let is_comparable =
            |other: &&&AcceptedResult| other.check_comparable(&result.benchmark, &result.machine).is_ok();
        let accepted = accepted.iter().filter(is_comparable).map(|&other| other.clone()).collect();
        let baseline = one.baseline.as_ref().and_then(|baseline| baseline_result(&result, baseline));
        Self { result, accepted, baseline }
    }

    /// The accepted results, the baseline, and the new result as the last.
    pub(super) fn series(&self) -> ResultSeries<'_> {
        let new = self.baseline.iter().chain([&self.result]).map(|result| SeriesResult { result, accepted: None });
        ResultSeries { results: self.accepted.iter().map(SeriesResult::from).chain(new).collect() }
    }
}

/// The figures of a baseline as a result of its own; `None` if it was not measured.
fn baseline_result(result: &CheckedResult, baseline: &BaselineFigures) -> Option<CheckedResult> {
    let BaselineFigures::Pairs { points, build, .. } = baseline else { return None };
    let points = points.iter().map(|point| CheckedPoint {
        x: point.x.clone(),
        means: point.means[0].clone(),
        calls: point.calls[0],
        ..CheckedPoint::default()
    });
    Some(CheckedResult { build: build.clone(), points: points.collect(), ..result.clone() })
}
