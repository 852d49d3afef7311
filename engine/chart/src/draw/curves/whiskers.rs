//! Whiskers of one standard deviation to each side of the means.

use plotters::prelude::*;

use super::banded_line::BandedLine;
use super::series_style::SeriesStyle;
use crate::draw::line_style::LineStyle;
use crate::draw::painter::Painter;
use crate::draw::plane::DrawResult;

/// The width of a whisker as a fraction of the width of the series' line.
const WHISKER: f64 = 0.45;

/// Draws a whisker at each point, which the edges of the plot clip. `width`: that of its ends, in page pixels; `max_stroke`: that of its lines.
pub(super) fn draw<DB: DrawingBackend>(
    painter: &Painter<DB>,
    mean: &BandedLine,
    width: f64,
    max_stroke: f64,
) -> DrawResult<(), DB> {
    let half = painter.horizontal(width / 2.0);
    let SeriesStyle { width, dash, .. } = SeriesStyle::of(mean.series);
    let style = LineStyle { colour: mean.colour, width: (WHISKER * width).min(max_stroke), dash };
    let solid = LineStyle { dash: None, ..style };
    ranges(painter, mean).try_for_each(|TimeRange { x, low, high, .. }| {
        painter.line(&[(x, low.unwrap_or(painter.clip.y.low)), (x, high)], style)?;
        let mut ends = low.into_iter().chain([high]);
        ends.try_for_each(|y| painter.line(&[(x - half, y), (x + half, y)], solid))
    })
}

/// The range of the times of one point, in positions. A time that a logarithmic axis cannot show is `None`; it is below the
/// view.
pub(super) struct TimeRange {
    pub(super) x: f64,
    pub(super) low: Option<f64>,
    /// The mean or the median.
    pub(super) centre: Option<f64>,
    pub(super) high: f64,
}

/// The ranges of a line's points, except those that the axes cannot show.
pub(super) fn ranges<DB: DrawingBackend>(painter: &Painter<DB>, line: &BandedLine) -> impl Iterator<Item = TimeRange> {
    line.points().filter_map(|(point, values)| {
        let [low, centre, high] = values?.map(|time| painter.y(time));
        Some(TimeRange { x: painter.x(point.x)?, low, centre, high: high? })
    })
}
