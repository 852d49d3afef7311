//! The ratio of the times of two functions that were measured together.

use serde::{Deserialize, Serialize};

use crate::analyze::blocks::{Estimate, RunTimes, mean};
use crate::analyze::change::ratio_change;
use crate::analyze::interval::Interval;
use crate::analyze::order::{median, sorted};
use crate::analyze::running::RunningStats;
use crate::analyze::student::{NORMAL_QUANTILE, shared_one_sided_tail, shared_tail, t_quantile};

/// Two functions at one axis value.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// The runs of the baseline function.
    pub baseline: &'a [RunTimes<'a>],
    /// The runs of the other function. Their blocks share inputs and time with the baseline's blocks.
    pub other: &'a [RunTimes<'a>],
    /// The statistic that represents a block: means if median and quartiles are unavailable for either function.
    pub of: RatioStatistic,
    /// Whether their batches were interleaved.
    pub together: bool,
    /// Whether both returned equal outputs from equal inputs; absent if that was not checked.
    pub same_outputs: Option<bool>,
    /// The number of pairs of the request, all of which are tested for changes.
    pub comparisons: u32,
}

/// The statistic that represents a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RatioStatistic {
    /// The median of its samples, which no single sample determines.
    Medians,
    /// The mean of its samples, if batches are too short for medians because of the clock's steps.
    Means,
}

/// The reason why a ratio is unavailable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WithheldReason {
    /// The functions were measured one after the other, so the machine may have changed in between.
    Apart,
    /// Their outputs differ, so they do different work.
    OutputsDiffer,
    /// Their numbers of runs or blocks differ, so the blocks cannot be paired.
    Unpaired,
    /// Too few blocks or runs for an interval.
    FewBlocks,
    /// A block of either function has a time of 0 or less.
    NotAboveZero,
}

/// The other function's time divided by the baseline's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// The natural logarithm of the ratio: the mean over blocks or over runs.
    pub ln: f64,
    /// The variance of [`Self::ln`] between blocks or runs.
    pub variance: f64,
    /// The additional variance due to the uncertainty of the overheads.
    pub overhead: f64,
    /// The degrees of freedom of [`Self::variance`].
    pub freedom: u32,
    /// The statistic of the blocks.
    pub of: RatioStatistic,
    /// How much it changed during sampling, relative to the lower level: 0 if no change was detected. `None` for too few blocks.
    pub changed: Option<f64>,
}

/// The minimum number of blocks for a comparison in a single run.
const MIN_BLOCKS: usize = 4;

/// The minimum number of runs if there are several.
const MIN_RUNS: usize = 3;

/// The ratio of two functions that were measured together, or the reason why it is unavailable.
///
/// Each block yields the logarithm of the ratio of its medians. The estimate is their mean over blocks, trimmed by a
/// tenth on either side, with its standard error; for several runs, the mean over the runs' means. Effects of inputs
/// and time that both functions share cancel in each block's ratio.
pub fn ratio(pair: &Pair<'_>) -> Result<Ratio, WithheldReason> {
    ratio_by_runs(pair).map(|by_runs| by_runs.ratio)
}

/// A ratio and its parts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RatioByRuns {
    pub(crate) ratio: Ratio,
    /// The natural logarithm of the ratio in each run.
    pub(crate) runs: Vec<f64>,
}

