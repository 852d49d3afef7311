//! The values of the horizontal axis at which the readout snaps: points, samples or bins.

use std::rc::Rc;

use benchbook_chart::Frame;

/// The snap points of a chart. A clone shares the allocation.
#[derive(Clone, Debug)]
pub(crate) enum SnapPoints {
    /// These values, in ascending order. Two are equal only if they share the allocation.
    Values(Rc<[f64]>),
    /// Each whole number from 1 to this one.
    Numbers(usize),
}

impl PartialEq for SnapPoints {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Values(one), Self::Values(other)) => Rc::ptr_eq(one, other),
            (Self::Numbers(one), Self::Numbers(other)) => one == other,
            _ => false,
        }
    }
}

impl FromIterator<f64> for SnapPoints {
    /// Takes values in any order, with duplicates.
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_unstable_by(f64::total_cmp);
        values.dedup();
        Self::Values(values.into())
    }
}

impl SnapPoints {
    /// The whole numbers from 1 to `count`.
    pub(crate) fn numbers(count: usize) -> Self {
        Self::Numbers(count)
    }

    /// The visible snap point nearest to a column of the canvas.
    pub(super) fn nearest(&self, frame: &Frame, column: f64) -> Option<f64> {
        let value = frame.x_from_pixel(column);
        let candidates = [self.before(frame, value), self.at_or_after(frame, value)];
        let distance = |x: &f64| frame.x_to_pixel(*x).map_or(f64::INFINITY, |at| (at - column).abs());
        candidates.into_iter().flatten().min_by(|one, other| distance(one).total_cmp(&distance(other)))
    }

    /// The visible snap point after `from`, or before it; without `from`, the first or the last one. Returns the
    /// outermost one if there is no next.
    pub(super) fn next(&self, frame: &Frame, from: Option<f64>, forward: bool) -> Option<f64> {
        let (first, last) = (f64::NEG_INFINITY, f64::INFINITY);
        match (from, forward) {
            (None, true) => self.at_or_after(frame, first),
            (None, false) => self.before(frame, last),
            (Some(from), true) => self.at_or_after(frame, from.next_up()).or(self.before(frame, last)),
            (Some(from), false) => self.before(frame, from).or(self.at_or_after(frame, first)),
        }
    }

    /// The last visible snap point below a value.
    fn before(&self, frame: &Frame, value: f64) -> Option<f64> {
        let last = match self {
            Self::Values(values) => {
                values[..values.partition_point(|x| *x < value)].iter().rev().copied().find(|x| frame.shows_x(*x))
            }
            Self::Numbers(count) => {
                let limit = value.min(frame.x_from_pixel(frame.inner().right) + 1.0).min(*count as f64 + 1.0);
                (0..2).map(|back| limit.ceil() - 1.0 - f64::from(back)).find(|x| *x < value && frame.shows_x(*x))
            }
        };
        last.filter(|x| self.contains(*x))
    }

    /// The first visible snap point at or above a value.
    fn at_or_after(&self, frame: &Frame, value: f64) -> Option<f64> {
        let first = match self {
            Self::Values(values) => {
                values[values.partition_point(|x| *x < value)..].iter().copied().find(|x| frame.shows_x(*x))
            }
            Self::Numbers(_) => {
                let from = value.max(frame.x_from_pixel(frame.inner().left)).max(1.0);
                (0..2).map(|on| from.ceil() + f64::from(on)).find(|x| frame.shows_x(*x))
            }
        };
        first.filter(|x| self.contains(*x))
    }

    fn contains(&self, x: f64) -> bool {
        match self {
            Self::Values(_) => true,
            Self::Numbers(count) => (1.0..=*count as f64).contains(&x),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use benchbook_chart::{AxisScale, Layout, View, Window};

    fn frame(low: f64, high: f64) -> Frame {
        let view = View { x: Window { low, high }, y: Window { low: 1.0, high: 2.0 } };
        Frame::new(&Layout::of(700, 300, 1.0), view, AxisScale::Log, AxisScale::Log)
    }

    fn snap_points() -> SnapPoints {
        [1000.0, 1.0, 10.0, 100.0, 10.0].into_iter().collect()
    }

    #[test]
    fn nearest_is_by_pixel_distance() {
        let frame = frame(1.0, 1000.0);
        let column = |value: f64| frame.x_to_pixel(value).expect("visible");
        for (at, nearest) in [(1.0, 1.0), (3.0, 1.0), (3.3, 10.0), (31.0, 10.0), (32.0, 100.0), (1000.0, 1000.0)] {
            assert_eq!(snap_points().nearest(&frame, column(at)), Some(nearest), "{at}");
        }
        assert_eq!(snap_points().nearest(&frame, -50.0), Some(1.0));
        assert_eq!(snap_points().nearest(&frame, 5_000.0), Some(1000.0));
    }

    #[test]
    fn ignores_invisible_snap_points() {
        let frame = frame(5.0, 500.0);
        assert_eq!(snap_points().nearest(&frame, 0.0), Some(10.0));
        assert_eq!(snap_points().next(&frame, None, false), Some(100.0));
        assert_eq!(SnapPoints::from_iter([]).nearest(&frame, 100.0), None);
    }

    #[test]
    fn steps_through_each_of_many_numbers() {
        let numbers = SnapPoints::numbers(100_000);
        let view = View { x: Window { low: 99_990.5, high: 100_000.5 }, y: Window { low: 1.0, high: 2.0 } };
        let frame = Frame::new(&Layout::of(700, 300, 1.0), view, AxisScale::Linear, AxisScale::Linear);
        let walked: Vec<f64> = std::iter::successors(numbers.next(&frame, None, true), |at| {
            numbers.next(&frame, Some(*at), true).filter(|next| next != at)
        })
        .collect();
        assert_eq!(walked, (99_991..=100_000).map(f64::from).collect::<Vec<_>>());
        let back = numbers.next(&frame, Some(100_000.0), false);
        assert_eq!((back, numbers.next(&frame, None, false)), (Some(99_999.0), Some(100_000.0)));
        let column = frame.x_to_pixel(99_995.4).expect("visible");
        assert_eq!(numbers.nearest(&frame, column), Some(99_995.0));
        assert_eq!(numbers.nearest(&frame, 5_000.0), Some(100_000.0));
        assert_eq!(numbers.nearest(&frame, -5_000.0), Some(99_991.0));
        assert_eq!(SnapPoints::numbers(0).nearest(&frame, 100.0), None);
    }

    #[test]
    fn steps_in_order_and_stops_at_ends() {
        let frame = frame(1.0, 1000.0);
        let walk = |from: Option<f64>, forward: bool| snap_points().next(&frame, from, forward);
        assert_eq!((walk(None, true), walk(None, false)), (Some(1.0), Some(1000.0)));
        assert_eq!((walk(Some(10.0), true), walk(Some(10.0), false)), (Some(100.0), Some(1.0)));
        assert_eq!((walk(Some(1000.0), true), walk(Some(1.0), false)), (Some(1000.0), Some(1.0)));
    }
}
