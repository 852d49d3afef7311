//! Statistics of a point: the figures that its samples come to.
//!
//! Everything here is a pure function of finite numbers. Times are differences of clock readings divided by a number of
//! calls, so neither infinities nor NaN ever come in; they may be negative, since overhead was subtracted.

use serde::{Deserialize, Serialize};

use crate::analyze::blocks::{RunTimes, mean, mean_interval};
use crate::analyze::doubt::is_doubtful;
use crate::analyze::interval::Interval;
use crate::analyze::median::median_interval;
use crate::analyze::order::{quantile, sorted};
use crate::analyze::outliers::{Fences, Label};
use crate::analyze::running::Running;

/// The figures of a point. All times are nanoseconds a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Samples that the figures come from; warm-up is not among them.
    pub n: u32,
    /// Blocks of samples: those of a block share their inputs.
    pub blocks: u32,
    /// Processes that the samples were taken in.
    pub runs: u32,
    /// Calls in all samples together.
    pub calls: u64,
    /// Mean without severe outliers.
    pub mean: f64,
    /// Mean of all samples, severe outliers included, of several runs the mean of their means: what [`Self::mean_interval`] is the interval of.
    pub mean_of_all: f64,
    /// Standard deviation (n − 1) without severe outliers; 0 for a single sample.
    pub sd: f64,
    /// Least of all samples.
    pub min: f64,
    /// Greatest of all samples.
    pub max: f64,
    /// Median of all samples; absent where it is withheld.
    pub median: Option<f64>,
    /// First quartile of all samples (type 7); absent where it is withheld.
    pub q1: Option<f64>,
    /// Third quartile of all samples (type 7); absent where it is withheld.
    pub q3: Option<f64>,
    /// 95 % interval of the mean of all samples, over runs or blocks; see
    /// [`mean_interval`]. Absent for fewer than two blocks.
    pub mean_interval: Option<Interval>,
    /// 95 % interval of the median of all samples, over runs or blocks; absent where there are too few samples or blocks
    /// for one, or where it is withheld.
    pub median_interval: Option<Interval>,
    /// Half the width of the mean's interval, relative to the mean of all samples; absent where there is no interval
    /// or the interval holds 0.
    pub relative_half_width: Option<f64>,
    /// Whether the samples are too skewed for their number, so that the mean's interval may hold the mean in fewer than
    /// 93 % of cases; see [`is_doubtful`].
    pub interval_doubtful: bool,
    /// Samples between the inner and the outer fences.
    pub mild_outliers: u32,
    /// Samples beyond the outer fences.
    pub severe_outliers: u32,
    /// Whether steady state was seen: the warm-up settled, and the samples kept their level.
    pub steady: bool,
}

/// What a point's figures come from.
#[derive(Clone, Copy, Debug)]
pub struct Basis<'a> {
    /// The samples of each process; those of at least one are needed for figures.
    pub runs: &'a [RunTimes<'a>],
    /// Calls in all samples together.
    pub calls: u64,
    /// What the clock's resolution comes to in nanoseconds a call: the resolution divided by the calls of one batch.
    /// Samples that differ by so little are no outliers; see [`Fences::of`].
    pub resolution: f64,
    /// Whether median and quartiles are to be withheld, because batches are too short for the clock.
    pub quartiles_withheld: bool,
    /// Whether steady state was seen.
    pub steady: bool,
}

/// The figures of a point; absent for no samples.
///
/// Mean and standard deviation leave out what [`Fences`] label severe; every other figure uses every sample. A single
/// sample, and samples that are all equal, have a standard deviation of 0.
pub fn summarize(basis: &Basis<'_>) -> Option<Summary> {
    let times: Vec<f64> = basis.runs.iter().flat_map(|run| run.times).copied().collect();
    let sorted = sorted(&times);
    let fences = Fences::of(&sorted, basis.resolution)?;
    let labelled = |label| sorted.iter().filter(|&&time| fences.label(time) == label).count() as u32;
    let all: Running = times.iter().copied().collect();
    let kept: Running = times.iter().copied().filter(|&time| fences.label(time) != Label::Severe).collect();
    let mean_interval = mean_interval(basis.runs, basis.resolution);
    let ranks = if basis.quartiles_withheld { &[][..] } else { &sorted[..] };
    Some(Summary {
        n: all.n(),
        blocks: basis.runs.iter().map(|run| run.blocks().count() as u32).sum(),
        runs: basis.runs.iter().filter(|run| !run.times.is_empty()).count() as u32,
        calls: basis.calls,
        mean: kept.mean()?,
        mean_of_all: mean_of_runs(basis.runs)?,
        sd: kept.sd(),
        min: *sorted.first()?,
        max: *sorted.last()?,
        median: quantile(ranks, 0.5),
        q1: quantile(ranks, 0.25),
        q3: quantile(ranks, 0.75),
        mean_interval,
        median_interval: median_interval(basis.runs, ranks),
        relative_half_width: mean_interval
            .zip(all.mean())
            .and_then(|(interval, mean)| interval.relative_half_width(mean)),
        interval_doubtful: mean_interval.is_some() && is_doubtful(basis.runs),
        mild_outliers: labelled(Label::Mild),
        severe_outliers: labelled(Label::Severe),
        steady: basis.steady,
    })
}

fn mean_of_runs(runs: &[RunTimes<'_>]) -> Option<f64> {
    runs.iter().filter_map(|run| mean(run.times)).collect::<Running>().mean()
}
