//! The results on both sides of a step, compared at each axis value.

use benchbook_contract::axis_value::AxisValue;
use statrs::statistics::Statistics;

use super::accepted::AcceptedResult;
use crate::analyze::history::difference::Difference;
use crate::analyze::interval::Interval;

/// The confidence of the intervals of ratios.
const CONFIDENCE: f64 = 0.95;

/// The figures of two builds at an axis value.
#[derive(Clone, Debug, PartialEq)]
pub struct SidesPoint {
    /// The axis value.
    pub x: AxisValue,
    /// The mean before the step, in the unit of the metric per call.
    pub before: f64,
    /// The mean after it.
    pub after: f64,
    /// The mean after the step, divided by that before it: 1 if both are zero, and infinite if only the latter is.
    pub ratio: f64,
    /// The 95% interval of the ratio, by Welch's method. Absent if a result has a single process.
    pub interval: Option<Interval>,
}

impl SidesPoint {
    /// Compares two results at each axis value that both have. Points without a time above zero are omitted; counts may be zero.
    pub fn all(before: &AcceptedResult, after: &AcceptedResult) -> Vec<Self> {
        let compared = after.result.points.iter().filter_map(|point| {
            let (old, new) = (before.result.means_at(&point.x)?, &point.means[..]);
            let [before, after] = [old, new].map(|means: &[f64]| means.mean());
            let shifted = |interval: Interval| Interval { low: 1.0 + interval.low, high: 1.0 + interval.high };
            let interval = Difference::of(old, new, CONFIDENCE).map(|difference| shifted(difference.interval));
            let ratio = if after == before { 1.0 } else { after / before };
            let is_compared = before > 0.0 || point.calls.is_some();
            is_compared.then(|| Self { x: point.x.clone(), before, after, ratio, interval })
        });
        compared.collect()
    }
}
