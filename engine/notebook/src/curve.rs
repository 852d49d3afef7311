//! A function's curve: at each axis value, the figures of the highest priority that has any.

use std::rc::Rc;

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::analyze::growth::GrowthPoint;
use benchbook_host::analyze::slow_first::slow_first_factor;
use benchbook_host::analyze::statistics::Summary;
use benchbook_host::axis::{Axis, Variation};
use benchbook_host::quality::Priority;
use benchbook_host::response::{Failure, MeasuredPoint, Outcome, Point, Run, WasmCounts};
use serde::{Deserialize, Serialize};

/// The points of one function, in the order of the axis.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MeasuredCurve {
    readings: Vec<Reading>,
}

/// The results at one axis value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// The axis value; absent if the measurement has no axis.
    #[serde(default, skip_serializing_if = "AxisValue::is_absent")]
    pub x: AxisValue,
    /// The best figures; `None` if every attempt failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    measured: Option<MeasuredAt>,
    /// The failure of the highest attempted priority; `None` if it has figures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failed: Option<FailedAt>,
    /// The factor by which the mean of the first priority exceeded the next one; see [`slow_first_factor`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    slow_first: Option<f64>,
}

/// Figures and their priority.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct MeasuredAt {
    priority: Priority,
    point: Rc<MeasuredPoint>,
}

/// A failure and its priority.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct FailedAt {
    priority: Priority,
    failure: Failure,
}

impl MeasuredCurve {
    /// Inserts a point of a measurement with this axis. Only figures of the same or a higher priority replace figures; if a
    /// higher priority fails, the figures remain and the failure is stored as well.
    pub fn insert(&mut self, axis: Option<&Axis>, priority: Priority, point: Point) {
        let Point { x, outcome, .. } = point;
        let order = |other: &Reading| axis.map_or_else(|| other.x.total_cmp(&x), |axis| axis.compare(&other.x, &x));
        let index = self.readings.binary_search_by(order).unwrap_or_else(|index| {
            self.readings.insert(index, Reading { x, measured: None, failed: None, slow_first: None });
            index
        });
        self.readings[index].update(priority, outcome);
    }

    /// Adds the samples of a point that has figures.
    pub fn add_samples(&mut self, x: &AxisValue, runs: Vec<Run>) {
        self.change(x, |point| MeasuredPoint { runs, ..point.clone() });
    }

    /// Adds the counts of a point that has figures.
    pub fn add_counts(&mut self, x: &AxisValue, counts: WasmCounts) {
        self.change(x, |point| MeasuredPoint { wasm_instructions: Some(counts), ..point.clone() });
    }

    fn change(&mut self, x: &AxisValue, change: impl FnOnce(&MeasuredPoint) -> MeasuredPoint) {
        let reading = self.readings.iter_mut().find(|reading| reading.x == *x);
        if let Some(measured) = reading.and_then(|reading| reading.measured.as_mut()) {
            // A new allocation: components detect changed figures by identity.
            measured.point = Rc::new(change(&measured.point));
        }
    }

    /// The results, in the order of the axis.
    pub fn readings(&self) -> &[Reading] {
        &self.readings
    }

    /// The figures from which the growth of the curve is determined: those of all points at numbers.
    pub fn growth_points(&self) -> Vec<GrowthPoint> {
        let point = |reading: &Reading| Some(reading.measured()?.growth_point(reading.x.number()?));
        self.readings.iter().filter_map(point).collect()
    }

    /// Whether at least one point has figures.
    pub fn has_figures(&self) -> bool {
        self.readings.iter().any(|reading| reading.measured.is_some())
    }

    /// Whether some figures come without the samples that they were computed from.
    pub fn lacks_samples(&self) -> bool {
        self.readings.iter().filter_map(Reading::measured).any(|measured| measured.runs.is_empty())
    }

    /// The curve without raw samples; the figures remain.
    pub fn without_samples(&self) -> Self {
        let mut curve = self.clone();
        for measured in curve.readings.iter_mut().filter_map(|reading| reading.measured.as_mut()) {
            measured.point = Rc::new(MeasuredPoint { runs: Vec::new(), ..MeasuredPoint::clone(&measured.point) });
        }
        curve
    }

