//! Drawing samples in measurement order: a dot each, or bars if several samples share a column.

use std::ops::Range;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{bars, centre_lines};
use crate::draw::line_style::LineStyle;
use crate::draw::marker::{Marker, MarkerShape};
use crate::draw::painter::Painter;
use crate::draw::plane::DrawResult;
use crate::samples::SampleSequence;
use crate::samples::columns::{self, Column};

/// The opacity of samples after warm-up.
const MEASURED: f64 = 1.0;
/// The opacity of warm-up samples.
const WARM_UP: f64 = 0.7;
/// The opacity of the background of the warm-up.
const SHADE: f64 = 0.08;
/// The radius of a dot, in page pixels.
const DOT: f64 = 1.5;
/// The radius of the marker of an interrupted sample, in page pixels: large enough to stand out among bars.
const INTERRUPTED: f64 = 3.0;
/// The width of the warm-up label, in page pixels.
const LABEL_WIDTH: f64 = 60.0;
/// The gaps between the label and the line next to it, and between the label and the plot below it.
const LABEL_GAPS: (f64, f64) = (5.0, 3.0);

/// Draws the samples, and the end of the warm-up. The lines of mean and median are behind dots, since they would hide
/// them, and in front of bars, which would hide the lines.
pub(in crate::draw) fn draw<DB: DrawingBackend>(painter: &Painter<DB>, samples: &SampleSequence) -> DrawResult<(), DB> {
    let warm_up: Vec<WarmUpSpan> = samples.warm_up.iter().filter_map(|part| WarmUpSpan::of(painter, part)).collect();
    let low = warm_up.first().filter(|_| samples.warm_up[0].start == 0).map_or(painter.clip.x.low, |first| first.end);
    let right = painter.clip.x.high.max(low);
    let draw_centre = || {
        let ends = |time| painter.y(time).map(|y| [(low, y), (right, y)]);
        centre_lines::draw(painter, &samples.centre, ends)
    };
    let frame = painter.chart.frame(painter.layout);
    let visible = columns::visible(&frame, samples.times.len());
    let mut parts: Vec<(Range<usize>, f64)> = samples.warm_up.iter().map(|part| (part.clone(), WARM_UP)).collect();
    parts.extend(samples.counted().into_iter().map(|part| (part, MEASURED)));
    warm_up.iter().try_for_each(|span| draw_shade(painter, span))?;
    if visible.len() > columns::count(&frame) as usize {
        for (range, opacity) in parts {
            draw_bars(painter, &columns::columns(&frame, &samples.times, range), opacity)?;
        }
        draw_centre()?;
    } else {
        draw_centre()?;
        for (range, opacity) in parts {
            let dot = (MarkerShape::Circle, painter.pixels(DOT), painter.chart.palette.text.mix(opacity));
            (range.start.max(visible.start)..range.end.min(visible.end))
                .try_for_each(|index| draw_sample(painter, samples, index, dot))?;
        }
    }
    let interrupted = (MarkerShape::Diamond, painter.pixels(INTERRUPTED), painter.chart.palette.failed.mix(1.0));
    samples.interrupted.iter().try_for_each(|&index| draw_sample(painter, samples, index, interrupted))?;
    warm_up.iter().try_for_each(|span| draw_end(painter, span))?;
    // The other processes have a warm-up too: one label explains the background.
    warm_up.iter().find(|span| span.is_visible(painter)).map_or(Ok(()), |span| draw_label(painter, span))
}

/// The warm-up of a process, in pixels. It ends between its last sample and the next one.
struct WarmUpSpan {
    start: f64,
    end: f64,
}

impl WarmUpSpan {
    /// `None` if it has no samples, or if the axis cannot show its end.
    fn of<DB: DrawingBackend>(painter: &Painter<DB>, part: &Range<usize>) -> Option<Self> {
        let end = painter.x(part.end as f64 + 0.5).filter(|_| !part.is_empty())?;
        let low = painter.clip.x.low;
        let start = if part.start == 0 { low } else { painter.x(part.start as f64 + 0.5).unwrap_or(low).max(low) };
        Some(Self { start, end })
    }

    fn is_visible<DB: DrawingBackend>(&self, painter: &Painter<DB>) -> bool {
        self.end > painter.clip.x.low && self.start < painter.clip.x.high
    }
}

fn draw_shade<DB: DrawingBackend>(painter: &Painter<DB>, span: &WarmUpSpan) -> DrawResult<(), DB> {
    if !span.is_visible(painter) {
        return Ok(());
    }
    let (low, high) = (painter.clip.y.low, painter.clip.y.high);
    let outline = vec![(span.start, low), (span.end, low), (span.end, high), (span.start, high)];
    painter.area(outline, painter.chart.palette.text.mix(SHADE))
}

fn draw_end<DB: DrawingBackend>(painter: &Painter<DB>, span: &WarmUpSpan) -> DrawResult<(), DB> {
    if !span.is_visible(painter) {
        return Ok(());
    }
    let y = painter.clip.y;
    let style = LineStyle { colour: painter.chart.palette.text, width: 1.0, dash: Some((3.0, 3.0)) };
    painter.line(&[(span.end, y.low), (span.end, y.high)], style)
}

fn draw_label<DB: DrawingBackend>(painter: &Painter<DB>, span: &WarmUpSpan) -> DrawResult<(), DB> {
    let (x, y) = (painter.clip.x, painter.clip.y);
    let visible_end = span.end.min(x.high);
    let (aside, above) = LABEL_GAPS;
    if visible_end - x.low >= painter.horizontal(LABEL_WIDTH) {
        painter.text("warm-up", (visible_end, y.high), (-aside, -above), Pos::new(HPos::Right, VPos::Bottom))
    } else {
        painter.text("← warm-up", (visible_end, y.high), (aside, -above), Pos::new(HPos::Left, VPos::Bottom))
    }
}

fn draw_bars<DB: DrawingBackend>(painter: &Painter<DB>, columns: &[Column], opacity: f64) -> DrawResult<(), DB> {
    let (corner, colour) = ((painter.clip.x.low, painter.clip.y.low), painter.chart.palette.text.mix(opacity));
    bars::outlines(painter, columns).into_iter().try_for_each(|outline| painter.shape(corner, outline, colour))
}

/// Draws one sample, if it is visible.
fn draw_sample<DB: DrawingBackend>(
    painter: &Painter<DB>,
    samples: &SampleSequence,
    index: usize,
    (shape, radius, colour): (MarkerShape, i32, RGBAColor),
) -> DrawResult<(), DB> {
    let Some(x) = painter.x((index + 1) as f64) else { return Ok(()) };
    let (shape, y) =
        painter.y(samples.times[index]).map_or((MarkerShape::ArrowDown, painter.clip.y.low), |y| (shape, y));
    painter.marker(&Marker { at: (x, y), offset: (0, 0), shape, radius, colour, core: None })
}
