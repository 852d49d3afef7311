//! Where one curve overtakes another: a line up from the axis, and its interval as a bracket on the axis.

use plotters::prelude::*;

use crate::draw::Drawn;
use crate::line::Line;
use crate::pen::Pen;

/// How opaque the ground over the interval is.
const SHADE: f64 = 0.08;
/// The height of the bracket, in pixels of the page.
const BRACKET: f64 = 7.0;

/// Where one function overtakes another, in values of the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Where both take the same time.
    pub x: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Crossing {
    pub(super) fn draw<DB: DrawingBackend>(&self, pen: &Pen<DB>) -> Drawn<(), DB> {
        let (across, low, high) = (pen.clip.x, pen.clip.y.low, pen.clip.y.high);
        // Beyond an edge it does not matter how far; what lies before a logarithmic axis is beyond it.
        let (before, after) = (across.low - across.length(), across.high + across.length());
        let place = |x: f64| pen.x(x).unwrap_or(if x > 0.0 { after } else { before }).clamp(before, after);
        let [left, at, right] = [self.low, self.x, self.high].map(place);
        let colour = pen.chart.palette.text;
        pen.area(vec![(left, low), (right, low), (right, high), (left, high)], colour.mix(SHADE))?;
        pen.line(&[(at, low), (at, high)], Line { colour, width: 1.0, dash: Some((3.0, 3.0)), is_double: false })?;
        let top = low + pen.upwards(BRACKET);
        let bracket = [(left, top), (left, low), (right, low), (right, top)];
        pen.line(&bracket, Line { colour, width: 1.5, dash: None, is_double: false })
    }
}
