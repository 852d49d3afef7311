//! Requests: every request that the controls can create is accepted, and all others are rejected with the exact
//! location.

use std::fs;
use std::path::Path;

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::catalog::{Function, Generator, Suite};
use benchbook_contract::parameter::{
    Argument, Arguments, ChoiceOption, Kind, Numeric, NumericDefault, Parameter, Range, Scale,
};
use benchbook_host::axis::Variation;
use benchbook_host::quality::{Priority, Qualities, Quality};
use benchbook_host::request::{MAX_TEXT, Plan, Request};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

fn parse<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("the test's own JSON is valid")
}

/// A generator with one parameter of each kind and two functions, and another generator with one function.
fn suite() -> Suite {
    let function = |path: &str, generator: &str| json!({"path": path, "signature": "", "docs": "", "file": "", "line": 1, "generators": [generator]});
    let number = |name: &str, kind: &str, min: f64, max: f64, step: Option<f64>, axis: bool| {
        json!({"name": name, "description": "", "type": kind, "of": "f64", "min": min, "max": max, "step": step,
            "default": min, "scale": "linear", "axis": axis})
    };
    let generator = |path: &str, parameters: Value| json!({"path": path, "name": "", "docs": "", "mode": "fresh", "parameters": parameters});
    parse(json!({
        "name": "demo", "version": "0.1.0",
        "build": {"rustc": "", "target": "", "opt_level": "3", "debug_assertions": false, "target_features": []},
        "functions": [function("sort", "keys"), function("search", "keys"), function("find", "text")],
        "generators": [
            generator("keys", json!([
                number("size", "integer", 100.0, 1_000.0, Some(100.0), true),
                number("share", "float", 0.1, 0.7, Some(0.1), true),
                number("center", "float", -1.0, 1.0, None, false),
                {"name": "spread", "description": "", "type": "choice", "default": "Random",
                    "options": [{"name": "Random"}, {"name": "Sorted"}]},
                {"name": "needle", "description": "", "type": "text", "default": ""},
            ])),
            generator("text", json!([number("length", "integer", 1.0, 9.0, Some(1.0), true)])),
        ],
    }))
}

fn request() -> Value {
    json!({
        "suite": "demo",
        "functions": ["sort"],
        "generator": "keys",
        "arguments": {"size": {"low": 100, "high": 1000}, "share": 0.3, "center": 0.25, "spread": "Random", "needle": "x"},
        "priority": 1,
        "client": "tab",
    })
}

/// The request with `change` merged into it by RFC 7396: `null` removes a field.
fn changed(change: &Value) -> Value {
    fn merge(target: &mut Value, change: &Value) {
        match (target, change) {
            (Value::Object(target), Value::Object(changes)) => {
                for (name, change) in changes {
                    if change.is_null() {
                        target.remove(name);
                    } else {
                        merge(target.entry(name).or_insert(Value::Null), change);
                    }
                }
            }
            (target, change) => *target = change.clone(),
        }
    }
    let mut request = request();
    merge(&mut request, change);
    request
}

