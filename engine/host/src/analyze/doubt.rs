//! Whether there are too few samples for their skewness.

use crate::analyze::blocks::{RunTimes, independent_samples};

/// The required number of samples per square of the skewness.
const SAMPLES_PER_SQUARED_SKEWNESS: f64 = 25.0;

/// Whether the samples are too skewed for their number, so that Student's interval misses the mean too often.
///
/// The rule of W. G. Cochran, *Sampling Techniques* (3rd edition, 1977), page 42: the normal approximation requires
/// more than 25·G² samples, where G is the observed skewness m₃ / m₂^1.5. Correlated samples of a block count as fewer:
/// as the number of independent samples, variance / standard error², that would yield an interval of the same width.
/// For several runs, G is the skewness within them.
///
/// Events that are not among the samples cannot be detected: 30 samples miss an event that affects one call in a
/// hundred in 74 % of cases, however long it takes. docs/statistics.md has the numbers.
pub fn is_doubtful(runs: &[RunTimes<'_>]) -> bool {
    let (mut n, mut second, mut third, mut independent) = (0.0, 0.0, 0.0, 0.0);
    for run in runs {
        let count = run.times.len() as f64;
        let mean = run.times.iter().sum::<f64>() / count;
        let moment = |power| run.times.iter().map(|time| (time - mean).powi(power)).sum::<f64>();
        let squares = moment(2);
        n += count;
        second += squares;
        third += moment(3);
        independent += independent_samples(run);
    }
    let variance = second / n;
    let squared_skewness = (third / n).powi(2) / variance.powi(3);
    independent < SAMPLES_PER_SQUARED_SKEWNESS * squared_skewness
}
