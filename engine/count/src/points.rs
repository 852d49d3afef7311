//! Counts the points of a plan.

use std::time::Duration;

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::protocol::Open;
use benchbook_host::request::Plan;
use benchbook_host::response::{Outcome, Point, WasmCounts};
use benchbook_host::units::axis_value;

/// The longest time for a point.
pub const LIMIT: Duration = Duration::from_secs(10);

/// By how much a smaller size is smaller, if the smallest one takes too long.
const SMALLER: f64 = 8.0;

/// The slot of each workload: each instance has one.
const SLOT: u32 = 1;

/// Counts points of a plan, those of each function in ascending order. If one takes longer than [`LIMIT`], larger ones are not counted, and the
/// reason names a size that takes less.
///
/// It only decides what to count: its driver executes each [`CountStep::Count`] and passes the result to [`Self::observe`].
#[derive(Clone, Debug)]
pub struct PlanCounter {
    plan: Plan,
    /// The points that are left, the next one last: the index of its function in the request, and its axis value.
    points: Vec<(usize, AxisValue)>,
    /// The size that is tried instead of that of the next point, which took too long.
    smaller: Option<AxisValue>,
    /// The counts of the next point.
    counts: Option<WasmCounts>,
    /// The largest size of the function of the next point that took less than the limit.
    largest: Option<AxisValue>,
    /// The reason why larger sizes of that function are not counted.
    too_slow: Option<String>,
}

/// What a driver does next.
#[derive(Clone, Debug, PartialEq)]
pub enum CountStep {
    /// Counts the calls of the only function of a workload.
    Count(Open),
    /// Stores these counts.
    Counted(PointCounts),
}

/// The counts of a point.
#[derive(Clone, Debug, PartialEq)]
pub struct PointCounts {
    /// The function's path.
    pub function: String,
    /// The axis value.
    pub x: AxisValue,
    /// What its calls execute.
    pub counts: WasmCounts,
}

impl PointCounts {
    /// Adds the counts to their point, if it is one of these and was measured. Returns that point.
    pub fn add_to(self, points: &mut [Point]) -> Option<&Point> {
        let point = points.iter_mut().find(|point| point.function == self.function && point.x == self.x)?;
        let Outcome::Measured(measured) = &mut point.outcome else { return None };
        measured.wasm_instructions = Some(self.counts);
        Some(point)
    }
}

impl PlanCounter {
    /// `points`: the axis values of each function, by its index in the request.
    pub fn new(plan: Plan, points: impl IntoIterator<Item = (usize, Vec<AxisValue>)>) -> Self {
        let mut points: Vec<(usize, AxisValue)> =
            points.into_iter().flat_map(|(index, xs)| xs.into_iter().map(move |x| (index, x))).collect();
        points.sort_by(|(index, x), (other, other_x)| other.cmp(index).then_with(|| other_x.total_cmp(x)));
        Self { plan, points, smaller: None, counts: None, largest: None, too_slow: None }
    }

    /// Counts all points that were measured and have no counts.
    pub fn of_measured(plan: Plan, points: &[Point]) -> Self {
        let functions = plan.request().functions.clone();
        let of_function = |path: &String| {
            let own = points.iter().filter(|point| point.function == *path);
            own.filter(|point| point.measured().is_some_and(|measured| measured.wasm_instructions.is_none()))
                .map(|point| point.x.clone())
                .collect()
        };
        Self::new(plan, functions.iter().map(of_function).enumerate())
    }

    /// The number of points that are left.
    pub fn remaining(&self) -> usize {
        self.points.len()
    }

