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
    /// The fingerprint of the latest build that was counted.
    pub(super) build: &'a str,
}

impl EarlierCounts<'_> {
    /// What was found about a point with a count.
    pub(super) fn finding(&self, result: &MeasuredResult, point: &CheckedPoint) -> PointFinding {
        match result.result.benchmark.metric {
            CheckedMetric::WasmInstructions => self.of_wasm(result, point),
            _ => {
                let counts: Vec<f64> = self.counts.iter().flat_map(|counts| counts.iter().copied()).collect();
                let change = point.means.first().and_then(|&count| CountChange::of(&counts, count));
                PointFinding::Counted { change: change.unwrap_or(CountChange::Same), before: self.latest, doubt: None }
            }
        }
    }

    /// Wasm instructions are compared with the latest count; changes from the least effect on count.
    fn of_wasm(&self, result: &MeasuredResult, point: &CheckedPoint) -> PointFinding {
        let before = self.latest;
        let count = point.means.first().copied().unwrap_or(before);
        let is_small = (count - before).abs() < result.minimum_effect * before;
        let change = CountChange::of(&[before], count).filter(|_| !is_small).unwrap_or(CountChange::Same);
        let varied = self.counts.last().is_some_and(|latest| latest.len() > 1);
        let is_same_build = self.build == result.result.build.fingerprint;
        let doubt = match change {
            _ if varied || point.means.len() > 1 => Some(CountDoubt::Varying),
            CountChange::Same if !is_same_build && !result.has_time => Some(CountDoubt::OtherNativeCode),
            CountChange::More | CountChange::Less | CountChange::Same => None,
        };
        PointFinding::Counted { change, before, doubt }
    }
}
