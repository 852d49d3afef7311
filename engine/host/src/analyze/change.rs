//! Changes during sampling: a step, as when other code replaces the code under test, or a slow drift.
//!
//! A change is detected by samples, by samples within a block and by blocks, since each method misses some changes: by
//! samples if inputs differ between blocks, by blocks at either end.

use statrs::distribution::{ContinuousCDF, Normal};

use crate::analyze::blocks::RunTimes;
use crate::analyze::order::{median, quantile, sorted};
use crate::analyze::series::{CentredSamples, Fit, scores};

/// Whether the samples of a run stayed at one level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Steadiness {
    /// No change was detected, and a change by [`RULED_OUT_CHANGE`] would have been.
    Steady,
    /// The level changed.
    Changed(Change),
    /// Too few samples, too much variance, or a change that may be due to chance.
    Unknown,
}

/// A change of level during sampling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// The shape of the change.
    pub kind: ChangeKind,
    /// The level before it in nanoseconds per call: for a step, the median of the samples before it; for a trend, its
    /// value at the first sample.
    pub before: f64,
    /// The level after it.
    pub after: f64,
}

/// The shape of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// An abrupt change, as when a browser switches to better code.
    Step {
        /// The first sample after it, from 0. If only blocks reveal the step, the first sample of the nearest block.
        at: u32,
    },
    /// A slow change over all samples.
    Trend,
}

/// The relative change that [`Steadiness::Steady`] rules out.
pub const RULED_OUT_CHANGE: f64 = 0.1;

/// The relative change of a ratio that matters; smaller changes are not reported.
const RATIO_TOLERANCE: f64 = 0.03;

/// The minimum number of samples and of blocks for any conclusion.
const MIN_SAMPLES: usize = 30;
const MIN_BLOCKS: usize = 8;

/// The minimum number of samples, or of blocks if ranked, on either side of a step.
const MIN_ON_EACH_SIDE: usize = 3;

/// The thresholds for a step in standard errors. The tested statistic is the maximum over all possible positions.
/// Determined by simulation so that at most 3% of steady samples are reported as changed: docs/coverage.md.
const SAMPLE_THRESHOLD: f64 = 4.3;
const BLOCK_THRESHOLD: f64 = 3.3;
const LEVEL_THRESHOLD: f64 = 4.7;
const TREND_THRESHOLD: f64 = 2.8;

/// The size of a step in the middle, in standard errors of the mean, that is detected with certainty. The standard
/// error of a step is twice that of the mean.
const DETECTABLE_STEP: f64 = 18.0;

/// The number of blocks at either end that are searched individually, because ranks of so few blocks cannot reveal a
/// step.
const END_BLOCKS: usize = 3;

/// The fraction of the threshold above which a change is possible.
const POSSIBLE_STRENGTH: f64 = 0.8;

/// Determines whether the samples of a run stayed at one level.
///
/// `tolerance`: the relative change that matters; smaller changes are not reported. `runs`: the number of runs that are
/// tested in this way. The probability of any false alarm is that of a single run.
pub fn steadiness(run: &RunTimes<'_>, tolerance: f64, runs: usize) -> Steadiness {
    let blocks = BlockQuartiles::of(run);
    if run.times.len() < MIN_SAMPLES || blocks.medians.len() < MIN_BLOCKS {
        return Steadiness::Unknown;
    }
    let fit = strongest_change(run, &blocks, runs);
    let change = Change::between(run.times, fit.at);
    let size = (change.after - change.before).abs();
    let matters = size > tolerance * change.before.abs();
    match fit.strength {
        strength if matters && strength >= 1.0 => Steadiness::Changed(change),
        strength if matters && strength >= POSSIBLE_STRENGTH => Steadiness::Unknown,
        // A change below the tolerance may still exceed the change that `Steady` rules out.
        strength
            if (strength < POSSIBLE_STRENGTH || size <= RULED_OUT_CHANGE * change.before.abs())
                && is_detectable(run, &blocks.medians, RULED_OUT_CHANGE) =>
        {
            Steadiness::Steady
        }
        _ => Steadiness::Unknown,
    }
}

