//! A function's results: at each axis value, the figures of the highest priority that has any.

use std::rc::Rc;

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::axis::Axis;
use benchbook_host::messages::warnings::slow_first_factor;
use benchbook_host::quality::Priority;
use benchbook_host::response::{Failure, MeasuredPoint, Outcome, Point, Run};

/// The points of one function, in the order of the axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MeasuredCurve {
    readings: Vec<Reading>,
}

/// The results at one axis value.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    /// The axis value.
    pub(crate) x: AxisValue,
    /// The best figures and their priority; `None` if every attempt failed.
    figures: Option<(Priority, Rc<MeasuredPoint>)>,
    /// The failure of the highest attempted priority; `None` if it has figures.
    failure: Option<(Priority, Failure)>,
    /// The factor by which the mean of the first priority exceeded the next one; see [`slow_first_factor`].
    slow_first: Option<f64>,
}

impl MeasuredCurve {
    /// Inserts a point of a measurement with this axis. Only figures of the same or a higher priority replace figures; if a
    /// higher priority fails, the figures remain and the failure is stored as well.
    pub(crate) fn insert(&mut self, axis: Option<&Axis>, priority: Priority, point: Point) {
        let Point { x, outcome, .. } = point;
        let order = |other: &Reading| axis.map_or_else(|| other.x.total_cmp(&x), |axis| axis.compare(&other.x, &x));
        let index = self.readings.binary_search_by(order).unwrap_or_else(|index| {
            self.readings.insert(index, Reading { x, figures: None, failure: None, slow_first: None });
            index
        });
        self.readings[index].update(priority, outcome);
    }

    /// Adds the samples of a point that has figures.
    pub(crate) fn add_samples(&mut self, x: &AxisValue, runs: Vec<Run>) {
        let reading = self.readings.iter_mut().find(|reading| reading.x == *x);
        if let Some((_, measured)) = reading.and_then(|reading| reading.figures.as_mut()) {
            // A new allocation: components detect changed figures by identity.
            *measured = Rc::new(MeasuredPoint { runs, ..MeasuredPoint::clone(measured) });
        }
    }

    /// The results, in the order of the axis.
    pub(crate) fn readings(&self) -> &[Reading] {
        &self.readings
    }

    /// The lowest priority among the points, which limits the accuracy of the curve.
    pub(crate) fn priority(&self) -> Option<Priority> {
        self.readings.iter().map(Reading::priority).min()
    }
}

impl Reading {
    fn update(&mut self, priority: Priority, outcome: Outcome) {
        let is_replaced = |stored: Option<Priority>| stored.is_none_or(|stored| stored <= priority);
        let figures = self.figures.as_ref().map(|(priority, _)| *priority);
        let failure = self.failure.as_ref().map(|(priority, _)| *priority);
        match outcome {
            Outcome::Measured(measured) if is_replaced(figures) => {
                self.slow_first = match &self.figures {
                    Some((Priority::FIRST, first)) if priority > Priority::FIRST => slow_first_factor(first, &measured),
                    _ => self.slow_first,
                };
                self.figures = Some((priority, Rc::from(measured)));
                self.failure.take_if(|(failed, _)| *failed <= priority);
            }
            Outcome::Failed(reason) if is_replaced(failure) && is_replaced(figures) => {
                self.failure = Some((priority, reason));
            }
            Outcome::Measured(_) | Outcome::Failed(_) => {}
        }
    }

    /// The priority of the figures, or of the failure if there are none.
    pub(crate) fn priority(&self) -> Priority {
        let figures = self.figures.as_ref().map(|(priority, _)| *priority);
        figures.or(self.failure.as_ref().map(|(priority, _)| *priority)).unwrap_or(Priority::FIRST)
    }

    /// The best figures, if any.
    pub(crate) fn measured(&self) -> Option<&MeasuredPoint> {
        self.figures.as_ref().map(|(_, measured)| &**measured)
    }

    /// The shared allocation of the best figures, if any.
    pub(crate) fn shared(&self) -> Option<&Rc<MeasuredPoint>> {
        self.figures.as_ref().map(|(_, measured)| measured)
    }

    /// The factor by which the mean of the first priority exceeded the next one; `None` if the intervals overlap.
    pub(crate) fn slow_first(&self) -> Option<f64> {
        self.slow_first
    }

    /// The failed priority and the failure; there may be figures of a lower priority.
    pub(crate) fn failure(&self) -> Option<(Priority, &Failure)> {
        self.failure.as_ref().map(|(priority, failure)| (*priority, failure))
    }
}

impl PartialEq for Reading {
    /// Compares figures by identity: comparing thousands of samples for each frame would take longer than drawing them.
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
    use super::*;
    use crate::state::tests::points::{failed, measured};

    fn priority(number: u8) -> Priority {
        Priority::try_from(number).expect("1 to 4")
    }

    fn reading(points: impl IntoIterator<Item = (u8, Point)>) -> Reading {
        let mut curve = MeasuredCurve::default();
        points.into_iter().for_each(|(number, point)| curve.insert(None, priority(number), point));
        assert_eq!(curve.readings().len(), 1);
        curve.readings()[0].clone()
    }

    fn mean(reading: &Reading) -> Option<f64> {
        reading.measured().map(|measured| measured.summary.mean)
    }

    #[test]
    fn sorts_points_and_reports_the_lowest_priority() {
        let mut curve = MeasuredCurve::default();
        curve.insert(None, priority(2), measured(1.0, 20.0));
        curve.insert(None, priority(1), measured(0.5, 10.0));
        let readings: Vec<_> =
            curve.readings().iter().map(|reading| (reading.x.number(), reading.priority())).collect();
        assert_eq!(readings, [(Some(0.5), priority(1)), (Some(1.0), priority(2))]);
        assert_eq!(curve.priority(), Some(priority(1)));
    }

    #[test]
    fn retains_the_higher_priority_in_either_order() {
        for order in [[1, 2], [2, 1]] {
            let reading = reading(order.map(|number| (number, measured(1.0, f64::from(number)))));
            assert_eq!((mean(&reading), reading.priority()), (Some(2.0), priority(2)), "{order:?}");
        }
    }

    #[test]
    fn a_repeated_point_replaces_the_previous_one() {
        assert_eq!(mean(&reading([(1, measured(1.0, 5.0)), (1, measured(1.0, 6.0))])), Some(6.0));
        assert_eq!(mean(&reading([(1, failed(1.0)), (1, measured(1.0, 6.0))])), Some(6.0));
    }

    #[test]
    fn retains_figures_when_a_higher_priority_fails() {
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
    fn a_higher_priority_that_succeeds_clears_a_failure() {
        let reading = reading([(1, failed(1.0)), (2, measured(1.0, 5.0))]);
        assert_eq!((mean(&reading), reading.failure()), (Some(5.0), None));
    }

    #[test]
    fn ignores_a_failure_of_a_lower_priority() {
        let reading = reading([(2, measured(1.0, 5.0)), (1, failed(1.0))]);
        assert_eq!((mean(&reading), reading.failure()), (Some(5.0), None));
    }
}
