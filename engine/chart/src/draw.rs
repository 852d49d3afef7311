//! Drawing a chart: the surface, the grid with its labels and titles, then what is between the axes.

use plotters::coord::Shift;
use plotters::coord::ranged1d::BoldPoints;
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
pub fn draw<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, chart: &Chart) -> Drawn<Layout, DB> {
    let (width, height) = area.dim_in_pixel();
    let layout = Layout::of(width, height, chart.density);
    area.fill(&chart.palette.surface)?;
    if layout.has_room() {
        let plane = plane(area, chart, &layout);
        grid(area, &plane, chart)?;
        let pen = Pen::new(chart, &layout, &plane);
        match &chart.content {
            Content::Curves(curves) => curves::draw(&pen, curves)?,
            Content::InOrder(samples) => in_order::draw(&pen, samples)?,
            Content::Histogram(histogram) => histogram::draw(&pen, histogram)?,
        }
    }
    area.present()?;
    Ok(layout)
}

fn plane<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, chart: &Chart, layout: &Layout) -> Plane<DB> {
    let frame = chart.frame(layout);
    let (x, y) = (frame.x_span(), frame.y_span());
    let across = Room::across(layout.inner.width() / chart.density);
    let down = Room::down(layout.inner.height() / chart.density);
    let x = Axis { span: x, ticks: ticks(x, chart.x.scale, &chart.x.unit, across) };
    let y = Axis { span: y, ticks: ticks(y, chart.y.scale, &chart.y.unit, down) };

    let Margins { left, right, top, bottom } = layout.margins;
    let inner = area.margin(top, bottom, left, right);
    let (columns, rows) = inner.get_pixel_range();
    // The last pixel is inside; positions rise upwards, rows downwards.
    inner.apply_coord_spec(Cartesian2d::new(x, y, (columns.start..columns.end - 1, rows.end - 1..rows.start)))
}

/// Draws grid lines, labels and titles. `plotters` has a mesh with such too, which takes 7 KB more of the page for what we do
/// not ask of it.
fn grid<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, plane: &Plane<DB>, chart: &Chart) -> Drawn<(), DB> {
    let text = chart.text_style();
    let write = |words: &str, h_pos, v_pos, place| area.draw_text(words, &text.pos(Pos::new(h_pos, v_pos)), place);
    let pixels = |length: f64| (length * chart.density).round() as i32;
    let ((_, height), (columns, rows)) = (area.dim_in_pixel(), plane.get_pixel_range());
    write(&chart.x.heading(), HPos::Center, VPos::Bottom, (columns.start.midpoint(columns.end), height as i32))?;

    let line = chart.palette.grid.stroke_width(chart.density.round().max(1.0) as u32);
    // How many lines an axis has, its ticks say.
    plane.draw_mesh(|backend, mesh| mesh.draw(backend, &line), BoldPoints(0), BoldPoints(0))?;
    let axes = plane.as_coord_spec();
    for tick in &axes.y_spec().ticks {
        let (_, row) = plane.map_coordinate(&(0.0, tick.position));
        write(&tick.label, HPos::Right, VPos::Center, (columns.start - pixels(LABEL_GAP), row))?;
    }
    for tick in &axes.x_spec().ticks {
        let (column, _) = plane.map_coordinate(&(tick.position, 0.0));
        write(&tick.label, HPos::Center, VPos::Top, (column, rows.end + pixels(LABEL_GAP)))?;
    }
    write(&chart.y.heading(), HPos::Left, VPos::Top, (0, pixels(TITLE_GAP)))
}
