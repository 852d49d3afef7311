//! Growth of exact values, such as counts per call: by arithmetic instead of statistics, since they have no noise.

mod doubling;
mod polynomial;

pub use polynomial::ExactPolynomial;

use doubling::step_per_doubling;

/// The fewest points for a statement that excludes a formula: a cubic polynomial and one point to check it.
const MIN_POINTS_WITHOUT_FORMULA: usize = 5;

/// The largest ratio between the values per n of two points for which their range is informative. An array that doubles its
/// capacity uses at most twice the memory of its items, and three times while it moves them.
const MAX_PROPORTIONAL_SPREAD: f64 = 4.0;

/// The rounding error of a mean over calls, relative to its value.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// How exact values depend on the axis value n. Each variant is true of all points.
#[derive(Clone, Debug, PartialEq)]
pub enum ExactGrowth {
    /// All values are equal to this one.
    Constant(f64),
    /// The values are those of a polynomial.
    Polynomial(ExactPolynomial),
    /// The value increases by this step whenever n doubles, as the number of allocations of a growing `Vec` does: value =
    /// first + step · ⌈log₂(n / c)⌉ for some c.
    PerDoubling(f64),
    /// There is no such formula, but the value per n varies by a factor of at most 4.
    Proportional {
        /// The smallest value per n.
        low: f64,
        /// The largest value per n.
        high: f64,
    },
    /// There is no such formula.
    Irregular {
        /// The smallest value.
        low: f64,
        /// The largest value.
        high: f64,
    },
}

/// The growth of exact values, given as pairs of n and value in any order.
///
/// A constant needs two axis values, a polynomial two more than its degree, and an increase per doubling four. The simplest
/// formula that is true of all points is returned. Without one, five axis values are needed.
///
/// `None` with fewer axis values, if a number is not finite, or if an axis value has two values.
pub fn exact_growth(points: &[(f64, f64)]) -> Option<ExactGrowth> {
    let points = distinct(points)?;
    let &[(_, first), _, ..] = &points[..] else { return None };
    if points.iter().all(|&(_, value)| is_same(value, first)) {
        return Some(ExactGrowth::Constant(first));
    }
    let polynomial = |degree| ExactPolynomial::through(&points, degree).map(ExactGrowth::Polynomial);
    polynomial(1)
        .or_else(|| step_per_doubling(&points).map(ExactGrowth::PerDoubling))
        .or_else(|| polynomial(2))
        .or_else(|| polynomial(3))
        .or_else(|| (points.len() >= MIN_POINTS_WITHOUT_FORMULA).then(|| without_formula(&points)))
}

fn without_formula(points: &[(f64, f64)]) -> ExactGrowth {
    let (low, high) = extremes(points.iter().map(|&(n, value)| value / n));
    if points[0].0 > 0.0 && low > 0.0 && high <= MAX_PROPORTIONAL_SPREAD * low {
        return ExactGrowth::Proportional { low, high };
    }
    let (low, high) = extremes(points.iter().map(|&(_, value)| value));
    ExactGrowth::Irregular { low, high }
}

/// The points in ascending order, one for each axis value. `None` if they are not the values of a function of n.
fn distinct(points: &[(f64, f64)]) -> Option<Vec<(f64, f64)>> {
    let mut points = points.to_vec();
    if points.iter().any(|(n, value)| !n.is_finite() || !value.is_finite()) {
        return None;
    }
    points.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
    let is_function = points.windows(2).all(|pair| pair[0].0 < pair[1].0 || is_same(pair[0].1, pair[1].1));
    points.dedup_by_key(|point| point.0);
    is_function.then_some(points)
}

fn is_same(one: f64, other: f64) -> bool {
    (one - other).abs() <= ROUNDING * one.abs().max(other.abs())
}

fn extremes(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}
