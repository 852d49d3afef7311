//! Curves of the time a call against the varied parameter: bands below, samples and lines over them, marks on top.

mod crossings;
mod curve;
mod marks;
mod point;
mod rows;
mod samples;
mod series;
mod stroke;

use plotters::prelude::DrawingBackend;

use super::draw::Drawn;
use super::pen::Pen;
use curve::Curve;

pub use crossings::Crossing;
pub use point::{Figures, Mark, PlotPoint, Quartiles};
pub use series::{Series, Weight};

/// The curves of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    /// Drawn in this order: a later one lies over an earlier one.
    pub series: Vec<Series>,
    /// Where one overtakes another.
    pub crossings: Vec<Crossing>,
    /// Whether the mean and its ± sd band are drawn.
    pub show_mean: bool,
    /// Whether the median and its quartile band are drawn.
    pub show_median: bool,
    /// Whether raw samples are drawn, of the points that have them.
    pub show_samples: bool,
}

/// Draws every series.
pub(super) fn draw<DB: DrawingBackend>(pen: &Pen<DB>, curves: &Curves) -> Drawn<(), DB> {
    let lines: Vec<Curve> =
        curves.series.iter().flat_map(|series| Curve::of(series, curves, &pen.chart.palette)).collect();
    curves.crossings.iter().try_for_each(|crossing| crossing.draw(pen))?;
    lines.iter().try_for_each(|curve| curve.draw_bands(pen))?;
    if curves.show_samples {
        samples::draw(pen, curves)?;
    }
    lines.iter().try_for_each(|curve| curve.draw_line(pen))?;
    lines.iter().try_for_each(|curve| marks::draw_markers(pen, curve))?;
    curves.series.iter().try_for_each(|series| marks::draw_gaps(pen, series, curves))
}
