//! Functions of the suite `ladder` whose numbers of steps have known ratios, and the ratios that a measurement yields.

use crate::analyze::interval::Interval;
use crate::compare::pairing::{PointPair, compare};
use crate::response::{Point, RatioAt};
use benchbook_contract::parameter::Scale;

/// A function and its number of steps, as a multiple of the steps of `one`.
pub type Rung = (&'static str, f64);

/// The lowest rungs, measured together.
pub const LOWEST: &[Rung] = &[("one", 1.0), ("two", 2.0), ("four", 4.0), ("eight", 8.0)];

/// Two rungs that differ by one per cent.
pub const PERCENT: &[Rung] = &[("percent_100", 1.0), ("percent_101", 1.01)];

/// Two rungs with the same number of steps.
pub const EQUAL: &[Rung] = &[("percent_100", 1.0), ("percent_100_again", 1.0)];

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

/// The path of a rung's function.
pub fn path((name, _): Rung) -> String {
    format!("rungs::{name}")
}

/// A known ratio and its measurement.
#[derive(Clone, Debug, PartialEq)]
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
    /// The interval of the ratio. In 95% of cases, all intervals of one measurement contain their true ratios.
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

/// Returns the ratio of each rung to the first one and to the one below it, at each axis value at which these rungs were
/// measured together.
///
/// # Errors
/// If a ratio is unavailable; a sentence.
pub fn recovered_ratios(points: &[Point], rungs: &[Rung]) -> Result<Vec<RecoveredRatio>, String> {
    let first = (1..rungs.len()).map(|other| (0, other));
    let below = (2..rungs.len()).map(|other| (other - 1, other));
    let pairs: Vec<(usize, usize)> = first.chain(below).collect();
    let measured = |&(baseline, other): &(usize, usize)| {
        let paths = [path(rungs[baseline]), path(rungs[other])];
        paired(points, [&paths[0], &paths[1]])
    };
    let ratios = ratios_of_all(&pairs.iter().map(measured).collect::<Vec<_>>());
    let mut recovered = Vec::new();
    for (&(baseline, other), ratios) in pairs.iter().zip(ratios) {
        let [(baseline, low), (other, high)] = [rungs[baseline], rungs[other]];
        for at in ratios {
            let known = at.ratio.zip(at.interval).zip(at.x.number());
            let Some(((ratio, interval), steps)) = known else {
                return Err(format!("the ratio of {other} to {baseline} at {} is unavailable", at.x));
            };
            recovered.push(RecoveredRatio { baseline, other, steps, truth: high / low, ratio, interval });
        }
    }
    Ok(recovered)
}

/// The measured points of two functions at the same axis values.
pub fn paired<'p>(points: &'p [Point], [baseline, other]: [&str; 2]) -> Vec<PointPair<'p>> {
    let of = |path: &str| {
        let points = points.iter().filter(move |point| point.function == path);
        points.filter_map(|point| Some((&point.x, point.measured()?))).collect::<Vec<_>>()
    };
    let (baselines, others) = (of(baseline), of(other));
    let at_same = others.iter().filter_map(|&(x, other)| {
        let &(_, baseline) = baselines.iter().find(|(at, _)| *at == x)?;
        Some(PointPair { x, baseline, other })
    });
    at_same.collect()
}

/// The ratios at each axis value, whose intervals hold simultaneously.
pub fn ratios(pairs: &[PointPair<'_>]) -> Vec<RatioAt> {
    ratios_of_all(&[pairs.to_vec()]).swap_remove(0)
}

/// The ratio at each axis value, whose interval holds by itself.
pub fn single_ratios(pairs: &[PointPair<'_>]) -> Vec<RatioAt> {
    pairs.iter().flat_map(|pair| ratios(&[*pair])).collect()
}

fn ratios_of_all(pairs: &[Vec<PointPair<'_>>]) -> Vec<Vec<RatioAt>> {
    compare(pairs, Some(Scale::Log)).into_iter().map(|(ratios, _)| ratios).collect()
}
