//! Samples in measurement order, so that drift, steps and outliers are visible.

use std::ops::Range;

use super::centre_lines::CentreLines;
use super::columns;
use crate::axis::AxisSpec;
use crate::fit::fit_spread;
use crate::frame::Frame;
use crate::scale::{AxisScale, Window};
use crate::times::SampleTimes;
use crate::view::View;

/// The samples of one point in measurement order, numbered from 1.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleSequence {
    /// All samples, one process after another.
    pub times: SampleTimes,
    /// The indices of the warm-up samples, from 0, in ascending order: a range for each process.
    pub warm_up: Vec<Range<usize>>,
    /// The indices of the interrupted samples, from 0, in ascending order.
    pub interrupted: Vec<usize>,
    /// The lines through the samples after warm-up.
    pub centre: CentreLines,
}

/// The samples at a pixel column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleRange {
    /// The number of the first sample.
    pub first: usize,
    /// The number of the last sample, often the same.
    pub last: usize,
    /// The shortest time.
    pub low: f64,
    /// The longest time.
    pub high: f64,
    /// Whether all samples are warm-up.
    pub warm_up: bool,
    /// The number of interrupted samples.
    pub interrupted: usize,
}

impl SampleSequence {
    /// The axes: horizontally the number of a sample, vertically its time.
    pub fn axes(y: AxisScale) -> (AxisSpec, AxisSpec) {
        (AxisSpec::count("Sample", AxisScale::Linear), AxisSpec::time_per_call(y))
    }

    /// The view that shows every sample.
    pub fn fit(&self, y: &AxisSpec) -> View {
        let x = Window { low: 0.5, high: self.times.len().max(1) as f64 + 0.5 };
        View { x, y: fit_spread(self.times.iter().copied(), y.scale) }
    }

    /// The samples at a pixel column, or the nearest one if the column has none. Returns `None` if no sample is visible.
    pub fn at(&self, frame: &Frame, pixel: f64) -> Option<SampleRange> {
        let in_column = columns::at(frame, self.times.len(), pixel);
        let nearest = || {
            let visible = columns::visible(frame, self.times.len());
            let index = (frame.x_from_pixel(pixel).round() - 1.0).max(0.0) as usize;
            let index = index.clamp(visible.start, visible.end.checked_sub(1)?.max(visible.start));
            visible.contains(&index).then_some(index..index + 1)
        };
        self.range(if in_column.is_empty() { nearest()? } else { in_column })
    }

    /// The indices of the samples that count, in ascending order.
    pub(crate) fn counted(&self) -> Vec<Range<usize>> {
        let starts = [0].into_iter().chain(self.warm_up.iter().map(|part| part.end));
        let ends = self.warm_up.iter().map(|part| part.start).chain([self.times.len()]);
        starts.zip(ends).map(|(start, end)| start..end).filter(|part| !part.is_empty()).collect()
    }

    fn range(&self, indices: Range<usize>) -> Option<SampleRange> {
        let (low, high) = columns::extremes(self.times.get(indices.clone())?)?;
        let interrupted = self.interrupted.iter().filter(|index| indices.contains(index)).count();
        let warm_up = self.warm_up.iter().any(|part| part.start <= indices.start && indices.end <= part.end);
        Some(SampleRange { first: indices.start + 1, last: indices.end, low, high, warm_up, interrupted })
    }
}
