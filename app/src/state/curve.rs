//! The best that is known of a function: at each axis value the figures of the highest priority that has some.

use std::rc::Rc;

use benchbook_host::quality::Priority;
use benchbook_host::response::{Failure, Measured, Outcome, Point, Run};

/// The points of one cell, by rising axis value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Curve {
    readings: Vec<Reading>,
}

/// What is known at one axis value.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    /// The axis value.
    pub(crate) x: f64,
    /// The best figures with their priority; absent where every try failed.
    figures: Option<(Priority, Rc<Measured>)>,
    /// Why the highest priority that was tried has no figures; absent where it has.
    failure: Option<(Priority, Failure)>,
}

impl Curve {
    /// Takes a point in. Figures give way to those of the same or a higher priority, and to nothing else: where a higher
    /// one fails, they stay, and the failure stands beside them.
    pub(crate) fn insert(&mut self, priority: Priority, point: Point) {
        let index = self.readings.binary_search_by(|other| other.x.total_cmp(&point.x)).unwrap_or_else(|index| {
            self.readings.insert(index, Reading { x: point.x, figures: None, failure: None });
            index
        });
        self.readings[index].take(priority, point.outcome);
    }

    /// Takes the samples of a point whose figures are there.
    pub(crate) fn fill(&mut self, x: f64, runs: Vec<Run>) {
        let reading = self.readings.iter_mut().find(|reading| reading.x == x);
        if let Some((_, measured)) = reading.and_then(|reading| reading.figures.as_mut()) {
            // What shows them looks for other figures, and not into them.
            *measured = Rc::new(Measured { runs, ..Measured::clone(measured) });
        }
    }

    /// What is known, by rising axis value.
    pub(crate) fn readings(&self) -> &[Reading] {
        &self.readings
    }

    /// The lowest priority among the points: what the whole can be relied on for.
    pub(crate) fn priority(&self) -> Option<Priority> {
        self.readings.iter().map(Reading::priority).min()
    }
}

impl Reading {
    fn take(&mut self, priority: Priority, outcome: Outcome) {
        let is_older = |known: Option<Priority>| known.is_none_or(|known| known <= priority);
        let figures = self.figures.as_ref().map(|(priority, _)| *priority);
        let failure = self.failure.as_ref().map(|(priority, _)| *priority);
        match outcome {
            Outcome::Measured(measured) if is_older(figures) => {
                self.figures = Some((priority, Rc::from(measured)));
                self.failure.take_if(|(failed, _)| *failed <= priority);
            }
            Outcome::Failed(reason) if is_older(failure) && is_older(figures) => {
                self.failure = Some((priority, reason));
            }
            Outcome::Measured(_) | Outcome::Failed(_) => {}
        }
    }

    /// The priority of the figures, or of the failure where there are none.
    pub(crate) fn priority(&self) -> Priority {
        let figures = self.figures.as_ref().map(|(priority, _)| *priority);
        figures.or(self.failure.as_ref().map(|(priority, _)| *priority)).unwrap_or(Priority::FIRST)
    }

    /// The best figures, where there are any.
    pub(crate) fn measured(&self) -> Option<&Measured> {
        self.figures.as_ref().map(|(_, measured)| &**measured)
    }

    /// The best figures as they are shared, where there are any.
    pub(crate) fn shared(&self) -> Option<&Rc<Measured>> {
        self.figures.as_ref().map(|(_, measured)| measured)
    }

    /// Which priority failed here, and why; there may be figures of a lower one.
    pub(crate) fn failure(&self) -> Option<(Priority, &Failure)> {
        self.failure.as_ref().map(|(priority, failure)| (*priority, failure))
    }
}

impl PartialEq for Reading {
    /// Figures are the same where they were measured at once: comparing thousands of samples at each frame would cost
    /// more than drawing them.
    fn eq(&self, other: &Self) -> bool {
        let same_figures = match (&self.figures, &other.figures) {
            (Some((_, one)), Some((_, another))) => Rc::ptr_eq(one, another),
            (None, None) => true,
            _ => false,
        };
        self.x == other.x && same_figures && self.failure == other.failure
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{failed, measured};
    use super::*;

    fn priority(number: u8) -> Priority {
        Priority::try_from(number).expect("1 to 4")
    }

    fn reading(points: impl IntoIterator<Item = (u8, Point)>) -> Reading {
        let mut curve = Curve::default();
        points.into_iter().for_each(|(number, point)| curve.insert(priority(number), point));
        assert_eq!(curve.readings().len(), 1);
        curve.readings()[0].clone()
    }

    fn mean(reading: &Reading) -> Option<f64> {
        reading.measured().map(|measured| measured.summary.mean)
    }

    #[test]
    fn points_stand_by_rising_axis_value_and_the_lowest_priority_counts() {
        let mut curve = Curve::default();
        curve.insert(priority(2), measured(1.0, 20.0));
        curve.insert(priority(1), measured(0.5, 10.0));
        let kept: Vec<_> = curve.readings().iter().map(|reading| (reading.x, reading.priority())).collect();
        assert_eq!(kept, [(0.5, priority(1)), (1.0, priority(2))]);
        assert_eq!(curve.priority(), Some(priority(1)));
    }

    #[test]
    fn the_higher_priority_stays_whatever_comes_first() {
        for order in [[1, 2], [2, 1]] {
            let reading = reading(order.map(|number| (number, measured(1.0, f64::from(number)))));
            assert_eq!((mean(&reading), reading.priority()), (Some(2.0), priority(2)), "{order:?}");
        }
    }

    #[test]
    fn a_point_measured_again_replaces_the_one_before() {
        assert_eq!(mean(&reading([(1, measured(1.0, 5.0)), (1, measured(1.0, 6.0))])), Some(6.0));
        assert_eq!(mean(&reading([(1, failed(1.0)), (1, measured(1.0, 6.0))])), Some(6.0));
    }

    #[test]
    fn figures_stay_where_a_higher_priority_fails_whatever_comes_first() {
        for failure_first in [false, true] {
            let mut points = [(1, measured(1.0, 5.0)), (2, failed(1.0))];
            if failure_first {
                points.reverse();
            }
            let reading = reading(points);
            assert_eq!((mean(&reading), reading.priority()), (Some(5.0), priority(1)));
            assert_eq!(reading.failure().map(|(failed, _)| failed), Some(priority(2)));
        }
    }

    #[test]
    fn a_failure_is_forgotten_where_a_higher_priority_succeeds() {
        let reading = reading([(1, failed(1.0)), (2, measured(1.0, 5.0))]);
        assert_eq!((mean(&reading), reading.failure()), (Some(5.0), None));
    }

    #[test]
    fn a_failure_of_a_lower_priority_does_not_touch_figures() {
        let reading = reading([(2, measured(1.0, 5.0)), (1, failed(1.0))]);
        assert_eq!((mean(&reading), reading.failure()), (Some(5.0), None));
    }
}
