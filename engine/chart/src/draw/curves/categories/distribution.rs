//! The quartiles of each point: a box from the first to the third one, with a line at the median.

use plotters::prelude::*;

use super::strip::Strip;
use crate::draw::curves::banded_line::BandedLine;
use crate::draw::curves::series_style::SeriesStyle;
use crate::draw::curves::whiskers::{TimeRange, ranges};
use crate::draw::line_style::LineStyle;
use crate::draw::painter::Painter;
use crate::draw::plane::DrawResult;

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
    let style = LineStyle { colour: median.colour, width, dash };
    ranges(painter, median)
        .filter_map(|range| Some((range.x, range.centre?)))
        .try_for_each(|(x, y)| painter.line(&[(x - half, y), (x + half, y)], style))
}
