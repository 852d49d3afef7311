//! Whether the samples of a point are at two distinct levels.

use statrs::distribution::{Binomial, DiscreteCDF};

use crate::analyze::blocks::{RunTimes, independent_samples};
use crate::analyze::order::{quantile, sorted};

/// Two levels between which the times switch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoLevels {
    /// The median of the lower group in nanoseconds per call.
    pub low: f64,
    /// The median of the upper group.
    pub high: f64,
    /// The share of the samples in the upper group.
    pub high_share: f64,
}

/// The minimum share of each group. Rarer samples are outliers.
const MIN_SHARE: f64 = 0.1;

/// The minimum relative difference of the levels.
const MIN_DIFFERENCE: f64 = 0.05;

/// The minimum number of switches between the levels within blocks: a step has one, and a few outliers add two each.
/// Switches from block to block may be due to the inputs.
const MIN_SWITCHES: usize = 6;

/// The probability below which the valley between the levels is not due to chance.
const SIGNIFICANCE: f64 = 1e-3;

/// The two levels of a run's samples; `None` if there is no sign of two.
///
/// The samples are split into the two groups with the least sum of squared deviations (W. D. Fisher, "On grouping for
/// maximum homogeneity", *Journal of the American Statistical Association* 53 (1958) 789–798). The range between the
/// groups' medians is divided into thirds. If the samples had a single mode, the middle third would contain at least as
/// many samples as one of two ranges of the same width, around either median. A binomial test rejects this at 0.1%.
/// Samples of a block resemble each other, so they count as the number of independent samples that would determine the
/// mean equally well. Neither a single step from one level to the other nor levels of the inputs are reported here.
///
/// `step`: a clock step in nanoseconds per call; levels closer than four steps are not distinguished. `runs`: the number
/// of runs that are tested in this way.
pub fn two_levels(run: &RunTimes<'_>, step: f64, runs: usize) -> Option<TwoLevels> {
    let sorted = sorted(run.times);
    let (lower, upper) = sorted.split_at(best_split(&sorted)?);
    let share = |group: &[f64]| group.len() as f64 / sorted.len() as f64;
    let (low, high) = (quantile(lower, 0.5)?, quantile(upper, 0.5)?);
    let is_distinct = high - low > (MIN_DIFFERENCE * low.abs()).max(4.0 * step);
    if !is_distinct || share(lower).min(share(upper)) < MIN_SHARE {
        return None;
    }
    let middle = f64::midpoint(low, high);
    let switches_in = |block: &[f64]| block.windows(2).filter(|pair| (pair[0] < middle) != (pair[1] < middle)).count();
    if run.blocks().map(switches_in).sum::<usize>() < MIN_SWITCHES {
        return None;
    }
    let third = (high - low) / 3.0;
    let weight = independent_samples(run) / sorted.len() as f64;
    let around = |centre: f64| {
        let start = sorted.partition_point(|time| *time < centre - third / 2.0);
        let end = sorted.partition_point(|time| *time <= centre + third / 2.0);
        (end - start) as f64 * weight
    };
    let (valley, hill) = (around(middle), around(low).min(around(high)));
    let all = Binomial::new(0.5, (valley + hill).floor() as u64).ok()?;
    (all.cdf(valley.ceil() as u64) <= SIGNIFICANCE / runs as f64).then(|| TwoLevels {
        low,
        high,
        high_share: share(upper),
    })
}

/// The number of samples in the lower group; `None` if all samples are equal. Values beyond the second and the
/// ninety-eighth percentile count as those, so that a few outliers do not form a group.
fn best_split(sorted: &[f64]) -> Option<usize> {
    let (low, high) = (quantile(sorted, 0.02)?, quantile(sorted, 0.98)?);
    let values = || sorted.iter().map(|time| time.clamp(low, high) - low);
    let (count, total) = (sorted.len() as f64, values().sum::<f64>());
    // The squares within the groups are least where those between them are greatest.
    let mut best = (0.0, None);
    let (mut before, mut sum) = (0.0, 0.0);
    for (index, value) in values().enumerate().take(sorted.len().saturating_sub(1)) {
        (before, sum) = (before + 1.0, sum + value);
        let difference = (total - sum) / (count - before) - sum / before;
        let between = difference * difference * before * (count - before);
        if between > best.0 {
            best = (between, Some(index + 1));
        }
    }
    best.1
}
