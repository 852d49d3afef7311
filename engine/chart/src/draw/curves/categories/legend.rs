//! The names of compared functions right of the plot, each with the marker of its points. The order of a slot, from left to right,
//! is that of the names from top to bottom.

use plotters::prelude::*;

use crate::curves::Curves;
use crate::draw::curves::series_style::SeriesStyle;
use crate::draw::marker::{Marker, MarkerShape};
use crate::draw::painter::Painter;
use crate::draw::plane::DrawResult;
use crate::layout::{LABEL_GAP, MARKER_ROOM};
use crate::names::{LINE, fitted};

/// Draws the names that the chart has room for.
pub(super) fn draw<DB: DrawingBackend>(painter: &Painter<DB>, curves: &Curves) -> DrawResult<(), DB> {
    let Some(name_width) = painter.chart.name_width(painter.layout.page_width()) else { return Ok(()) };
    let palette = &painter.chart.palette;
    let corner = (painter.clip.x.high, painter.clip.y.high);
    let rows = (painter.layout.inner.height() / painter.chart.density / LINE) as u16;
    curves.series.iter().zip(0..rows).try_for_each(|(series, row)| {
        let down = LINE * (f64::from(row) + 0.5);
        let colour = palette.median(series.ordinal);
        painter.marker(&Marker {
            at: corner,
            offset: (painter.pixels(LABEL_GAP + MARKER_ROOM / 3.0), painter.pixels(down)),
            shape: MarkerShape::of(series.ordinal),
            radius: painter.pixels(SeriesStyle::of(series).marker),
            colour: colour.mix(1.0),
            core: None,
        })?;
        let name = fitted(&series.name, name_width);
        painter.label(name, corner, (painter.chart.name_gap(), down), colour)
    })
}
