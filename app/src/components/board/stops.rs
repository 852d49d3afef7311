//! The places along the axis across that a board reads: points, samples, bins.

use std::rc::Rc;

use benchbook_chart::Frame;

/// The stops of a board. Cheap to clone.
#[derive(Clone, Debug)]
pub(in crate::components) enum Stops {
    /// At these values, rising. Two are equal where they were made at once.
    At(Rc<[f64]>),
    /// At each whole number from 1 to this.
    Numbers(usize),
}

impl PartialEq for Stops {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::At(one), Self::At(other)) => Rc::ptr_eq(one, other),
            (Self::Numbers(one), Self::Numbers(other)) => one == other,
            _ => false,
        }
    }
}

impl FromIterator<f64> for Stops {
    /// In any order, with duplicates.
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_unstable_by(f64::total_cmp);
        values.dedup();
        Self::At(values.into())
    }
}

impl Stops {
    /// The numbers of so many things.
    pub(in crate::components) fn numbers(count: usize) -> Self {
        Self::Numbers(count)
    }

    /// The visible stop that is nearest to a column of the canvas.
    pub(super) fn nearest(&self, frame: &Frame, column: f64) -> Option<f64> {
        let value = frame.x_from_pixel(column);
        let candidates = [self.before(frame, value), self.at_or_after(frame, value)];
        let distance = |stop: &f64| frame.x_to_pixel(*stop).map_or(f64::INFINITY, |at| (at - column).abs());
        candidates.into_iter().flatten().min_by(|one, other| distance(one).total_cmp(&distance(other)))
    }

    /// The visible stop after `from`, or before it; from nowhere the first, or the last. At the end it stays.
    pub(super) fn next(&self, frame: &Frame, from: Option<f64>, forward: bool) -> Option<f64> {
        let (first, last) = (f64::NEG_INFINITY, f64::INFINITY);
        match (from, forward) {
            (None, true) => self.at_or_after(frame, first),
            (None, false) => self.before(frame, last),
            (Some(from), true) => self.at_or_after(frame, from.next_up()).or(self.before(frame, last)),
            (Some(from), false) => self.before(frame, from).or(self.at_or_after(frame, first)),
        }
    }

    /// The last visible stop under a value.
    fn before(&self, frame: &Frame, value: f64) -> Option<f64> {
        let last = match self {
            Self::At(values) => {
                values[..values.partition_point(|stop| *stop < value)].iter().rev().copied().find(|x| frame.shows_x(*x))
            }
            Self::Numbers(count) => {
                let under = value.min(frame.x_from_pixel(frame.inner().right) + 1.0).min(*count as f64 + 1.0);
                (0..2).map(|back| under.ceil() - 1.0 - f64::from(back)).find(|x| *x < value && frame.shows_x(*x))
            }
        };
        last.filter(|stop| self.holds(*stop))
    }

    /// The first visible stop from a value on.
    fn at_or_after(&self, frame: &Frame, value: f64) -> Option<f64> {
        let first = match self {
            Self::At(values) => {
                values[values.partition_point(|stop| *stop < value)..].iter().copied().find(|x| frame.shows_x(*x))
            }
            Self::Numbers(_) => {
                let from = value.max(frame.x_from_pixel(frame.inner().left)).max(1.0);
                (0..2).map(|on| from.ceil() + f64::from(on)).find(|x| frame.shows_x(*x))
            }
        };
        first.filter(|stop| self.holds(*stop))
    }

    fn holds(&self, stop: f64) -> bool {
        match self {
            Self::At(_) => true,
            Self::Numbers(count) => (1.0..=*count as f64).contains(&stop),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use benchbook_chart::{Layout, Scale, View, Window};

    fn frame(low: f64, high: f64) -> Frame {
        let view = View { x: Window { low, high }, y: Window { low: 1.0, high: 2.0 } };
        Frame::new(&Layout::of(700, 300, 1.0), view, Scale::Log, Scale::Log)
    }

    fn stops() -> Stops {
        [1000.0, 1.0, 10.0, 100.0, 10.0].into_iter().collect()
    }

    #[test]
    fn the_nearest_by_pixels_is_read() {
        let frame = frame(1.0, 1000.0);
        let column = |value: f64| frame.x_to_pixel(value).expect("it is in view");
        for (at, nearest) in [(1.0, 1.0), (3.0, 1.0), (3.3, 10.0), (31.0, 10.0), (32.0, 100.0), (1000.0, 1000.0)] {
            assert_eq!(stops().nearest(&frame, column(at)), Some(nearest), "{at}");
        }
        assert_eq!(stops().nearest(&frame, -50.0), Some(1.0));
        assert_eq!(stops().nearest(&frame, 5_000.0), Some(1000.0));
    }

    #[test]
    fn what_is_not_in_view_is_not_read() {
        let frame = frame(5.0, 500.0);
        assert_eq!(stops().nearest(&frame, 0.0), Some(10.0));
        assert_eq!(stops().next(&frame, None, false), Some(100.0));
        assert_eq!(Stops::from_iter([]).nearest(&frame, 100.0), None);
    }

    #[test]
    fn each_of_many_numbers_is_read_where_they_are_apart() {
        let stops = Stops::numbers(100_000);
        let view = View { x: Window { low: 99_990.5, high: 100_000.5 }, y: Window { low: 1.0, high: 2.0 } };
        let frame = Frame::new(&Layout::of(700, 300, 1.0), view, Scale::Linear, Scale::Linear);
        let walked: Vec<f64> = std::iter::successors(stops.next(&frame, None, true), |at| {
            stops.next(&frame, Some(*at), true).filter(|next| next != at)
        })
        .collect();
        assert_eq!(walked, (99_991..=100_000).map(f64::from).collect::<Vec<_>>());
        let back = stops.next(&frame, Some(100_000.0), false);
        assert_eq!((back, stops.next(&frame, None, false)), (Some(99_999.0), Some(100_000.0)));
        let column = frame.x_to_pixel(99_995.4).expect("it is in view");
        assert_eq!(stops.nearest(&frame, column), Some(99_995.0));
        assert_eq!(stops.nearest(&frame, 5_000.0), Some(100_000.0));
        assert_eq!(stops.nearest(&frame, -5_000.0), Some(99_991.0));
        assert_eq!(Stops::numbers(0).nearest(&frame, 100.0), None);
    }

    #[test]
    fn one_after_the_other_is_read_and_at_the_end_it_stays() {
        let frame = frame(1.0, 1000.0);
        let walk = |from: Option<f64>, forward: bool| stops().next(&frame, from, forward);
        assert_eq!((walk(None, true), walk(None, false)), (Some(1.0), Some(1000.0)));
        assert_eq!((walk(Some(10.0), true), walk(Some(10.0), false)), (Some(100.0), Some(1.0)));
        assert_eq!((walk(Some(1000.0), true), walk(Some(1.0), false)), (Some(1000.0), Some(1.0)));
    }
}
