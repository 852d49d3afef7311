//! The names of compared functions at the ends of their lines.

use plotters::prelude::{DrawingBackend, RGBColor};

use crate::chart::{Chart, Content};
use crate::curves::{CurveSeries, Curves, PlotPoint};
use crate::draw::clip::{ClipRect, PlanePoint};
use crate::draw::painter::Painter;
use crate::draw::plane::DrawResult;
use crate::layout::{CHARACTER, Layout, Rect};
use crate::names::{LINE, fitted, spread};

/// A name and its position on the vertical axis.
struct EndLabel<'a> {
    /// The complete name.
    name: &'a str,
    /// As it is drawn.
    text: String,
    position: f64,
    colour: RGBColor,
}

/// Draws the names next to the last visible points, if the chart has room for them.
pub(super) fn draw<DB: DrawingBackend>(painter: &Painter<DB>, curves: &Curves) -> DrawResult<(), DB> {
    placed(painter.chart, painter.layout, curves).into_iter().try_for_each(|label| {
        let at = (painter.clip.x.high, label.position);
        painter.label(label.text, at, (painter.chart.name_gap(), 0.0), label.colour)
    })
}

/// The complete names at the ends of the lines, from top to bottom, and where they are drawn, in page pixels.
pub fn line_names(chart: &Chart, layout: &Layout) -> Vec<(String, Rect)> {
    let Content::Curves(curves) = &chart.content else { return Vec::new() };
    if chart.x.is_categorical() || !layout.has_room() {
        return Vec::new();
    }
    let (frame, density) = (chart.frame(layout), layout.density);
    let left = layout.inner.right / density + chart.name_gap();
    let area = |label: &EndLabel<'_>| {
        let middle = (layout.inner.bottom - frame.y_span().fraction(label.position) * layout.inner.height()) / density;
        let right = left + label.text.chars().count() as f64 * CHARACTER;
        Rect { left, top: middle - LINE / 2.0, right, bottom: middle + LINE / 2.0 }
    };
    let mut names: Vec<(String, Rect)> =
        placed(chart, layout, curves).iter().map(|label| (label.name.to_owned(), area(label))).collect();
    names.reverse();
    names
}

/// The names in ascending positions, moved apart; empty if the chart has no room for them.
fn placed<'a>(chart: &Chart, layout: &Layout, curves: &'a Curves) -> Vec<EndLabel<'a>> {
    let Some(name_width) = chart.name_width(layout.page_width()) else { return Vec::new() };
    let frame = chart.frame(layout);
    let clip = ClipRect { x: frame.x_span(), y: frame.y_span() };
    let label = |series: &'a CurveSeries| {
        let position = end_of_line(chart, &clip, curves, series)?;
        let colour = chart.palette.median(series.ordinal);
        Some(EndLabel { name: &series.name, text: fitted(&series.name, name_width), position, colour })
    };
    let mut labels: Vec<EndLabel<'_>> = curves.series.iter().filter_map(label).collect();
    labels.sort_by(|one, other| one.position.total_cmp(&other.position));
    let mut positions: Vec<f64> = labels.iter().map(|label| label.position).collect();
    let line = LINE * layout.density * clip.y.length() / layout.inner.height();
    spread(&mut positions, line, clip.y.low, clip.y.high);
    for (label, position) in labels.iter_mut().zip(positions) {
        label.position = position;
    }
    labels
}

/// The vertical position at which a line leaves the view or ends; `None` if no part of it is visible, or if it has gaps only.
fn end_of_line(chart: &Chart, clip: &ClipRect, curves: &Curves, series: &CurveSeries) -> Option<f64> {
    let point = |point: &PlotPoint| {
        let stats = point.outcome.stats_on_curve()?;
        let median = stats.quartiles.filter(|_| curves.show_median).map(|quartiles| quartiles.median);
        Some((chart.x.scale.position(point.x)?, chart.y.scale.position(median.unwrap_or(stats.mean))?))
    };
    let line: Vec<PlanePoint> = series.points().iter().filter_map(point).collect();
    let (_, position) = match line.as_slice() {
        [only] => Some(*only).filter(|only| clip.contains(*only))?,
        _ => *clip.line(&line).last()?.last()?,
    };
    Some(position)
}
