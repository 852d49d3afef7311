//! Drawing samples in the order taken: a dot each, or a bar from least to greatest where several share a column.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::columns::{self, Column};
use super::{InOrder, bars};
use crate::draw::Drawn;
use crate::line::Line;
use crate::markers::{Marker, Shape};
use crate::pen::Pen;

/// How opaque samples that count are.
const COUNTS: f64 = 1.0;
/// How opaque samples of the warm-up are.
const WARM_UP: f64 = 0.7;
/// How opaque the ground behind the warm-up is.
const SHADE: f64 = 0.08;
/// The radius of a dot, in pixels of the page.
const DOT: f64 = 1.5;
/// The radius of the mark of an interrupted sample, in pixels of the page: it stands out among bars too.
const INTERRUPTED: f64 = 3.0;
/// What the words beside the end of the warm-up need, in pixels of the page.
const WORDS: f64 = 60.0;
/// Between them and the line, and between them and the plot under them.
const WORDS_GAP: (f64, f64) = (5.0, 3.0);

/// Draws the samples, and what tells the warm-up from the others. The lines of mean and median lie under dots, which they
/// would hide, and over bars, which would hide them.
pub(crate) fn draw<DB: DrawingBackend>(pen: &Pen<DB>, samples: &InOrder) -> Drawn<(), DB> {
    // The number between the last sample of the warm-up and the first that counts.
    let boundary = pen.x(samples.warm_up as f64 + 0.5).filter(|_| samples.warm_up > 0).unwrap_or(pen.clip.x.low);
    let right = pen.clip.x.high.max(boundary);
    let draw_centre = || samples.centre.draw(pen, |time| pen.y(time).map(|y| [(boundary, y), (right, y)]));
    let frame = pen.chart.frame(pen.layout);
    let seen = columns::visible(&frame, samples.times.len());
    let parts = [(0..samples.warm_up, WARM_UP), (samples.warm_up..samples.times.len(), COUNTS)];
    draw_shade(pen, boundary)?;
    if seen.len() > columns::count(&frame) as usize {
        for (range, opacity) in parts {
            draw_bars(pen, &columns::columns(&frame, &samples.times, range), opacity)?;
        }
        draw_centre()?;
    } else {
        draw_centre()?;
        for (range, opacity) in parts {
            let dot = (Shape::Circle, pen.pixels(DOT), pen.chart.palette.text.mix(opacity));
            (range.start.max(seen.start)..range.end.min(seen.end))
                .try_for_each(|index| draw_sample(pen, samples, index, dot))?;
        }
    }
    let mark = (Shape::Diamond, pen.pixels(INTERRUPTED), pen.chart.palette.failed.mix(1.0));
    samples.interrupted.iter().try_for_each(|&index| draw_sample(pen, samples, index, mark))?;
    draw_boundary(pen, boundary)
}

fn draw_shade<DB: DrawingBackend>(pen: &Pen<DB>, boundary: f64) -> Drawn<(), DB> {
    let (left, low, high) = (pen.clip.x.low, pen.clip.y.low, pen.clip.y.high);
    if boundary <= left {
        return Ok(());
    }
    let outline = vec![(left, low), (boundary, low), (boundary, high), (left, high)];
    pen.area(outline, pen.chart.palette.text.mix(SHADE))
}

fn draw_boundary<DB: DrawingBackend>(pen: &Pen<DB>, boundary: f64) -> Drawn<(), DB> {
    let (x, y) = (pen.clip.x, pen.clip.y);
    if boundary <= x.low {
        return Ok(());
    }
    let line = Line { colour: pen.chart.palette.text, width: 1.0, dash: Some((3.0, 3.0)), is_double: false };
    pen.line(&[(boundary, y.low), (boundary, y.high)], line)?;
    let shown = boundary.min(x.high);
    let (beside, above) = WORDS_GAP;
    if shown - x.low >= pen.across(WORDS) {
        pen.text("warm-up", (shown, y.high), (-beside, -above), Pos::new(HPos::Right, VPos::Bottom))
    } else {
        pen.text("← warm-up", (shown, y.high), (beside, -above), Pos::new(HPos::Left, VPos::Bottom))
    }
}

fn draw_bars<DB: DrawingBackend>(pen: &Pen<DB>, columns: &[Column], opacity: f64) -> Drawn<(), DB> {
    let (corner, colour) = ((pen.clip.x.low, pen.clip.y.low), pen.chart.palette.text.mix(opacity));
    bars::outlines(pen, columns).into_iter().try_for_each(|outline| pen.shape(corner, outline, colour))
}

/// Draws one sample, which may be out of view.
fn draw_sample<DB: DrawingBackend>(
    pen: &Pen<DB>,
    samples: &InOrder,
    index: usize,
    (shape, radius, colour): (Shape, i32, RGBAColor),
) -> Drawn<(), DB> {
    let Some(x) = pen.x((index + 1) as f64) else { return Ok(()) };
    let (shape, y) = pen.y(samples.times[index]).map_or((Shape::Below, pen.clip.y.low), |y| (shape, y));
    pen.marker(&Marker { at: (x, y), shape, radius, colour, core: None })
}
