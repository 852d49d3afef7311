//! The best that is known of a function: at each axis value the point of the highest priority.

use std::rc::Rc;

use benchbook::quality::Priority;
use benchbook::response::Point;

/// The points of one cell, by rising axis value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Curve {
    readings: Vec<Reading>,
}

/// A point and how it was measured.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reading {
    /// How accurate it should be.
    pub(crate) priority: Priority,
    /// What was measured.
    pub(crate) point: Rc<Point>,
}

impl Curve {
    /// Takes a point in, in the place of one of a lower priority.
    pub(crate) fn insert(&mut self, priority: Priority, point: Point) {
        let reading = Reading { priority, point: Rc::new(point) };
        match self.readings.binary_search_by(|other| other.point.x.total_cmp(&reading.point.x)) {
            Ok(index) if self.readings[index].priority <= priority => self.readings[index] = reading,
            Ok(_) => {}
            Err(index) => self.readings.insert(index, reading),
        }
    }

    /// The points by rising axis value.
    pub(crate) fn readings(&self) -> &[Reading] {
        &self.readings
    }

    /// The lowest priority among the points: what the whole can be relied on for.
    pub(crate) fn priority(&self) -> Option<Priority> {
        self.readings.iter().map(|reading| reading.priority).min()
    }
}

#[cfg(test)]
mod tests {
    use benchbook::response::{Failure, FailureKind, Outcome};

    use super::*;

    fn point(x: f64, reason: &str) -> Point {
        let failure = Failure { kind: FailureKind::Panic, reason: reason.to_owned() };
        Point { function: "f".to_owned(), x, outcome: Outcome::Failed(failure) }
    }

    fn priority(number: u8) -> Priority {
        Priority::try_from(number).expect("1 to 4")
    }

    #[test]
    fn the_higher_priority_stays_whatever_comes_first() {
        let mut curve = Curve::default();
        curve.insert(priority(2), point(1.0, "second"));
        curve.insert(priority(1), point(1.0, "first"));
        curve.insert(priority(1), point(0.5, "first"));
        let kept: Vec<_> = curve.readings().iter().map(|reading| (reading.point.x, reading.priority)).collect();
        assert_eq!(kept, [(0.5, priority(1)), (1.0, priority(2))]);
        assert_eq!(curve.priority(), Some(priority(1)));
    }

    #[test]
    fn a_point_measured_again_replaces_the_one_before() {
        let mut curve = Curve::default();
        curve.insert(priority(1), point(1.0, "before"));
        curve.insert(priority(1), point(1.0, "after"));
        assert_eq!(*curve.readings()[0].point, point(1.0, "after"));
    }
}
