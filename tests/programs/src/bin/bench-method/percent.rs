//! One per cent: how often a real difference is detected, and how often one is reported that does not exist.

use anyhow::{Context, Result};
use benchbook_host::analyze::interval::Interval;
use benchbook_host::self_test::rungs::{paired, single_ratios};
use benchbook_host::self_test::steps::pair_quality;
use benchbook_tests::method::LadderSuite;

/// Two functions with 100 and 101 steps.
pub(crate) const ONE_PER_CENT: [&str; 2] = ["rungs::percent_100", "rungs::percent_101"];

/// Two functions with the same number of steps.
pub(crate) const IDENTICAL: [&str; 2] = ["rungs::percent_100", "rungs::percent_100_again"];

/// Returns the intervals of the ratio from `tries` independent trials of a second.
pub(crate) async fn tries(
    suite: &mut LadderSuite,
    [baseline, other]: [&str; 2],
    tries: usize,
) -> Result<Vec<Interval>> {
    let mut intervals = Vec::new();
    while intervals.len() < tries {
        let response = suite.measure(&[baseline, other], pair_quality()).await?;
        for at in single_ratios(&paired(&response.points, [baseline, other])) {
            intervals.push(at.interval.with_context(|| format!("{other} and {baseline}: {:?}", at.withheld))?);
        }
    }
    intervals.truncate(tries);
    Ok(intervals)
}
