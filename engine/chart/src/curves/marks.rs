//! The marks at points: what came of each, and how much it can be relied on.

use plotters::prelude::*;

use super::curve::Curve;
use super::stroke::Stroke;
use super::{Curves, Mark, Series};
use crate::draw::Drawn;
use crate::markers::{Marker, Shape};
use crate::pen::Pen;

/// How opaque the arrow of a band is, so that nobody takes it for a point's.
const FAINT_ARROW: f64 = 0.45;
/// How far a hollow marker reaches beyond a full one, in pixels of the page, so that its rim is not lost in the line.
const HOLLOW_RIM: f64 = 0.8;
/// Half the width of the mark of a point that has no figures, in pixels of the page.
const GAP_MARK: f64 = 4.0;

/// Draws a marker at each point of a curve, and an arrow at the edge for what a logarithmic axis cannot show: a full one
/// for a point, a faint one for a band that reaches there.
pub(super) fn draw_markers<DB: DrawingBackend>(pen: &Pen<DB>, curve: &Curve) -> Drawn<(), DB> {
    let marker = Stroke::of(curve.series).marker;
    let (radius, hollow) = (pen.pixels(marker), pen.pixels(marker + HOLLOW_RIM));
    let (full, faint) = (curve.colour.mix(1.0), curve.colour.mix(FAINT_ARROW));
    let (left, bottom) = (pen.clip.x.low, pen.clip.y.low);
    for (point, figure) in curve.points() {
        let Some([low, line, _]) = figure else { continue };
        let (shape, at) = match (pen.x(point.x), pen.y(line)) {
            (Some(x), Some(y)) => {
                if pen.y(low).is_none() {
                    pen.marker(&Marker { at: (x, bottom), shape: Shape::Below, radius, colour: faint, core: None })?;
                }
                (Shape::of(curve.series.ordinal), (x, y))
            }
            (Some(x), None) => (Shape::Below, (x, bottom)),
            (None, Some(y)) => (Shape::Before, (left, y)),
            (None, None) => (Shape::Before, (left, bottom)),
        };
        let (radius, core) = match point.mark {
            Mark::Unsettled(_) => (hollow, Some(pen.chart.palette.surface.mix(1.0))),
            _ => (radius, None),
        };
        pen.marker(&Marker { at, shape, radius, colour: full, core })?;
    }
    Ok(())
}

/// Draws the marks of a series where its curve has a gap: of points whose upper bound alone is known, that failed, or that
/// were skipped. Those of compared functions have the functions' colours and stand on each other.
pub(super) fn draw_gaps<DB: DrawingBackend>(pen: &Pen<DB>, series: &Series, curves: &Curves) -> Drawn<(), DB> {
    let palette = &pen.chart.palette;
    let radius = pen.pixels(GAP_MARK);
    let own = if curves.show_mean { palette.mean(series.ordinal) } else { palette.median(series.ordinal) };
    let (failed, skipped, step) =
        if palette.compares { (own, own, series.ordinal) } else { (palette.failed, palette.text, 0) };
    let edge = pen.clip.y.low + pen.upwards(2.5 * GAP_MARK * step as f64);
    for point in series.points() {
        let (shape, y, colour) = match point.mark {
            Mark::Settled(_) | Mark::Unsettled(_) => continue,
            Mark::Under { bound, .. } => match pen.y(bound) {
                Some(y) => (Shape::Limit, y, own),
                None => (Shape::Below, pen.clip.y.low, own),
            },
            Mark::Failed => (Shape::Cross, edge, failed),
            Mark::Skipped => (Shape::Dash, edge, skipped),
        };
        let (shape, x) = pen.x(point.x).map_or((Shape::Before, pen.clip.x.low), |x| (shape, x));
        pen.marker(&Marker { at: (x, y), shape, radius, colour: colour.mix(1.0), core: None })?;
    }
    Ok(())
}
