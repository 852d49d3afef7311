//! The curves that a report is about.

use benchbook_contract::axis_value::AxisValue;

use crate::response::MeasuredPoint;

/// The curve of a function.
#[derive(Clone, Debug)]
pub struct ReportedCurve<'a> {
    /// The name of the function.
    pub name: &'a str,
    /// Its points with figures, in the order of the axis.
    pub points: Vec<CurvePoint<'a>>,
}

/// A measured point of a curve.
#[derive(Clone, Copy, Debug)]
pub struct CurvePoint<'a> {
    /// The axis value; absent without an axis.
    pub x: &'a AxisValue,
    /// The best figures.
    pub measured: &'a MeasuredPoint,
    /// The factor by which the mean of the first priority exceeds the next one; see
    /// [`slow_first_factor`](crate::analyze::slow_first::slow_first_factor).
    pub slow_first: Option<f64>,
}
