//! Runs and their blocks: the independent units among the samples of a point.
//!
//! Samples of a block share their inputs and are close in time, so they are not independent. Blocks are independent,
//! except for effects of the process on all of them. Runs are independent, since each has a fresh process. An interval
//! therefore counts runs if there are several, otherwise blocks, and never samples.

use crate::analyze::interval::Interval;
use crate::analyze::running::RunningStats;
use crate::analyze::skewness::Skewness;
use crate::analyze::student::{TAIL, t_quantile};

/// The samples of a point from one process.
#[derive(Clone, Copy, Debug)]
pub struct RunTimes<'a> {
    /// Nanoseconds per call of each sample, in the order taken, without warm-up and with the overhead subtracted.
    pub times: &'a [f64],
    /// Samples in each block, in the order taken; their sum is the number of samples.
    pub blocks: &'a [u32],
    /// How far the overhead that was subtracted from each time may be wrong.
    pub overhead: OverheadError,
}

/// How far the overhead of a run may be wrong: half-widths of 95% intervals in nanoseconds per call, for causes that are independent of each
/// other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OverheadError {
    /// The random error of its measurement, which each run repeats.
    pub random: f64,
    /// What the addresses of data can change. They differ between processes, so the variance between several runs contains it.
    pub placement: f64,
    /// What the extreme outliers of the empty loop would have added. The same interference affects the samples, but not statistics
    /// that ignore outliers.
    pub interference: f64,
    /// What all processes have in common: see [`Overhead::systematic_half_width`](crate::response::Overhead::systematic_half_width).
    pub systematic: f64,
}

