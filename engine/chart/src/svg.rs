//! A chart as an SVG image.

use plotters::prelude::SVGBackend;

use crate::chart::Chart;
use crate::draw::draw;
use crate::font::Font;

/// Draws a chart as SVG, with the same geometry, colours and letters as on a canvas. The density does not matter, since the image
/// scales. `width` and `height`: in page pixels.
pub fn svg(chart: &Chart, (width, height): (u32, u32)) -> String {
    let chart = Chart { font: Font::svg(chart.font.family.clone()), density: 1.0, ..chart.clone() };
    let mut svg = String::new();
    // Writing to a string cannot fail.
    let _ = draw(SVGBackend::with_string(&mut svg, (width, height)), &chart);
    svg.replace(|character| !is_xml(character), "\u{fffd}")
}

/// Whether XML 1.0 (section 2.2) allows a character. It has no escapes for other ones, which may be part of a label.
fn is_xml(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}
