//! Results for tests.

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::{Argument, Arguments, Range};
use benchbook_host::history::{
    Acceptance, AcceptedResult, Benchmark, BuildOrigin, CheckedMetric, CheckedPoint, CheckedResult, MachineClass,
    VERSION,
};

/// The result of a function without parameters.
pub(crate) fn single_result(function: &str, mean: f64) -> CheckedResult {
    let text = str::to_owned;
    CheckedResult {
        benchmark: Benchmark {
            suite: text("demo"),
            function: text(function),
            generator: text("keys"),
            arguments: Arguments::new(),
            inputs: text("ab"),
            metric: CheckedMetric::Time,
            harness: None,
        },
        machine: MachineClass {
            cpu: None,
            settings: Vec::new(),
            system: None,
            target: text("x86_64-unknown-linux-gnu"),
            runner: None,
            compiler: None,
        },
        build: BuildOrigin { fingerprint: text("cd"), commit: None, dirty: true, compiler: text("rustc 1.95.0") },
        measured: 1.0,
        points: vec![point(AxisValue::Absent, mean)],
    }
}

/// The result of a function at two sizes.
pub(crate) fn sized_result(function: &str, small: f64, large: f64) -> CheckedResult {
    let mut result = single_result(function, small);
    let size = Argument::Range(Range { low: 10.0, high: 1_000.0 });
    result.benchmark.arguments.insert("size".to_owned(), size);
    result.points = vec![point(10.0.into(), small), point(1_000.0.into(), large)];
    result
}

/// A point with four processes on a steady machine.
pub(crate) fn point(x: AxisValue, mean: f64) -> CheckedPoint {
    let means = [0.9998, 0.9999, 1.0001, 1.0002].map(|factor| factor * mean).to_vec();
    CheckedPoint { x, means, calls: None, kernel: vec![2_000.0; 4] }
}

/// The result as if it were measured on this day.
pub(crate) fn on_day(day: f64, result: CheckedResult) -> CheckedResult {
    CheckedResult { measured: day * 86_400.0, ..result }
}

pub(crate) fn accepted(result: CheckedResult) -> AcceptedResult {
    let accepted = Acceptance { by: "Ada".to_owned(), note: String::new() };
    AcceptedResult { benchbook_history: VERSION, accepted, result }
}