fn plan(change: &Value) -> Result<Plan, Vec<String>> {
    Plan::new(&suite(), parse(changed(change))).map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

#[test]
fn valid_request_becomes_a_complete_plan() {
    let plan = plan(&json!({})).expect("the request is valid");
    let axis = plan.axis().expect("the size is a range");
    assert_eq!(axis.parameter().name, "size");
    assert_eq!(*axis.variation(), Variation::Range(Range { low: 100.0, high: 1_000.0 }));
    assert_eq!(plan.request().functions, ["sort"]);
}

#[test]
fn other_valid_requests_are_accepted() {
    for change in [
        json!({"functions": ["search", "sort"]}),
        json!({"arguments": {"size": 500, "share": {"low": 0.1, "high": 0.7}}}),
        json!({"arguments": {"size": {"low": 300, "high": 400}}}),
        json!({"arguments": {"size": {"low": 300, "high": 300}}}),
        json!({"arguments": {"size": 300}}),
        json!({"arguments": {"size": [300]}}),
        json!({"arguments": {"size": [300, 1000, 100]}}),
        json!({"arguments": {"size": 300, "spread": ["Sorted", "Random"]}}),
        json!({"arguments": {"size": 300, "needle": ["a", "", "b"]}}),
        json!({"arguments": {"share": 0.7}}),
        json!({"arguments": {"share": 0.30000000000000004}}),
        json!({"arguments": {"center": -1}}),
        json!({"arguments": {"needle": ""}}),
        json!({"arguments": {"needle": "ü".repeat(MAX_TEXT)}}),
        json!({"priority": 4}),
        json!({"seed": 0}),
        json!({"seed": 9_007_199_254_740_991_u64}),
        json!({"also_at": []}),
        json!({"also_at": [100, 900, 1000]}),
        json!({"fresh": true}),
        json!({"fresh": false}),
    ] {
        assert!(plan(&change).is_ok(), "{change}: {:?}", plan(&change));
    }
}

/// A change that makes the request invalid, and its problems in the order of the request.
#[derive(Serialize, Deserialize)]
struct RejectedRequest {
    change: Value,
    problems: Vec<String>,
}

/// `BENCHBOOK_BLESS=1` rewrites the problems.
#[test]
fn invalid_requests_are_rejected_with_all_their_problems() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/rejected_requests.ndjson");
    let golden = fs::read_to_string(&path).expect("the golden file is committed next to the test");
    let is_blessed = std::env::var_os("BENCHBOOK_BLESS").is_some();
    let mut blessed = String::new();
    for line in golden.lines() {
        let RejectedRequest { change, problems: expected } = serde_json::from_str(line).expect(line);
        let problems = plan(&change).expect_err(line);
        assert!(is_blessed || problems == expected, "{line}\n{problems:#?}");
        blessed += &(serde_json::to_string(&RejectedRequest { change, problems }).expect("it serializes") + "\n");
    }
    if is_blessed {
        fs::write(&path, blessed).expect("the folder exists");
    }
}

#[test]
fn long_texts_and_lists_are_rejected() {
    assert!(plan(&json!({"client": "ü".repeat(100)})).is_ok());
    for (change, expected) in [
        (json!({"client": "ü".repeat(101)}), "client: expected at most 100 characters"),
        (
            json!({"arguments": {"size": (0..1_001).collect::<Vec<u32>>()}}),
            "arguments.size: expected 1 to 1000 values, not 1001",
        ),
        (
            json!({"arguments": {"needle": "x".repeat(MAX_TEXT + 1)}}),
            "arguments.needle: expected at most 10000 characters, not 10001",
        ),
        (
            json!({"arguments": {"size": 100, "needle": ["a".repeat(500), "b".repeat(501)]}}),
            "arguments.needle[1]: expected at most 500 characters, not 501",
        ),
        (
            json!({"arguments": {"center": 1e300}}),
            format!("arguments.center: expected -1 to 1, not 1{}", "0".repeat(300)).as_str(),
        ),
    ] {
        assert_eq!(plan(&change).expect_err(expected), [expected]);
    }
}

#[test]
fn a_list_is_measured_at_all_values_in_the_order_of_the_axis() {
    let values = |change: Value| plan(&change).expect("the request is valid").axis_values(2);
    let numbers: Vec<AxisValue> = [100.0, 300.0, 1_000.0].map(AxisValue::Number).into();
    assert_eq!(values(json!({"arguments": {"size": [300, 1000, 100]}})), numbers);
    let texts: Vec<AxisValue> = ["b", "", "a"].map(AxisValue::from).into();
    assert_eq!(values(json!({"arguments": {"size": 300, "needle": ["b", "", "a"]}})), texts);
    assert_eq!(values(json!({"arguments": {"size": {"low": 300, "high": 300}}})), [AxisValue::Number(300.0)]);
    assert_eq!(values(json!({"arguments": {"size": 300}})), [AxisValue::Absent]);
}

