//! The axes: grid lines, labels and titles.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::category_ticks::CategoryTicks;
use super::plane::{DrawResult, Plane};
use super::ranged_axis::RangedAxis;
use super::text::text_style;
use super::ticks::{LabelRoom, ticks};
use crate::axis::Unit;
use crate::chart::Chart;
use crate::layout::{LABEL_GAP, Layout, Margins, TITLE_GAP};
use crate::scale::Span;

/// Draws the axes and returns the plane between them.
pub(super) fn draw<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    chart: &Chart,
    layout: &Layout,
) -> DrawResult<Plane<DB>, DB> {
    let pixels = |length: f64| (length * chart.density).round() as i32;
    let text = text_style(chart);
    let grid = chart.palette.grid.stroke_width(chart.density.round().max(1.0) as u32);
    let frame = chart.frame(layout);
    let (x, separators) = x_axis(chart, frame.x_span(), layout.inner.width() / chart.density);
    let y = y_axis(chart, frame.y_span(), layout.inner.height() / chart.density);
    let Margins { left, right, top, bottom } = layout.margins;
    let mut context = ChartBuilder::on(area)
        .margin_top(top)
        .margin_right(right)
        .x_label_area_size(bottom)
        .y_label_area_size(left)
        .build_cartesian_2d(x, y)?;
    if let Some(separators) = &separators {
        let (low, high) = (frame.y_span().low, frame.y_span().high);
        let line = |&at: &f64| context.plotting_area().draw(&PathElement::new([(at, low), (at, high)], grid));
        separators.iter().try_for_each(line)?;
    }
    let mut mesh = context.configure_mesh();
    if separators.is_some() {
        mesh.disable_x_mesh();
    }
    mesh.bold_line_style(grid)
        // The grid replaces the axis lines. They are transparent rather than disabled, since disabled axes have no
        // labels.
        .axis_style(TRANSPARENT)
        // `plotters` places labels at twice the length of a tick mark.
        .set_all_tick_mark_size(pixels(LABEL_GAP / 2.0))
        .label_style(text.clone())
        .x_desc(chart.x.heading())
        .draw()?;
    // Drawn here, since `plotters` can only draw a rotated title of the y axis.
    area.draw_text(&chart.y.heading(), &text.pos(Pos::new(HPos::Left, VPos::Top)), (0, pixels(TITLE_GAP)))?;
    Ok(context.plotting_area().clone())
}

/// The horizontal axis, with `width` in page pixels, and the positions of its lines if they are not at the ticks.
fn x_axis(chart: &Chart, span: Span, width: f64) -> (RangedAxis, Option<Vec<f64>>) {
    let (ticks, separators) = match &chart.x.unit {
        Unit::Categories(labels) => {
            let CategoryTicks { ticks, separators } = CategoryTicks::of(labels, span, width);
            (ticks, separators)
        }
        unit => (ticks(span, chart.x.scale, unit, LabelRoom::horizontal(width)), None),
    };
    (RangedAxis { span, ticks }, separators)
}

/// The vertical axis, with `height` in page pixels.
fn y_axis(chart: &Chart, span: Span, height: f64) -> RangedAxis {
    RangedAxis { span, ticks: ticks(span, chart.y.scale, &chart.y.unit, LabelRoom::vertical(height)) }
}
