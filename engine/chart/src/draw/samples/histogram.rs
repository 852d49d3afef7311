//! Drawing a histogram: one bar per bin, and labels above the bins of extreme outliers.

use benchbook_host::units::{Nanos, count};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::centre_lines;
use crate::draw::painter::Painter;
use crate::draw::plane::DrawResult;
use crate::samples::{Bin, BinKind, Histogram};

/// The opacity of a bar.
const BAR: f64 = 0.75;
/// The opacity of the bar of extreme outliers, which is not to the axis's scale.
const OUTLIERS: f64 = 0.5;
/// The gap between two bars, in page pixels.
const GAP: f64 = 1.0;
/// The gap between a label and the plot below it, in page pixels.
const LABEL_GAP: f64 = 3.0;

/// Draws the bars, then the lines of mean and median.
pub(in crate::draw) fn draw<DB: DrawingBackend>(painter: &Painter<DB>, histogram: &Histogram) -> DrawResult<(), DB> {
    histogram.bins.iter().try_for_each(|bin| draw_bar(painter, bin))?;
    let (low, high) = (painter.clip.y.low, painter.clip.y.high);
    centre_lines::draw(painter, &histogram.centre, |time| painter.x(time).map(|x| [(x, low), (x, high)]))?;
    histogram.bins.iter().try_for_each(|bin| draw_label(painter, bin))
}

fn draw_bar<DB: DrawingBackend>(painter: &Painter<DB>, bin: &Bin) -> DrawResult<(), DB> {
    let (Some(right), Some(top)) = (painter.x(bin.window.high), painter.y(bin.count as f64)) else { return Ok(()) };
    if bin.count == 0 {
        return Ok(());
    }
    // An edge that a logarithmic axis cannot show is beyond its low end.
    let left = painter.x(bin.window.low).unwrap_or(painter.clip.x.low);
    let bottom = painter.y(0.0).unwrap_or(painter.clip.y.low);
    let gap = painter.horizontal(GAP).min((right - left) / 4.0) / 2.0;
    let (left, right) = (left + gap, right - gap);
    let opacity = if bin.kind == BinKind::Regular { BAR } else { OUTLIERS };
    painter
        .area(vec![(left, bottom), (right, bottom), (right, top), (left, top)], painter.chart.palette.text.mix(opacity))
}

/// Writes the fence and the number of samples above a visible bin of extreme outliers.
fn draw_label<DB: DrawingBackend>(painter: &Painter<DB>, bin: &Bin) -> DrawResult<(), DB> {
    let (sign, fence, edge, side) = match bin.kind {
        BinKind::Regular => return Ok(()),
        BinKind::LowOutliers(fence) => ('<', fence, bin.window.low, HPos::Left),
        BinKind::HighOutliers(fence) => ('>', fence, bin.window.high, HPos::Right),
    };
    let at = (painter.x(edge).unwrap_or(painter.clip.x.low), painter.clip.y.high);
    if !painter.clip.contains(at) {
        return Ok(());
    }
    let label = format!("{sign} {} ({})", Nanos(fence), count(bin.count as u64));
    painter.text(&label, at, (0.0, -LABEL_GAP), Pos::new(side, VPos::Bottom))
}
