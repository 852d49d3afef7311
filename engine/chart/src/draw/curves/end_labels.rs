//! The names of compared functions at the ends of their lines.

use plotters::prelude::{DrawingBackend, RGBColor};

use crate::curves::{CurveSeries, Curves, PlotPoint};
use crate::draw::clip::PlanePoint;
use crate::draw::painter::Painter;
use crate::draw::plane::DrawResult;
use crate::names::{LINE, fitted, spread};

/// A name and the position of its line's end on the vertical axis.
struct EndLabel<'a> {
    name: &'a str,
    position: f64,
    colour: RGBColor,
}

/// Draws the names next to the last visible points, if the chart has room for them.
pub(super) fn draw<DB: DrawingBackend>(painter: &Painter<DB>, curves: &Curves) -> DrawResult<(), DB> {
    let Some(name_width) = painter.name_width() else { return Ok(()) };
    let mut labels: Vec<EndLabel<'_>> =
        curves.series.iter().filter_map(|series| end_label(painter, curves, series)).collect();
    labels.sort_by(|one, other| one.position.total_cmp(&other.position));
    let mut positions: Vec<f64> = labels.iter().map(|label| label.position).collect();
    let y = painter.clip.y;
    spread(&mut positions, painter.vertical(LINE), y.low, y.high);
    labels.iter().zip(positions).try_for_each(|(label, position)| {
        let at = (painter.clip.x.high, position);
        painter.label(fitted(label.name, name_width), at, (painter.chart.name_gap(), 0.0), label.colour)
    })
}

/// The label of a series where its line leaves the view, or where it ends; `None` if no part of it is visible, or if it has gaps only.
fn end_label<'a, DB: DrawingBackend>(
    painter: &Painter<DB>,
    curves: &Curves,
    series: &'a CurveSeries,
) -> Option<EndLabel<'a>> {
    let palette = &painter.chart.palette;
    let point = |point: &PlotPoint| {
        let stats = point.outcome.stats_on_curve()?;
        let median = stats.quartiles.filter(|_| curves.show_median).map(|quartiles| quartiles.median);
        painter.point(point.x, median.unwrap_or(stats.mean))
    };
    let line: Vec<PlanePoint> = series.points().iter().filter_map(point).collect();
    let (_, position) = match line.as_slice() {
        [only] => Some(*only).filter(|only| painter.clip.contains(*only))?,
        _ => *painter.clip.line(&line).last()?.last()?,
    };
    Some(EndLabel { name: &series.name, position, colour: palette.median(series.ordinal) })
}