    /// The next step; `None` if nothing is left.
    pub fn step(&mut self) -> Option<CountStep> {
        let (index, x) = self.points.last()?.clone();
        let native = self.plan.native_reason(index).map(|reason| format!("it can't run in wasm: {}", reason.text()));
        let reason = native.or_else(|| self.too_slow.clone()).map(WasmCounts::Uncountable);
        let function = self.plan.request().functions[index].clone();
        let Some(counts) = self.counts.take().or(reason) else {
            let x = self.smaller.as_ref().unwrap_or(&x);
            return Some(CountStep::Count(self.plan.open(SLOT, vec![function], x)));
        };
        self.points.pop();
        if self.points.last().is_some_and(|(next, _)| *next != index) {
            (self.largest, self.too_slow) = (None, None);
        }
        Some(CountStep::Counted(PointCounts { function, x, counts }))
    }

    /// Continues after [`CountStep::Count`] with its result; `None` if it took longer than [`LIMIT`].
    pub fn observe(&mut self, counts: Option<WasmCounts>) {
        let Some((_, x)) = self.points.last() else { return };
        let tried = self.smaller.as_ref().unwrap_or(x);
        if matches!(counts, Some(WasmCounts::Counted(_) | WasmCounts::Varying { .. })) {
            self.largest = Some(tried.clone());
        }
        if self.smaller.is_none() && counts.is_some() {
            self.counts = counts;
            return;
        }
        self.smaller = if self.largest.is_none() { self.smaller_than(tried) } else { None };
        if self.smaller.is_none() {
            let reason = self.advice(x);
            // Texts have no order.
            self.too_slow = x.number().map(|_| reason.clone());
            self.counts = Some(WasmCounts::Uncountable(reason));
        }
    }

    /// A smaller size that the generator accepts.
    fn smaller_than(&self, x: &AxisValue) -> Option<AxisValue> {
        let (axis, x) = self.plan.axis().zip(x.number())?;
        let smaller = axis.parameter().numeric()?.snap(x / SMALLER);
        (smaller < x).then_some(AxisValue::Number(smaller))
    }

    fn advice(&self, x: &AxisValue) -> String {
        let seconds = LIMIT.as_secs();
        match &self.largest {
            Some(largest) if x.number().is_some() => {
                let (name, largest) = (self.plan.axis_name(), axis_value(largest));
                format!("counting would take over {seconds} s; {name} {largest} takes less")
            }
            _ => format!("counting would take over {seconds} s. Choose smaller inputs"),
        }
    }

