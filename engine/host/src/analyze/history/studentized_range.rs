//! The distribution of the studentized range.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use statrs::distribution::{Continuous, ContinuousCDF, Normal};
use statrs::function::gamma::ln_gamma;

/// The range of the normal distribution that matters in double precision, in standard deviations, and the distance of nodes.
const REACH: f64 = 9.0;
const STEP: f64 = 0.25;

/// Known quantiles: for a number of means, degrees of freedom, and the bits of a probability.
static QUANTILES: Mutex<BTreeMap<(usize, usize, u64), f64>> = Mutex::new(BTreeMap::new());

/// The number of bisections of a quantile.
const BISECTIONS: u32 = 60;

/// The distribution of the range of the means of several samples, divided by a common standard error that is estimated
/// independently of them.
pub(super) struct StudentizedRange {
    /// The number of means.
    pub(super) means: usize,
    /// The degrees of freedom of the standard error.
    pub(super) freedom: usize,
}

impl StudentizedRange {
    /// The probability of a range up to `q`.
    ///
    /// It is the integral over the estimated standard deviation s of f(s) · P(range of normal variables ≤ q·s); see R. E. Lund
    /// and J. R. Lund, "Algorithm AS 190: Probabilities and upper quantiles for the studentized range", *Applied Statistics* 32
    /// (1983) 204–210. Both integrands are analytic and decay fast, so the trapezoidal rule converges geometrically (L. N.
    /// Trefethen and J. A. C. Weideman, "The exponentially convergent trapezoidal rule", *SIAM Review* 56 (2014) 385–458).
    pub(super) fn cdf(&self, q: f64) -> f64 {
        let freedom = self.freedom as f64;
        // The standard deviation of ln s, nearly.
        let deviation = 1.0 / (2.0 * freedom).sqrt();
        // The density decreases as s^freedom towards 0, and faster above 1.
        let (first, last) = (-REACH * deviation - 40.0 / freedom, REACH * deviation);
        let step = STEP * deviation;
        let half = freedom / 2.0;
        let constant = 2.0_f64.ln() + half * half.ln() - ln_gamma(half);
        let normal = NormalNodes::new();
        let term = |index: u32| {
            let ln_s = first + f64::from(index) * step;
            let density = (constant + freedom * ln_s - half * (2.0 * ln_s).exp()).exp();
            if density > 0.0 { density * normal.range_cdf(q * ln_s.exp(), self.means) } else { 0.0 }
        };
        let steps = ((last - first) / step) as u32;
        ((0..=steps).map(term).sum::<f64>() * step).min(1.0)
    }

    /// The range that is exceeded with the probability `tail`. Cached, since the checks of a run have few sizes.
    pub(super) fn quantile_above(&self, tail: f64) -> f64 {
        let key = (self.means, self.freedom, tail.to_bits());
        let mut cache = QUANTILES.lock().unwrap_or_else(PoisonError::into_inner);
        *cache.entry(key).or_insert_with(|| self.invert(tail))
    }

    fn invert(&self, tail: f64) -> f64 {
        let is_below = |q: f64| self.cdf(q) < 1.0 - tail;
        let mut high = 1.0;
        while is_below(high) && high < f64::MAX / 2.0 {
            high *= 2.0;
        }
        let mut low = 0.0;
        for _ in 0..BISECTIONS {
            let middle = f64::midpoint(low, high);
            if is_below(middle) { low = middle } else { high = middle }
        }
        high
    }
}

/// The density and the distribution function of the normal distribution at equidistant nodes.
struct NormalNodes {
    normal: Normal,
    nodes: Vec<(f64, f64, f64)>,
}

impl NormalNodes {
    fn new() -> Self {
        let normal = Normal::standard();
        let count = (REACH / STEP) as i32;
        let node = |index: i32| {
            let z = f64::from(index) * STEP;
            (z, normal.pdf(z), normal.cdf(z))
        };
        Self { nodes: (-count..=count).map(node).collect(), normal }
    }

    /// The probability that the range of `means` normal variables is up to `width`.
    fn range_cdf(&self, width: f64, means: usize) -> f64 {
        let others = means as i32 - 1;
        // z is the smallest of the variables.
        let term = |&(z, density, below): &(f64, f64, f64)| {
            let within = self.normal.cdf(z + width) - below;
            density * within.powi(others)
        };
        means as f64 * self.nodes.iter().map(term).sum::<f64>() * STEP
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From SciPy: `scipy.stats.studentized_range.cdf(q, k, df)`.
    #[test]
    fn probabilities_match_scipy() {
        for (q, means, freedom, expected) in [
            (3.5, 3, 20, 0.944108150918),
            (1.0, 2, 1, 0.391826552031),
            (5.0, 4, 2, 0.828781074854),
            (3.88, 3, 10, 0.950186094229),
            (2.5, 10, 60, 0.247983595168),
            (4.0, 5, 120, 0.957182245363),
            (3.3, 3, 1000, 0.948242518109),
            (0.5, 3, 8, 0.066026508503),
        ] {
            let actual = StudentizedRange { means, freedom }.cdf(q);
            assert!((actual - expected).abs() < 1e-9, "{q}, {means}, {freedom}: {actual} instead of {expected}");
        }
    }

    /// From SciPy: `scipy.stats.studentized_range.ppf(1 - tail, k, df)`.
    #[test]
    fn quantiles_match_scipy() {
        for (tail, means, freedom, expected) in [
            (0.05, 3, 10, 3.8767767500),
            (0.01, 3, 6, 6.3305075983),
            (0.01, 4, 40, 4.6951339335),
            (0.001, 2, 30, 5.1561641495),
            (0.05, 2, 1, 17.9692870642),
            (0.1, 8, 200, 3.9643704888),
        ] {
            let actual = StudentizedRange { means, freedom }.quantile_above(tail);
            assert!(
                (actual / expected - 1.0).abs() < 1e-7,
                "{tail}, {means}, {freedom}: {actual} instead of {expected}"
            );
        }
    }
}
