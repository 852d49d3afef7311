//! One per cent: how often a difference is found that is there, and how often one that is not.

use anyhow::{Context, Result};
use benchbook_host::analyze::interval::Interval;
use benchbook_host::quality::{Bounds, Counts, Quality};

use super::{Face, ratios};

/// Two functions, one of which takes 101 steps where the other takes 100.
pub const ONE_PER_CENT: [&str; 2] = ["rungs::percent_100", "rungs::percent_101"];

/// Two functions that take the same steps.
pub const THE_SAME: [&str; 2] = ["rungs::percent_100", "rungs::percent_100_again"];

/// The time of a try for each function, in milliseconds, warming up and calibrating included: a second for both.
const POINT_MS: f64 = 500.0;

/// The interval of the ratio from each of so many tries, each on its own.
///
/// # Errors
/// Where a point fails or a ratio is withheld.
pub async fn tries(face: &mut Face, [baseline, other]: [&str; 2], tries: usize) -> Result<Vec<Interval>> {
    let mut intervals = Vec::new();
    while intervals.len() < tries {
        let response = face.measure(&[baseline, other], quality()).await?;
        for at in ratios(&response, baseline, other, 1) {
            intervals.push(at.interval.with_context(|| format!("{other} beside {baseline}: {:?}", at.withheld))?);
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
        warm_up: Bounds { at_least: 10, at_most: 500, ms: POINT_MS / 5.0 },
        samples: Counts { at_least: 20, at_most: 5_000 },
        processes: 1,
        timeout_ms: None,
    }
}
