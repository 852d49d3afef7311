//! Variances that are estimated from few processes each, moderated by those of the other points of a curve.
//!
//! The variance between five processes has four degrees of freedom, so an interval at one of a hundred points would be very
//! wide. G. K. Smyth, "Linear models and empirical Bayes methods for assessing differential expression in microarray
//! experiments", *Statistical Applications in Genetics and Molecular Biology* 3 (2004), article 3: the variances of all
//! points are draws from a scaled inverse χ² distribution, whose parameters are estimated from them. Each variance is then
//! the mean of its own estimate and the common one, weighted by their degrees of freedom. If the points vary alike, this
//! is the pooled variance; if they differ, each keeps mostly its own.

use statrs::function::gamma::digamma;
use statrs::statistics::Statistics;

use crate::analyze::order::median;

/// The minimum number of variances to estimate their distribution from.
const MIN_VARIANCES: usize = 3;

/// A variance and its degrees of freedom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variance {
    /// The estimate.
    pub value: f64,
    /// Its degrees of freedom.
    pub freedom: u32,
}

/// Returns each variance moderated by the others, in the same order. Fewer than three variances, and those whose median is
/// 0, are returned unchanged.
///
/// The degrees of freedom are limited to the sum of all, as in the function `eBayes` of the R package limma, as far as the variances are
/// independent. `independent`: how many independent variances would carry as much information; at most their number.
pub fn moderate(variances: &[Variance], independent: f64) -> Vec<Variance> {
    let Some(prior) = Prior::estimate(variances) else { return variances.to_vec() };
    let sum: u32 = variances.iter().map(|variance| variance.freedom).sum();
    let pooled = f64::from(sum) * independent / variances.len() as f64;
    let moderate = |&Variance { value, freedom }: &Variance| {
        let own = f64::from(freedom);
        let value = if prior.freedom.is_finite() {
            (prior.freedom * prior.variance + own * value) / (prior.freedom + own)
        } else {
            prior.variance
        };
        Variance { value, freedom: (prior.freedom + own).min(pooled).max(own) as u32 }
    };
    variances.iter().map(moderate).collect()
}

/// The number of degrees of freedom that a typical variance counts as, for [`moderated_by`].
const WEIGHT_OF_TYPICAL: u32 = 5;

/// The typical one of some variances: their geometric mean, corrected for their degrees of freedom, equation 6.2 of the article. A single great variance
/// hardly affects it. `None` if none has a degree of freedom.
pub fn typical(variances: &[Variance]) -> Option<f64> {
    let known: Vec<Variance> = variances.iter().copied().filter(|variance| variance.freedom > 0).collect();
    let median = median(&known.iter().map(|variance| variance.value).collect::<Vec<_>>())?;
    let logarithms = known.iter().map(|variance| variance.unbiased_logarithm(FLOOR * median));
    Some((logarithms.sum::<f64>() / known.len() as f64).exp())
}

/// A variance moderated by a typical one, which counts as five degrees of freedom: for so few variances, or such unlike ones, that their distribution
/// cannot be estimated. `freedom`: the degrees of freedom of all variances together, which limit those of the result.
pub fn moderated_by(own: Variance, typical: f64, freedom: u32) -> Variance {
    let (weight, own_weight) = (f64::from(WEIGHT_OF_TYPICAL), f64::from(own.freedom));
    let value = (weight * typical + own_weight * own.value) / (weight + own_weight);
    Variance { value, freedom: (WEIGHT_OF_TYPICAL + own.freedom).min(freedom) }
}

/// A variance of 0 is a coincidence of rounded times, and its logarithm would dominate: the least one, relative to the median.
const FLOOR: f64 = 1e-5;

impl Variance {
    /// The variance of some values, at least one.
    pub fn of(values: &[f64]) -> Self {
        let freedom = values.len() as u32 - 1;
        Self { value: if freedom > 0 { values.variance() } else { 0.0 }, freedom }
    }

    /// The logarithm, whose mean is that of the true variance. Variances below the floor count as it.
    fn unbiased_logarithm(&self, floor: f64) -> f64 {
        let half = f64::from(self.freedom) / 2.0;
        self.value.max(floor).ln() - digamma(half) + half.ln()
    }
}

/// The distribution of the variances.
struct Prior {
    variance: f64,
    /// Infinite if the variances differ no more than by chance.
    freedom: f64,
}

