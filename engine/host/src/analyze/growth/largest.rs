//! The largest axis value within a time.

use super::curve::GrowthCurve;
use super::points::GrowthPoint;
use crate::analyze::interval::Interval;

/// The largest axis value whose value does not exceed a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LargestWithin {
    /// It lies between two measured points.
    At {
        /// The estimate.
        x: f64,
        /// Its interval: from where the upper ends of the 95% intervals exceed the limit to where the lower ends do. An end that
        /// is not within the range is the end of the range.
        interval: Interval,
    },
    /// Even the smallest measured axis value exceeds the limit.
    BelowRange(f64),
    /// Even the largest measured axis value is within the limit.
    AboveRange {
        /// The largest measured axis value.
        last: f64,
        /// The axis value at which the fitted curve reaches the limit. Absent without a curve, and if it is constant.
        extrapolated: Option<f64>,
    },
}

/// The largest axis value at which a curve does not exceed `limit`: where it crosses the limit for the last time. Between points,
/// logarithms are interpolated on both axes; points that have none are ignored. Beyond the points, `curve` is extrapolated, if it is
/// known. `None` without points.
pub fn largest_within(points: &[GrowthPoint], curve: Option<&GrowthCurve>, limit: f64) -> Option<LargestWithin> {
    let is_usable = |point: &&GrowthPoint| point.x > 0.0 && point.value > 0.0 && (point.x + point.value).is_finite();
    let mut usable: Vec<GrowthPoint> = points.iter().filter(is_usable).copied().collect();
    usable.sort_by(|one, other| one.x.total_cmp(&other.x));
    let (first, last) = (usable.first()?.x, usable.last()?.x);
    let crossing = |end: f64| last_crossing(&usable, limit, |point| point.value + end * point.half_width);
    Some(match crossing(0.0) {
        LimitCrossing::Below => LargestWithin::BelowRange(first),
        LimitCrossing::Above => {
            let extrapolated = curve.and_then(|curve| curve.extrapolate(limit)).filter(|&x| x > last);
            LargestWithin::AboveRange { last, extrapolated }
        }
        LimitCrossing::At(x) => {
            let [low, high] = [1.0, -1.0].map(|end| match crossing(end) {
                LimitCrossing::Below => first,
                LimitCrossing::At(x) => x,
                LimitCrossing::Above => last,
            });
            LargestWithin::At { x, interval: Interval { low, high } }
        }
    })
}

/// The position at which a curve crosses a limit for the last time.
enum LimitCrossing {
    /// The last point is within the limit.
    Above,
    /// All points exceed it.
    Below,
    At(f64),
}

fn last_crossing(points: &[GrowthPoint], limit: f64, value: impl Fn(&GrowthPoint) -> f64) -> LimitCrossing {
    match points.iter().rposition(|point| value(point) <= limit) {
        None => LimitCrossing::Below,
        Some(index) if index + 1 == points.len() => LimitCrossing::Above,
        Some(index) => {
            let (from, to) = (&points[index], &points[index + 1]);
            // The lower end of an interval may be below 0.
            let [low, high] = [from, to].map(|point| value(point).max(f64::MIN_POSITIVE).ln());
            let part = (limit.ln() - low) / (high - low);
            LimitCrossing::At((from.x.ln() + part * (to.x / from.x).ln()).exp())
        }
    }
}
