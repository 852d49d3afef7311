//! The ladder: ratios that are known.

use anyhow::{Context, Result};
use benchbook_host::analyze::interval::Interval;
use benchbook_host::quality::{Bounds, Counts, Quality};

use super::{Face, ratios};

/// Functions, by how many times the steps of `one` they take.
pub type Rung = (&'static str, f64);

/// The lowest rungs, which are measured together.
const LOWEST: &[Rung] = &[("one", 1.0), ("two", 2.0), ("four", 4.0), ("eight", 8.0)];

/// Hundredths.
const PERCENT: &[Rung] = &[("percent_100", 1.0), ("percent_101", 1.01)];

/// Rungs whose calls are no longer than a batch of the lowest, which little interrupts.
pub const SHORT: [&[Rung]; 2] = [LOWEST, PERCENT];

/// Every rung: at most four together, `one` among them, with those below.
pub const ALL: [&[Rung]; 6] = [
    LOWEST,
    &[("one", 1.0), ("eight", 8.0), ("sixteen", 16.0), ("thirty_2", 32.0)],
    &[("one", 1.0), ("thirty_2", 32.0), ("sixty_4", 64.0), ("hundred_28", 128.0)],
    &[("one", 1.0), ("hundred_28", 128.0), ("two_hundred_56", 256.0), ("five_hundred_12", 512.0)],
    &[("one", 1.0), ("five_hundred_12", 512.0), ("thousand_24", 1_024.0)],
    PERCENT,
];

/// A ratio that is known, and what was measured of it.
#[derive(Clone, Debug)]
pub struct Recovered {
    /// The function that is compared with.
    pub baseline: &'static str,
    /// The other.
    pub other: &'static str,
    /// How many steps `one` takes.
    pub steps: f64,
    /// How many times as many steps the other takes.
    pub truth: f64,
    /// How many times as long the other takes, as measured.
    pub ratio: f64,
    /// The interval of the ratio; all of those that were measured together hold their ratios in 95 % of cases.
    pub interval: Interval,
}

impl Recovered {
    /// By which part the ratio is too large: 0.01 is one per cent; negative where it is too small.
    pub fn error(&self) -> f64 {
        self.ratio / self.truth - 1.0
    }

    /// Whether it is off by no more than `goal`, beyond twice what its interval leaves open: so wide it nearly always
    /// holds the ratio, on a busy machine too.
    pub fn is_within(&self, goal: f64) -> bool {
        let half_width = (self.interval.high - self.interval.low) / 2.0 / self.ratio;
        self.error().abs() <= goal + 2.0 * half_width
    }
}

/// Each of the rungs measured together beside the first and beside the rung below it, at two axis values: `point_ms` for
/// each function and value.
///
/// # Errors
/// Where a point fails or a ratio is withheld.
pub async fn climb(face: &mut Face, requests: &[&[Rung]], point_ms: f64) -> Result<Vec<Recovered>> {
    let mut recovered = Vec::new();
    for &rungs in requests {
        let paths: Vec<String> = rungs.iter().map(|(name, _)| format!("rungs::{name}")).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let response = face.measure(&paths, quality(point_ms)).await?;
        let first = (1..rungs.len()).map(|other| (0, other));
        let below = (2..rungs.len()).map(|other| (other - 1, other));
        let pairs: Vec<(usize, usize)> = first.chain(below).collect();
        for &(baseline, other) in &pairs {
            for at in ratios(&response, paths[baseline], paths[other], 2 * pairs.len() as u32) {
                let known = at.ratio.zip(at.interval);
                let (ratio, interval) = known.with_context(|| format!("{:?} of {rungs:?}", at.withheld))?;
                let ((baseline, low), (other, high)) = (rungs[baseline], rungs[other]);
                recovered.push(Recovered { baseline, other, steps: at.x, truth: high / low, ratio, interval });
            }
        }
    }
    Ok(recovered)
}

/// As precise as the time allows.
fn quality(point_ms: f64) -> Quality {
    Quality {
        points: 2,
        precision: 0.001,
        point_ms,
        warm_up: Bounds { at_least: 10, at_most: 500, ms: point_ms / 5.0 },
        samples: Counts { at_least: 30, at_most: 5_000 },
        processes: 1,
        timeout_ms: None,
    }
}
