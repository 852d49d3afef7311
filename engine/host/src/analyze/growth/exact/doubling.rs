//! Values that increase by the same step whenever n doubles.

/// The fewest points for such a formula, which has three unknowns: the first value, the step, and where n has doubled.
const MIN_POINTS: usize = 4;

/// The fewest steps between the first and the last point. A single jump may have any cause.
const MIN_STEPS: f64 = 2.0;

/// The relative error of divisions.
const TOLERANCE: f64 = 1e-9;

/// The step by which the value increases whenever n doubles. The points have distinct axis values, ascending. `None` unless this is
/// true of all points.
pub(super) fn step_per_doubling(points: &[(f64, f64)]) -> Option<f64> {
    let (&(least, first), &(largest, last)) = (points.first()?, points.last()?);
    if points.len() < MIN_POINTS || least <= 0.0 || last <= first {
        return None;
    }
    let doublings = (largest / least).log2();
    let counts = [doublings.floor(), doublings.ceil()].into_iter().filter(|count| *count >= MIN_STEPS);
    counts.map(|count| (last - first) / count).find(|step| has_step(points, first, *step))
}

/// Whether each value is first + step · ⌈log₂(n / c)⌉, with the same c for all points: the distance of log₂ n from the number
/// of steps then varies by less than 1.
fn has_step(points: &[(f64, f64)], first: f64, step: f64) -> bool {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    points.iter().all(|&(n, value)| {
        let steps = (value - first) / step;
        let distance = n.log2() - steps.round();
        (low, high) = (low.min(distance), high.max(distance));
        (steps - steps.round()).abs() <= TOLERANCE * steps.abs().max(1.0)
    }) && high - low < 1.0 - TOLERANCE
}
