//! The crossing of two curves: a vertical line, the range around it as a bracket on the axis, and a label above the plot.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::curves::Crossing;
use crate::draw::line_style::LineStyle;
use crate::draw::painter::Painter;
use crate::draw::plane::DrawResult;
use crate::layout::{CHARACTER, LABEL_GAP, TITLE_GAP};

/// The opacity of the background of the range.
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
    let dashed = LineStyle { colour, width: 1.0, dash: Some((3.0, 3.0)) };
    painter.line(&[(at, low), (at, high)], dashed)?;
    let top = low + painter.vertical(BRACKET);
    let bracket = [(left, top), (left, low), (right, low), (right, top)];
    painter.line(&bracket, LineStyle { colour, width: 1.5, dash: None })?;
    if x.contains(at) { draw_label(painter, crossing, at) } else { Ok(()) }
}

/// Draws the label next to the title of the vertical axis, centred above the crossing if there is room: the text, or else its short form,
/// or else nothing.
fn draw_label<DB: DrawingBackend>(painter: &Painter<DB>, crossing: &Crossing, at: f64) -> DrawResult<(), DB> {
    let Some(label) = &crossing.label else { return Ok(()) };
    let (layout, density, span) = (painter.layout, painter.chart.density, painter.clip.x);
    let width_of = |text: &str| text.chars().count() as f64 * CHARACTER;
    let line = (layout.inner.left + layout.inner.width() * (at - span.low) / span.length()) / density;
    let first = width_of(&painter.chart.y.heading()) + 2.0 * LABEL_GAP;
    let end = (layout.inner.right + f64::from(layout.margins.right)) / density;
    let fitted = [&label.text, &label.short].into_iter().find_map(|text| {
        let last = end - width_of(text);
        (first <= last).then(|| (text, (line - width_of(text) / 2.0).clamp(first, last)))
    });
    let Some((text, left)) = fitted else { return Ok(()) };
    let offset = (left - line, TITLE_GAP - layout.inner.top / density);
    painter.text(text, (at, painter.clip.y.high), offset, Pos::new(HPos::Left, VPos::Top))
}
