//! Drawing a chart: the surface, the axes, then the content between them.

mod axes;
mod category_ticks;
mod clip;
mod curves;
mod labels;
mod line_style;
mod marker;
mod painter;
mod plane;
mod ranged_axis;
mod samples;
mod text;
mod ticks;

use plotters::prelude::*;

use crate::chart::{Chart, Content};
use crate::layout::Layout;
use painter::Painter;

pub use curves::end_labels::line_names;
pub use plane::DrawResult;

/// Draws a chart on the entire backend and returns its layout, as [`Chart::layout`] computes it.
///
/// # Errors
/// Returns an error if the backend fails.
pub fn draw<DB: DrawingBackend>(backend: DB, chart: &Chart) -> DrawResult<Layout, DB> {
    let area = backend.into_drawing_area();
    let (width, height) = area.dim_in_pixel();
    let layout = chart.layout(width, height);
    area.fill(&chart.palette.surface)?;
    if layout.has_room() {
        let plane = axes::draw(&area, chart, &layout)?;
        let painter = Painter::new(chart, &layout, &plane);
        match &chart.content {
            Content::Curves(curves) => curves::draw(&painter, curves)?,
            Content::Sequence(samples) => samples::draw_sequence(&painter, samples)?,
            Content::Histogram(histogram) => samples::draw_histogram(&painter, histogram)?,
        }
    }
    area.present()?;
    Ok(layout)
}
