//! The interval of the median.

use statrs::distribution::{Binomial, DiscreteCDF};

use crate::analyze::blocks::{OverheadError, RunTimes, independent_if_correlated};
use crate::analyze::interval::Interval;
use crate::analyze::order::quantile;
use crate::analyze::student::{TAIL, t_quantile};

/// The 95% interval of the median of all samples, for any distribution.
///
/// By R. S. Woodruff, "Confidence intervals for medians and other position measures", *Journal of the American
/// Statistical Association* 47 (1952) 635–646: an interval for the fraction of samples below the median, converted to
/// quantiles. The fraction varies between runs if there are several, otherwise between blocks, as in
/// [`mean_interval`](crate::analyze::blocks::mean_interval). The interval is never narrower than that of order
/// statistics, which is exact for independent samples: from the k-th smallest to the k-th greatest with the largest k
/// for which P(B < k) ≤ 0.025, B binomial of n and ½ (H. A. David and H. N. Nagaraja, *Order Statistics*, 3rd edition,
/// 2003, section 7.1).
///
/// The clock rounds times to its steps, so a quantile may be off by half a step on either side. This distance is added to
/// that of the quantile. The overhead is an independent error, so its half-width is added in quadrature.
///
/// Absent for fewer than six samples, for fewer than two blocks, and if runs or blocks differ so much that even the
/// range of all samples is too narrow.
///
/// `sorted`: all samples in ascending order. `step_per_call`: one step of the clock in nanoseconds per call.
pub(crate) fn median_interval(runs: &[RunTimes<'_>], sorted: &[f64], step_per_call: f64) -> Option<Interval> {
    let median = quantile(sorted, 0.5)?;
    let part = match runs {
        [run] => half_width(run.blocks(), median)?.max(half_width_if_correlated(run)),
        runs => half_width(runs.iter().map(|run| run.times).filter(|times| !times.is_empty()), median)?,
    };
    let n = sorted.len();
    let binomial = Binomial::new(0.5, n as u64).ok()?;
    // With fewer than six samples, even their range is too narrow. `inverse_cdf` of statrs 0.18 never returns 0.
    if binomial.cdf(0) >= TAIL {
        return None;
    }
    let outside = (binomial.inverse_cdf(TAIL) as usize).checked_sub(1)?;
    let by_clusters = (n as f64 * (0.5 - part)).floor();
    if by_clusters < 0.0 {
        return None;
    }
    let outside = outside.min(by_clusters as usize);
    let overhead = OverheadError::of_median(runs);
    let distance = |from_median: f64| (from_median + step_per_call / 2.0).hypot(overhead);
    Some(Interval {
        low: median - distance(median - sorted[outside]),
        high: median + distance(sorted[n - 1 - outside] - median),
    })
}

/// Half the width of the interval for the fraction of samples below the median, if those of a run are correlated beyond the ends of blocks;
/// 0 if they are not. They count as for the [mean](crate::analyze::blocks::mean_interval).
fn half_width_if_correlated(run: &RunTimes<'_>) -> f64 {
    let Some(independent) = independent_if_correlated(run) else { return 0.0 };
    t_quantile(independent as u32 - 1, TAIL) * 0.5 / independent.sqrt()
}

/// Half the width of the interval for the fraction of samples below `median`, with each cluster as one observation;
/// absent for fewer than two clusters.
fn half_width<'a>(clusters: impl Iterator<Item = &'a [f64]>, median: f64) -> Option<f64> {
    let (mut count, mut n, mut squares) = (0_u32, 0, 0.0);
    for cluster in clusters {
        count += 1;
        n += cluster.len();
        // Values equal to the median count half on either side.
        let above: f64 = cluster.iter().map(|&time| f64::from(time > median) - f64::from(time < median)).sum();
        squares += (above / 2.0).powi(2);
    }
    let freedom = count.checked_sub(1).filter(|&freedom| freedom > 0)?;
    if count as usize == n {
        // For independent samples, order statistics suffice.
        return Some(0.0);
    }
    let error = (f64::from(count) / f64::from(freedom) * squares).sqrt() / n as f64;
    Some(t_quantile(freedom, TAIL) * error)
}
