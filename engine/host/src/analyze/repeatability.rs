//! How far measurements of the same point on the same machine differ, if they are minutes, hours or days apart.

use statrs::statistics::Statistics;

use crate::analyze::interval::Interval;
use crate::analyze::moderated::{Variance, moderated_by};
use crate::analyze::student::{TAIL, t_quantile};

/// The probability that the interval contains a later mean, if the occasions are independent. Those of the same hours resemble each other, and then
/// fewer later means are within it: simulated, 90% or more (docs/coverage.md).
const CONFIDENCE: f64 = 0.975;

/// The least number of occasions of a machine: from two, Student's interval would be 13 standard deviations on either side.
const MIN_OCCASIONS: u32 = 3;

/// The least number of occasions of a point, and the least factor between variances, for which the reference kernel explains them.
const MIN_EXPLAINED: usize = 4;
const EXPLAINED: f64 = 4.0;

/// What a machine's history says about the variation between occasions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UsualVariation {
    /// The typical variance of the logarithm of a time.
    pub variance: f64,
    /// The number of occasions that it is known from. What varies is mostly the machine, so points of one occasion do not vary independently.
    pub occasions: u32,
}

/// The interval of a later mean, from the logarithms of a point's means at some occasions, at least one. `None` with fewer than three occasions of
/// the machine.
///
/// It is the [prediction interval](prediction) with the variance of the point, moderated by the usual one of the machine
/// (`engine/host/src/analyze/moderated.rs`).
pub fn later_mean(ln_means: &[f64], usual: &UsualVariation) -> Option<Interval> {
    let is_known = usual.occasions >= MIN_OCCASIONS;
    is_known.then(|| prediction(ln_means, moderated_by(Variance::of(ln_means), usual.variance, usual.occasions - 1)))
}

/// The prediction interval of Student's distribution from the logarithms of some values: exp(m ± t·√(v·(1 + 1/n))) for n values of the variance v
/// (G. J. Hahn and W. Q. Meeker, *Statistical Intervals* (1991), section 4.8).
pub fn prediction(logarithms: &[f64], Variance { value, freedom }: Variance) -> Interval {
    let error = (value * (1.0 + 1.0 / logarithms.len() as f64)).sqrt();
    let (centre, half) = (logarithms.mean(), t_quantile(freedom, (1.0 - CONFIDENCE) / 2.0) * error);
    Interval { low: (centre - half).exp(), high: (centre + half).exp() }
}

/// The relative difference that two measurements of equal code exceed in 5% of cases: √2 times the standard deviation of their logarithms, times Student's
/// quantile.
pub fn smallest_difference(deviation: f64, freedom: u32) -> f64 {
    (t_quantile(freedom, TAIL) * 2_f64.sqrt() * deviation).exp_m1()
}

/// Whether the reference kernel explains how a point varied: relative to the kernel, its variance is at most a quarter. `relative`: the same
/// logarithms minus those of the kernel.
pub fn is_explained(ln_means: &[f64], relative: &[f64]) -> bool {
    let are_enough = relative.len() == ln_means.len() && relative.len() >= MIN_EXPLAINED;
    let variance = Variance::of(ln_means).value;
    are_enough && variance > 0.0 && EXPLAINED * Variance::of(relative).value <= variance
}