    /// Checks the parts of points from a file that the types do not guarantee and that later code relies on.
    pub(crate) fn check(&self, axis: Option<&Axis>) -> Result<(), String> {
        self.readings.iter().enumerate().try_for_each(|(index, reading)| {
            if !is_on_axis(&reading.x, axis) {
                return Err(format!("the point at `{}` is not on the axis", reading.x));
            }
            if self.readings[..index].iter().any(|other| other.x == reading.x) {
                return Err(format!("two points are at `{}`", reading.x));
            }
            if reading.measured.is_none() && reading.failed.is_none() {
                return Err(format!("the point at `{}` has neither figures nor a failure", reading.x));
            }
            let check = |measured| check_runs(measured).and_then(|()| check_summary(&measured.summary));
            reading.measured().map_or(Ok(()), check).map_err(|reason| format!("the point at `{}`: {reason}", reading.x))
        })
    }

    /// Restores the order of the axis in a curve that was read from a file.
    pub(crate) fn sort(&mut self, axis: Option<&Axis>) {
        let order = |one: &Reading, other: &Reading| {
            axis.map_or_else(|| one.x.total_cmp(&other.x), |axis| axis.compare(&one.x, &other.x))
        };
        self.readings.sort_by(order);
    }

    /// The lowest priority among the points, which limits the accuracy of the curve.
    pub fn priority(&self) -> Option<Priority> {
        self.readings.iter().map(Reading::priority).min()
    }
}

impl Reading {
    fn update(&mut self, priority: Priority, outcome: Outcome) {
        let is_replaced = |stored: Option<Priority>| stored.is_none_or(|stored| stored <= priority);
        let measured = self.measured.as_ref().map(|measured| measured.priority);
        let failed = self.failed.as_ref().map(|failed| failed.priority);
        match outcome {
            Outcome::Measured(mut point) if is_replaced(measured) => {
                // They are those of the code and its inputs, which are the same at each priority.
                if point.wasm_instructions.is_none() {
                    point.wasm_instructions = self.measured().and_then(|measured| measured.wasm_instructions.clone());
                }
                self.slow_first = match &self.measured {
                    Some(first) if first.priority == Priority::FIRST && priority > Priority::FIRST => {
                        slow_first_factor(&first.point.summary, &point.summary)
                    }
                    _ => self.slow_first,
                };
                self.measured = Some(MeasuredAt { priority, point: Rc::from(point) });
                self.failed.take_if(|failed| failed.priority <= priority);
            }
            Outcome::Failed(failure) if is_replaced(failed) && is_replaced(measured) => {
                self.failed = Some(FailedAt { priority, failure });
            }
            Outcome::Measured(_) | Outcome::Failed(_) => {}
        }
    }

    /// The priority of the figures, or of the failure if every attempt failed.
    pub fn priority(&self) -> Priority {
        let measured = self.measured.as_ref().map(|measured| measured.priority);
        measured.or(self.failed.as_ref().map(|failed| failed.priority)).unwrap_or(Priority::FIRST)
    }

    /// The best figures, if any.
    pub fn measured(&self) -> Option<&MeasuredPoint> {
        self.measured.as_ref().map(|measured| &*measured.point)
    }

    /// The shared allocation of the best figures, if any.
    pub fn shared(&self) -> Option<&Rc<MeasuredPoint>> {
        self.measured.as_ref().map(|measured| &measured.point)
    }

    /// The factor by which the mean of the first priority exceeded the next one; `None` if the intervals overlap.
    pub fn slow_first(&self) -> Option<f64> {
        self.slow_first
    }

    /// The failed priority and the failure; there may be figures of a lower priority.
    pub fn failure(&self) -> Option<(Priority, &Failure)> {
        self.failed.as_ref().map(|failed| (failed.priority, &failed.failure))
    }
}