/// [`ratio`] with its parts.
pub(crate) fn ratio_by_runs(pair: &Pair<'_>) -> Result<RatioByRuns, WithheldReason> {
    if !pair.together {
        return Err(WithheldReason::Apart);
    }
    if pair.same_outputs == Some(false) {
        return Err(WithheldReason::OutputsDiffer);
    }
    if pair.baseline.len() != pair.other.len() {
        return Err(WithheldReason::Unpaired);
    }
    let (mut blocks, mut runs, mut of_blocks) = (Vec::new(), Vec::new(), Vec::new());
    let (mut independent, mut systematic) = (0.0, 0.0);
    for (baseline, other) in pair.baseline.iter().zip(pair.other) {
        let (low, high) = (levels(baseline, pair.of), levels(other, pair.of));
        if low.len() != high.len() {
            return Err(WithheldReason::Unpaired);
        }
        blocks.clear();
        let both = low.iter().zip(&high).filter_map(|(low, high)| Some((*low)?).zip(*high));
        for (low, high) in both {
            if low <= 0.0 || high <= 0.0 {
                return Err(WithheldReason::NotAboveZero);
            }
            blocks.push((high / low).ln());
        }
        of_blocks.push(blocks.clone());
        if let Some(middle) = trimmed(&blocks) {
            runs.push(middle.value);
            for (run, levels) in [(baseline, low), (other, high)] {
                independent += overhead_variance(run.overhead.independent(pair.baseline.len()), &levels);
                systematic += overhead_variance(run.overhead.systematic, &levels);
            }
        }
    }
    let count = runs.len() as f64;
    let (middle, n, min) = match pair.baseline.len() {
        ..=1 => (trimmed(&blocks), blocks.len(), MIN_BLOCKS),
        _ => (Estimate::of_values(runs.iter().copied()), runs.len(), MIN_RUNS),
    };
    let Some(Estimate { value, error, freedom }) = middle.filter(|_| n >= min) else {
        return Err(WithheldReason::FewBlocks);
    };
    // Each run measured its own overhead, but all of them have the systematic part in common.
    let overhead = independent / count.powi(2) + systematic / count;
    let changed = ratio_change(&of_blocks, pair.comparisons);
    let ratio = Ratio { ln: value, variance: error.powi(2), overhead, freedom, of: pair.of, changed };
    Ok(RatioByRuns { ratio, runs })
}

/// The mean without a tenth of the values on either side, so that no single block determines it: J. W. Tukey and D. H.
/// McLaughlin, "Less vulnerable confidence and significance procedures for location based on a single sample",
/// *Sankhyā* A 25 (1963) 331–352. Its variance is the winsorized variance (each excluded value replaced by the nearest
/// kept one) over n·(1 − 2g/n)², with n − 2g − 1 degrees of freedom, where g values are excluded on each side. With
/// fewer than ten values none is excluded. Absent for no values.
fn trimmed(values: &[f64]) -> Option<Estimate> {
    let sorted = sorted(values);
    let excluded = sorted.len() / 10;
    let retained = &sorted[excluded..sorted.len() - excluded];
    let (least, greatest) = (*retained.first()?, *retained.last()?);
    let winsorized: RunningStats = sorted.iter().map(|value| value.clamp(least, greatest)).collect();
    let error = winsorized.sd() * (sorted.len() as f64).sqrt() / retained.len() as f64;
    Some(Estimate { value: mean(retained)?, error, freedom: retained.len() as u32 - 1 })
}

impl Ratio {
    /// The ratio: 2 if the other function takes twice as long.
    pub fn estimate(&self) -> f64 {
        self.ln.exp()
    }

    /// The interval of the ratio, such that `comparisons` of these intervals contain their ratios simultaneously in 95
    /// % of cases.
    pub fn interval(&self, comparisons: u32) -> Interval {
        self.interval_with_tail(shared_tail(comparisons))
    }

    /// The interval of two one-sided tests, such that `comparisons` of these pairs err in at most 5% of cases.
    pub fn equivalence_interval(&self, comparisons: u32) -> Interval {
        self.interval_with_tail(shared_one_sided_tail(comparisons))
    }

    /// The interval with the probability `tail` outside each end.
    fn interval_with_tail(&self, tail: f64) -> Interval {
        let half = t_quantile(self.freedom, tail) * (self.variance + self.overhead).sqrt();
        Interval { low: (self.ln - half).exp(), high: (self.ln + half).exp() }
    }
}

/// The level of each block; `None` for an empty one.
fn levels(run: &RunTimes<'_>, of: RatioStatistic) -> Vec<Option<f64>> {
    let level = |block: &[f64]| match of {
        RatioStatistic::Medians => median(block),
        RatioStatistic::Means => mean(block),
    };
    run.all_blocks().map(level).collect()
}

/// The variance of the logarithm of a run's level (the mean of its blocks' levels) due to the uncertainty of its
/// overhead.
fn overhead_variance(half_width: f64, levels: &[Option<f64>]) -> f64 {
    let level = levels.iter().copied().flatten().collect::<RunningStats>().mean();
    level.map_or(0.0, |level| (half_width / NORMAL_QUANTILE / level).powi(2))
}
