//! Accepted results in series: those of one measurement on one class of machines.

use std::rc::Rc;

use benchbook_contract::axis_value::AxisValue;
use statrs::statistics::Statistics;

use super::accepted::{AcceptedResult, Benchmark, axis_values};
use super::machine_class::MachineClass;
use crate::analyze::history::steps::HistoryStep;

/// The accepted results of a measurement on a class of machines. Results of different classes are never in one series.
#[derive(Clone, Debug, PartialEq)]
pub struct HistorySeries {
    /// The measurement.
    pub benchmark: Benchmark,
    /// The class of machines.
    pub machine: MachineClass,
    /// The results, the oldest first.
    pub results: Vec<Rc<AcceptedResult>>,
}

/// A result of a series at an axis value.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryPoint {
    /// The result.
    pub accepted: Rc<AcceptedResult>,
    /// The mean over the processes, in the unit of the metric per call.
    pub mean: f64,
    /// The standard deviation over the processes; absent for a single process.
    pub sd: Option<f64>,
    /// The step from the results before it to this one and those after it.
    pub step: Option<HistoryStep>,
}

impl HistorySeries {
    /// All series of these results, which are in the order of their times, in the order of their first results.
    pub fn all(results: impl IntoIterator<Item = Rc<AcceptedResult>>) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for accepted in results {
            let (benchmark, machine) = (&accepted.result.benchmark, &accepted.result.machine);
            match all.iter_mut().find(|series| series.benchmark == *benchmark && series.machine == *machine) {
                Some(series) => series.results.push(accepted),
                None => {
                    let (benchmark, machine) = (benchmark.clone(), machine.clone());
                    all.push(Self { benchmark, machine, results: vec![accepted] });
                }
            }
        }
        all
    }

    /// The axis values of any of the results, in their order.
    pub fn axis_values(&self) -> Vec<&AxisValue> {
        axis_values(self.results.iter().map(|accepted| &accepted.result))
    }

    /// The results that have means at an axis value, the oldest first, with the steps between them.
    pub fn at(&self, x: &AxisValue) -> Vec<HistoryPoint> {
        let point = |accepted: &Rc<AcceptedResult>| {
            let means = accepted.result.means_at(x).filter(|means| !means.is_empty())?;
            let sd = (means.len() > 1).then(|| means.std_dev());
            Some(HistoryPoint { accepted: Rc::clone(accepted), mean: means.mean(), sd, step: None })
        };
        let mut points: Vec<HistoryPoint> = self.results.iter().filter_map(point).collect();
        let means: Vec<f64> = points.iter().map(|point| point.mean).collect();
        for step in self.benchmark.metric.steps(&means) {
            points[step.index].step = Some(step);
        }
        points
    }

    /// The result with this identifier and the one before it.
    pub fn sides(&self, id: &str) -> Option<(&AcceptedResult, &AcceptedResult)> {
        self.results.windows(2).find_map(|pair| (pair[1].id() == id).then(|| (&*pair[0], &*pair[1])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::examples;
    use crate::history::{CheckedPoint, SidesPoint};

    /// The result of a day, at two sizes: 100 ns at 10, and a mean at 1 000.
    fn accepted(day: u32, mean: f64) -> AcceptedResult {
        let wobble = 1.0 + 0.001 * f64::from(day % 3);
        let point = |x, mean: f64| CheckedPoint {
            x: AxisValue::Number(x),
            means: [0.99, 1.01].map(|process| process * mean * wobble).to_vec(),
            ..CheckedPoint::default()
        };
        let mut accepted = examples::accepted();
        accepted.result.measured = f64::from(day) * 86_400.0;
        accepted.result.points = vec![point(10.0, 100.0), point(1_000.0, mean)];
        accepted
    }

    fn eight() -> HistorySeries {
        let results = (0..8).map(|day| Rc::new(accepted(day, if day < 4 { 2_000.0 } else { 3_000.0 })));
        let [series] = &HistorySeries::all(results)[..] else { panic!("one series") };
        series.clone()
    }

    #[test]
    fn a_step_is_found_at_its_axis_value_only() {
        let series = eight();
        assert_eq!(series.axis_values(), [&AxisValue::Number(10.0), &AxisValue::Number(1_000.0)]);
        let steps = |x: f64| {
            let points = series.at(&AxisValue::Number(x));
            points.iter().map(|point| point.step.map(|step| (step.change() * 10.0).round())).collect::<Vec<_>>()
        };
        assert_eq!(steps(10.0), [None; 8]);
        assert_eq!(steps(1_000.0), [None, None, None, None, Some(5.0), None, None, None]);
        assert_eq!(series.at(&AxisValue::Absent), []);
        let first = &series.at(&AxisValue::Number(10.0))[0];
        assert!((first.mean - 100.0).abs() < 1e-9 && first.sd.is_some_and(|sd| (sd - 2.0_f64.sqrt()).abs() < 1e-9));
    }

    #[test]
    fn both_sides_of_a_step_are_compared_at_each_axis_value() {
        let series = eight();
        let id = series.results[4].id();
        let (before, after) = series.sides(&id).expect("it has a result before it");
        let points = SidesPoint::all(before, after);
        let ratios: Vec<f64> = points.iter().map(|point| (point.ratio * 100.0).round()).collect();
        assert_eq!(ratios, [100.0, 150.0]);
        let interval = points[1].interval.expect("two processes each");
        assert!(interval.low < 1.5 && 1.5 < interval.high, "{interval:?}");
        assert_eq!(series.sides(&series.results[0].id()), None);
        assert_eq!(series.sides("unknown"), None);
        let mut single = after.clone();
        single.result.points[1].means.pop();
        assert_eq!(SidesPoint::all(before, &single)[1].interval, None);
    }

    #[test]
    fn other_machines_and_arguments_are_series_of_their_own() {
        let mut results = [accepted(0, 2_000.0), accepted(1, 2_000.0), accepted(2, 2_000.0), accepted(3, 2_000.0)];
        results[1].result.machine.cpu = Some("AMD EPYC 9R14".to_owned());
        "other".clone_into(&mut results[2].result.benchmark.inputs);
        let series = HistorySeries::all(results.map(Rc::new));
        assert_eq!(series.iter().map(|series| series.results.len()).collect::<Vec<_>>(), [2, 1, 1]);
    }
}