#[test]
fn a_range_can_be_measured_at_further_values() {
    let values = |change: Value, count| {
        let values = plan(&change).expect("the request is valid").axis_values(count);
        values.iter().filter_map(AxisValue::number).collect::<Vec<f64>>()
    };
    assert_eq!(values(json!({"also_at": [900, 200]}), 3), [100.0, 200.0, 600.0, 900.0, 1_000.0]);
    assert_eq!(values(json!({"also_at": [600, 100, 600]}), 3), [100.0, 600.0, 1_000.0], "each once");
    // Equal but for rounding.
    let share =
        json!({"arguments": {"size": 100, "share": {"low": 0.1, "high": 0.7}}, "also_at": [0.30000000000000004]});
    assert_eq!(values(share, 7), [0.1, 0.3, 0.4, 0.6, 0.7]);
}

#[test]
fn further_values_change_neither_the_work_nor_its_seed() {
    let [without, with] = [json!([]), json!([200])].map(|values| plan(&json!({"also_at": values})).expect("valid"));
    assert!(without.request() != with.request() && without.request().is_of_same_work(with.request()));
    assert_eq!(without.seed(), with.seed());
    let written = |plan: &Plan| serde_json::to_string(plan.request()).expect("a request serializes to JSON");
    assert!(!written(&without).contains("also_at") && written(&with).contains(r#""also_at":[200]"#));
}

#[test]
fn each_point_has_one_value_for_each_parameter() {
    let spread = |change: Value, x: AxisValue| plan(&change).expect("the request is valid").arguments_at(&x);
    let arguments = spread(json!({"arguments": {"size": 300, "spread": ["Sorted", "Random"]}}), "Sorted".into());
    assert_eq!(arguments["spread"], Argument::Text("Sorted".to_owned()));
    let arguments = spread(json!({"arguments": {"size": [100, 300]}}), 300.0.into());
    assert_eq!(arguments["size"], Argument::Number(300.0));
    let arguments = spread(json!({"arguments": {"size": 300}}), AxisValue::Absent);
    assert_eq!(arguments["size"], Argument::Number(300.0));
}

#[test]
fn a_generator_without_parameters_takes_no_arguments() {
    let mut suite = suite();
    suite.generators[1].parameters.clear();
    let with = |arguments: Value| {
        let mut request = request();
        request["generator"] = json!("text");
        request["functions"] = json!(["find"]);
        request["arguments"] = arguments;
        Plan::new(&suite, parse(request))
    };
    let plan = with(json!({})).expect("the request is valid");
    assert_eq!((plan.axis_values(33), plan.axis_name()), (vec![AxisValue::Absent], ""));
    let problems = with(json!({"length": 3})).expect_err("there is no such parameter");
    assert_eq!(problems[0].to_string(), "arguments.length: unknown parameter: `text` has none");
}

#[test]
fn only_requests_that_need_them_contain_the_flags() {
    for flag in ["fresh", "first_calls"] {
        let contains = |value: bool| {
            let request: Request = parse(changed(&json!({flag: value})));
            assert_eq!(if flag == "fresh" { request.fresh } else { request.first_calls }, value);
            serde_json::to_string(&request).expect("a request serializes to JSON").contains(flag)
        };
        assert!(contains(true) && !contains(false), "{flag}");
    }
}

/// JSON Schema counts them as integers.
#[test]
fn integers_may_have_a_fraction_of_zero() {
    let plan = plan(&json!({"seed": 4811.0, "priority": 2.0})).expect("the request is valid");
    assert_eq!((plan.seed(), plan.request().priority.number()), (4_811, 2));
    // A response contains them without the fraction.
    let written = serde_json::to_value(plan.request()).expect("a request serializes to JSON");
    assert_eq!((written["seed"].to_string(), written["priority"].to_string()), ("4811".to_owned(), "2".to_owned()));
}

#[test]
fn request_overrides_the_quality_of_its_priority() {
    let qualities = Qualities::default();
    let usual = qualities.of(Priority::FIRST);
    for (change, precision, point_ms) in [
        (json!({}), usual.precision, usual.point_ms),
        (json!({"precision": 0.005}), 0.005, usual.point_ms),
        (json!({"point_ms": 20_000}), usual.precision, 20_000.0),
        (json!({"precision": 1.0, "point_ms": 3_600_000}), 1.0, 3_600_000.0),
    ] {
        let quality = plan(&change).expect("the request is valid").quality(&qualities);
        assert_eq!(quality, Quality { precision, point_ms, ..usual.clone() }, "{change}");
    }
}

/// Includes numbers that Rust can represent but JSON cannot.
#[test]
fn non_finite_numbers_are_rejected() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for (name, argument, location) in [
            ("share", Argument::Number(value), "arguments.share"),
            ("center", Argument::Number(value), "arguments.center"),
            ("size", Argument::Range(Range { low: value, high: 500.0 }), "arguments.size.low"),
            ("size", Argument::Range(Range { low: 100.0, high: value }), "arguments.size.high"),
        ] {
            let mut request: Request = parse(request());
            request.arguments.insert(name.to_owned(), argument);
            let problems = Plan::new(&suite(), request).expect_err("it should be rejected");
            assert_eq!(problems[0].location, location, "{value}");
        }
    }
}

