//! Samples by columns of pixels. Samples count from index 0 here, while the axis numbers them from 1.

use std::ops::Range;

use crate::frame::Frame;

/// The samples in one column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Column {
    /// Which column, from 0 at the left.
    pub(super) index: i32,
    /// The least time.
    pub(super) low: f64,
    /// The greatest time.
    pub(super) high: f64,
}

/// The width of a column in pixels of the canvas: a pixel of the page.
pub(super) fn width(frame: &Frame) -> f64 {
    frame.density().round().max(1.0)
}

/// How many columns there are.
pub(super) fn count(frame: &Frame) -> i32 {
    (frame.inner().width() / width(frame)).ceil() as i32
}

/// Least and greatest; absent for no times.
pub(super) fn extremes(times: &[f64]) -> Option<(f64, f64)> {
    let (&first, rest) = times.split_first()?;
    Some(rest.iter().fold((first, first), |(low, high), &time| (low.min(time), high.max(time))))
}

/// Which of `count` samples are in view.
pub(super) fn visible(frame: &Frame, count: usize) -> Range<usize> {
    let inner = frame.inner();
    from(frame, count, inner.left)..after(frame, count, inner.right)
}

/// Which of `samples` samples lie in the column under a pixel.
pub(super) fn under(frame: &Frame, samples: usize, pixel: f64) -> Range<usize> {
    let index = ((pixel - left_of(frame, 0)) / width(frame)).floor();
    let seen = visible(frame, samples);
    let end =
        |index: f64| from(frame, samples, left_of(frame, index as i32)).clamp(seen.start, seen.end.max(seen.start));
    end(index)..end(index + 1.0)
}

/// The occupied columns of the samples in `range`, from left to right. Each sample in view is looked at once.
pub(super) fn columns(frame: &Frame, times: &[f64], range: Range<usize>) -> Vec<Column> {
    let seen = visible(frame, times.len());
    let (mut start, end) = (range.start.max(seen.start), range.end.min(seen.end));
    let column = |index: i32| {
        let next = from(frame, times.len(), left_of(frame, index + 1)).clamp(start, end.max(start));
        let (low, high) = extremes(times.get(start..next)?)?;
        start = next;
        Some(Column { index, low, high })
    };
    // The last column may reach beyond the plot, and then there is one more.
    (0..=count(frame)).filter_map(column).collect()
}

/// Where a column begins. The first one has the left edge in the middle of its first pixel.
fn left_of(frame: &Frame, index: i32) -> f64 {
    frame.inner().left - 0.5 + f64::from(index) * width(frame)
}

/// The first sample at or right of a pixel; `count` where there is none.
fn from(frame: &Frame, count: usize, pixel: f64) -> usize {
    index((frame.x_from_pixel(pixel) - TOLERANCE).ceil(), count)
}

/// The first sample right of a pixel.
fn after(frame: &Frame, count: usize, pixel: f64) -> usize {
    index((frame.x_from_pixel(pixel) + TOLERANCE).floor() + 1.0, count)
}

/// What the way from a view through positions and back may move a number by.
const TOLERANCE: f64 = 1e-6;

fn index(number: f64, count: usize) -> usize {
    ((number - 1.0).max(0.0) as usize).min(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Layout, Scale, View, Window};
    use proptest::prelude::*;

    /// A plot of a hundred columns, from 62 to 161, over these numbers.
    fn frame(low: f64, high: f64, scale: Scale) -> Frame {
        let view = View { x: Window { low, high }, y: Window { low: 0.0, high: 1.0 } };
        let layout = Layout::of(182, 100, 1.0);
        assert_eq!((layout.inner.left, layout.inner.right), (62.0, 161.0));
        Frame::new(&layout, view, scale, Scale::Linear)
    }

    #[test]
    fn a_column_reaches_from_the_least_of_its_samples_to_the_greatest() {
        let times: Vec<f64> = (0..1000).map(|i| f64::from(i % 7)).collect();
        let columns = columns(&frame(0.5, 1000.5, Scale::Linear), &times, 0..1000);
        assert_eq!(columns.len(), 100);
        assert!(columns[1..99].iter().all(|column| (column.low, column.high) == (0.0, 6.0)));
    }

    #[test]
    fn what_is_out_of_view_or_of_range_is_not_looked_at() {
        let frame = frame(10.0, 20.0, Scale::Linear);
        assert_eq!(visible(&frame, 1000), 9..20);
        assert_eq!(visible(&frame, 5), 5..5);
        let seen: Vec<i32> = columns(&frame, &[1.0; 1000], 0..12).into_iter().map(|column| column.index).collect();
        assert_eq!(seen, [0, 10, 20]);
    }

    proptest! {
        #[test]
        fn every_visible_sample_is_in_one_column(
            low in 0.5..400.0, length in 1.0..500.0, count in 0_usize..600, log: bool,
        ) {
            let frame = frame(low, low + length, if log { Scale::Log } else { Scale::Linear });
            let mut next = visible(&frame, count).start;
            for pixel in 62..=161 {
                let under = under(&frame, count, f64::from(pixel));
                if !under.is_empty() {
                    prop_assert_eq!(under.start, next);
                    next = under.end;
                }
            }
            prop_assert_eq!(next, visible(&frame, count).end.max(visible(&frame, count).start));
        }
    }
}
