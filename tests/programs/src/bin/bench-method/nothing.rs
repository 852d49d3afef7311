//! Functions that do nothing: how often the interval of their mean contains 0.

use anyhow::{Context, Result};
use benchbook_host::analyze::interval::Interval;
use benchbook_host::self_test::steps::empty_quality;
use benchbook_tests::method::LadderSuite;

/// Returns the intervals of the mean, in nanoseconds, of `tries` trials.
pub(crate) async fn tries(suite: &mut LadderSuite, function: &str, tries: usize) -> Result<Vec<Interval>> {
    let mut intervals = Vec::new();
    while intervals.len() < tries {
        let response = suite.measure(&[function], empty_quality(1)).await?;
        for measured in response.points.iter().filter_map(|point| point.measured()) {
            intervals.push(measured.summary.mean_interval.with_context(|| format!("{function} has no interval"))?);
        }
    }
    intervals.truncate(tries);
    Ok(intervals)
}
