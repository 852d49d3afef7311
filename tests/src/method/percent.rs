//! One per cent: how often a real difference is detected, and how often one is reported that does not exist.

use anyhow::{Context, Result};
use benchbook_host::analyze::interval::Interval;
use benchbook_host::quality::{BatchBounds, BatchCounts, Quality};

use super::{LadderSuite, ratios};

/// Two functions with 100 and 101 steps.
pub const ONE_PER_CENT: [&str; 2] = ["rungs::percent_100", "rungs::percent_101"];

/// Two functions with the same number of steps.
pub const IDENTICAL: [&str; 2] = ["rungs::percent_100", "rungs::percent_100_again"];

/// The time per trial and function in milliseconds, including warm-up and calibration: a second for both.
const POINT_MS: f64 = 500.0;

/// Returns the intervals of the ratio from `tries` independent trials.
///
/// # Errors
/// If a point fails or a ratio is withheld.
pub async fn tries(suite: &mut LadderSuite, [baseline, other]: [&str; 2], tries: usize) -> Result<Vec<Interval>> {
    let mut intervals = Vec::new();
    while intervals.len() < tries {
        let response = suite.measure(&[baseline, other], quality()).await?;
        for at in ratios(&response, baseline, other, 1) {
            intervals.push(at.interval.with_context(|| format!("{other} and {baseline}: {:?}", at.withheld))?);
        }
    }
    intervals.truncate(tries);
    Ok(intervals)
}

fn quality() -> Quality {
    Quality {
        points: 2,
        precision: 0.002,
        point_ms: POINT_MS,
        warm_up: BatchBounds { at_least: 10, at_most: 500, ms: POINT_MS / 5.0 },
        samples: BatchCounts { at_least: 20, at_most: 5_000 },
        processes: 1,
        timeout_ms: None,
    }
}
