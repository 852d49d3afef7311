//! The raw samples of each point, as a column of marks under the lines: the denser, the more opaque.

use plotters::prelude::*;

use super::rows::{LEVELS, Rows, Run};
use super::{Curves, Series};
use crate::draw::Drawn;
use crate::pen::Pen;

/// The width of a point's column, in pixels of the page: more than a marker's.
const COLUMN: f64 = 8.0;
/// What the columns of all compared functions take at most, in pixels of the page: points may be as near as 20.
const COLUMNS: f64 = 14.0;
/// The height of a row, in pixels of the page.
const ROW: f64 = 1.0;
/// How opaque each level is.
const OPACITY: [f64; LEVELS] = [0.3, 0.55, 0.85];

/// Draws the samples of every series. Each point costs one drawing a level, however many samples it has.
pub(super) fn draw<DB: DrawingBackend>(pen: &Pen<DB>, curves: &Curves) -> Drawn<(), DB> {
    let height = pen.pixels(ROW);
    let rows = Rows::new(pen.chart.y.scale, pen.clip.y, (pen.layout.inner.height() / f64::from(height)) as usize);
    let functions = curves.series.iter().map(|series| series.ordinal + 1).max().unwrap_or(1) as f64;
    let width = COLUMN.min(COLUMNS / functions);
    for series in &curves.series {
        let aside = |column: f64| ((column - functions / 2.0) * width * pen.chart.density).round() as i32;
        let columns = (aside(series.ordinal as f64), aside(series.ordinal as f64 + 1.0));
        for (x, sorted) in sampled(series) {
            let Some(x) = pen.x(x).filter(|x| pen.clip.x.contains(*x)) else { continue };
            let runs = rows.runs(sorted);
            for (level, opacity) in OPACITY.into_iter().enumerate() {
                let dense = runs.iter().filter(|run| run.level == level);
                pen.shape((x, pen.clip.y.low), comb(dense, columns, height), colour(pen, series).mix(opacity))?;
            }
        }
    }
    Ok(())
}

fn sampled(series: &Series) -> impl Iterator<Item = (f64, &[f64])> {
    series.points().iter().filter_map(|point| Some((point.x, &**point.samples.as_ref()?)))
}

/// Neutral beside green and blue, a function's own where there are several.
fn colour<DB: DrawingBackend>(pen: &Pen<DB>, series: &Series) -> RGBColor {
    let palette = &pen.chart.palette;
    if palette.compares { palette.mean(series.ordinal) } else { palette.text }
}

/// One outline around all runs, in pixels from the lower end of the column: they hang together by a line without a width
/// along their left side, since one shape is drawn faster than many.
fn comb<'a>(runs: impl Iterator<Item = &'a Run>, (left, right): (i32, i32), height: i32) -> Vec<(i32, i32)> {
    let up = |row: usize| -(row as i32) * height;
    runs.flat_map(|run| {
        let (low, high) = (up(run.first), up(run.end));
        [(left, low), (right, low), (right, high), (left, high)]
    })
    .collect()
}
