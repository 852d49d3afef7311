//! Nothing: how often the interval of the mean of a function that does nothing holds 0.

use anyhow::{Context, Result};
use benchbook_host::analyze::interval::Interval;
use benchbook_host::quality::{Bounds, Counts, Quality};

use super::Face;

/// Functions that do nothing, however they get at their input.
pub const EMPTY: [&str; 6] = [
    "nothing::empty_shared",
    "nothing::empty_own",
    "nothing::empty_value",
    "nothing::empty_mut",
    "nothing::empty_several",
    "nothing::empty_owned",
];

/// The time of a try in milliseconds.
const POINT_MS: f64 = 200.0;

/// The interval of the mean in nanoseconds from each of so many tries.
///
/// # Errors
/// Where a point fails, or has no interval.
pub async fn tries(face: &mut Face, function: &str, tries: usize) -> Result<Vec<Interval>> {
    let mut intervals = Vec::new();
    while intervals.len() < tries {
        let response = face.measure(&[function], quality()).await?;
        for measured in response.points.iter().filter_map(|point| point.measured()) {
            intervals.push(measured.summary.mean_interval.with_context(|| format!("{function} has no interval"))?);
        }
    }
    intervals.truncate(tries);
    Ok(intervals)
}

/// What a call of the reference kernel takes: a thousand steps of six cycles.
const CYCLES_OF_REFERENCE: f64 = 6_000.0;

/// Between how many cycles a call takes at each of two axis values: the interval of the mean, twice as wide, so that it
/// holds the truth nearly always, on a busy machine too.
///
/// # Errors
/// Where a point fails, or has no interval.
pub async fn cycles(face: &mut Face, function: &str) -> Result<Vec<Interval>> {
    let response = face.measure(&[function], quality()).await?;
    let cycles = response.points.iter().filter_map(|point| point.measured()).map(|measured| {
        let reference = measured.runs[0].reference.context("the reference kernel was timed")?;
        let Interval { low, high } = measured.summary.mean_interval.context("it has an interval")?;
        let half_width = (high - low) / 2.0;
        let in_cycles = |nanos: f64| nanos / reference * CYCLES_OF_REFERENCE;
        Ok(Interval { low: in_cycles(low - half_width), high: in_cycles(high + half_width) })
    });
    cycles.collect()
}

fn quality() -> Quality {
    Quality {
        points: 2,
        precision: 0.01,
        point_ms: POINT_MS,
        warm_up: Bounds { at_least: 10, at_most: 500, ms: POINT_MS / 5.0 },
        samples: Counts { at_least: 20, at_most: 5_000 },
        processes: 1,
        timeout_ms: None,
    }
}
