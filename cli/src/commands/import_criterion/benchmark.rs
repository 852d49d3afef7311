//! The benchmarks of a suite to which results of criterion belong.

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::catalog::{Function, Generator, Suite};
use benchbook_contract::parameter::{Argument, Arguments, Kind};
use benchbook_host::history::{Benchmark, CheckedMetric, CheckedPoint};

use super::saved::{SavedPoint, SavedRun};
use crate::arguments;

/// The name of the harness; also that of the suite and of the generator of results that belong to no function of the suites.
const NAME: &str = "criterion";

/// The name of the parameter of these, whose values are those of criterion's inputs.
const PARAMETER: &str = "value";

/// What criterion has measured, with its means.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ImportedBenchmark {
    pub(super) benchmark: Benchmark,
    pub(super) points: Vec<CheckedPoint>,
    /// Whether it is that of a function of the suites.
    pub(super) is_known: bool,
}

impl ImportedBenchmark {
    /// The benchmark of the only suite that has it. If no suite has it, or several do, a benchmark of a suite `criterion`, which consists of
    /// imported results only.
    pub(super) fn of(run: &SavedRun, suites: &[&Suite]) -> Self {
        let mut known = suites.iter().filter_map(|suite| Self::in_suite(run, suite));
        match (known.next(), known.next()) {
            (Some(only), None) => only,
            _ => Self::without_suite(run),
        }
    }

    /// The benchmark of a suite, with the arguments that a check measures by default.
    fn in_suite(run: &SavedRun, suite: &Suite) -> Option<Self> {
        let of_path = |path: &str| suite.function(path).and_then(|function| with_generator(suite, function));
        // A function with a single input has it in its name.
        let of_input = match run.points.as_slice() {
            [SavedPoint { input: Some(input), .. }] => of_path(&format!("{}/{input}", run.function)),
            _ => None,
        };
        let (function, generator, points) = match of_input {
            Some((function, generator)) if generator.parameters.is_empty() => {
                (function, generator, points(run, |_| Some(AxisValue::Absent))?)
            }
            _ => {
                let (function, generator) = of_path(&run.function)?;
                (function, generator, points(run, |input| axis_value_of(generator, input))?)
            }
        };
        let benchmark = Benchmark {
            suite: suite.name.clone(),
            function: function.path.clone(),
            generator: generator.path.clone(),
            arguments: arguments::arguments(generator, &[]).ok()?,
            inputs: String::new(),
            metric: CheckedMetric::Time,
            harness: Some(NAME.to_owned()),
        };
        Some(Self { benchmark, points, is_known: true })
    }

    fn without_suite(run: &SavedRun) -> Self {
        let inputs = || run.points.iter().filter_map(|point| point.input.as_deref());
        let are_numbers = inputs().all(|input| number(input).is_some());
        let axis_value = |input: Option<&str>| match input {
            None => AxisValue::Absent,
            Some(input) => number(input).filter(|_| are_numbers).map_or_else(|| input.into(), AxisValue::Number),
        };
        let points = points(run, |input| Some(axis_value(input))).unwrap_or_default();
        let values: Vec<AxisValue> = points.iter().map(|point| point.x.clone()).filter(|x| !x.is_absent()).collect();
        let mut arguments = Arguments::new();
        if !values.is_empty() {
            arguments.insert(PARAMETER.to_owned(), Argument::Values(values));
        }
        let benchmark = Benchmark {
            suite: NAME.to_owned(),
            function: run.function.clone(),
            generator: NAME.to_owned(),
            arguments,
            inputs: String::new(),
            metric: CheckedMetric::Time,
            harness: Some(NAME.to_owned()),
        };
        Self { benchmark, points, is_known: false }
    }
}

/// The function with its first generator, with which it is measured by default.
fn with_generator<'s>(suite: &'s Suite, function: &'s Function) -> Option<(&'s Function, &'s Generator)> {
    Some((function, suite.generator(function.generators.first()?)?))
}

/// The value of an input on the axis of a generator whose only parameter is the input; `None` if it has no such value.
fn axis_value_of(generator: &Generator, input: Option<&str>) -> Option<AxisValue> {
    let (parameter, input) = match (generator.parameters.as_slice(), input) {
        ([], None) => return Some(AxisValue::Absent),
        ([parameter], Some(input)) if generator.default_axis() == Some(parameter) => (parameter, input),
        _ => return None,
    };
    match &parameter.kind {
        Kind::Integer(_) | Kind::Float(_) => number(input).map(AxisValue::Number),
        Kind::Choice { options, .. } => options.iter().any(|option| option.name == input).then(|| input.into()),
        Kind::Text { .. } => None,
    }
}

/// The points of a run, in the order of their axis values; `None` if one has none. Criterion measures in a single process, so each has a
/// single mean.
fn points(run: &SavedRun, axis_value: impl Fn(Option<&str>) -> Option<AxisValue>) -> Option<Vec<CheckedPoint>> {
    let point = |SavedPoint { input, mean }: &SavedPoint| {
        Some(CheckedPoint { x: axis_value(input.as_deref())?, means: vec![*mean], ..CheckedPoint::default() })
    };
    let mut points = run.points.iter().map(point).collect::<Option<Vec<_>>>()?;
    points.sort_by(|one, other| one.x.total_cmp(&other.x));
    // Such as `1` and `1.0`.
    points.dedup_by(|one, other| one.x == other.x);
    Some(points)
}

