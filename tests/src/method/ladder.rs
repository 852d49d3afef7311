//! Ratios of the fixture `ladder`, whose true values are known.

use anyhow::{Context, Result};
use benchbook_host::analyze::interval::Interval;
use benchbook_host::quality::{BatchBounds, BatchCounts, Quality};

use super::{LadderSuite, ratios};

/// A function and its number of steps, as a multiple of the steps of `one`.
pub type Rung = (&'static str, f64);

/// The lowest rungs, measured together.
const LOWEST: &[Rung] = &[("one", 1.0), ("two", 2.0), ("four", 4.0), ("eight", 8.0)];

/// Two rungs that differ by one per cent.
const PERCENT: &[Rung] = &[("percent_100", 1.0), ("percent_101", 1.01)];

/// Rungs whose calls are as short as a batch of the lowest one, and therefore rarely interrupted.
pub const SHORT: [&[Rung]; 2] = [LOWEST, PERCENT];

/// All rungs, in groups of at most four. Each group contains `one` or the highest rung of a previous group.
pub const ALL: [&[Rung]; 6] = [
    LOWEST,
    &[("one", 1.0), ("eight", 8.0), ("sixteen", 16.0), ("thirty_2", 32.0)],
    &[("one", 1.0), ("thirty_2", 32.0), ("sixty_4", 64.0), ("hundred_28", 128.0)],
    &[("one", 1.0), ("hundred_28", 128.0), ("two_hundred_56", 256.0), ("five_hundred_12", 512.0)],
    &[("one", 1.0), ("five_hundred_12", 512.0), ("thousand_24", 1_024.0)],
    PERCENT,
];

/// Rungs whose calls take at most a millisecond, so that batches of all functions can be about equally long even in short
/// measurements.
pub const UP_TO_A_MILLISECOND: [&[Rung]; 4] = [ALL[0], ALL[1], ALL[2], PERCENT];

/// A known ratio and its measurement.
#[derive(Clone, Debug)]
pub struct RecoveredRatio {
    /// The baseline of the comparison.
    pub baseline: &'static str,
    /// The compared function.
    pub other: &'static str,
    /// The number of steps of `one`.
    pub steps: f64,
    /// The true ratio: steps of `other` divided by steps of `baseline`.
    pub truth: f64,
    /// The measured ratio of times.
    pub ratio: f64,
    /// The interval of the ratio. In 95 % of cases, all intervals of one measurement contain their true ratios.
    pub interval: Interval,
}

impl RecoveredRatio {
    /// The relative error of the ratio: 0.01 is one per cent too large, negative values are too small.
    pub fn error(&self) -> f64 {
        self.ratio / self.truth - 1.0
    }

    /// Whether the error exceeds `goal` by at most the interval's width. An interval of twice the width nearly always
    /// contains the true ratio, even on a busy machine.
    pub fn is_within(&self, goal: f64) -> bool {
        let half_width = (self.interval.high - self.interval.low) / 2.0 / self.ratio;
        self.error().abs() <= goal + 2.0 * half_width
    }
}

/// Measures groups of rungs together and returns the ratio of each rung to the first and to the one below it, at two
/// axis values. `point_ms` is the time per function and axis value.
///
/// # Errors
/// If a point fails or a ratio is withheld.
pub async fn measure_ratios(
    suite: &mut LadderSuite,
    requests: &[&[Rung]],
    point_ms: f64,
) -> Result<Vec<RecoveredRatio>> {
    let mut recovered = Vec::new();
    for &rungs in requests {
        let paths: Vec<String> = rungs.iter().map(|(name, _)| format!("rungs::{name}")).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let response = suite.measure(&paths, quality(point_ms)).await?;
        let first = (1..rungs.len()).map(|other| (0, other));
        let below = (2..rungs.len()).map(|other| (other - 1, other));
        let pairs: Vec<(usize, usize)> = first.chain(below).collect();
        for &(baseline, other) in &pairs {
            for at in ratios(&response, paths[baseline], paths[other], 2 * pairs.len() as u32) {
                let known = at.ratio.zip(at.interval);
                let (ratio, interval) = known.with_context(|| format!("{:?} of {rungs:?}", at.withheld))?;
                let ((baseline, low), (other, high)) = (rungs[baseline], rungs[other]);
                let steps = at.x.number().context("the axis is numeric")?;
                recovered.push(RecoveredRatio { baseline, other, steps, truth: high / low, ratio, interval });
            }
        }
    }
    Ok(recovered)
}

/// The precision target is out of reach, so the measurement takes all of its time.
fn quality(point_ms: f64) -> Quality {
    Quality {
        points: 2,
        precision: 0.001,
        point_ms,
        warm_up: BatchBounds { at_least: 10, at_most: 500, ms: point_ms / 5.0 },
        samples: BatchCounts { at_least: 30, at_most: 5_000 },
        processes: 1,
        timeout_ms: None,
    }
}
