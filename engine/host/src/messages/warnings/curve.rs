//! A measured point of a curve, and a warning about the curve.

use super::kind::WarningKind;
use crate::response::MeasuredPoint;

/// A warning about a curve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurveWarning {
    /// Its kind, which determines its severity.
    pub kind: WarningKind,
    /// The state, then the remedy.
    pub text: String,
    /// The cause, and further advice; empty if the text is complete.
    pub details: &'static str,
}

/// A measured point of a curve.
#[derive(Clone, Copy, Debug)]
pub struct CurvePoint<'a> {
    /// The axis value, if it is a number.
    pub x: Option<f64>,
    /// The best figures.
    pub measured: &'a MeasuredPoint,
    /// The factor by which the mean of the first priority exceeds the next one; see
    /// [`slow_first_factor`](super::slow_first_factor).
    pub slow_first: Option<f64>,
}
