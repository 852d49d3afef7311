//! Drawing curves: bands at the back, then samples, lines, and markers in front. Lines do not connect categories.

mod banded_line;
mod categories;
mod crossing;
mod end_labels;
mod limit;
mod outcomes;
mod pixel_rows;
mod samples;
mod series_style;

use plotters::prelude::DrawingBackend;

use super::painter::Painter;
use super::plane::DrawResult;
use crate::curves::Curves;
use banded_line::BandedLine;

/// Draws all series.
pub(super) fn draw<DB: DrawingBackend>(painter: &Painter<DB>, curves: &Curves) -> DrawResult<(), DB> {
    if painter.chart.x.is_categorical() { categories::draw(painter, curves) } else { draw_lines(painter, curves) }
}

fn draw_lines<DB: DrawingBackend>(painter: &Painter<DB>, curves: &Curves) -> DrawResult<(), DB> {
    let palette = &painter.chart.palette;
    let lines: Vec<BandedLine> =
        curves.series.iter().flat_map(|series| BandedLine::of(series, curves, palette)).collect();
    curves.crossings.iter().try_for_each(|crossing| crossing::draw(painter, crossing))?;
    lines.iter().try_for_each(|line| line.draw_bands(painter))?;
    curves.limit.iter().try_for_each(|limit| limit::draw(painter, *limit))?;
    if curves.show_samples {
        samples::draw_adjacent(painter, curves)?;
    }
    lines.iter().try_for_each(|line| line.draw_line(painter))?;
    lines.iter().try_for_each(|line| outcomes::draw_markers(painter, line, f64::INFINITY))?;
    curves.series.iter().try_for_each(|series| {
        // The symbols of compared functions are stacked.
        let level = if palette.compares { series.ordinal } else { 0 };
        outcomes::draw_gaps(painter, series, curves, level, f64::INFINITY)
    })?;
    end_labels::draw(painter, curves)
}
