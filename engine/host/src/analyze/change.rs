//! Changes while sampling: a step to other code, or a slow drift.
//!
//! A change is looked for by samples, by samples within a block and by blocks, since each alone is blind to some: samples
//! where inputs differ between blocks, blocks at either end.

use crate::analyze::blocks::RunTimes;
use crate::analyze::order::{median, quantile, sorted};
use crate::analyze::series::{Fit, Series, scores};

/// Whether the samples of a run stayed at one level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Steadiness {
    /// No change was found, and one by [`TOLD`] would have been.
    Steady,
    /// The level changed.
    Changed(Change),
    /// There are too few samples to tell, they vary too much, or what they show may be chance.
    Unknown,
}

/// A change of level while sampling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// How it went.
    pub kind: ChangeKind,
    /// The level before it in nanoseconds a call: of a step the median of the samples before it, of a trend what it
    /// comes to at the first sample.
    pub before: f64,
    /// The level after it.
    pub after: f64,
}

/// How a level changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// At once, as where a browser's better code arrives.
    Step {
        /// The first sample after it, from 0; where only blocks tell it, the first of the block that it is nearest to.
        at: u32,
    },
    /// Slowly, over all samples.
    Trend,
}

/// The relative change that a claim of steadiness rules out.
pub const TOLD: f64 = 0.1;

/// The fewest samples, and the fewest blocks, that say anything.
const FEWEST_SAMPLES: usize = 30;
const FEWEST_BLOCKS: usize = 8;

/// The fewest samples, or blocks by their ranks, on either side of a step.
const FEWEST_BESIDE: usize = 3;

/// The standard errors from which on a step is told, which is the largest of as many as there are places for it. Found
/// by simulation, so that steady samples are told to have changed in 3 % of cases or fewer: docs/statistics.md.
const CERTAIN_BY_SAMPLES: f64 = 4.3;
const CERTAIN_BY_BLOCKS: f64 = 3.3;
const CERTAIN_BY_LEVELS: f64 = 4.7;
const CERTAIN_TREND: f64 = 2.8;

/// The standard errors of a mean that a step in the middle must come to, so that it would be found for sure: its own is
/// twice that of a mean.
const SHOWN: f64 = 18.0;

/// The blocks at either end in which a step is looked for by itself: too few for their ranks to tell it.
const ENDS: usize = 3;

/// The part of what makes a change certain from which on it may be there.
const POSSIBLE: f64 = 0.8;

/// Whether the samples of a run stayed at one level.
///
/// `tolerance`: the relative change that matters; what is smaller is not told.
pub fn steadiness(run: &RunTimes<'_>, tolerance: f64) -> Steadiness {
    let levels: Vec<f64> = run.blocks().filter_map(median).collect();
    if run.times.len() < FEWEST_SAMPLES || levels.len() < FEWEST_BLOCKS {
        return Steadiness::Unknown;
    }
    let fit = strongest(run, &levels);
    let change = Change::between(run.times, fit.at);
    let matters = (change.after - change.before).abs() > tolerance * change.before.abs();
    match fit.strength {
        strength if matters && strength >= 1.0 => Steadiness::Changed(change),
        strength if matters && strength >= POSSIBLE => Steadiness::Unknown,
        // What is not told for being small beside the tolerance may still be more than a claim of steadiness rules out.
        strength if strength < POSSIBLE && shows(run, &levels, TOLD) => Steadiness::Steady,
        _ if (change.after - change.before).abs() <= TOLD * change.before.abs() && shows(run, &levels, TOLD) => {
            Steadiness::Steady
        }
        _ => Steadiness::Unknown,
    }
}

/// The change that is seen best, by samples or by blocks.
fn strongest(run: &RunTimes<'_>, levels: &[f64]) -> Fit {
    let sizes: Vec<u32> = run.blocks().map(|block| block.len() as u32).collect();
    let single = vec![1; levels.len()];
    let block_start = |block: usize| sizes[..block].iter().sum::<u32>() as usize;
    let of_block = |fit: Fit| Fit { at: fit.at.map(block_start), ..fit };

    let ranks = Series::new(scores(levels), &single);
    let by_ranks = ranks.best_step(FEWEST_BESIDE, CERTAIN_BY_BLOCKS);
    let trend = ranks.trend(CERTAIN_TREND);
    let mut centred = run.times.to_vec();
    let mut rest = &mut centred[..];
    for (&size, level) in sizes.iter().zip(levels) {
        let (block, later) = rest.split_at_mut(size as usize);
        block.iter_mut().for_each(|time| *time -= level);
        rest = later;
    }
    let centred = Series::new(scores(&centred), &sizes);
    let likeness = centred.likeness();
    let in_a_block = centred.best_step_in_a_block(ENDS, FEWEST_BESIDE + 1, CERTAIN_BY_SAMPLES * likeness);
    let by_samples = Series::new(scores(run.times), &sizes).best_step(FEWEST_BESIDE, CERTAIN_BY_SAMPLES * likeness);
    // Ranks cannot tell how far a block is from the others, and only that tells a step after the first or before the
    // last. It must show in both quartiles, since few samples of two modes can have either in the middle.
    let a_block = run.times.len() / levels.len();
    let by_quartile = |part| {
        let quartiles = run.blocks().filter_map(|block| quantile(&sorted(block), part)).collect();
        Series::new(quartiles, &single).best_step(FEWEST_BESIDE.div_ceil(a_block), CERTAIN_BY_LEVELS)
    };
    let (low, high) = (by_quartile(0.25), by_quartile(0.75));
    let by_levels = if low.strength < high.strength { low } else { high };

    let steps = [by_samples, in_a_block, of_block(by_ranks), of_block(by_levels)];
    let step = steps.into_iter().fold(by_samples, |best, step| if step.strength > best.strength { step } else { best });
    if trend.strength > POSSIBLE && trend.unexplained < by_ranks.unexplained {
        Fit { strength: trend.strength.max(step.strength), ..trend }
    } else {
        step
    }
}

/// Whether a step by `part` of the level in the middle would be found, by the middle half of samples and of blocks.
fn shows(run: &RunTimes<'_>, levels: &[f64], part: f64) -> bool {
    let error = |values: &[f64]| {
        let sorted = sorted(values);
        let quartiles = quantile(&sorted, 0.25).zip(quantile(&sorted, 0.75));
        // The quartiles of a normal distribution are 1.349 standard deviations apart.
        quartiles.map_or(0.0, |(low, high)| (high - low) / 1.349 / (sorted.len() as f64).sqrt())
    };
    let level = median(run.times).unwrap_or(0.0).abs();
    SHOWN * f64::max(error(run.times), error(levels)) < part * level
}

impl Change {
    /// The levels beside a step at `at`, or at the ends of a trend.
    fn between(times: &[f64], at: Option<usize>) -> Self {
        let level = |times| median(times).unwrap_or(0.0);
        match at {
            Some(at) => {
                let kind = ChangeKind::Step { at: at as u32 };
                Self { kind, before: level(&times[..at]), after: level(&times[at..]) }
            }
            None => {
                // The quarters are three quarters of the way apart, an eighth from the ends.
                let quarter = times.len() / 4;
                let (first, last) = (level(&times[..quarter]), level(&times[times.len() - quarter..]));
                let beyond = (last - first) / 6.0;
                Self { kind: ChangeKind::Trend, before: first - beyond, after: last + beyond }
            }
        }
    }
}