    /// Counts all points. `count`: counts the calls of the only function of a workload; `None` if that takes longer than [`LIMIT`].
    pub fn run(mut self, mut count: impl FnMut(&Open) -> Option<WasmCounts>, mut on_counted: impl FnMut(PointCounts)) {
        while let Some(step) = self.step() {
            match step {
                CountStep::Count(open) => self.observe(count(&open)),
                CountStep::Counted(counts) => on_counted(counts),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use benchbook_contract::catalog::Suite;
    use benchbook_contract::parameter::Argument;
    use benchbook_host::analyze::stability::Stability;
    use benchbook_host::analyze::statistics::Summary;
    use benchbook_host::request::Request;
    use benchbook_host::response::{MeasuredPoint, WasmInstructions};
    use serde_json::json;

    use super::*;

    /// A plan with an axis from 8 to 1 000, and its measured points in another order.
    fn measured(is_native: bool) -> (Plan, Vec<Point>) {
        let suite: Suite = serde_json::from_value(json!({
            "name": "s", "version": "0.1.0",
            "build": {"rustc": "", "target": "", "opt_level": "3", "debug_assertions": false, "target_features": []},
            "functions": [{"path": "f", "signature": "", "docs": "", "file": "", "line": 1, "generators": ["g"], "native": is_native}],
            "generators": [{"path": "g", "name": "G", "docs": "", "mode": "fresh", "parameters": [
                {"name": "size", "description": "", "type": "integer", "of": "u32", "min": 1, "max": 1_000_000, "step": 1,
                    "default": 8, "scale": "linear", "axis": true}]}],
        }))
        .unwrap();
        let request: Request = serde_json::from_value(json!({
            "suite": "s", "functions": ["f"], "generator": "g", "arguments": {"size": {"low": 8, "high": 1_000}}, "priority": 1,
            "client": ""}))
        .unwrap();
        let summary = Summary {
            n: 1,
            blocks: 1,
            runs: 1,
            calls: 1,
            mean: 1.0,
            uninterrupted_mean: None,
            sd: 0.0,
            min: 1.0,
            max: 1.0,
            median: None,
            q1: None,
            q3: None,
            mean_interval: None,
            median_interval: None,
            relative_half_width: None,
            is_correlated: false,
            interval_doubtful: false,
            mild_outliers: 0,
            extreme_outliers: 0,
            stability: Stability::Unknown,
        };
        let point = |x: f64| Point {
            function: "f".to_owned(),
            x: AxisValue::Number(x),
            outcome: Outcome::Measured(Box::new(MeasuredPoint::new(summary.clone(), Vec::new()))),
        };
        (Plan::new(&suite, request).unwrap(), [1_000.0, 8.0, 64.0].map(point).to_vec())
    }

    /// Counts the points of a function whose counting takes too long from `too_long` on. Returns the counts in the order of the sizes, and
    /// the sizes that were tried.
    fn count(is_native: bool, too_long: f64) -> (Vec<WasmCounts>, Vec<f64>) {
        let (plan, mut points) = measured(is_native);
        let mut tried = Vec::new();
        let size = |open: &Open| match open.arguments["size"] {
            Argument::Number(size) => size,
            ref other => panic!("{other:?}"),
        };
        let count = |open: &Open| {
            tried.push(size(open));
            let counts = WasmInstructions { calls: 1, load: size(open) as i64, ..WasmInstructions::default() };
            (size(open) < too_long).then_some(WasmCounts::Counted(counts))
        };
        let counter = PlanCounter::of_measured(plan, &points);
        assert_eq!(counter.remaining(), 3);
        counter.run(count, |counted| _ = counted.add_to(&mut points));
        points.sort_by(|one, other| one.x.total_cmp(&other.x));
        (points.iter().map(|point| point.measured().unwrap().wasm_instructions.clone().unwrap()).collect(), tried)
    }

    fn loads(counts: &WasmCounts) -> Result<i64, &str> {
        match counts {
            WasmCounts::Counted(operators) => Ok(operators.load),
            WasmCounts::Uncountable(reason) => Err(reason),
            WasmCounts::Varying { .. } | WasmCounts::Failed(_) => panic!("it counts the same"),
        }
    }

    #[test]
    fn sizes_are_counted_in_ascending_order_up_to_one_that_takes_too_long() {
        let (counts, tried) = count(false, f64::INFINITY);
        assert_eq!(counts.iter().map(loads).collect::<Vec<_>>(), [Ok(8), Ok(64), Ok(1_000)]);
        assert_eq!(tried, [8.0, 64.0, 1_000.0]);
        let reason = "counting would take over 10 s; size 8 takes less";
        let (counts, tried) = count(false, 10.0);
        assert_eq!(counts.iter().map(loads).collect::<Vec<_>>(), [Ok(8), Err(reason), Err(reason)]);
        assert_eq!(tried, [8.0, 64.0]);
    }

    #[test]
    fn if_all_sizes_take_too_long_a_smaller_one_is_found() {
        let (counts, tried) = count(false, 2.0);
        assert_eq!(loads(&counts[0]), Err("counting would take over 10 s; size 1 takes less"));
        assert_eq!(tried, [8.0, 1.0]);
        let (counts, _) = count(false, 0.5);
        assert_eq!(loads(&counts[2]), Err("counting would take over 10 s. Choose smaller inputs"));
    }

    #[test]
    fn what_cannot_run_in_wasm_has_its_reason() {
        let (counts, tried) = count(true, f64::INFINITY);
        assert_eq!(loads(&counts[1]), Err("it can't run in wasm: its author declared it native"));
        assert!(tried.is_empty());
    }
}
