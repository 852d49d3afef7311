//! The lines of mean and median through samples.

use plotters::prelude::DrawingBackend;

use crate::draw::clip::PlanePoint;
use crate::draw::line_style::LineStyle;
use crate::draw::painter::Painter;
use crate::draw::plane::DrawResult;
use crate::samples::CentreLines;

/// The width of the line of the median, in page pixels.
const MEDIAN: f64 = 2.2;
/// The width of the line of the mean, which has nearly the same colour among compared functions.
const MEAN: f64 = 1.2;
/// The additional width of the rim in the surface's colour, which sets a line off from the samples.
const RIM: f64 = 2.0;

/// Draws each line between the points that `ends` returns for its time, unless that is `None`.
pub(super) fn draw<DB: DrawingBackend>(
    painter: &Painter<DB>,
    centre: &CentreLines,
    ends: impl Fn(f64) -> Option<[PlanePoint; 2]>,
) -> DrawResult<(), DB> {
    let palette = &painter.chart.palette;
    let style = |colour, width| LineStyle { colour, width, dash: None };
    let mean = (centre.mean.and_then(&ends), style(palette.mean(centre.ordinal), MEAN));
    let median = (centre.median.and_then(&ends), style(palette.median(centre.ordinal), MEDIAN));
    let lines = [mean, median];
    let mut visible = lines.iter().filter_map(|(points, style)| Some((points.as_ref()?, *style)));
    visible.clone().try_for_each(|(points, line)| painter.line(points, style(palette.surface, line.width + RIM)))?;
    visible.try_for_each(|(points, style)| painter.line(points, style))
}
