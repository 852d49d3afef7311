//! The series of a chart of curves.

use super::point::PlotPoint;

/// A function's points from one machine at one priority.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveSeries {
    /// The function's name.
    pub name: String,
    /// The index of the function among the compared ones: selects colours and marker. It is the same at all priorities.
    pub ordinal: usize,
    /// How final the curve is.
    pub stage: CurveStage,
    /// Whether the line is dashed: the series was measured on another machine than the others.
    pub dashed: bool,
    points: Vec<PlotPoint>,
}

impl CurveSeries {
    /// A paired series of these points, in any order.
    pub fn new(name: impl Into<String>, ordinal: usize, stage: CurveStage, mut points: Vec<PlotPoint>) -> Self {
        points.sort_by(|one, other| one.x.total_cmp(&other.x));
        Self { name: name.into(), ordinal, stage, dashed: false, points }
    }

    /// The points in ascending order of x.
    pub fn points(&self) -> &[PlotPoint] {
        &self.points
    }
}

/// How final a curve is; it decides how boldly the curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CurveStage {
    /// Measured at this priority, 1 to 4, with better ones to follow: dashed, thicker with each priority.
    Preliminary(u8),
    /// Measured at the best priority: solid.
    Final,
}
