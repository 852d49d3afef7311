//! The benchmarks of a report, with the accepted results that their points are compared with.

use benchbook_host::history::{AcceptedResult, CheckedResult};

use crate::check::compared::ResultToCompare;
use crate::check::series::{ResultSeries, SeriesResult};

/// A result of the check, and the accepted results that can be compared with it.
#[derive(Debug)]
pub(in crate::check) struct ReportedBenchmark {
    pub(super) result: CheckedResult,
    /// The oldest is the first.
    accepted: Vec<AcceptedResult>,
}

impl ReportedBenchmark {
    pub(super) fn new(one: &ResultToCompare, accepted: &[&AcceptedResult]) -> Self {
        let result = one.result.clone();
        let is_comparable =
            |other: &&&AcceptedResult| other.check_comparable(&result.benchmark, &result.machine).is_ok();
        let accepted = accepted.iter().filter(is_comparable).map(|&other| other.clone()).collect();
        Self { result, accepted }
    }

    /// The accepted results, and the new one as the last.
    pub(super) fn series(&self) -> ResultSeries<'_> {
        let new = SeriesResult { result: &self.result, accepted: None };
        ResultSeries { results: self.accepted.iter().map(SeriesResult::from).chain([new]).collect() }
    }
}
