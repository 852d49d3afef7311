//! Counts the points of a measurement.

use std::time::Duration;

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::protocol::Open;
use benchbook_host::request::Plan;
use benchbook_host::response::WasmCounts;
#[cfg(feature = "interpreter")]
use benchbook_host::response::{Outcome, Point};
use benchbook_host::units::axis_value;
#[cfg(feature = "interpreter")]
use futures_util::FutureExt;

/// The longest time for a point.
pub const LIMIT: Duration = Duration::from_secs(10);

/// By how much a smaller size is smaller, if the smallest one takes too long.
const SMALLER: f64 = 8.0;

/// The slot of each workload: each instance has one.
const SLOT: u32 = 1;

/// Adds the counts to all measured points of a plan, as [`count_function`] counts them. `progress`: called with the number of points that are
/// done after each.
#[cfg(feature = "interpreter")]
pub fn count_points(
    plan: &Plan,
    points: &mut [Point],
    mut count: impl FnMut(&Open) -> Option<WasmCounts>,
    mut progress: impl FnMut(usize),
) {
    let mut done = 0;
    for (index, path) in plan.request().functions.iter().enumerate() {
        let measured = |point: &&mut Point| point.function == *path && point.measured().is_some();
        let mut own: Vec<&mut Point> = points.iter_mut().filter(measured).collect();
        own.sort_by(|one, other| one.x.total_cmp(&other.x));
        let xs: Vec<AxisValue> = own.iter().map(|point| point.x.clone()).collect();
        let counts = count_function(plan, index, &xs, &mut count, || {
            done += 1;
            progress(done);
        });
        for (point, counts) in own.into_iter().zip(counts) {
            if let Outcome::Measured(measured) = &mut point.outcome {
                measured.wasm_instructions = Some(counts);
            }
        }
    }
}

/// Counts a function of a plan at these axis values, in ascending order, as a [`FunctionCounter`] does. `index`: that of the function in the
/// request. `progress`: called after each axis value.
#[cfg(feature = "interpreter")]
pub fn count_function(
    plan: &Plan,
    index: usize,
    xs: &[AxisValue],
    mut count: impl FnMut(&Open) -> Option<WasmCounts>,
    mut progress: impl FnMut(),
) -> Vec<WasmCounts> {
    let mut function = FunctionCounter::new(plan, index);
    let mut count = async |open: &Open| count(open);
    let count = |x| {
        let counts = function.count(x, &mut count).now_or_never().expect("it waits for nothing (this is a bug)");
        progress();
        counts
    };
    xs.iter().map(count).collect()
}

/// Counts a function of a plan at one axis value after the other, in ascending order. If one takes longer than [`LIMIT`], larger ones are not
/// counted, and the reason names one that takes less.
#[derive(Debug)]
pub struct FunctionCounter<'p> {
    plan: &'p Plan,
    /// Its index in the request.
    index: usize,
    /// The largest size that took less than the limit.
    largest: Option<AxisValue>,
    /// The reason why larger sizes are not counted.
    too_slow: Option<String>,
}

impl<'p> FunctionCounter<'p> {
    /// `index`: that of the function in the request.
    pub fn new(plan: &'p Plan, index: usize) -> Self {
        Self { plan, index, largest: None, too_slow: None }
    }

    /// Counts the calls at an axis value. `count`: counts the calls of the only function of a workload; `None` if that takes longer than [`LIMIT`].
    pub async fn count(
        &mut self,
        x: &AxisValue,
        count: &mut impl AsyncFnMut(&Open) -> Option<WasmCounts>,
    ) -> WasmCounts {
        if let Some(reason) = self.plan.native_reason(self.index) {
            return WasmCounts::Uncountable(format!("it can't run in wasm: {}", reason.text()));
        }
        if let Some(reason) = &self.too_slow {
            return WasmCounts::Uncountable(reason.clone());
        }
        let is_count = |counts: &WasmCounts| matches!(counts, WasmCounts::Counted(_) | WasmCounts::Varying { .. });
        if let Some(counts) = count(&self.open(x)).await {
            if is_count(&counts) {
                self.largest = Some(x.clone());
            }
            return counts;
        }
        let mut smaller = x.clone();
        while self.largest.is_none()
            && let Some(next) = self.smaller(&smaller)
        {
            if count(&self.open(&next)).await.is_some_and(|counts| is_count(&counts)) {
                self.largest = Some(next.clone());
            }
            smaller = next;
        }
        let reason = self.advice(x);
        // Texts have no order.
        self.too_slow = x.number().map(|_| reason.clone());
        WasmCounts::Uncountable(reason)
    }

    fn open(&self, x: &AxisValue) -> Open {
        self.plan.open(SLOT, vec![self.plan.request().functions[self.index].clone()], x)
    }

    /// A smaller size that the generator accepts.
    fn smaller(&self, x: &AxisValue) -> Option<AxisValue> {
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
        let (mut tried, mut progress) = (Vec::new(), Vec::new());
        let size = |open: &Open| match open.arguments["size"] {
            Argument::Number(size) => size,
            ref other => panic!("{other:?}"),
        };
        let count = |open: &Open| {
            tried.push(size(open));
            let counts = WasmInstructions { calls: 1, load: size(open) as i64, ..WasmInstructions::default() };
            (size(open) < too_long).then_some(WasmCounts::Counted(counts))
        };
        count_points(&plan, &mut points, count, |done| progress.push(done));
        assert_eq!(progress, [1, 2, 3]);
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
