//! The symbols of points: the outcome of each, and how reliable it is.

use benchbook_host::analyze::stability::Stability;
use plotters::prelude::*;

use super::banded_line::BandedLine;
use super::series_style::SeriesStyle;
use crate::curves::{CurveSeries, PointOutcome};
use crate::draw::marker::{Marker, MarkerShape};
use crate::draw::painter::Painter;
use crate::draw::plane::DrawResult;

/// The opacity of the arrow of a band, which distinguishes it from that of a point.
const FAINT_ARROW: f64 = 0.45;
/// The additional radius of a hollow marker, in page pixels, which keeps its rim visible on the line.
const HOLLOW_RIM: f64 = 0.8;
/// The opacity of the core of a pale marker, which is between a filled and a hollow one.
const PALE: f64 = 0.55;
/// Half the width of the symbol of a point without statistics, in page pixels.
const GAP_SYMBOL: f64 = 4.0;

/// Draws a marker at each point of a line. A value that a logarithmic axis cannot show becomes an arrow at the edge: an
/// opaque one for a point, a faint one for a band that extends there. `max_radius` is in page pixels.
pub(super) fn draw_markers<DB: DrawingBackend>(
    painter: &Painter<DB>,
    line: &BandedLine,
    max_radius: f64,
) -> DrawResult<(), DB> {
    let marker = line.mark * SeriesStyle::of(line.series).marker;
    let [radius, hollow] = [marker, marker + HOLLOW_RIM].map(|radius| painter.pixels(radius.min(max_radius)));
    let (opaque, faint) = (line.colour.mix(1.0), line.colour.mix(FAINT_ARROW));
    let (left, bottom) = (painter.clip.x.low, painter.clip.y.low);
    for (point, values) in line.points() {
        let Some([low, centre, _]) = values else { continue };
        let (shape, at) = match (painter.x(point.x), painter.y(centre)) {
            (Some(x), Some(y)) => {
                if painter.y(low).is_none() {
                    let shape = MarkerShape::ArrowDown;
                    painter.marker(&Marker {
                        at: (x, bottom),
                        offset: (0, 0),
                        shape,
                        radius,
                        colour: faint,
                        core: None,
                    })?;
                }
                (MarkerShape::of(line.series.ordinal), (x, y))
            }
            (Some(x), None) => (MarkerShape::ArrowDown, (x, bottom)),
            (None, Some(y)) => (MarkerShape::ArrowLeft, (left, y)),
            (None, None) => (MarkerShape::ArrowLeft, (left, bottom)),
        };
        let core = |opacity| Some(painter.chart.palette.surface.mix(opacity));
        let (radius, core) = match point.outcome {
            PointOutcome::Measured { stability: Stability::NotSettled, .. } => (hollow, core(1.0)),
            PointOutcome::Measured { stability: Stability::Unknown, .. } => (hollow, core(PALE)),
            _ => (radius, None),
        };
        painter.marker(&Marker { at, offset: (0, 0), shape, radius, colour: opaque, core })?;
    }
    Ok(())
}

/// Draws the symbols of a series in the gaps of its curve: upper bounds, failed points and skipped points. Those of
/// compared functions have the functions' colours. `level` is the number of symbols below those at the lower edge;
/// `max_radius` is in page pixels.
pub(super) fn draw_gaps<DB: DrawingBackend>(
    painter: &Painter<DB>,
    series: &CurveSeries,
    level: usize,
    max_radius: f64,
) -> DrawResult<(), DB> {
    let palette = &painter.chart.palette;
    let radius = painter.pixels(GAP_SYMBOL.min(max_radius));
    let own = palette.median(series.ordinal);
    let (failed, skipped) = if palette.compares { (own, own) } else { (palette.failed, palette.text) };
    let edge = painter.clip.y.low + painter.vertical(2.5 * GAP_SYMBOL * level as f64);
    for point in series.points() {
        let (shape, y, colour) = match point.outcome {
            PointOutcome::Measured { .. } => continue,
            PointOutcome::UpperBound { bound, .. } => match painter.y(bound) {
                Some(y) => (MarkerShape::UpperBound, y, own),
                None => (MarkerShape::ArrowDown, painter.clip.y.low, own),
            },
            PointOutcome::Failed => (MarkerShape::Cross, edge, failed),
            PointOutcome::Skipped => (MarkerShape::Dash, edge, skipped),
        };
        let (shape, x) = painter.x(point.x).map_or((MarkerShape::ArrowLeft, painter.clip.x.low), |x| (shape, x));
        painter.marker(&Marker { at: (x, y), offset: (0, 0), shape, radius, colour: colour.mix(1.0), core: None })?;
    }
    Ok(())
}