/// Whether the axis has a value: a number in a range, or a value of a list. Without an axis, the value is absent.
fn is_on_axis(x: &AxisValue, axis: Option<&Axis>) -> bool {
    match axis.map(Axis::variation) {
        Some(Variation::Range(_)) => x.number().is_some(),
        Some(Variation::Values(values)) => values.contains(x),
        None => x.is_absent(),
    }
}

/// The blocks of a run divide its counted samples.
fn check_runs(measured: &MeasuredPoint) -> Result<(), String> {
    measured.runs.iter().try_for_each(|run| {
        if run.calls == 0 {
            return Err("a batch has no calls".to_owned());
        }
        let counted = run.samples.iter().filter(|sample| !sample.warm_up).count() as u64;
        let in_blocks: u64 = run.blocks.iter().map(|&count| u64::from(count)).sum();
        if in_blocks == counted { Ok(()) } else { Err(format!("{counted} samples, but blocks of {in_blocks}")) }
    })
}

/// Checks that min ≤ q1 ≤ median ≤ q3 ≤ max, that the mean lies between them, and that sd ≥ 0. Times may be negative: the overhead
/// of the loop is subtracted from them.
fn check_summary(summary: &Summary) -> Result<(), String> {
    let Summary { min, q1, median, q3, max, mean, sd, .. } = *summary;
    let mut least = ("min", min);
    let ordered = [("q1", q1), ("median", median), ("q3", q3), ("max", Some(max))];
    for (name, value) in ordered.into_iter().filter_map(|(name, value)| Some((name, value?))) {
        if value < least.1 {
            return Err(format!("`{name}` ({value}) is less than `{}` ({})", least.0, least.1));
        }
        least = (name, value);
    }
    // The mean of equal samples may be rounded.
    let margin = 1e-9 * min.abs().max(max.abs());
    if !(min - margin..=max + margin).contains(&mean) {
        return Err(format!("the mean ({mean}) is not between `min` ({min}) and `max` ({max})"));
    }
    if sd < 0.0 { Err(format!("the standard deviation is negative: {sd}")) } else { Ok(()) }
}

impl PartialEq for MeasuredAt {
    /// Compares points by identity first: comparing thousands of equal samples for each frame would take longer than drawing
    /// them. Different points differ in their first figures already.
    fn eq(&self, other: &Self) -> bool {
        self.priority == other.priority && (Rc::ptr_eq(&self.point, &other.point) || self.point == other.point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{failed, measured};

    fn priority(number: u8) -> Priority {
        Priority::try_from(number).expect("1 to 4")
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

    /// Points are added to an axis value in this order. `None`: a failure.
    #[test]
    fn the_best_figures_of_an_axis_value_remain() {
        let table = [
            // The higher priority remains in either order, and a repeated point replaces the previous one.
            ([(1, Some(5.0)), (2, Some(6.0))], (6.0, 2, None)),
            ([(2, Some(6.0)), (1, Some(5.0))], (6.0, 2, None)),
            ([(1, Some(5.0)), (1, Some(6.0))], (6.0, 1, None)),
            ([(1, None), (1, Some(6.0))], (6.0, 1, None)),
            // Figures remain if a higher priority fails, and its success clears a failure.
            ([(1, Some(5.0)), (2, None)], (5.0, 1, Some(2))),
            ([(2, None), (1, Some(5.0))], (5.0, 1, Some(2))),
            ([(1, None), (2, Some(5.0))], (5.0, 2, None)),
            // A failure of a lower priority is ignored.
            ([(2, Some(5.0)), (1, None)], (5.0, 2, None)),
        ];
        for (points, (mean, best, failed_priority)) in table {
            let mut curve = MeasuredCurve::default();
            for (number, mean) in points {
                let point = mean.map_or_else(|| failed(1.0), |mean| measured(1.0, mean));
                curve.insert(None, priority(number), point);
            }
            let [reading] = curve.readings() else { panic!("one reading: {points:?}") };
            let found = (reading.measured().map(|measured| measured.summary.mean), reading.priority());
            assert_eq!(found, (Some(mean), priority(best)), "{points:?}");
            let failure = reading.failure().map(|(failed, _)| failed);
            assert_eq!(failure, failed_priority.map(priority), "{points:?}");
        }
    }
}