impl Prior {
    /// By the method of moments for the logarithms, section 6.2 of the article.
    fn estimate(variances: &[Variance]) -> Option<Self> {
        let values: Vec<f64> = variances.iter().map(|variance| variance.value).collect();
        let median = median(&values)?;
        if variances.len() < MIN_VARIANCES || median <= 0.0 {
            return None;
        }
        let floor = FLOOR * median;
        let half = |variance: &Variance| f64::from(variance.freedom) / 2.0;
        let deviations: Vec<f64> = variances.iter().map(|variance| variance.unbiased_logarithm(floor)).collect();
        let count = variances.len() as f64;
        let mean = deviations.iter().sum::<f64>() / count;
        let by_chance = variances.iter().map(|variance| trigamma(half(variance))).sum::<f64>() / count;
        let excess =
            deviations.iter().map(|deviation| (deviation - mean).powi(2)).sum::<f64>() / (count - 1.0) - by_chance;
        if excess <= 0.0 {
            let variance = variances.iter().map(|variance| variance.value.max(floor)).sum::<f64>() / count;
            return Some(Self { variance, freedom: f64::INFINITY });
        }
        let half = inverse_trigamma(excess);
        Some(Self { variance: (mean + digamma(half) - half.ln()).exp(), freedom: 2.0 * half })
    }
}

/// The derivative of the digamma function for a positive argument, by its recurrence and asymptotic expansion:
/// M. Abramowitz and I. A. Stegun, *Handbook of Mathematical Functions* (1964), 6.4.6 and 6.4.12.
fn trigamma(mut x: f64) -> f64 {
    let mut sum = 0.0;
    while x < 10.0 {
        sum += 1.0 / (x * x);
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    sum + 1.0 / x + y / 2.0 + y / x * (1.0 / 6.0 - y * (1.0 / 30.0 - y * (1.0 / 42.0 - y / 30.0)))
}

/// The argument at which the trigamma function, which decreases, has a positive value.
fn inverse_trigamma(value: f64) -> f64 {
    let (mut low, mut high) = (1e-8_f64.ln(), 1e8_f64.ln());
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if trigamma(middle.exp()) > value { low = middle } else { high = middle }
    }
    ((low + high) / 2.0).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Arguments and values of `scipy.special.polygamma(1, x)`.
    const TRIGAMMA: [(f64, f64); 7] = [
        (0.01, 10001.621213528311),
        (0.5, 4.93480220054468),
        (1.0, 1.6449340668482266),
        (2.0, 0.6449340668482266),
        (7.5, 0.1426158966967038),
        (66.0, 0.015266879048806388),
        (10000.0, 0.00010000500016666666),
    ];

    #[test]
    fn trigamma_agrees_with_scipy() {
        for (x, expected) in TRIGAMMA {
            assert!((trigamma(x) / expected - 1.0).abs() < 1e-10, "{x}: {}", trigamma(x));
            assert!((inverse_trigamma(expected) / x - 1.0).abs() < 1e-9, "{x}");
        }
    }

    /// Variances and degrees of freedom, and the moderated ones by the function `squeezeVar` of limma 3.54.1:
    ///
    /// ```r
    /// squeezed <- limma::squeezeVar(variances, freedom)
    /// squeezed$var.post
    /// pmin(freedom + squeezed$df.prior, sum(freedom))
    /// ```
    #[test]
    fn moderates_as_limma_does() {
        type Row<'a> = (&'a [f64], &'a [u32], &'a [f64], &'a [u32]);
        let table: [Row<'_>; 3] = [
            (&[1.0, 1.2, 0.8, 1.1, 0.9, 1.05], &[4; 6], &[1.008_333_333_33; 6], &[24; 6]),
            (
                &[0.1, 4.0, 0.5, 9.0, 0.02, 1.5, 30.0, 0.7],
                &[4; 8],
                &[
                    0.153_115_649_831,
                    3.279_759_102_63,
                    0.473_797_029_606,
                    7.288_276_349_81,
                    0.088_979_373_876_3,
                    1.275_500_479_04,
                    24.124_048_788,
                    0.634_137_719_493,
                ],
                &[4; 8],
            ),
            (
                &[2.0, 0.5, 1.0, 8.0],
                &[4, 15, 4, 9],
                &[1.735_973_710_08, 0.639_084_027_749, 1.153_290_730_62, 6.398_517_401_76],
                &[6, 17, 6, 11],
            ),
        ];
        for (values, freedoms, expected, expected_freedoms) in table {
            let variances: Vec<Variance> =
                values.iter().zip(freedoms).map(|(&value, &freedom)| Variance { value, freedom }).collect();
            for ((moderated, expected), freedom) in
                moderate(&variances, variances.len() as f64).iter().zip(expected).zip(expected_freedoms)
            {
                assert!((moderated.value / expected - 1.0).abs() < 1e-9, "{moderated:?} instead of {expected}");
                assert_eq!(moderated.freedom, *freedom, "{values:?}");
            }
        }
    }

    #[test]
    fn few_variances_remain() {
        for values in [&[][..], &[3.0], &[3.0, 1.0], &[0.0; 5]] {
            let variances: Vec<Variance> = values.iter().map(|&value| Variance { value, freedom: 4 }).collect();
            assert_eq!(moderate(&variances, variances.len() as f64), variances);
        }
    }
}
