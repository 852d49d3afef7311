//! Fair comparison: the ratio of two functions that were measured together.

use serde::{Deserialize, Serialize};

use crate::analyze::blocks::{Estimate, RunTimes, mean};
use crate::analyze::interval::Interval;
use crate::analyze::order::{median, sorted};
use crate::analyze::running::Running;
use crate::analyze::student::{NORMAL_QUANTILE, shared_tail, t_quantile};

/// Two functions at one axis value.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// The runs of the function that is compared with.
    pub baseline: &'a [RunTimes<'a>],
    /// The runs of the other, block by block on the same inputs and at the same time.
    pub other: &'a [RunTimes<'a>],
    /// What a block is represented by: means where median and quartiles are withheld of either.
    pub of: Of,
    /// Whether their batches were interleaved.
    pub together: bool,
    /// Whether they gave the same outputs from the same inputs; absent where that was not looked at.
    pub same_outputs: Option<bool>,
}

/// What a block is represented by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Of {
    /// The median of its samples, so that one sample never decides.
    Medians,
    /// The mean of its samples, where batches are too short beside the clock's steps for medians.
    Means,
}

/// Why there is no ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Withheld {
    /// They were measured one after the other, so the machine may have changed in between.
    Apart,
    /// Their outputs differ: they do not do the same.
    OutputsDiffer,
    /// They have other numbers of runs or blocks: nothing can be paired.
    Unpaired,
    /// Too few blocks, or runs, for an interval.
    FewBlocks,
    /// A block of either takes no time that is above 0.
    NotAboveZero,
}

/// How many times as long the other takes as the baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// The natural logarithm of the ratio: the mean over blocks, or over runs.
    pub ln: f64,
    /// The variance of [`Self::ln`], with that of the overheads.
    pub variance: f64,
    /// The degrees of freedom of the variance.
    pub freedom: u32,
    /// What it is the ratio of.
    pub of: Of,
}

/// The fewest blocks of a single run that are compared.
const FEWEST_BLOCKS: usize = 4;

/// The fewest runs, where there are several.
const FEWEST_RUNS: usize = 3;

/// The ratio of two functions that were measured together, or why there is none.
///
/// Of each block the logarithm of the ratio of medians; their mean over blocks, a tenth on either side left out, where
/// there are several runs over the runs' means, with its standard error. What inputs and moments have in common for both
/// goes out of each block's ratio.
pub fn ratio(pair: &Pair<'_>) -> Result<Ratio, Withheld> {
    if !pair.together {
        return Err(Withheld::Apart);
    }
    if pair.same_outputs == Some(false) {
        return Err(Withheld::OutputsDiffer);
    }
    if pair.baseline.len() != pair.other.len() {
        return Err(Withheld::Unpaired);
    }
    let (mut blocks, mut runs, mut overhead) = (Vec::new(), Vec::new(), 0.0);
    for (baseline, other) in pair.baseline.iter().zip(pair.other) {
        let (low, high) = (levels(baseline, pair.of), levels(other, pair.of));
        if low.len() != high.len() {
            return Err(Withheld::Unpaired);
        }
        blocks.clear();
        for (&low, &high) in low.iter().zip(&high) {
            if low <= 0.0 || high <= 0.0 {
                return Err(Withheld::NotAboveZero);
            }
            blocks.push((high / low).ln());
        }
        if let Some(middle) = trimmed(&blocks) {
            runs.push(middle.value);
            overhead += overhead_variance(baseline.overhead, low) + overhead_variance(other.overhead, high);
        }
    }
    let count = runs.len() as f64;
    let (middle, n, fewest) = match pair.baseline.len() {
        ..=1 => (trimmed(&blocks), blocks.len(), FEWEST_BLOCKS),
        _ => (Estimate::of_values(runs.iter().copied()), runs.len(), FEWEST_RUNS),
    };
    let Some(Estimate { value, error, freedom }) = middle.filter(|_| n >= fewest) else {
        return Err(Withheld::FewBlocks);
    };
    Ok(Ratio { ln: value, variance: error.powi(2) + overhead / count.powi(2), freedom, of: pair.of })
}

/// The mean without a tenth of the values on either side, so that no single block decides either: J. W. Tukey and D. H.
/// McLaughlin, "Less vulnerable confidence and significance procedures for location based on a single sample", *Sankhyā* A
/// 25 (1963) 331–352. Its variance is that of the values with those left out put to the nearest that are kept, over
/// n·(1 − 2g/n)², and has n − 2g − 1 degrees of freedom, g the number left out on a side: fewer than ten values keep all.
/// Absent for none.
fn trimmed(values: &[f64]) -> Option<Estimate> {
    let sorted = sorted(values);
    let out = sorted.len() / 10;
    let kept = &sorted[out..sorted.len() - out];
    let (least, greatest) = (*kept.first()?, *kept.last()?);
    let pulled_in: Running = sorted.iter().map(|value| value.clamp(least, greatest)).collect();
    let error = pulled_in.sd() * (sorted.len() as f64).sqrt() / kept.len() as f64;
    Some(Estimate { value: mean(kept)?, error, freedom: kept.len() as u32 - 1 })
}

impl Ratio {
    /// The ratio: 2 where the other takes twice as long.
    pub fn estimate(&self) -> f64 {
        self.ln.exp()
    }

    /// The interval of the ratio; of `comparisons` such intervals all hold their ratio in 95 % of cases.
    pub fn interval(&self, comparisons: u32) -> Interval {
        let half = t_quantile(self.freedom, shared_tail(comparisons)) * self.variance.sqrt();
        Interval { low: (self.ln - half).exp(), high: (self.ln + half).exp() }
    }
}

fn levels(run: &RunTimes<'_>, of: Of) -> Vec<f64> {
    let level = |block: &[f64]| match of {
        Of::Medians => median(block),
        Of::Means => mean(block),
    };
    run.blocks().filter_map(level).collect()
}

/// The variance of the logarithm of a run's level, the mean of its blocks' levels, for what is uncertain of its overhead.
fn overhead_variance(half_width: f64, levels: Vec<f64>) -> f64 {
    let level = levels.into_iter().collect::<Running>().mean();
    level.map_or(0.0, |level| (half_width / NORMAL_QUANTILE / level).powi(2))
}