/// The greatest relative change of a ratio during sampling: 0 if none was detected. `runs`: the logarithm of each block's ratio, by run.
/// `comparisons`: the number of ratios that are tested in this way; the probability of any false alarm is that of a single one. `None` if a run has
/// too few blocks.
///
/// What changes both functions alike cancels in the ratio, so this shows what one of them does itself, for example a browser that replaces its code
/// late.
pub(crate) fn ratio_change(runs: &[Vec<f64>], comparisons: u32) -> Option<f64> {
    let tests = runs.len() * comparisons as usize;
    let of_run = |ratios: &Vec<f64>| {
        if ratios.len() < MIN_BLOCKS {
            return None;
        }
        let ranks = CentredSamples::new(scores(ratios), &vec![1; ratios.len()]);
        let step = ranks.best_step(MIN_ON_EACH_SIDE, threshold_for_each(BLOCK_THRESHOLD, tests));
        let trend = ranks.trend(threshold_for_each(TREND_THRESHOLD, tests));
        let fit = if trend.strength > step.strength { trend } else { step };
        let Change { before, after, .. } = Change::between(ratios, fit.at);
        let relative = (after - before).abs().exp() - 1.0;
        Some(if fit.strength >= 1.0 && relative > RATIO_TOLERANCE { relative } else { 0.0 })
    };
    let changes = runs.iter().map(of_run).collect::<Option<Vec<f64>>>()?;
    changes.into_iter().reduce(f64::max)
}

/// The fewest runs that can show a rise by calls: with three, their first and last quarters are apart by chance in one of 20 cases.
const MIN_RISING_RUNS: usize = 3;

/// Whether the times rise with the calls since the start of the process in the same way in each run: then the function itself
/// causes it, since its state is new in each process. A drift of the machine goes on, so that a process starts where the last one ended.
///
/// In each run, the medians of the quarters rise, and the first quarter of any run is below the last quarter of any. If the level did
/// not depend on the calls, one in (2k choose k) orders of the first and last quarters of k runs would be such, 0.4% for five:
/// the extreme value of the exact test of H. B. Mann and D. R. Whitney, "On a test of whether one of two random variables is
/// stochastically larger than the other", *Annals of Mathematical Statistics* 18 (1947) 50–60. False for fewer than three runs, and
/// for fewer than four samples in a run.
pub fn rises_by_calls(runs: &[RunTimes<'_>]) -> bool {
    let quarters = |run: &RunTimes<'_>| -> Option<Vec<f64>> {
        let size = run.times.len() / 4;
        (size > 0).then(|| run.times.chunks_exact(size).take(4).filter_map(median).collect())
    };
    let Some(levels) = runs.iter().map(quarters).collect::<Option<Vec<Vec<f64>>>>() else { return false };
    let highest_start = levels.iter().map(|levels| levels[0]).fold(f64::NEG_INFINITY, f64::max);
    let lowest_end = levels.iter().map(|levels| levels[3]).fold(f64::INFINITY, f64::min);
    levels.len() >= MIN_RISING_RUNS && highest_start < lowest_end && levels.iter().all(|levels| levels.is_sorted())
}

/// The quartiles of the samples of each block.
#[derive(Default)]
struct BlockQuartiles {
    low: Vec<f64>,
    medians: Vec<f64>,
    high: Vec<f64>,
}

impl BlockQuartiles {
    fn of(run: &RunTimes<'_>) -> Self {
        let mut quartiles = Self::default();
        for block in run.blocks() {
            let sorted = sorted(block);
            quartiles.low.extend(quantile(&sorted, 0.25));
            quartiles.medians.extend(quantile(&sorted, 0.5));
            quartiles.high.extend(quantile(&sorted, 0.75));
        }
        quartiles
    }
}

/// The threshold for each of `runs` runs. The probability that at least one run exceeds it is at most that of a single run
/// exceeding `threshold` (Bonferroni).
fn threshold_for_each(threshold: f64, runs: usize) -> f64 {
    match runs {
        ..=1 => threshold,
        several => {
            let normal = Normal::standard();
            -normal.inverse_cdf(normal.cdf(-threshold) / several as f64)
        }
    }
}

/// The number of blocks without the short ones at the end, when little time remains: of a few samples, one of which may be an outlier, the quartiles say
/// little. Short are those of less than half the median size.
fn without_short_end(sizes: &[u32]) -> usize {
    let typical = median(&sizes.iter().map(|&size| f64::from(size)).collect::<Vec<_>>()).unwrap_or_default();
    sizes.iter().rposition(|&size| 2.0 * f64::from(size) >= typical).map_or(0, |last| last + 1)
}

