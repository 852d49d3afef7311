//! Drawing a chart: the surface, the grid with its labels and titles, then what is between the axes.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::axis::Axis;
use super::curves;
use super::layout::{LABEL_GAP, Layout, Margins, TITLE_GAP};
use super::model::{Chart, Content};
use super::pen::Pen;
use super::samples::{histogram, in_order};
use super::ticks::{Room, ticks};

/// The plane between the axes, on which everything is drawn in positions.
pub(super) type Plane<DB> = DrawingArea<DB, Cartesian2d<Axis, Axis>>;
/// What can go wrong is what the backend says.
pub(super) type Drawn<T, DB> = Result<T, DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// Draws the chart over all of `area` and says where the plot came to lie: where [`Layout::of`] says.
pub(crate) fn draw<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, chart: &Chart) -> Drawn<Layout, DB> {
    let (width, height) = area.dim_in_pixel();
    let layout = Layout::of(width, height, chart.density);
    area.fill(&chart.palette.surface)?;
    if layout.has_room() {
        let axes = axes(area, chart, &layout)?;
        let pen = Pen::new(chart, &layout, axes.plotting_area());
        match &chart.content {
            Content::Curves(curves) => curves::draw(&pen, curves)?,
            Content::InOrder(samples) => in_order::draw(&pen, samples)?,
            Content::Histogram(histogram) => histogram::draw(&pen, histogram)?,
        }
    }
    area.present()?;
    Ok(layout)
}

/// Draws grid lines, labels and titles.
fn axes<'a, DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    chart: &Chart,
    layout: &Layout,
) -> Drawn<ChartContext<'a, DB, Cartesian2d<Axis, Axis>>, DB> {
    let frame = chart.frame(layout);
    let (x, y) = (frame.x_span(), frame.y_span());
    let across = Room::across(layout.inner.width() / chart.density);
    let down = Room::down(layout.inner.height() / chart.density);
    let x = Axis { span: x, ticks: ticks(x, chart.x.scale, &chart.x.unit, across) };
    let y = Axis { span: y, ticks: ticks(y, chart.y.scale, &chart.y.unit, down) };

    let Margins { left, right, top, bottom } = layout.margins;
    let mut axes = ChartBuilder::on(area)
        .margin_top(top)
        .margin_right(right)
        .x_label_area_size(bottom)
        .y_label_area_size(left)
        .build_cartesian_2d(x, y)?;

    let text = chart.text_style();
    // The labels' distance from the plot is twice a tick mark's length; the tick marks themselves are not drawn.
    let tick_mark = (LABEL_GAP * chart.density / 2.0).round() as i32;
    axes.configure_mesh()
        .bold_line_style(chart.palette.grid.stroke_width(chart.density.round().max(1.0) as u32))
        .light_line_style(TRANSPARENT)
        .axis_style(TRANSPARENT)
        .set_all_tick_mark_size(tick_mark)
        .label_style(text.clone())
        .x_desc(chart.x.heading())
        .draw()?;
    let upper_left = (0, (TITLE_GAP * chart.density).round() as i32);
    area.draw_text(&chart.y.heading(), &text.pos(Pos::new(HPos::Left, VPos::Top)), upper_left)?;
    Ok(axes)
}
