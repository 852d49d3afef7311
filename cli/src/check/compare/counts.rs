//! Comparisons of exact metrics.

use benchbook_host::analyze::history::count::CountChange;
use benchbook_host::history::{CheckedMetric, CheckedPoint};

use super::{CountDoubt, PointFinding};
use crate::check::measure::MeasuredResult;

/// The counts of a point before: the accepted ones, or that of the baseline.
pub(super) struct EarlierCounts<'a> {
    /// Each with the results of one measurement: two if they differed, otherwise one.
    pub(super) counts: Vec<&'a [f64]>,
    /// The latest one.
    pub(super) latest: f64,
    /// The fingerprints of the builds that were counted.
    pub(super) builds: Vec<&'a str>,
}

impl EarlierCounts<'_> {
    /// What was found about a point with a count. Of allocations, every change counts; of wasm instructions, those from the least effect on.
    pub(super) fn finding(&self, result: &MeasuredResult, point: &CheckedPoint) -> PointFinding {
        let before = self.latest;
        let counts: Vec<f64> = self.counts.iter().flat_map(|counts| counts.iter().copied()).collect();
        let count = point.means.first().copied().unwrap_or(before);
        let change = CountChange::of(&counts, count).unwrap_or(CountChange::Same);
        if result.result.benchmark.metric != CheckedMetric::WasmInstructions {
            return PointFinding::Counted { change, before, doubt: None };
        }
        let is_small = (count - before).abs() < result.minimum_effect * before;
        let change = if is_small { CountChange::Same } else { change };
        let varies = point.means.len() > 1 || self.counts.iter().any(|counts| counts.len() > 1);
        let is_same_build = self.builds.contains(&result.result.build.fingerprint.as_str());
        let doubt = match change {
            _ if varies => Some(CountDoubt::Varying),
            CountChange::Same if !is_same_build => Some(CountDoubt::OtherNativeCode),
            CountChange::More | CountChange::Less | CountChange::Same => None,
        };
        PointFinding::Counted { change, before, doubt }
    }
}
