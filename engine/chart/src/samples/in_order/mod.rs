//! Samples in the order taken: the time a call of each, so that drift, steps and outliers show.

mod bars;
mod columns;
mod draw;

pub(crate) use draw::draw;

use std::ops::Range;

use super::super::frame::Frame;
use super::super::model::AxisSpec;
use super::super::scale::{Scale, Window};
use super::super::times::Times;
use super::super::view::{View, fit_spread};
use super::{Centre, counted, times};

/// The samples of one point in the order taken, numbered from 1.
#[derive(Clone, Debug, PartialEq)]
pub struct InOrder {
    /// All samples, warm-up first.
    pub times: Times,
    /// How many of them were taken to warm up.
    pub warm_up: usize,
    /// Which of them something interrupted, from 0 on and in ascending order.
    pub interrupted: Vec<usize>,
    /// What lines are drawn through those that count.
    pub centre: Centre,
}

/// The samples that the pointer reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// The number of the first.
    pub first: usize,
    /// The number of the last; often the same.
    pub last: usize,
    /// The least time among them.
    pub low: f64,
    /// The greatest time among them.
    pub high: f64,
    /// Whether all were taken to warm up.
    pub warm_up: bool,
    /// How many of them something interrupted.
    pub interrupted: usize,
}

impl InOrder {
    /// Across the number of a sample, upwards its time.
    pub fn axes(y: Scale) -> (AxisSpec, AxisSpec) {
        (counted("Sample", Scale::Linear), times(y))
    }

    /// The view that shows every sample.
    pub fn fit(&self, y: &AxisSpec) -> View {
        let x = Window { low: 0.5, high: self.times.len().max(1) as f64 + 0.5 };
        View { x, y: fit_spread(self.times.iter().copied(), y.scale) }
    }

    /// The samples under a pixel's column, or the nearest one where there are fewer samples than columns; nothing where
    /// none is in view.
    pub fn at(&self, frame: &Frame, pixel: f64) -> Option<Stretch> {
        let under = columns::under(frame, self.times.len(), pixel);
        let nearest = || {
            let visible = columns::visible(frame, self.times.len());
            let index = (frame.x_from_pixel(pixel).round() - 1.0).max(0.0) as usize;
            let index = index.clamp(visible.start, visible.end.checked_sub(1)?.max(visible.start));
            visible.contains(&index).then_some(index..index + 1)
        };
        self.stretch(if under.is_empty() { nearest()? } else { under })
    }

    fn stretch(&self, indices: Range<usize>) -> Option<Stretch> {
        let (low, high) = columns::extremes(self.times.get(indices.clone())?)?;
        let interrupted = self.interrupted.iter().filter(|index| indices.contains(index)).count();
        let warm_up = indices.end <= self.warm_up;
        Some(Stretch { first: indices.start + 1, last: indices.end, low, high, warm_up, interrupted })
    }
}
