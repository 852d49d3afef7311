//! An axis as `plotters` takes it: linear in positions, with our ticks.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

use super::ticks::Tick;
use crate::scale::Span;

/// One axis of the plane.
#[derive(Clone)]
pub(super) struct RangedAxis {
    pub(super) span: Span,
    pub(super) ticks: Vec<Tick>,
}

impl Ranged for RangedAxis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    /// The nearest whole pixel, rounded as in [`Frame`](crate::Frame), so that the pointer reads the data that are drawn
    /// below it.
    fn map(&self, position: &f64, (first, last): (i32, i32)) -> i32 {
        first + (self.span.fraction(*position) * f64::from(last - first)).round() as i32
    }

    /// The positions of the ticks. There is no light grid between them.
    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() {
            return Vec::new();
        }
        self.ticks.iter().map(|tick| tick.position).collect()
    }

    fn range(&self) -> Range<f64> {
        self.span.low..self.span.high
    }
}

impl ValueFormatter<f64> for RangedAxis {
    /// The label of the tick at this position.
    fn format_ext(&self, position: &f64) -> String {
        let tick = self.ticks.iter().find(|tick| tick.position == *position);
        tick.map(|tick| tick.label.clone()).unwrap_or_default()
    }
}