#[test]
fn malformed_requests_are_rejected() {
    for (change, expected) in [
        (json!({"priority": 0}), "expected a priority from 1 to 4, not 0"),
        (json!({"priority": 5}), "expected a priority from 1 to 4, not 5"),
        (json!({"priority": "high"}), "invalid type: string \"high\""),
        (json!({"client": null}), "missing field `client`"),
        (json!({"argument": {}}), "unknown field `argument`"),
        (json!({"priority": 1.5}), "expected a priority from 1 to 4, not 1.5"),
        (json!({"seed": -1}), "expected an integer of at least 0 as the seed, not -1"),
        (json!({"seed": 0.5}), "expected an integer of at least 0 as the seed, not 0.5"),
        (json!({"seed": "7"}), "invalid type: string \"7\""),
        (json!({"arguments": {"size": [100, {"low": 1, "high": 2}]}}), "expected only numbers or texts in a list"),
    ] {
        let error = serde_json::from_value::<Request>(changed(&change)).expect_err("it should be rejected").to_string();
        assert!(error.contains(expected), "{change}: {error}");
    }
}

#[test]
fn seed_depends_only_on_generator_and_arguments() {
    let seed = |change: Value| plan(&change).expect("the request is valid").seed();
    let seed_of_all = seed(json!({}));
    // Future results are compared with today's, so the derived seed must never change.
    assert_eq!(seed_of_all, 7_670_248_626_203_629);
    for same in [
        json!({"functions": ["search"]}),
        json!({"functions": ["search", "sort"]}),
        json!({"priority": 3}),
        json!({"client": "another"}),
        json!({"arguments": {"size": {"low": 100.0, "high": 1000.0}}}),
        // Points of overlapping ranges share their inputs.
        json!({"arguments": {"size": {"low": 100, "high": 900}}}),
        json!({"arguments": {"size": [100, 500]}}),
    ] {
        assert_eq!(seed(same.clone()), seed_of_all, "{same}");
    }
    for other in [
        json!({"arguments": {"size": 100, "share": {"low": 0.1, "high": 0.5}}}),
        json!({"arguments": {"share": 0.4}}),
        json!({"arguments": {"spread": "Sorted"}}),
        json!({"arguments": {"needle": "y"}}),
        json!({"generator": "text", "functions": ["find"], "arguments":
            {"length": {"low": 1, "high": 9}, "size": null, "share": null, "center": null, "spread": null, "needle": null}}),
    ] {
        assert_ne!(seed(other.clone()), seed_of_all, "{other}");
    }
    assert_eq!(seed(json!({"seed": 7})), 7);
}

// Requests that the controls can create.

fn numeric(min: f64, max: f64, step: Option<f64>, default: NumericDefault) -> Numeric {
    let scale = if min > 0.0 { Scale::Log } else { Scale::Linear };
    Numeric { of: "f64".to_owned(), min, max, step, values: Vec::new(), default, unit: None, scale, axis: true }
}

