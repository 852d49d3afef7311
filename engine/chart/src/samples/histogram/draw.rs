//! Drawing a histogram: a bar a bin, and words over the bins of severe outliers.

use benchbook::units::{Nanos, count};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{Bin, Histogram, Holds};
use crate::draw::Drawn;
use crate::pen::Pen;

/// How opaque a bar is.
const BAR: f64 = 0.75;
/// How opaque the bar of severe outliers is, which is not on the axis's scale.
const OUTLIERS: f64 = 0.5;
/// Between two bars, in pixels of the page.
const GAP: f64 = 1.0;
/// Between words and the plot under them, in pixels of the page.
const WORDS_GAP: f64 = 3.0;

/// Draws the bars, and the lines of mean and median over them.
pub(crate) fn draw<DB: DrawingBackend>(pen: &Pen<DB>, histogram: &Histogram) -> Drawn<(), DB> {
    histogram.bins.iter().try_for_each(|bin| draw_bar(pen, bin))?;
    let (low, high) = (pen.clip.y.low, pen.clip.y.high);
    histogram.centre.draw(pen, |time| pen.x(time).map(|x| [(x, low), (x, high)]))?;
    histogram.bins.iter().try_for_each(|bin| draw_words(pen, bin))
}

fn draw_bar<DB: DrawingBackend>(pen: &Pen<DB>, bin: &Bin) -> Drawn<(), DB> {
    let (Some(right), Some(top)) = (pen.x(bin.place.high), pen.y(bin.count as f64)) else { return Ok(()) };
    if bin.count == 0 {
        return Ok(());
    }
    // What a logarithmic axis cannot show lies beyond its end.
    let left = pen.x(bin.place.low).unwrap_or(pen.clip.x.low);
    let bottom = pen.y(0.0).unwrap_or(pen.clip.y.low);
    let gap = pen.across(GAP).min((right - left) / 4.0) / 2.0;
    let (left, right) = (left + gap, right - gap);
    let opacity = if bin.holds == Holds::Place { BAR } else { OUTLIERS };
    pen.area(vec![(left, bottom), (right, bottom), (right, top), (left, top)], pen.chart.palette.text.mix(opacity))
}

/// Says above the bin of severe outliers which they are and how many, as long as the bin is in view.
fn draw_words<DB: DrawingBackend>(pen: &Pen<DB>, bin: &Bin) -> Drawn<(), DB> {
    let (words, edge, side) = match bin.holds {
        Holds::Place => return Ok(()),
        Holds::Under(fence) => (format!("< {} ({})", Nanos(fence), count(bin.count as u64)), bin.place.low, HPos::Left),
        Holds::Over(fence) => {
            (format!("> {} ({})", Nanos(fence), count(bin.count as u64)), bin.place.high, HPos::Right)
        }
    };
    let at = (pen.x(edge).unwrap_or(pen.clip.x.low), pen.clip.y.high);
    if !pen.clip.contains(at) {
        return Ok(());
    }
    pen.text(&words, at, (0.0, -WORDS_GAP), Pos::new(side, VPos::Bottom))
}
