//! The skewness of samples, and what it means for the interval of their mean.

use crate::analyze::running::RunningStats;
use crate::analyze::student::NORMAL_QUANTILE;

/// The required number of independent samples per square of the skewness.
const SAMPLES_PER_SQUARED_SKEWNESS: f64 = 25.0;

/// The number of samples from which on the transformation suffices. Fewer samples have no interval if they are clearly skewed.
const MIN_SAMPLES: f64 = 32.0;

/// The skewness of the samples of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Skewness {
    /// G = m₃ / m₂^1.5, with the moments mₖ about the mean of each run. 0 if their standard deviation is at most a clock
    /// step, since the clock then causes the skewness.
    pub(crate) value: f64,
    /// The number of samples.
    pub(crate) samples: f64,
    /// The number of independent samples that would determine the mean equally well.
    pub(crate) independent: f64,
}

impl Skewness {
    /// The skewness of the samples of some runs, which determine the mean as well as `independent` independent samples.
    /// `step_per_call`: a clock step in nanoseconds per call.
    pub(crate) fn of<'a>(runs: impl Iterator<Item = &'a [f64]>, independent: f64, step_per_call: f64) -> Self {
        let (mut n, mut second, mut third) = (0.0, 0.0, 0.0);
        for times in runs {
            let running: RunningStats = times.iter().copied().collect();
            let Some(mean) = running.mean() else { continue };
            let moment = |power| times.iter().map(|time| (time - mean).powi(power)).sum::<f64>();
            n += f64::from(running.n());
            second += moment(2);
            third += moment(3);
        }
        let variance = second / n;
        let is_known = variance > step_per_call.powi(2);
        Self { value: if is_known { third / n / variance.powf(1.5) } else { 0.0 }, samples: n, independent }
    }

    /// Whether there are too few samples for their skewness: Student's interval would miss the mean too often, and there
    /// are too few for the transformation.
    ///
    /// Two rules of W. G. Cochran, *Sampling Techniques* (3rd edition, 1977), pages 41 and 42: the normal approximation
    /// requires more than 25·G² samples, and G² is above 6·1.96²/n for at most 5% of n normal samples.
    ///
    /// Events that are not among the samples cannot be detected: 30 samples miss an event that affects one call in a
    /// hundred in 74% of cases, however long it takes. docs/statistics.md has the numbers.
    pub(crate) fn is_doubtful(self) -> bool {
        let squared = self.value.powi(2);
        self.samples < MIN_SAMPLES
            && self.independent < SAMPLES_PER_SQUARED_SKEWNESS * squared
            && self.samples * squared > 6.0 * NORMAL_QUANTILE.powi(2)
    }

    /// The distances of both ends of an interval from the mean, below and above, as multiples of its standard error, if
    /// those of Student's interval are `quantile`. `None` if there are too few samples for their skewness.
    ///
    /// The mean of n samples of skewness G is t standard errors from the true one, and
    /// t + G(2t² + 1)/6√n + G²t³/27n is almost normal: P. Hall, "On the removal of skewness by transformation", *Journal of
    /// the Royal Statistical Society B* 54 (1992) 221–228. Its inverse yields the ends; see [`inverse`]. The
    /// transformation shortens one side; this is not justified if the samples are symmetric, but one side has more of the
    /// extreme ones by chance. Therefore each side is at least as long as Student's.
    pub(crate) fn ends(self, quantile: f64) -> Option<(f64, f64)> {
        if self.is_doubtful() {
            return None;
        }
        let skewness = self.value / self.independent.sqrt();
        let below = inverse(quantile, skewness);
        let above = -inverse(-quantile, skewness);
        Some((below.max(quantile), above.max(quantile)))
    }
}

/// The t whose transformed value is `normal`. `skewness`: that of the mean, G/√n.
fn inverse(normal: f64, skewness: f64) -> f64 {
    // Close to symmetry, the quotient below loses all digits, and the correction is smaller than 1e-6.
    if skewness.abs() < 1e-6 {
        return normal;
    }
    ((1.0 + skewness * (normal - skewness / 6.0)).cbrt() - 1.0) * 3.0 / skewness
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hall's transformation as published.
    fn transformed(t: f64, skewness: f64) -> f64 {
        t + skewness * t * t / 3.0 + skewness.powi(2) * t.powi(3) / 27.0 + skewness / 6.0
    }

    #[test]
    fn the_ends_are_the_inverse_of_the_transformation() {
        for skewness in [-0.8, -0.1, 1e-3, 0.3, 0.9] {
            for normal in [-2.0, -0.5, 0.0, 1.0, 2.0] {
                let back = transformed(inverse(normal, skewness), skewness);
                assert!((back - normal).abs() < 1e-9, "{normal} at {skewness}: {back}");
            }
        }
    }

    #[test]
    fn the_side_of_the_skewness_is_longer() {
        let ends = |value, samples| Skewness { value, samples, independent: samples }.ends(2.0);
        assert_eq!(ends(0.0, 50.0), Some((2.0, 2.0)));
        let (below, above) = ends(1.0, 50.0).expect("there are enough samples");
        assert!(below == 2.0 && above > 2.2, "{below} {above}");
        assert_eq!(ends(-1.0, 50.0), Some((above, below)));
        let few = ends(0.1, 31.0).expect("they are hardly skewed");
        assert!(few.0 == 2.0 && few.1 > 2.01 && ends(3.0, 31.0).is_none(), "{few:?}");
    }

    #[test]
    fn equal_samples_and_single_clock_steps_are_not_skewed() {
        let skewness = |times: &[f64], step_per_call| Skewness::of([times].into_iter(), 5.0, step_per_call).value;
        assert_eq!(skewness(&[3.0; 5], 0.0), 0.0);
        assert_eq!(skewness(&[3.0, 3.0, 3.0, 3.0, 4.0], 1.0), 0.0);
        // (4 · (−0.2)³ + 0.8³) / 5 / 0.16^1.5
        assert!((skewness(&[3.0, 3.0, 3.0, 3.0, 4.0], 0.1) - 1.5).abs() < 1e-12);
    }
}