/// Bounds and a step: integers up to the maximum, decimal fractions, and continuous values.
fn grids() -> impl Strategy<Value = (f64, f64, Option<f64>)> {
    let whole = (
        prop_oneof![-1_000_000_i64..1_000_000, Just(0), Just(-(1 << 53))],
        prop_oneof![1_i64..20, 1_i64..1_000_000, Just(1 << 53)],
        prop_oneof![Just(1_i64), 1_i64..1_000],
    )
        .prop_map(|(min, width, step)| {
            let max = (min + width.max(step)).min(1 << 53);
            (min as f64, max as f64, Some(step as f64))
        });
    let decimal =
        (-1_000_i32..1_000, 1_u32..100_000, prop_oneof![Just(0.1), Just(0.01), Just(0.001), Just(0.3)], any::<bool>())
            .prop_map(|(first, steps, step, beyond)| {
                let min = f64::from(first) * step;
                // The maximum need not be on the grid.
                (min, min + (f64::from(steps) + if beyond { 0.5 } else { 0.0 }) * step, Some(step))
            });
    let any = (-1e9..1e9_f64, 1e-3..1e9_f64).prop_map(|(min, width)| (min, min + width, None));
    prop_oneof![whole, decimal, any]
}

fn numerics() -> impl Strategy<Value = Numeric> {
    prop_oneof![4 => on_grids(), 1 => listed()]
}

/// Numbers of which only some values are valid.
fn listed() -> impl Strategy<Value = Numeric> {
    prop::collection::btree_set(-1_000_i32..1_000, 2..20).prop_map(|values| {
        let values: Vec<f64> = values.into_iter().map(f64::from).collect();
        let (min, max) = (values[0], values[values.len() - 1]);
        Numeric { values, ..numeric(min, max, Some(1.0), NumericDefault::Value(min)) }
    })
}

fn on_grids() -> impl Strategy<Value = Numeric> {
    (grids(), 0.0..=1.0_f64, 0.0..=1.0_f64).prop_map(|((min, max, step), one, other)| {
        let bare = numeric(min, max, step, NumericDefault::Value(min));
        let at = |part: f64| bare.snap(min + part * (max - min));
        let (low, high) = (at(one.min(other)), at(one.max(other)));
        let default = if low < high { NumericDefault::Range(Range { low, high }) } else { NumericDefault::Value(low) };
        numeric(min, max, step, default)
    })
}

fn parameters() -> impl Strategy<Value = Parameter> {
    let kind = prop_oneof![
        numerics().prop_map(|numeric| if numeric.step == Some(1.0) {
            Kind::Integer(numeric)
        } else {
            Kind::Float(numeric)
        }),
        (1_usize..5, any::<prop::sample::Index>(), any::<bool>()).prop_map(|(count, default, varied)| {
            let option = |index| ChoiceOption { name: format!("Option{index}"), description: String::new() };
            Kind::Choice {
                options: (0..count).map(option).collect(),
                default: format!("Option{}", default.index(count)),
                varied,
            }
        }),
        ".{0,20}".prop_map(|default| Kind::Text { default }),
    ];
    kind.prop_map(|kind| Parameter { name: String::new(), description: String::new(), kind })
}

/// A numeric parameter that may be the axis, and other parameters.
fn parameter_lists() -> impl Strategy<Value = Vec<Parameter>> {
    (numerics(), prop::collection::vec(parameters(), 0..4)).prop_map(|(axis, others)| {
        let axis = Parameter { name: String::new(), description: String::new(), kind: Kind::Float(axis) };
        let name = |(index, parameter)| Parameter { name: format!("p{index}"), ..parameter };
        [axis].into_iter().chain(others).enumerate().map(name).collect()
    })
}

