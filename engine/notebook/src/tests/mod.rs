//! Tests of the model, and notebooks and results for them.

mod edits;
mod files;
#[cfg(feature = "links")]
mod links;
mod own_notebooks;
mod reader_results;
mod schema;
mod stored;
mod strategies;

use std::rc::Rc;

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::catalog::Generator;
use benchbook_contract::parameter::{Argument, Range};
use benchbook_host::analyze::blocks::RunTimes;
use benchbook_host::analyze::stability::Stability;
use benchbook_host::analyze::statistics::{Basis, summarize};
use benchbook_host::quality::Priority;
use benchbook_host::request::Request;
use benchbook_host::response::{
    ClockCard, Failure, FailureKind, Machine, MachineKind, MeasuredPoint, Outcome, Point, Run, Sample, SuiteCard,
};
use serde_json::json;

use crate::cell::{Cell, CellContent, MeasurementCell};
use crate::edit::Edit;
use crate::id::Id;
use crate::measuring_options::MeasuringOptions;
use crate::notebook::Notebook;
use crate::ranking::ranking;
use crate::result::CellResult;
use crate::result_setup::ResultSetup;
use crate::setup::CellSetup;
use crate::trace::Trace;

/// A failed point of `sort`.
pub(crate) fn failed(x: f64) -> Point {
    let failure = Failure { kind: FailureKind::Panic, reason: "it panicked".to_owned() };
    Point { function: "sort".to_owned(), x: x.into(), outcome: Outcome::Failed(failure) }
}

/// A point of `sort` without samples.
pub(crate) fn measured(x: f64, mean: f64) -> Point {
    with_samples(x, &[mean], false)
}

/// A point of `sort` from samples of one call each, in nanoseconds.
fn with_samples(x: f64, times: &[f64], keeps_samples: bool) -> Point {
    // Blocks of one sample, except for a handful of samples.
    let blocks = if times.len() < 6 { vec![times.len() as u32] } else { vec![1; times.len()] };
    let runs = [RunTimes::without_overhead(times, &blocks)];
    let summary = summarize(&Basis::of(&runs, times.len() as u64)).expect("there is a sample");
    let samples = times.iter().map(|&elapsed| Sample { elapsed, ..Sample::default() }).collect();
    let run = Run::of_single_calls(samples, blocks, Stability::Settled);
    let runs = if keeps_samples { vec![run] } else { Vec::new() };
    let measured = MeasuredPoint::new(summary, runs);
    Point { function: "sort".to_owned(), x: x.into(), outcome: Outcome::Measured(Box::new(measured)) }
}

fn id(number: u64) -> Id {
    Id::from_random(number)
}

fn text_cell(number: u64, text: &str) -> Rc<Cell> {
    Rc::new(Cell { id: id(number), is_collapsed: false, content: CellContent::Text(text.to_owned()) })
}

fn measurement_cell(number: u64, measurement: MeasurementCell) -> Rc<Cell> {
    Rc::new(Cell { id: id(number), is_collapsed: false, content: CellContent::Measurement(Box::new(measurement)) })
}

/// The contents of the cells.
fn texts(notebook: &Notebook) -> Vec<&str> {
    let texts = notebook.cells.iter().map(|cell| match &cell.content {
        CellContent::Text(text) => text.as_str(),
        CellContent::Measurement(_) => "a measurement",
    });
    texts.collect()
}

fn set_text(number: u64, text: &str) -> Edit {
    Edit::SetText { cell: id(number), text: text.to_owned() }
}

fn setup() -> CellSetup {
    CellSetup { suite: "demo".to_owned(), functions: vec!["sort".to_owned()], ..CellSetup::default() }
}

/// Another setup of the same function.
fn with_time(time: &str) -> CellSetup {
    CellSetup { options: MeasuringOptions { time: time.to_owned(), ..MeasuringOptions::default() }, ..setup() }
}

fn priority(number: u8) -> Priority {
    Priority::try_from(number).expect("1 to 4")
}

/// The generator of keys, with the parameter `size`.
fn generator() -> Generator {
    serde_json::from_value(json!({"path": "keys", "name": "Keys", "docs": "", "mode": "fresh", "parameters": [
        {"name": "size", "description": "Number of keys.", "type": "integer", "of": "u32", "min": 1, "max": 1e6, "step": 1,
            "default": 10, "unit": "keys", "scale": "log", "axis": true},
    ]}))
    .expect("it is a generator")
}

fn request(argument: Argument) -> Request {
    serde_json::from_value(json!({"suite": "demo", "functions": ["sort"], "generator": "keys",
        "arguments": {"size": argument}, "priority": 4, "client": "a tab"}))
    .expect("it is a request")
}

fn machine(kind: MachineKind) -> Machine {
    let clock = ClockCard { resolution: 100.0, jitter: 5.0, cost: 30.0 };
    Machine { kind, name: "Chrome 156".to_owned(), id: None, processor: None, clock }
}

