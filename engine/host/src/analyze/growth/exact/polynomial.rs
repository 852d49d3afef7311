//! Polynomials through exact values.

/// The relative error of divisions that a formula may have at a point.
const TOLERANCE: f64 = 1e-9;

/// The rounding errors of a polynomial's value, relative to the sum of the magnitudes of its terms.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// The denominator of simple coefficients. The sums of integers, squares and cubes have no other one.
const DENOMINATOR: f64 = 12.0;

/// The distance up to which a coefficient is rounded to a simple one.
const MAX_DISTANCE: f64 = 1e-6;

/// A polynomial of degree 1 to 3.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactPolynomial {
    coefficients: Vec<f64>,
}

impl ExactPolynomial {
    /// The polynomial of this degree if it has the value of every point. The points have distinct axis values, ascending. `None`
    /// without a point to check it.
    pub(super) fn through(points: &[(f64, f64)], degree: usize) -> Option<Self> {
        if points.len() < degree + 2 {
            return None;
        }
        let nodes: Vec<_> = (0..=degree).map(|index| points[index * (points.len() - 1) / degree]).collect();
        let exact = interpolate(&nodes);
        let rounded = exact.iter().map(|&coefficient| simple(coefficient)).collect();
        let mut candidates = [rounded, exact].into_iter().map(|coefficients| Self { coefficients });
        candidates.find(|candidate| candidate.describes(points))
    }

    /// The coefficients, starting with the one of n⁰. The last one is that of the highest power.
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// The value at `n`.
    pub fn value(&self, n: f64) -> f64 {
        self.coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * n + coefficient)
    }

    /// Compares differences from the first value, so that a large constant part cannot hide a small change.
    fn describes(&self, points: &[(f64, f64)]) -> bool {
        let from_first = |value: f64| (value - points[0].1).abs();
        let changes = points.iter().map(|&(_, value)| from_first(value)).filter(|change| *change > 0.0);
        let smallest = changes.fold(f64::INFINITY, f64::min);
        points.iter().all(|&(n, value)| {
            let magnitude =
                self.coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * n.abs() + coefficient.abs());
            let tolerance = TOLERANCE * from_first(value).max(smallest) + ROUNDING * magnitude;
            (self.value(n) - value).abs() <= tolerance
        })
    }
}

/// The coefficients of the polynomial through all nodes, by Newton's divided differences.
fn interpolate(nodes: &[(f64, f64)]) -> Vec<f64> {
    let mut differences: Vec<f64> = nodes.iter().map(|node| node.1).collect();
    for order in 1..nodes.len() {
        for index in (order..nodes.len()).rev() {
            let run = nodes[index].0 - nodes[index - order].0;
            differences[index] = (differences[index] - differences[index - 1]) / run;
        }
    }
    let mut coefficients = vec![0.0; nodes.len()];
    for (&(n, _), difference) in nodes.iter().zip(&differences).rev() {
        for power in (1..coefficients.len()).rev() {
            coefficients[power] = coefficients[power - 1] - n * coefficients[power];
        }
        coefficients[0] = difference - n * coefficients[0];
    }
    coefficients
}

/// The nearest simple coefficient, unless it is too far away.
fn simple(coefficient: f64) -> f64 {
    let nearest = (coefficient * DENOMINATOR).round() / DENOMINATOR;
    if (nearest - coefficient).abs() <= MAX_DISTANCE { nearest } else { coefficient }
}
