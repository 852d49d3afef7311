//! Fitted curves.

use super::class::GrowthClass;
use super::fit::ClassFit;
use super::points::LogPoints;

/// A fitted curve: intercept + coefficient · f(n), from the break on multiplied by its factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrowthCurve {
    /// The class, which determines f.
    pub class: GrowthClass,
    /// The part of the value that does not grow; never negative. 0 for a constant.
    pub intercept: f64,
    /// The factor of f(n); never negative.
    pub coefficient: f64,
    /// The typical relative deviation of a point from the curve: 0.05 is 5%.
    pub deviation: f64,
    /// The position and the factor of a jump, such as at the size of a cache.
    pub break_at: Option<GrowthBreak>,
}

/// A jump of a curve between two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrowthBreak {
    /// The last axis value before the jump.
    pub after: f64,
    /// The first axis value after it.
    pub before: f64,
    /// The factor by which the values after it are larger than the curve before it would be.
    pub factor: f64,
}

impl GrowthCurve {
    pub(super) fn new(fit: &ClassFit, points: &LogPoints) -> Self {
        let largest = fit.class.value(points.x[points.len() - 1]);
        let scale = fit.scale / fit.break_at.map_or(1.0, |at| at.factor);
        let break_at = fit.break_at.map(|at| GrowthBreak {
            after: points.x[at.index - 1],
            before: points.x[at.index],
            factor: at.factor,
        });
        Self {
            class: fit.class,
            intercept: scale * fit.intercept,
            coefficient: scale * (1.0 - fit.intercept) / largest,
            deviation: fit.mean_square.sqrt(),
            break_at,
        }
    }

    /// The value of the curve at `n`.
    pub fn value(&self, n: f64) -> f64 {
        let factor = self.break_at.filter(|at| n >= at.before).map_or(1.0, |at| at.factor);
        factor * (self.intercept + self.coefficient * self.class.value(n))
    }

    /// The n beyond all points at which the curve reaches `value`; `None` for a constant.
    pub(super) fn extrapolate(&self, value: f64) -> Option<f64> {
        let factor = self.break_at.map_or(1.0, |at| at.factor);
        self.class.inverse((value / factor - self.intercept) / self.coefficient)
    }
}
