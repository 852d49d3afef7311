//! Samples grouped by pixel column. Indices start at 0 here; the axis numbers samples from 1.

use std::ops::Range;

use crate::frame::Frame;

/// The samples in one column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Column {
    /// The index of the column, from 0 at the left.
    pub(crate) index: i32,
    /// The shortest time.
    pub(crate) low: f64,
    /// The longest time.
    pub(crate) high: f64,
}

/// The width of a column in canvas pixels: one page pixel.
pub(crate) fn width(frame: &Frame) -> f64 {
    frame.density().round().max(1.0)
}

/// The number of columns.
pub(crate) fn count(frame: &Frame) -> i32 {
    (frame.inner().width() / width(frame)).ceil() as i32
}

/// The shortest and the longest time; `None` if there are no times.
pub(crate) fn extremes(times: &[f64]) -> Option<(f64, f64)> {
    let (&first, rest) = times.split_first()?;
    Some(rest.iter().fold((first, first), |(low, high), &time| (low.min(time), high.max(time))))
}

/// The indices of the visible samples among `count`.
pub(crate) fn visible(frame: &Frame, count: usize) -> Range<usize> {
    let inner = frame.inner();
    from(frame, count, inner.left)..after(frame, count, inner.right)
}

/// The indices of the samples in the column at a pixel, among `samples`.
pub(crate) fn at(frame: &Frame, samples: usize, pixel: f64) -> Range<usize> {
    let index = ((pixel - left_of(frame, 0)) / width(frame)).floor();
    let seen = visible(frame, samples);
    let end =
        |index: f64| from(frame, samples, left_of(frame, index as i32)).clamp(seen.start, seen.end.max(seen.start));
    end(index)..end(index + 1.0)
}

/// The non-empty columns of the samples in `range`, from left to right. Visits each visible sample once.
pub(crate) fn columns(frame: &Frame, times: &[f64], range: Range<usize>) -> Vec<Column> {
    let seen = visible(frame, times.len());
    let (mut start, end) = (range.start.max(seen.start), range.end.min(seen.end));
    let column = |index: i32| {
        let next = from(frame, times.len(), left_of(frame, index + 1)).clamp(start, end.max(start));
        let (low, high) = extremes(times.get(start..next)?)?;
        start = next;
        Some(Column { index, low, high })
    };
    // If the last column extends beyond the plot, there is one more.
    (0..=count(frame)).filter_map(column).collect()
}

/// The left end of a column. The plot's left edge is in the middle of the first column's first pixel.
fn left_of(frame: &Frame, index: i32) -> f64 {
    frame.inner().left - 0.5 + f64::from(index) * width(frame)
}

/// The index of the first sample at a pixel or to its right; `count` if there is none.
fn from(frame: &Frame, count: usize, pixel: f64) -> usize {
    index((frame.x_from_pixel(pixel) - TOLERANCE).ceil(), count)
}

/// The index of the first sample to the right of a pixel.
fn after(frame: &Frame, count: usize, pixel: f64) -> usize {
    index((frame.x_from_pixel(pixel) + TOLERANCE).floor() + 1.0, count)
}

/// The largest rounding error of a number that is converted to a position and back.
const TOLERANCE: f64 = 1e-6;

fn index(number: f64, count: usize) -> usize {
    ((number - 1.0).max(0.0) as usize).min(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Layout;
    use crate::scale::{AxisScale, Window};
    use crate::view::View;
    use proptest::prelude::*;

    /// The frame of a plot of these numbers with a hundred columns, from 62 to 161.
    fn frame(low: f64, high: f64, scale: AxisScale) -> Frame {
        let view = View { x: Window { low, high }, y: Window { low: 0.0, high: 1.0 } };
        let layout = Layout::of(182, 100, 1.0);
        assert_eq!((layout.inner.left, layout.inner.right), (62.0, 161.0));
        Frame::new(&layout, view, scale, AxisScale::Linear)
    }

    #[test]
    fn column_spans_its_shortest_to_longest_sample() {
        let times: Vec<f64> = (0..1000).map(|i| f64::from(i % 7)).collect();
        let columns = columns(&frame(0.5, 1000.5, AxisScale::Linear), &times, 0..1000);
        assert_eq!(columns.len(), 100);
        assert!(columns[1..99].iter().all(|column| (column.low, column.high) == (0.0, 6.0)));
    }

    #[test]
    fn ignores_samples_out_of_view_or_range() {
        let frame = frame(10.0, 20.0, AxisScale::Linear);
        assert_eq!(visible(&frame, 1000), 9..20);
        assert_eq!(visible(&frame, 5), 5..5);
        let seen: Vec<i32> = columns(&frame, &[1.0; 1000], 0..12).into_iter().map(|column| column.index).collect();
        assert_eq!(seen, [0, 10, 20]);
    }

    proptest! {
        #[test]
        fn every_visible_sample_is_in_exactly_one_column(
            low in 0.5..400.0, length in 1.0..500.0, count in 0_usize..600, log: bool,
        ) {
            let frame = frame(low, low + length, if log { AxisScale::Log } else { AxisScale::Linear });
            let mut next = visible(&frame, count).start;
            for pixel in 62..=161 {
                let in_column = at(&frame, count, f64::from(pixel));
                if !in_column.is_empty() {
                    prop_assert_eq!(in_column.start, next);
                    next = in_column.end;
                }
            }
            prop_assert_eq!(next, visible(&frame, count).end.max(visible(&frame, count).start));
        }
    }
}