/// The most significant change, by samples or by blocks.
fn strongest_change(run: &RunTimes<'_>, blocks: &BlockQuartiles, runs: usize) -> Fit {
    let BlockQuartiles { low, medians: levels, high } = blocks;
    let threshold = |single| threshold_for_each(single, runs);
    let sizes: Vec<u32> = run.blocks().map(|block| block.len() as u32).collect();
    let full = without_short_end(&sizes);
    let single = vec![1; full];
    let block_start = |block: usize| sizes[..block].iter().sum::<u32>() as usize;
    let at_block_start = |fit: Fit| Fit { at: fit.at.map(block_start), ..fit };

    let ranks = CentredSamples::new(scores(&levels[..full]), &single);
    let by_ranks = ranks.best_step(MIN_ON_EACH_SIDE, threshold(BLOCK_THRESHOLD));
    let trend = ranks.trend(threshold(TREND_THRESHOLD));
    let mut centred = run.times.to_vec();
    let mut rest = &mut centred[..];
    for (&size, level) in sizes.iter().zip(levels) {
        let (block, later) = rest.split_at_mut(size as usize);
        block.iter_mut().for_each(|time| *time -= level);
        rest = later;
    }
    let centred = CentredSamples::new(scores(&centred), &sizes);
    let sample_threshold = threshold(SAMPLE_THRESHOLD) * centred.error_inflation();
    let within_block = centred.best_step_within_block(END_BLOCKS, MIN_ON_EACH_SIDE + 1, sample_threshold);
    let by_samples = CentredSamples::new(scores(run.times), &sizes).best_step(MIN_ON_EACH_SIDE, sample_threshold);
    // Ranks do not measure how far a block is from the others, and only the distance reveals a step after the first or
    // before the last block. It must show in both quartiles, since a few samples of two modes can have either mode in
    // the middle.
    let block_size = run.times.len() / levels.len();
    let by_quartile = |quartiles: &[f64]| {
        CentredSamples::new(quartiles[..full].to_vec(), &single)
            .best_step(MIN_ON_EACH_SIDE.div_ceil(block_size), threshold(LEVEL_THRESHOLD))
    };
    let (low, high) = (by_quartile(low), by_quartile(high));
    let by_levels = if low.strength < high.strength { low } else { high };

    let steps = [by_samples, within_block, at_block_start(by_ranks), at_block_start(by_levels)];
    let step = steps.into_iter().fold(by_samples, |best, step| if step.strength > best.strength { step } else { best });
    if trend.strength > POSSIBLE_STRENGTH && trend.unexplained < by_ranks.unexplained {
        Fit { strength: trend.strength.max(step.strength), ..trend }
    } else {
        step
    }
}

/// Whether a step by `part` of the level in the middle would be detected, judged by the interquartile ranges of samples
/// and of blocks.
fn is_detectable(run: &RunTimes<'_>, levels: &[f64], part: f64) -> bool {
    let times = sorted(run.times);
    let error = |sorted: &[f64]| {
        let quartiles = quantile(sorted, 0.25).zip(quantile(sorted, 0.75));
        // The quartiles of a normal distribution are 1.349 standard deviations apart.
        quartiles.map_or(0.0, |(low, high)| (high - low) / 1.349 / (sorted.len() as f64).sqrt())
    };
    let level = quantile(&times, 0.5).unwrap_or(0.0).abs();
    DETECTABLE_STEP * f64::max(error(&times), error(&sorted(levels))) < part * level
}

impl Change {
    /// The levels on both sides of a step at `at`, or at the ends of a trend.
    fn between(times: &[f64], at: Option<usize>) -> Self {
        let level = |times| median(times).unwrap_or(0.0);
        match at {
            Some(at) => {
                let kind = ChangeKind::Step { at: at as u32 };
                Self { kind, before: level(&times[..at]), after: level(&times[at..]) }
            }
            None => {
                // The centres of the first and last quarter are three quarters of the range apart, each an eighth from
                // its end.
                let quarter = times.len() / 4;
                let (first, last) = (level(&times[..quarter]), level(&times[times.len() - quarter..]));
                let beyond = (last - first) / 6.0;
                Self { kind: ChangeKind::Trend, before: first - beyond, after: last + beyond }
            }
        }
    }
}
