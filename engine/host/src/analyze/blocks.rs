//! Runs and their blocks: the independent units among the samples of a point.
//!
//! Samples of a block share their inputs and are close in time, so they are not independent. Blocks are independent,
//! except for effects of the process on all of them. Runs are independent, since each has a fresh process. An interval
//! therefore counts runs if there are several, otherwise blocks, and never samples.

use crate::analyze::interval::Interval;
use crate::analyze::running::Running;
use crate::analyze::student::{TAIL, t_quantile};

/// The samples of a point from one process.
#[derive(Clone, Copy, Debug)]
pub struct RunTimes<'a> {
    /// Nanoseconds per call of each sample, in the order taken, without warm-up and with the overhead subtracted.
    pub times: &'a [f64],
    /// Samples in each block, in the order taken; their sum is the number of samples.
    pub blocks: &'a [u32],
    /// Half the width of the 95 % interval of the overhead that was subtracted from each time.
    pub overhead: f64,
}

impl<'a> RunTimes<'a> {
    /// The samples of each non-empty block, in the order taken.
    pub fn blocks(&self) -> impl Iterator<Item = &'a [f64]> + use<'a> {
        let mut rest = self.times;
        let split = move |&samples: &u32| {
            let (block, later) = rest.split_at((samples as usize).min(rest.len()));
            rest = later;
            block
        };
        self.blocks.iter().map(split).filter(|block| !block.is_empty())
    }
}

/// The 95 % interval of the mean of all samples, including the uncertainty of the clock and of the overhead; absent for
/// fewer than two blocks.
///
/// Several runs: Student's interval over the runs' means. One run: Student's interval over its blocks, by the ratio
/// estimator for clusters of unequal size, W. G. Cochran, *Sampling Techniques* (3rd edition, 1977), chapter 9A: with
/// blocks of nᵢ samples and means yᵢ, the mean m = Σnᵢyᵢ/Σnᵢ has the variance B/(B−1)·Σnᵢ²(yᵢ−m)²/(Σnᵢ)², with B − 1
/// degrees of freedom. It accounts for differences between inputs and for the correlation of neighbouring samples (the
/// method of batch means, A. M. Law, *Simulation Modeling and Analysis*, 5th edition, 2015, section 9.5).
///
/// `resolution`: one step of the clock in nanoseconds per call. The steps alone cause an uncertainty of resolution /
/// √n, even if all samples are equal because the clock stepped identically. The half-widths of the overheads are independent,
/// so their squares are added.
pub fn mean_interval(runs: &[RunTimes<'_>], resolution: f64) -> Option<Interval> {
    let mean = Estimate::of(runs)?;
    let n: usize = runs.iter().map(|run| run.times.len()).sum();
    let own = t_quantile(mean.freedom, TAIL) * mean.error;
    let clock = resolution / (n as f64).sqrt();
    let half = f64::hypot(own.max(clock), overhead(runs));
    Some(Interval { low: mean.value - half, high: mean.value + half })
}

/// Half the width of the interval of the overhead subtracted from the mean of all runs. Each run measured its own
/// overhead.
fn overhead(runs: &[RunTimes<'_>]) -> f64 {
    let measured = runs.iter().filter(|run| !run.times.is_empty());
    let (count, squares) =
        measured.fold((0.0, 0.0), |(count, sum), run| (count + 1.0, sum + run.overhead * run.overhead));
    f64::sqrt(squares) / f64::max(count, 1.0)
}

/// A mean, its standard error, and the degrees of freedom of the error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate {
    pub(crate) value: f64,
    pub(crate) error: f64,
    pub(crate) freedom: u32,
}

impl Estimate {
    /// The mean of all samples; absent for fewer than two blocks.
    fn of(runs: &[RunTimes<'_>]) -> Option<Self> {
        match runs {
            [run] => Self::of_blocks(run),
            runs => Self::of_values(runs.iter().filter_map(|run| mean(run.times))),
        }
    }

    /// The mean of independent values; absent for fewer than two.
    pub(crate) fn of_values(values: impl Iterator<Item = f64>) -> Option<Self> {
        let running: Running = values.collect();
        let freedom = running.n().checked_sub(1).filter(|&freedom| freedom > 0)?;
        Some(Self { value: running.mean()?, error: running.sd() / f64::from(running.n()).sqrt(), freedom })
    }

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
}

/// The arithmetic mean; absent for no times.
pub(crate) fn mean(times: &[f64]) -> Option<f64> {
    times.iter().copied().collect::<Running>().mean()
}
