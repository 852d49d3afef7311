//! The summary statistics of a point.
//!
//! Everything here is a pure function of finite numbers. Times are differences of clock readings divided by a number of
//! calls, so infinities and NaN never occur. Times may be negative, since the overhead was subtracted.

use serde::{Deserialize, Serialize};

#[cfg(doc)]
use crate::analyze::blocks::MeanInterval;
use crate::analyze::blocks::{RunTimes, mean, mean_interval};
use crate::analyze::interval::Interval;
use crate::analyze::median::median_interval;
use crate::analyze::order::{quantile, sorted};
use crate::analyze::outliers::{Label, labels};
use crate::analyze::running::RunningStats;
use crate::analyze::stability::Stability;

/// The figures of a point. All times are nanoseconds per call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// Samples that the figures are computed from, without warm-up.
    pub n: u32,
    /// Blocks of samples. The samples of a block share their inputs.
    pub blocks: u32,
    /// Processes in which the samples were taken.
    pub runs: u32,
    /// Calls in all samples together.
    pub calls: u64,
    /// Mean of all samples; for several runs, the mean of their means. [`Self::mean_interval`] is its interval.
    ///
    /// Responses of method 2 and earlier have the mean without extreme outliers here.
    pub mean: f64,
    /// Mean of the samples that the system did not interrupt, as far as it reports interruptions; for several runs, the
    /// mean of their means. Absent if it reported none, or if it interrupted all samples of a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uninterrupted_mean: Option<f64>,
    /// Standard deviation (n − 1) of all samples; 0 for a single sample.
    pub sd: f64,
    /// Minimum of all samples.
    pub min: f64,
    /// Maximum of all samples.
    pub max: f64,
    /// Median of all samples; absent if it is unavailable.
    pub median: Option<f64>,
    /// First quartile of all samples (type 7); absent if it is unavailable.
    pub q1: Option<f64>,
    /// Third quartile of all samples (type 7); absent if it is unavailable.
    pub q3: Option<f64>,
    /// 95% interval of the mean of all samples, over runs or blocks; see [`mean_interval`]. Absent for fewer than two
    /// blocks, and for fewer than 32 samples if they are skewed.
    pub mean_interval: Option<Interval>,
    /// 95% interval of the median of all samples, over runs or blocks, including half a step of the clock and the
    /// overhead; absent if there are too few samples or blocks, or if the median is unavailable. Method 6 and earlier left
    /// out step and overhead.
    pub median_interval: Option<Interval>,
    /// Half the width of the mean's interval, relative to the mean; absent if there is no interval or it contains 0.
    pub relative_half_width: Option<f64>,
    /// Whether the times are correlated beyond the ends of blocks, so that the mean's interval is clearly wider than
    /// the blocks alone suggest; see [`MeanInterval`].
    #[serde(rename = "correlated", default, skip_serializing_if = "std::ops::Not::not")]
    pub is_correlated: bool,
    /// Whether there are too few samples for their skewness. Then the mean's interval of a single run is absent, and that of
    /// several runs may be too narrow.
    pub interval_doubtful: bool,
    /// Samples between the inner and the outer fences of their block; see [`labels`].
    pub mild_outliers: u32,
    /// Samples beyond the outer fences of their block.
    #[serde(rename = "severe_outliers")]
    pub extreme_outliers: u32,
    /// Whether the times settled during warm-up, and the samples stayed at one level.
    #[serde(rename = "steady")]
    pub stability: Stability,
}

/// The input of [`summarize`].
#[derive(Clone, Copy, Debug)]
pub struct Basis<'a> {
    /// The samples of each process. Figures require at least one sample.
    pub runs: &'a [RunTimes<'a>],
    /// Calls in all samples together.
    pub calls: u64,
    /// A clock step in nanoseconds per call: the clock's resolution divided by the calls of one batch. Samples that
    /// differ by this little are not outliers; see [`labels`].
    pub step_per_call: f64,
    /// See [`Summary::uninterrupted_mean`].
    pub uninterrupted_mean: Option<f64>,
    /// Whether to leave out median and quartiles, because batches are too short for the clock.
    pub quartiles_withheld: bool,
    /// Whether the times settled.
    pub stability: Stability,
}

impl<'a> Basis<'a> {
    /// Settled samples, read with a clock that is fine enough for them.
    pub fn of(runs: &'a [RunTimes<'a>], calls: u64) -> Self {
        let stability = Stability::Settled;
        Self { runs, calls, step_per_call: 0.0, uninterrupted_mean: None, quartiles_withheld: false, stability }
    }
}

/// Computes the figures of a point; absent for no samples.
///
/// Every figure includes all samples, outliers too. For a single sample, or equal samples, the standard deviation is 0.
pub fn summarize(basis: &Basis<'_>) -> Option<Summary> {
    let times: Vec<f64> = basis.runs.iter().flat_map(|run| run.times).copied().collect();
    let sorted = sorted(&times);
    let labels = labels(basis.runs, basis.step_per_call);
    let labelled = |label| labels.iter().filter(|&&other| other == label).count() as u32;
    let all: RunningStats = times.iter().copied().collect();
    let mean = mean_of_runs(basis.runs.iter().map(|run| run.times))?;
    let mean_interval = mean_interval(basis.runs, basis.step_per_call);
    let interval = mean_interval.and_then(|mean| mean.interval);
    let ranks = if basis.quartiles_withheld { &[][..] } else { &sorted[..] };
    Some(Summary {
        n: all.n(),
        blocks: basis.runs.iter().map(|run| run.blocks().count() as u32).sum(),
        runs: basis.runs.iter().filter(|run| !run.times.is_empty()).count() as u32,
        calls: basis.calls,
        mean,
        uninterrupted_mean: basis.uninterrupted_mean,
        sd: all.sd(),
        min: *sorted.first()?,
        max: *sorted.last()?,
        median: quantile(ranks, 0.5),
        q1: quantile(ranks, 0.25),
        q3: quantile(ranks, 0.75),
        mean_interval: interval,
        median_interval: median_interval(basis.runs, ranks, basis.step_per_call),
        relative_half_width: interval.and_then(|interval| interval.relative_half_width(mean)),
        is_correlated: mean_interval.is_some_and(|mean| mean.is_correlated),
        interval_doubtful: mean_interval.is_some_and(|mean| mean.is_doubtful),
        mild_outliers: labelled(Label::Mild),
        extreme_outliers: labelled(Label::Extreme),
        stability: basis.stability,
    })
}

/// The mean of the runs' means; absent for no samples.
fn mean_of_runs<'a>(runs: impl Iterator<Item = &'a [f64]>) -> Option<f64> {
    runs.filter_map(mean).collect::<RunningStats>().mean()
}
