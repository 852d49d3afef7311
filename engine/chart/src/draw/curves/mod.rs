//! Drawing curves: bands at the back, then samples, lines with their markers, and the means with their whiskers in front. Lines do not connect
//! categories.

mod banded_line;
mod categories;
mod crossing;
pub(super) mod end_labels;
mod limit;
mod outcomes;
mod pixel_rows;
mod samples;
mod series_style;
mod whiskers;

use plotters::prelude::DrawingBackend;

use super::painter::Painter;
use super::plane::DrawResult;
use crate::curves::Curves;
use banded_line::BandedLine;

/// The width of the ends of a whisker, in page pixels.
const WHISKER_ENDS: f64 = 6.0;

/// Draws all series.
pub(super) fn draw<DB: DrawingBackend>(painter: &Painter<DB>, curves: &Curves) -> DrawResult<(), DB> {
    if painter.chart.x.is_categorical() { categories::draw(painter, curves) } else { draw_lines(painter, curves) }
}

fn draw_lines<DB: DrawingBackend>(painter: &Painter<DB>, curves: &Curves) -> DrawResult<(), DB> {
    let palette = &painter.chart.palette;
    let (lines, means) = (BandedLine::medians(curves, palette), BandedLine::means(curves, palette));
    curves.crossings.iter().try_for_each(|crossing| crossing::draw(painter, crossing))?;
    lines.iter().try_for_each(|line| line.draw_bands(painter))?;
    curves.limit.iter().try_for_each(|limit| limit::draw(painter, *limit))?;
    if curves.show_samples {
        samples::draw_adjacent(painter, curves)?;
    }
    lines.iter().try_for_each(|line| line.draw_line(painter))?;
    lines.iter().try_for_each(|line| outcomes::draw_markers(painter, line, f64::INFINITY))?;
    means.iter().try_for_each(|mean| whiskers::draw(painter, mean, WHISKER_ENDS, f64::INFINITY))?;
    means.iter().try_for_each(|mean| outcomes::draw_markers(painter, mean, f64::INFINITY))?;
    curves.series.iter().try_for_each(|series| {
        // The symbols of compared functions are stacked.
        let level = if palette.compares { series.ordinal } else { 0 };
        outcomes::draw_gaps(painter, series, level, f64::INFINITY)
    })?;
    end_labels::draw(painter, curves)
}
