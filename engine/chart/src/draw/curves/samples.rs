//! The raw samples of each point, as a column of marks behind the lines: the denser, the more opaque.

use plotters::prelude::*;

use super::pixel_rows::{DensityRun, LEVELS, PixelRows};
use crate::curves::{CurveSeries, Curves};
use crate::draw::painter::Painter;
use crate::draw::plane::DrawResult;

/// The width of a point's column, in page pixels: wider than a marker.
const COLUMN: f64 = 8.0;
/// The maximum width of the columns of all compared functions, in page pixels: points may be 20 apart.
const COLUMNS: f64 = 14.0;
/// The height of a row, in page pixels.
const ROW: f64 = 1.0;
/// The opacity of each density level.
const OPACITY: [f64; LEVELS] = [0.3, 0.55, 0.85];

/// Draws the samples of all series, in adjacent columns at each axis value.
pub(super) fn draw_adjacent<DB: DrawingBackend>(painter: &Painter<DB>, curves: &Curves) -> DrawResult<(), DB> {
    let functions = curves.series.iter().map(|series| series.ordinal + 1).max().unwrap_or(1) as f64;
    let width = COLUMN.min(COLUMNS / functions);
    let edge = |column: f64| (column - functions / 2.0) * width;
    curves.series.iter().try_for_each(|series| {
        let column = series.ordinal as f64;
        draw(painter, series, (edge(column), edge(column + 1.0)))
    })
}

/// Draws the samples of a series in columns that are centred at its points. `max_width` is in page pixels.
pub(super) fn draw_centred<DB: DrawingBackend>(
    painter: &Painter<DB>,
    series: &CurveSeries,
    max_width: f64,
) -> DrawResult<(), DB> {
    let half = COLUMN.min(max_width) / 2.0;
    draw(painter, series, (-half, half))
}

/// Draws the samples of a series in columns with these edges, in page pixels from its points. Each point takes one shape
/// per density level, however many samples it has.
fn draw<DB: DrawingBackend>(painter: &Painter<DB>, series: &CurveSeries, edges: (f64, f64)) -> DrawResult<(), DB> {
    let height = painter.pixels(ROW);
    let row_count = (painter.layout.inner.height() / f64::from(height)) as usize;
    let rows = PixelRows::new(painter.chart.y.scale, painter.clip.y, row_count);
    let pixels = |length: f64| (length * painter.chart.density).round() as i32;
    let columns = (pixels(edges.0), pixels(edges.1));
    for (x, sorted) in sampled_points(series) {
        let Some(x) = painter.x(x).filter(|x| painter.clip.x.contains(*x)) else { continue };
        let runs = rows.runs(sorted);
        for (level, opacity) in OPACITY.into_iter().enumerate() {
            let of_level = runs.iter().filter(|run| run.level == level);
            let outline = outline(of_level, columns, height);
            painter.shape((x, painter.clip.y.low), outline, colour(painter, series).mix(opacity))?;
        }
    }
    Ok(())
}

fn sampled_points(series: &CurveSeries) -> impl Iterator<Item = (f64, &[f64])> {
    series.points().iter().filter_map(|point| Some((point.x, &**point.samples.as_ref()?)))
}

/// Neutral next to green and blue; a function's own colour if functions are compared.
fn colour<DB: DrawingBackend>(painter: &Painter<DB>, series: &CurveSeries) -> RGBColor {
    let palette = &painter.chart.palette;
    if palette.compares { palette.median(series.ordinal) } else { palette.text }
}

/// One outline around all runs, in pixels from the lower end of the column. A line without a width along the left side
/// connects them, since one shape is faster to draw than many.
fn outline<'a>(runs: impl Iterator<Item = &'a DensityRun>, (left, right): (i32, i32), height: i32) -> Vec<(i32, i32)> {
    let up = |row: usize| -(row as i32) * height;
    runs.flat_map(|run| {
        let (low, high) = (up(run.first), up(run.end));
        [(left, low), (right, low), (right, high), (left, high)]
    })
    .collect()
}
