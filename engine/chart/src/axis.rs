//! An axis as `plotters` sees it: even in positions, with our ticks.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged};

use super::scale::Span;
use super::ticks::Tick;

/// One axis of the plane on which curves are drawn.
pub(super) struct Axis {
    pub(super) span: Span,
    pub(super) ticks: Vec<Tick>,
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    /// The nearest whole pixel, by the same rule as [`Frame`](super::Frame), so that what the pointer reads lies where
    /// it is drawn.
    fn map(&self, position: &f64, (first, last): (i32, i32)) -> i32 {
        first + (self.span.fraction(*position) * f64::from(last - first)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.iter().map(|tick| tick.position).collect()
    }

    fn range(&self) -> Range<f64> {
        self.span.low..self.span.high
    }
}
