//! The lines of mean and median through samples.

use plotters::prelude::DrawingBackend;

use crate::draw::clip::PlanePoint;
use crate::draw::line_style::LineStyle;
use crate::draw::painter::Painter;
use crate::draw::plane::DrawResult;
use crate::samples::CentreLines;

/// The width of a line, in page pixels.
const WIDTH: f64 = 2.2;
/// The width of a line with its rim in the surface's colour, which sets it off from the samples.
const WITH_RIM: f64 = 4.2;

/// Draws each line between the points that `ends` returns for its time, unless that is `None`.
pub(super) fn draw<DB: DrawingBackend>(
    painter: &Painter<DB>,
    centre: &CentreLines,
    ends: impl Fn(f64) -> Option<[PlanePoint; 2]>,
) -> DrawResult<(), DB> {
    let palette = &painter.chart.palette;
    let style = |colour, width, is_double| LineStyle { colour, width, dash: None, is_double };
    let mean = (centre.mean.and_then(&ends), style(palette.mean(centre.ordinal), WIDTH, false));
    let median = (centre.median.and_then(&ends), style(palette.median(centre.ordinal), WIDTH, palette.compares));
    let lines = [mean, median];
    let mut visible = lines.iter().filter_map(|(points, style)| Some((points.as_ref()?, *style)));
    visible.clone().try_for_each(|(points, _)| painter.line(points, style(palette.surface, WITH_RIM, false)))?;
    visible.try_for_each(|(points, style)| painter.line(points, style))
}
