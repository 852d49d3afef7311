//! The axes: grid lines, labels and titles.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::plane::{DrawResult, Plane};
use super::ranged_axis::RangedAxis;
use super::text::text_style;
use super::ticks::{LabelRoom, ticks};
use crate::chart::Chart;
use crate::layout::{LABEL_GAP, Layout, Margins, TITLE_GAP};

/// Draws the axes and returns the plane between them.
pub(super) fn draw<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    chart: &Chart,
    layout: &Layout,
) -> DrawResult<Plane<DB>, DB> {
    let pixels = |length: f64| (length * chart.density).round() as i32;
    let text = text_style(chart);
    let (x, y) = ranged_axes(chart, layout);
    let Margins { left, right, top, bottom } = layout.margins;
    let mut context = ChartBuilder::on(area)
        .margin_top(top)
        .margin_right(right)
        .x_label_area_size(bottom)
        .y_label_area_size(left)
        .build_cartesian_2d(x, y)?;
    context
        .configure_mesh()
        .bold_line_style(chart.palette.grid.stroke_width(chart.density.round().max(1.0) as u32))
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

fn ranged_axes(chart: &Chart, layout: &Layout) -> (RangedAxis, RangedAxis) {
    let frame = chart.frame(layout);
    let (x, y) = (frame.x_span(), frame.y_span());
    let horizontal = LabelRoom::horizontal(layout.inner.width() / chart.density);
    let vertical = LabelRoom::vertical(layout.inner.height() / chart.density);
    (
        RangedAxis { span: x, ticks: ticks(x, chart.x.scale, &chart.x.unit, horizontal) },
        RangedAxis { span: y, ticks: ticks(y, chart.y.scale, &chart.y.unit, vertical) },
    )
}
