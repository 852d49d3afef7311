//! The time limit: a horizontal line across the plot.

use plotters::prelude::DrawingBackend;

use crate::draw::line_style::LineStyle;
use crate::draw::painter::Painter;
use crate::draw::plane::DrawResult;

/// The width of the line, in page pixels.
const WIDTH: f64 = 1.5;
/// A dash and the gap after it: longer than those of curves and of crossings.
const DASH: (f64, f64) = (16.0, 5.0);

/// Draws the line, unless it is outside the view.
pub(super) fn draw<DB: DrawingBackend>(painter: &Painter<DB>, limit: f64) -> DrawResult<(), DB> {
    let Some(y) = painter.y(limit) else { return Ok(()) };
    let x = painter.clip.x;
    let style = LineStyle { colour: painter.chart.palette.text, width: WIDTH, dash: Some(DASH) };
    painter.line(&[(x.low, y), (x.high, y)], style)
}
