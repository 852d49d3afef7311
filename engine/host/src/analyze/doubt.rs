//! Doubt: whether there are too few samples for their skew.

use crate::analyze::blocks::{Estimate, RunTimes};

/// The samples that are needed for each square of the skewness.
const SAMPLES_A_SKEW: f64 = 25.0;

/// Whether the samples are too skewed for their number, so that Student's interval of the mean misses the mean too
/// often.
///
/// The rule of W. G. Cochran, *Sampling Techniques* (3rd edition, 1977), page 42: the normal approximation wants
/// more than 25·G² samples, G the skewness m₃ / m₂^1.5 that is seen. Samples that go together within their block count
/// as fewer: as the independent samples, variance / standard error², that would make an interval as wide. With several
/// runs the skewness is that within them.
///
/// Nothing is seen of what is not among the samples: an event that one call in a hundred meets is missed by 30 samples
/// in 74 % of cases, however long it takes. docs/statistics.md has the numbers.
pub fn is_doubtful(runs: &[RunTimes<'_>]) -> bool {
    let (mut n, mut second, mut third, mut independent) = (0.0, 0.0, 0.0, 0.0);
    for run in runs {
        let count = run.times.len() as f64;
        let mean = run.times.iter().sum::<f64>() / count;
        let moment = |power| run.times.iter().map(|time| (time - mean).powi(power)).sum::<f64>();
        let squares = moment(2);
        let error = Estimate::of_blocks(run).map_or(0.0, |estimate| estimate.error);
        n += count;
        second += squares;
        third += moment(3);
        independent += count.min(squares / count / (error * error));
    }
    let variance = second / n;
    let squared_skewness = (third / n).powi(2) / variance.powi(3);
    independent < SAMPLES_A_SKEW * squared_skewness
}
