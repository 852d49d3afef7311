//! The distribution of the times of each point: a box from the first to the third quartile with a line at the median, and a
//! whisker of one standard deviation to each side of the mean.

use plotters::prelude::*;

use super::strip::Strip;
use crate::draw::curves::banded_line::BandedLine;
use crate::draw::curves::series_style::SeriesStyle;
use crate::draw::line_style::LineStyle;
use crate::draw::painter::Painter;
use crate::draw::plane::DrawResult;

/// The width of a whisker as a fraction of the width of the series' line.
const WHISKER: f64 = 0.7;

/// Draws a box at each point.
pub(super) fn draw_boxes<DB: DrawingBackend>(
    painter: &Painter<DB>,
    median: &BandedLine,
    strip: &Strip,
) -> DrawResult<(), DB> {
    let half = painter.horizontal(strip.box_width() / 2.0);
    ranges(painter, median).try_for_each(|TimeRange { x, low, high, .. }| {
        let (low, left, right) = (low.unwrap_or(painter.clip.y.low), x - half, x + half);
        let outline = vec![(left, low), (right, low), (right, high), (left, high)];
        painter.area(outline, median.colour.mix(median.band_opacity))
    })
}

/// Draws the line of each box.
pub(super) fn draw_medians<DB: DrawingBackend>(
    painter: &Painter<DB>,
    median: &BandedLine,
    strip: &Strip,
) -> DrawResult<(), DB> {
    let half = painter.horizontal(strip.box_width() / 2.0);
    let SeriesStyle { width, dash, .. } = SeriesStyle::of(median.series);
    let style = LineStyle { colour: median.colour, width, dash, is_double: median.is_double };
    ranges(painter, median)
        .filter_map(|range| Some((range.x, range.centre?)))
        .try_for_each(|(x, y)| painter.line(&[(x - half, y), (x + half, y)], style))
}

/// Draws a whisker at each point.
pub(super) fn draw_whiskers<DB: DrawingBackend>(
    painter: &Painter<DB>,
    mean: &BandedLine,
    strip: &Strip,
) -> DrawResult<(), DB> {
    let half = painter.horizontal(strip.width_in_box() / 2.0);
    let SeriesStyle { width, dash, .. } = SeriesStyle::of(mean.series);
    let style =
        LineStyle { colour: mean.colour, width: (WHISKER * width).min(strip.max_stroke()), dash, is_double: false };
    let solid = LineStyle { dash: None, ..style };
    ranges(painter, mean).try_for_each(|TimeRange { x, low, high, .. }| {
        painter.line(&[(x, low.unwrap_or(painter.clip.y.low)), (x, high)], style)?;
        let mut ends = low.into_iter().chain([high]);
        ends.try_for_each(|y| painter.line(&[(x - half, y), (x + half, y)], solid))
    })
}

/// The range of the times of one point, in positions. A time that a logarithmic axis cannot show is `None`; it is below the
/// view.
struct TimeRange {
    x: f64,
    low: Option<f64>,
    /// The mean or the median.
    centre: Option<f64>,
    high: f64,
}

/// The ranges of a line's points, except those that the axes cannot show.
fn ranges<DB: DrawingBackend>(painter: &Painter<DB>, line: &BandedLine) -> impl Iterator<Item = TimeRange> {
    line.points().filter_map(|(point, values)| {
        let [low, centre, high] = values?.map(|time| painter.y(time));
        Some(TimeRange { x: painter.x(point.x)?, low, centre, high: high? })
    })
}
