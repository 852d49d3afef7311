//! The exponent of a power of the axis value.

use super::points::LogPoints;
use crate::analyze::interval::Interval;
use crate::analyze::student::{TAIL, t_quantile};

/// The exponent p of the power nᵖ that describes a curve best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exponent {
    /// The estimate: the slope of the curve on two logarithmic axes.
    pub estimate: f64,
    /// Its 95% interval.
    pub interval: Interval,
}

/// Weighted least squares of the logarithms, with Student's interval of the slope: N. R. Draper and H. Smith, *Applied
/// Regression Analysis*, 3rd edition (1998), sections 1.4 and 9.2.
pub(super) fn exponent(points: &LogPoints) -> Exponent {
    let n = points.len() as f64;
    let mean = |value: &dyn Fn(usize) -> f64| {
        (0..points.len()).map(|index| points.weights[index] * value(index)).sum::<f64>() / n
    };
    let (mean_x, mean_y) = (mean(&|index| points.x[index].ln()), mean(&|index| points.ln_values[index]));
    let from_mean = |index: usize| (points.x[index].ln() - mean_x, points.ln_values[index] - mean_y);
    let squares = mean(&|index| from_mean(index).0.powi(2));
    let estimate = mean(&|index| from_mean(index).0 * from_mean(index).1) / squares;
    let unexplained = mean(&|index| (from_mean(index).1 - estimate * from_mean(index).0).powi(2));
    let freedom = points.len() as u32 - 2;
    let half_width = t_quantile(freedom, TAIL) * (unexplained / squares / f64::from(freedom)).sqrt();
    Exponent { estimate, interval: Interval { low: estimate - half_width, high: estimate + half_width } }
}
