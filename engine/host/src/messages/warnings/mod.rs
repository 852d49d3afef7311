//! The warnings of a curve, gathered over its points: one line each, with its remedy.

mod counts;
mod curve;
mod effort;
mod kind;
#[cfg(test)]
mod tests;

use crate::response::MeasuredPoint;
use counts::WarningCounts;
pub use curve::{CurvePoint, CurveWarning};
pub use kind::{Severity, WarningKind};

/// A warning that several curves may share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedWarning {
    /// The names of the curves.
    pub curves: Vec<String>,
    /// The warning.
    pub warning: CurveWarning,
}

/// Merges the equal warnings of several curves, the most serious first.
pub fn shared_warnings(curves: impl IntoIterator<Item = (String, Vec<CurveWarning>)>) -> Vec<SharedWarning> {
    let mut shared: Vec<SharedWarning> = Vec::new();
    for (name, warnings) in curves {
        for warning in warnings {
            match shared.iter_mut().find(|other| other.warning == warning) {
                Some(other) => other.curves.push(name.clone()),
                None => shared.push(SharedWarning { curves: vec![name.clone()], warning }),
            }
        }
    }
    shared.sort_by_key(|shared| shared.warning.kind);
    shared
}

/// The minimum factor between the means of two priorities that is worth a warning.
const SLOW_FIRST_FACTOR: f64 = 1.1;

/// The factor by which the mean of an earlier priority exceeds that of a later one, if it is at least 1.1 and the intervals
/// do not overlap, as for code that a browser had not optimised yet.
pub fn slow_first_factor(earlier: &MeasuredPoint, later: &MeasuredPoint) -> Option<f64> {
    let (before, after) = (earlier.summary.mean_interval?, later.summary.mean_interval?);
    let factor = earlier.summary.mean / later.summary.mean;
    (before.low > after.high && after.low > 0.0 && factor >= SLOW_FIRST_FACTOR).then_some(factor)
}

/// Returns the warnings for a curve, most serious first. `points` are the measured points by rising axis value, `axis` is the
/// heading of the axis.
pub fn curve_warnings<'a>(points: impl Iterator<Item = CurvePoint<'a>>, axis: &str) -> Vec<CurveWarning> {
    let counts = WarningCounts::of(points);
    let mut warnings = counts.unreliable();
    warnings.extend(counts.noisy());
    warnings.extend(counts.notes(axis));
    warnings
}