fn suite_card() -> SuiteCard {
    serde_json::from_value(json!({"name": "demo", "version": "0.1.0",
        "build": {"rustc": "rustc 1.95.0", "target": "wasm32-unknown-unknown", "opt_level": "3", "debug_assertions": false,
            "target_features": []},
        "catalog_hash": "c".repeat(64), "fingerprint": "f".repeat(64)}))
    .expect("it is a card")
}

fn result_setup(argument: Argument) -> Rc<ResultSetup> {
    Rc::new(ResultSetup::new(request(argument), &generator(), suite_card(), machine(MachineKind::Browser), 5))
}

/// A result with these points of priority 4, over a range.
fn result(number: u64, points: Vec<Point>) -> CellResult {
    let range = Argument::Range(Range { low: 10.0, high: 1_000.0 });
    let mut result = CellResult::new(id(number), 1.79e12, result_setup(range));
    result.add(priority(4), points);
    result
}

#[test]
fn an_undescribed_axis_has_the_name_of_its_parameter() {
    let values = Argument::Values(vec![AxisValue::Number(5.0), AxisValue::Number(2.0)]);
    let with_description = result_setup(values);
    assert_eq!(with_description.axis_heading(), "Number of keys");
    let written = serde_json::to_value(&*with_description).expect("it has text keys only");
    let mut without = written.clone();
    without.as_object_mut().expect("an object").remove("axis");
    let read: ResultSetup = serde_json::from_value(without).expect("the axis is optional");
    assert_eq!(read.axis_heading(), "size");
    let mut single = written;
    single["request"]["arguments"]["size"] = 5.into();
    let error = serde_json::from_value::<ResultSetup>(single).expect_err("there is no axis");
    assert!(error.to_string().contains("the axis `size` has a single value"), "{error}");
}

#[test]
fn a_result_ignores_points_of_other_functions() {
    let other = Point { function: "reverse".to_owned(), ..measured(10.0, 5.0) };
    let result = result(1, vec![measured(100.0, 7.0), other, measured(10.0, 5.0)]);
    let xs: Vec<_> = result.curves[0].curve.readings().iter().map(|reading| reading.x.number()).collect();
    assert_eq!((result.curves.len(), xs), (1, vec![Some(10.0), Some(100.0)]));
}

#[test]
fn figures_remain_without_samples() {
    let result = result(1, vec![with_samples(10.0, &[5.0, 6.0, 7.0], true), failed(100.0)]);
    let bare = result.without_samples();
    let figures = |result: &CellResult| result.curves[0].curve.readings()[0].measured().map(|point| point.summary.mean);
    assert_eq!(figures(&bare), Some(6.0));
    assert!(bare.curves[0].curve.lacks_samples() && !result.curves[0].curve.lacks_samples());
    assert_eq!(bare.curves[0].curve.readings().len(), 2);
}

#[test]
fn the_ranking_remains_without_samples() {
    let range = Argument::Range(Range { low: 10.0, high: 1_000.0 });
    let mut setup = ResultSetup::clone(&result_setup(range));
    setup.request.functions.push("reverse".to_owned());
    let mut result = CellResult::new(id(1), 1.79e12, Rc::new(setup));
    let times: Vec<f64> = (0..24).map(|index| 100.0 + f64::from(index % 5)).collect();
    let slower: Vec<f64> = times.iter().map(|time| 2.0 * time).collect();
    let points = [10.0, 1_000.0].map(|x| with_samples(x, &times, true));
    let others = [10.0, 1_000.0].map(|x| Point { function: "reverse".to_owned(), ..with_samples(x, &slower, true) });
    result.add(priority(4), points.into_iter().chain(others).collect());
    let ranked = |result: &CellResult| {
        let traces: Vec<Trace> = result.traces().collect();
        ranking(&traces.iter().collect::<Vec<_>>())
    };
    let bare = result.without_samples();
    assert_eq!(result.comparisons.len(), 0);
    assert_eq!(bare.comparisons[0].ratios.len(), 2);
    assert!(bare.comparisons[0].ratios[0].ratio.is_some_and(|ratio| (ratio - 2.0).abs() < 0.1));
    assert_eq!(ranked(&bare), ranked(&result));
}

#[test]
fn a_setup_repeats_a_request() {
    let values = Argument::Values(vec!["Random".into(), "Sorted".into()]);
    let text = Argument::Text("10..20".to_owned());
    let arguments = [("size", Argument::Number(0.5)), ("spread", values), ("needle", text)];
    let arguments = arguments.map(|(name, argument)| (name.to_owned(), argument)).into();
    let request =
        Request { arguments, precision: Some(0.007), point_ms: Some(2_500.0), ..request(Argument::Number(1.0)) };
    let setup = CellSetup::repeating(&request);
    let written = |name: &str| serde_json::to_string(&setup.arguments[name]).expect("text");
    assert_eq!(
        [written("size"), written("spread"), written("needle")],
        ["\"0.5\"", "[\"Random\",\"Sorted\"]", "\"10..20\""]
    );
    assert_eq!((setup.options.precision.as_str(), setup.options.time.as_str()), ("0.7", "2.5"));
    assert_eq!((setup.functions, setup.generator.as_deref()), (vec!["sort".to_owned()], Some("keys")));
}