/// A finite number; `None` for other texts.
fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use benchbook_contract::parameter::Range;
    use serde_json::{Value, json};

    use super::*;

    /// Functions whose generators have no parameter, a number, two numbers, and a choice that is varied or not.
    fn suite(name: &str) -> Suite {
        let function = |path: &str, generator: &str| json!({"path": path, "signature": path, "docs": "", "file": "", "line": 1, "generators": [generator]});
        let generator = |path: &str, parameters: &[Value]| json!({"path": path, "name": path, "docs": "", "mode": "shared", "parameters": parameters});
        let numbers = |name: &str| {
            json!({"name": name, "description": "", "type": "integer", "of": "u64", "min": 20, "max": 100, "step": 1,
                "values": [20, 100], "default": {"low": 20, "high": 100}, "scale": "linear", "axis": true})
        };
        let texts = |varied: bool| {
            json!({"name": "input0", "description": "", "type": "choice", "options": [{"name": "7"}, {"name": "big"}],
                "default": "7", "varied": varied})
        };
        serde_json::from_value(json!({
            "name": name, "version": "0.1.0",
            "build": {"rustc": "", "target": "", "opt_level": "3", "debug_assertions": false, "target_features": []},
            "functions": [
                function("chosen", "chosen"),
                function("maps::insert", "numbers"),
                function("one/5", "nothing"),
                function("single", "nothing"),
                function("texts", "texts"),
                function("two", "two"),
            ],
            "generators": [
                generator("chosen", &[texts(false)]),
                generator("nothing", &[]),
                generator("numbers", &[numbers("input0")]),
                generator("texts", &[texts(true)]),
                generator("two", &[numbers("input0"), numbers("input1")]),
            ],
        }))
        .expect("it is a suite")
    }

    fn run(function: &str, points: &[(Option<&str>, f64)]) -> SavedRun {
        let point = |(input, mean): &(Option<&str>, f64)| SavedPoint { input: input.map(str::to_owned), mean: *mean };
        SavedRun {
            function: function.to_owned(),
            baseline: "new".to_owned(),
            saved: 1.0,
            points: points.iter().map(point).collect(),
        }
    }

    /// The suite, the function and the points of the benchmark of a run.
    fn imported(run: &SavedRun, suites: &[&Suite]) -> (String, String, Vec<(AxisValue, f64)>) {
        let ImportedBenchmark { benchmark, points, .. } = ImportedBenchmark::of(run, suites);
        (benchmark.suite, benchmark.function, points.into_iter().map(|point| (point.x, point.means[0])).collect())
    }

    #[test]
    fn results_belong_to_the_function_with_their_path_and_inputs() {
        let suite = suite("demo");
        let number = AxisValue::Number;
        for (run, function, points) in [
            (run("single", &[(None, 3.0)]), "single", vec![(AxisValue::Absent, 3.0)]),
            (
                run("maps::insert", &[(Some("100"), 7.0), (Some("20"), 2.0)]),
                "maps::insert",
                vec![(number(20.0), 2.0), (number(100.0), 7.0)],
            ),
            (
                run("texts", &[(Some("7"), 6.0), (Some("big"), 5.0)]),
                "texts",
                vec![("7".into(), 6.0), ("big".into(), 5.0)],
            ),
            (run("one", &[(Some("5"), 1.0)]), "one/5", vec![(AxisValue::Absent, 1.0)]),
        ] {
            assert_eq!(imported(&run, &[&suite]), ("demo".to_owned(), function.to_owned(), points));
        }
        let ImportedBenchmark { benchmark, .. } =
            ImportedBenchmark::of(&run("maps::insert", &[(Some("20"), 2.0)]), &[&suite]);
        let range = Argument::Range(Range { low: 20.0, high: 100.0 });
        assert_eq!(benchmark.arguments, Arguments::from([("input0".to_owned(), range)]), "as a check measures it");
        assert_eq!((benchmark.generator.as_str(), benchmark.harness.as_deref()), ("numbers", Some(NAME)));
    }

    #[test]
    fn other_results_belong_to_a_suite_of_their_own() {
        let (suite, other) = (suite("demo"), suite("other"));
        for run in [
            run("unknown", &[(None, 3.0)]),
            run("single", &[(Some("1"), 3.0)]),
            run("maps::insert", &[(None, 3.0)]),
            run("maps::insert", &[(Some("few"), 3.0)]),
            run("texts", &[(Some("small"), 3.0)]),
            run("chosen", &[(Some("7"), 3.0), (Some("big"), 4.0)]),
            run("two", &[(Some("20"), 3.0)]),
        ] {
            assert_eq!(imported(&run, &[&suite]).0, NAME, "{run:?}");
        }
        assert_eq!(imported(&run("single", &[(None, 3.0)]), &[&suite, &other]).0, NAME, "two suites have it");
        let mixed = run("unknown", &[(Some("1"), 1.0), (Some("1.0"), 2.0), (Some("20"), 3.0)]);
        let points = vec![(AxisValue::Number(1.0), 1.0), (AxisValue::Number(20.0), 3.0)];
        assert_eq!(imported(&mixed, &[]).2, points);
        let benchmark = ImportedBenchmark::of(&run("texts", &[(Some("7"), 6.0), (Some("big"), 5.0)]), &[]).benchmark;
        let values = Argument::Values(vec!["7".into(), "big".into()]);
        assert_eq!(benchmark.arguments, Arguments::from([(PARAMETER.to_owned(), values)]));
    }
}
