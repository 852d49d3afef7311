//! Curves of the time per call against the varied parameter. If that has categories instead of numbers, each point is drawn
//! by itself.

mod crossing;
mod fit;
mod point;
mod series;

pub use crossing::{Crossing, CrossingLabel};
pub use point::{PlotPoint, PointOutcome, PointStats, Quartiles};
pub use series::{CurveSeries, CurveStage};

use crate::axis::AxisSpec;
use crate::view::View;

/// The curves of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    /// The series in drawing order: later ones cover earlier ones. In each slot of a category they are side by side.
    pub series: Vec<CurveSeries>,
    /// The crossings of the series. They are not drawn between categories.
    pub crossings: Vec<Crossing>,
    /// A time limit in nanoseconds, drawn as a horizontal line, except over categories. It does not affect the fitted view.
    pub limit: Option<f64>,
    /// Whether to mark the means, with whiskers of ± sd.
    pub show_mean: bool,
    /// Whether to draw the median and its quartile band, or box in a category.
    pub show_median: bool,
    /// Whether to draw the raw samples of the points that have them.
    pub show_samples: bool,
}

impl Curves {
    /// The view that shows every point.
    pub fn fit(&self, x: &AxisSpec, y: &AxisSpec) -> View {
        fit::fit(self, x, y)
    }
}