impl OverheadError {
    /// The error of the mean of several runs, or of the blocks of one.
    pub(crate) fn of_mean(runs: &[RunTimes<'_>]) -> f64 {
        Self::combined(runs, |overhead| overhead.independent(runs.len()).hypot(overhead.interference))
    }

    /// The error of their median, which outliers do not affect.
    pub(crate) fn of_median(runs: &[RunTimes<'_>]) -> f64 {
        Self::combined(runs, |overhead| overhead.independent(runs.len()))
    }

    fn combined(runs: &[RunTimes<'_>], own: impl Fn(&Self) -> f64) -> f64 {
        let (mut count, mut squares, mut systematic) = (0.0, 0.0, 0.0);
        for RunTimes { overhead, .. } in runs.iter().filter(|run| !run.times.is_empty()) {
            count += 1.0;
            squares += own(overhead).powi(2);
            systematic += overhead.systematic;
        }
        f64::hypot(f64::sqrt(squares), systematic) / f64::max(count, 1.0)
    }

    /// The part of the error that is independent between runs, and not contained in their variance. `runs`: their number.
    pub(crate) fn independent(&self, runs: usize) -> f64 {
        if runs == 1 { self.random.hypot(self.placement) } else { self.random }
    }
}

impl<'a> RunTimes<'a> {
    /// Times from which no overhead was subtracted.
    pub fn without_overhead(times: &'a [f64], blocks: &'a [u32]) -> Self {
        Self { times, blocks, overhead: OverheadError::default() }
    }

    /// The samples of each non-empty block, in the order taken.
    pub fn blocks(&self) -> impl Iterator<Item = &'a [f64]> + use<'a> {
        self.all_blocks().filter(|block| !block.is_empty())
    }

    /// The samples of each block, in the order taken. A block is empty if its only batch was discarded.
    pub(crate) fn all_blocks(&self) -> impl Iterator<Item = &'a [f64]> + use<'a> {
        let mut rest = self.times;
        let split = move |&samples: &u32| {
            let (block, later) = rest.split_at((samples as usize).min(rest.len()));
            rest = later;
            block
        };
        self.blocks.iter().map(split)
    }
}

/// The interval of a mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanInterval {
    /// The interval in nanoseconds per call; absent if there are too few samples for their skewness.
    pub interval: Option<Interval>,
    /// Whether there are too few samples for their skewness. Then the interval of a single run is absent, and that of several
    /// runs may be too narrow.
    pub is_doubtful: bool,
    /// Whether the samples of a single run are correlated beyond the ends of blocks by more than the clock's steps can explain, and the
    /// interval is therefore clearly wider than the blocks alone suggest. An interval over several runs does not depend on this
    /// correlation.
    pub is_correlated: bool,
}

/// The 95% interval of the mean of all samples, including the uncertainty of the clock and of the overhead; `None` for
/// fewer than two blocks.
///
/// Several runs: Student's interval over the runs' means. One run: Student's interval over its blocks, by the ratio
/// estimator for clusters of unequal size, W. G. Cochran, *Sampling Techniques* (3rd edition, 1977), chapter 9A: with
/// blocks of nᵢ samples and means yᵢ, the mean m = Σnᵢyᵢ/Σnᵢ has the variance B/(B−1)·Σnᵢ²(yᵢ−m)²/(Σnᵢ)², with B − 1
/// degrees of freedom. It accounts for differences between inputs and for the correlation of neighbouring samples (the
/// method of batch means, A. M. Law, *Simulation Modeling and Analysis*, 5th edition, 2015, section 9.5). If samples are
/// correlated even beyond the ends of blocks, the interval is widened: n samples count as n(1 − r)/(1 + r). If they are
/// skewed, the end on the side of the skewness is further away, by Hall's transformation.
///
/// `step_per_call`: one step of the clock in nanoseconds per call. The steps alone cause an uncertainty of
/// `step_per_call` / √n, even if all samples are equal because the clock stepped identically. The overheads of the runs are measured
/// independently, so the squares of their half-widths are added. Their systematic parts are the same in each run, so these
/// are averaged.
pub fn mean_interval(runs: &[RunTimes<'_>], step_per_call: f64) -> Option<MeanInterval> {
    let (mean, is_correlated) = Estimate::of(runs)?;
    let independent = match runs {
        [run] => independent_of(run, &mean),
        several => several.iter().map(independent_samples).sum(),
    };
    let skewness = Skewness::of(runs.iter().map(|run| run.times), independent, step_per_call);
    let quantile = t_quantile(mean.freedom, TAIL);
    // The means of several runs are less skewed than the samples.
    let ends = if runs.len() == 1 { skewness.ends(quantile) } else { Some((quantile, quantile)) };
    let n: usize = runs.iter().map(|run| run.times.len()).sum();
    let clock = step_per_call / (n as f64).sqrt();
    let distance = |quantile: f64| f64::hypot((quantile * mean.error).max(clock), OverheadError::of_mean(runs));
    let interval =
        ends.map(|(below, above)| Interval { low: mean.value - distance(below), high: mean.value + distance(above) });
    // The steps of a clock may recur with the batches, which is no reason to look for noise.
    let is_correlated = is_correlated && runs.iter().all(|run| sd(run.times) > step_per_call);
    Some(MeanInterval { interval, is_doubtful: skewness.is_doubtful(), is_correlated })
}

/// The number of independent samples that would determine the mean as well as those of a run: their variance divided by
/// the squared standard error, and at most their number.
pub(crate) fn independent_samples(run: &RunTimes<'_>) -> f64 {
    Estimate::of(&[*run]).map_or(run.times.len() as f64, |(estimate, _)| independent_of(run, &estimate))
}

/// [`independent_samples`] of a run with this estimate of its mean.
fn independent_of(run: &RunTimes<'_>, estimate: &Estimate) -> f64 {
    let samples: RunningStats = run.times.iter().copied().collect();
    let n = f64::from(samples.n());
    n.min(samples.sd().powi(2) / estimate.error.powi(2))
}

/// The maximum number of runs of a point.
const MAX_RUNS: u32 = 100;

/// The number of runs with which the mean's interval has the half-width `target`, relative to the mean, if they vary like
/// these and have as many samples; absent for fewer than two runs, and if more than 100 are needed.
///
/// `step_per_call`: one step of the clock in nanoseconds per call.
pub fn required_runs(runs: &[RunTimes<'_>], step_per_call: f64, target: f64) -> Option<u32> {
    let means: RunningStats = runs.iter().filter_map(|run| mean(run.times)).collect();
    let count = runs.len() as f64;
    let clock = step_per_call / (runs.iter().map(|run| run.times.len()).sum::<usize>() as f64 / count).sqrt();
    let of_one = |overhead: &OverheadError| overhead.independent(runs.len()).powi(2) + overhead.interference.powi(2);
    let independent = runs.iter().map(|run| of_one(&run.overhead)).sum::<f64>() / count;
    let systematic = runs.iter().map(|run| run.overhead.systematic).sum::<f64>() / count;
    let enough = target * means.mean()?.abs();
    let half_width = |runs: u32| {
        let own = (t_quantile(runs - 1, TAIL) * means.sd()).max(clock);
        f64::hypot(f64::hypot(own, independent.sqrt()) / f64::from(runs).sqrt(), systematic)
    };
    (means.n() > 1).then(|| (means.n() + 1..=MAX_RUNS).find(|&runs| half_width(runs) <= enough))?
}

/// A mean, its standard error, and the degrees of freedom of the error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate {
    pub(crate) value: f64,
    pub(crate) error: f64,
    pub(crate) freedom: u32,
}

impl Estimate {
    /// The mean of all samples, and whether correlation made its error clearly greater; absent for fewer than two
    /// blocks.
    fn of(runs: &[RunTimes<'_>]) -> Option<(Self, bool)> {
        let [run] = runs else {
            return Some((Self::of_values(runs.iter().filter_map(|run| mean(run.times)))?, false));
        };
        let blocks = Self::of_blocks(run)?;
        let wider = Self::of_correlated(run).filter(|correlated| correlated.half_width() > blocks.half_width());
        Some(match wider {
            Some(wider) => (wider, wider.half_width() > CLEARLY_WIDER * blocks.half_width()),
            None => (blocks, false),
        })
    }

    /// The mean of independent values; absent for fewer than two.
    pub(crate) fn of_values(values: impl Iterator<Item = f64>) -> Option<Self> {
        let running: RunningStats = values.collect();
        let freedom = running.n().checked_sub(1).filter(|&freedom| freedom > 0)?;
        Some(Self { value: running.mean()?, error: running.sd() / f64::from(running.n()).sqrt(), freedom })
    }

    /// The mean of a run over its blocks; absent for fewer than two blocks.
    pub(crate) fn of_blocks(run: &RunTimes<'_>) -> Option<Self> {
        let value = mean(run.times)?;
        let (mut blocks, mut squares) = (0_u32, 0.0);
        for block in run.blocks() {
            blocks += 1;
            squares += block.iter().map(|time| time - value).sum::<f64>().powi(2);
        }
        let freedom = blocks.checked_sub(1).filter(|&freedom| freedom > 0)?;
        let n = run.times.len() as f64;
        let error = (f64::from(blocks) / f64::from(freedom) * squares).sqrt() / n;
        Some(Self { value, error, freedom })
    }

    /// The mean of a run whose samples are correlated with their predecessors, beyond the ends of blocks; absent if the
    /// correlation is not significant. See [`independent_if_correlated`].
    fn of_correlated(run: &RunTimes<'_>) -> Option<Self> {
        let independent = independent_if_correlated(run)?;
        let running: RunningStats = run.times.iter().copied().collect();
        Some(Self { value: running.mean()?, error: running.sd() / independent.sqrt(), freedom: independent as u32 - 1 })
    }

    /// Half the width of the 95% interval.
    fn half_width(&self) -> f64 {
        t_quantile(self.freedom, TAIL) * self.error
    }
}

/// The ratio of two half-widths from which the wider one is worth a warning.
const CLEARLY_WIDER: f64 = 1.25;

/// The quantile of the normal distribution with 5% above it: the significance of the correlation.
const SIGNIFICANT: f64 = 1.644_853_626_951_472;

/// The greatest correlation that is distinguished from a trend.
const MAX_CORRELATION: f64 = 0.99;

/// The minimum number of blocks to detect a correlation beyond their ends.
const MIN_CORRELATED: usize = 8;

/// The number of independent samples that determine a mean or a share as well as those of a run whose samples are correlated with
/// their predecessors, at least two; absent if the correlation is not significant.
///
/// If the correlation r of neighbours decreases geometrically with the distance, n samples count as n(1 − r)/(1 + r): G. E. P. Box,
/// G. M. Jenkins and G. C. Reinsel, *Time Series Analysis* (3rd edition, 1994), section 2.1.3.
pub(crate) fn independent_if_correlated(run: &RunTimes<'_>) -> Option<f64> {
    let correlation = correlation(run)?;
    Some((run.times.len() as f64 * (1.0 - correlation) / (1.0 + correlation)).max(2.0))
}

/// The correlation of neighbouring samples; absent if it does not reach significantly beyond the ends of blocks.
///
/// Blocks have inputs of their own, which makes samples of a block alike. So the test uses only the last sample of each
/// block and the first of the next: for k independent pairs, the mean of (x − m)(y − m)/s² has mean 0 and variance 1/k.
///
/// The estimate uses all neighbours, by von Neumann's ratio: J. von Neumann, "Distribution of the ratio of the mean square
/// successive difference to the variance", *Annals of Mathematical Statistics* 12 (1941) 367–395. For n samples,
/// C = 1 − Σ(xᵢ₊₁ − xᵢ)² / 2Σ(xᵢ − m)² estimates their correlation r, and is too small by about (1 + 4r)/n: F. H. C.
/// Marriott and J. A. Pope, "Bias in the estimation of autocorrelations", *Biometrika* 41 (1954) 390–402.
fn correlation(run: &RunTimes<'_>) -> Option<f64> {
    let n = run.times.len() as f64;
    let mean = mean(run.times)?;
    let squares: f64 = run.times.iter().map(|time| (time - mean).powi(2)).sum();
    let blocks: Vec<&[f64]> = run.blocks().collect();
    if blocks.len() < MIN_CORRELATED || squares <= 0.0 {
        return None;
    }
    let pairs = (blocks.len() - 1) as f64;
    let across = |pair: &[&[f64]]| (pair[0][pair[0].len() - 1] - mean) * (pair[1][0] - mean);
    let across_ends = blocks.windows(2).map(across).sum::<f64>() / pairs / (squares / n);
    if across_ends < SIGNIFICANT / pairs.sqrt() {
        return None;
    }
    let successive: f64 = run.times.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
    let observed = 1.0 - successive / (2.0 * squares);
    Some(((n * observed + 1.0) / (n - 4.0)).clamp(0.0, MAX_CORRELATION))
}

fn sd(times: &[f64]) -> f64 {
    times.iter().copied().collect::<RunningStats>().sd()
}

/// The arithmetic mean; absent for no times.
pub(crate) fn mean(times: &[f64]) -> Option<f64> {
    times.iter().copied().collect::<RunningStats>().mean()
}
