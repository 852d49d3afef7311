//! The crossing of two curves: a vertical line, and its interval as a bracket on the axis.

use plotters::prelude::*;

use crate::curves::Crossing;
use crate::draw::line_style::LineStyle;
use crate::draw::painter::Painter;
use crate::draw::plane::DrawResult;

/// The opacity of the background of the interval.
const SHADE: f64 = 0.08;
/// The height of the bracket, in page pixels.
const BRACKET: f64 = 7.0;

/// Draws a crossing.
pub(super) fn draw<DB: DrawingBackend>(painter: &Painter<DB>, crossing: &Crossing) -> DrawResult<(), DB> {
    let (x, low, high) = (painter.clip.x, painter.clip.y.low, painter.clip.y.high);
    // Any position beyond an edge looks the same. A value that a logarithmic axis cannot show is beyond its low end.
    let (before, after) = (x.low - x.length(), x.high + x.length());
    let position =
        |value: f64| painter.x(value).unwrap_or(if value > 0.0 { after } else { before }).clamp(before, after);
    let [left, at, right] = [crossing.low, crossing.x, crossing.high].map(position);
    let colour = painter.chart.palette.text;
    painter.area(vec![(left, low), (right, low), (right, high), (left, high)], colour.mix(SHADE))?;
    let dashed = LineStyle { colour, width: 1.0, dash: Some((3.0, 3.0)), is_double: false };
    painter.line(&[(at, low), (at, high)], dashed)?;
    let top = low + painter.vertical(BRACKET);
    let bracket = [(left, top), (left, low), (right, low), (right, top)];
    painter.line(&bracket, LineStyle { colour, width: 1.5, dash: None, is_double: false })
}