fn accepts(parameters: &[Parameter], arguments: Arguments) -> Result<Plan, String> {
    let function = Function { path: "f".to_owned(), generators: vec!["g".to_owned()], ..suite().functions[0].clone() };
    let generator =
        Generator { path: "g".to_owned(), parameters: parameters.to_vec(), ..suite().generators[0].clone() };
    let suite = Suite { functions: vec![function], generators: vec![generator], ..suite() };
    let request = Request { functions: vec!["f".to_owned()], generator: "g".to_owned(), arguments, ..parse(request()) };
    // The request is sent as JSON.
    let sent = serde_json::to_string(&request).map_err(|error| error.to_string())?;
    let received = serde_json::from_str(&sent).map_err(|error| error.to_string())?;
    Plan::new(&suite, received).map_err(|problems| format!("{problems:?}"))
}

proptest! {
    #[test]
    fn every_default_makes_a_plan(parameters in parameter_lists()) {
        for axis in parameters.iter().filter(|parameter| !matches!(parameter.kind, Kind::Text { .. })) {
            let argument = |parameter: &Parameter| parameter.default_argument(parameter.name == axis.name);
            let arguments = parameters.iter().map(|parameter| (parameter.name.clone(), argument(parameter))).collect();
            let plan = accepts(&parameters, arguments).map_err(TestCaseError::fail)?;
            prop_assert_eq!(plan.axis_name(), &axis.name);
        }
    }

    #[test]
    fn every_snapped_value_makes_a_plan(numeric in numerics(), one in -0.1..1.1_f64, other in -0.1..1.1_f64) {
        let at = |part: f64| numeric.snap(numeric.min + part * (numeric.max - numeric.min));
        let (low, high) = (at(one.min(other)), at(one.max(other)));
        let fixed = Parameter { name: "fixed".to_owned(), description: String::new(), kind: Kind::Float(numeric.clone()) };
        let axis = Parameter { name: "axis".to_owned(), ..fixed.clone() };
        let arguments = [
            ("fixed".to_owned(), Argument::Number(low)),
            ("axis".to_owned(), Argument::Range(Range { low, high })),
        ];
        let plan = accepts(&[fixed, axis], arguments.into());
        prop_assert!(plan.is_ok(), "{plan:?}");
    }

    #[test]
    fn snapping_yields_the_nearest_grid_point_and_is_idempotent(numeric in on_grids(), part in -0.1..1.1_f64) {
        let value = numeric.min + part * (numeric.max - numeric.min);
        let snapped = numeric.snap(value);
        prop_assert!(numeric.contains(snapped), "{snapped}");
        prop_assert_eq!(numeric.snap(snapped), snapped);
        let inside = value.clamp(numeric.min, numeric.max);
        // The last grid point may be below the maximum.
        let reach = numeric.step.map_or(0.0, |step| if inside > numeric.max - step { step } else { step / 2.0 });
        let rounding = 4.0 * f64::EPSILON * numeric.max.abs().max(numeric.min.abs());
        prop_assert!((snapped - inside).abs() <= reach + rounding, "{snapped} for {inside}");
    }

    #[test]
    fn decimal_fractions_on_the_grid_are_valid_as_written(first in 0_u32..1_000, steps in 1_u32..2_000_000_000, part in 0.0..1.0_f64, digits in 1_usize..4) {
        let step = 0.1_f64.powi(digits as i32);
        let written = |index: u64| format!("{:.digits$}", index as f64 / 10_f64.powi(digits as i32)).parse::<f64>();
        let at = |index: u64| written(index).map_err(|error| TestCaseError::fail(error.to_string()));
        let step = format!("{step:.digits$}").parse::<f64>().map_err(|error| TestCaseError::fail(error.to_string()))?;
        let (first, last) = (u64::from(first), u64::from(first) + u64::from(steps));
        let numeric = numeric(at(first)?, at(last)?, Some(step), NumericDefault::Value(at(first)?));
        let value = at(first + (part * f64::from(steps)) as u64)?;
        prop_assert!(numeric.contains(value), "{value} among {} + j·{step}", numeric.min);
        prop_assert!(numeric.contains(numeric.max));
        prop_assert!(!numeric.contains(value + step / 3.0) && !numeric.contains(value - step / 3.0));
    }
}
