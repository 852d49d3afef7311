//! The reducer, from what a person does to what the page shows.

use std::rc::Rc;

use benchbook::catalog::{Build, Function, Generator, Mode, Suite};
use benchbook::parameter::{Argument, ChoiceOption, Kind, Numeric, NumericDefault, Parameter, Range, Scale};
use benchbook::quality::Priority;
use benchbook::request::Plan;
use benchbook::response::{Failure, FailureKind, Machine, MachineKind, Outcome, Point, Response, SuiteCard};
use benchbook::sample::clock_card::ClockCard;
use yew::Reducible;

use super::cell::Run;
use super::controls::{ControlAction, End, Note, Setting};
use super::{Action, LoadedSuite, State};

fn number(name: &str, default: NumericDefault) -> Parameter {
    let numeric = Numeric {
        of: "u32".to_owned(),
        min: 100.0,
        max: 10_000.0,
        step: Some(100.0),
        default,
        unit: None,
        scale: Scale::Log,
        axis: true,
    };
    Parameter { name: name.to_owned(), description: format!("The {name}."), kind: Kind::Integer(numeric) }
}

fn suite() -> LoadedSuite {
    let choice = Kind::Choice {
        options: ["A", "B"].map(|name| ChoiceOption { name: name.to_owned(), description: String::new() }).to_vec(),
        default: "A".to_owned(),
    };
    let generator = Generator {
        path: "keys".to_owned(),
        name: "Keys".to_owned(),
        docs: String::new(),
        mode: Mode::Fresh,
        parameters: vec![
            number("size", NumericDefault::Range(Range { low: 100.0, high: 1_000.0 })),
            number("depth", NumericDefault::Value(300.0)),
            Parameter { name: "spread".to_owned(), description: "The spread.".to_owned(), kind: choice },
        ],
        native: false,
    };
    let function = Function {
        path: "sort".to_owned(),
        signature: "fn sort(keys: &mut [u64])".to_owned(),
        docs: String::new(),
        file: "src/main.rs".to_owned(),
        line: 1,
        generators: vec!["keys".to_owned()],
        native: false,
        alternatives: None,
    };
    let build = Build {
        rustc: "rustc 1.95.0".to_owned(),
        target: "wasm32-unknown-unknown".to_owned(),
        opt_level: "3".to_owned(),
        debug_assertions: false,
        target_features: Vec::new(),
    };
    let suite = Suite {
        name: "demo".to_owned(),
        version: "0.1.0".to_owned(),
        build,
        functions: vec![function],
        generators: vec![generator],
    };
    LoadedSuite { card: SuiteCard::new(&suite, b"binary"), suite }
}

fn machine() -> Machine {
    let clock = ClockCard { resolution: 5_000.0, jitter: 0.0, cost: 50.0 };
    Machine { kind: MachineKind::Browser, name: "Chrome 156".to_owned(), clock }
}

/// The state after all of `actions`, with the function chosen first.
fn after(actions: impl IntoIterator<Item = Action>) -> Rc<State> {
    let first = [Action::SuiteLoaded(suite()), Action::Choose("demo".to_owned(), "sort".to_owned())];
    first.into_iter().chain(actions).fold(Rc::new(State::default()), Reducible::reduce)
}

fn typed(end: End, text: &str) -> Action {
    Action::Control(ControlAction::Type("size".to_owned(), end, text.to_owned()))
}

fn failed(x: f64) -> Point {
    let failure = Failure { kind: FailureKind::Panic, reason: "it panicked".to_owned() };
    Point { function: "sort".to_owned(), x, outcome: Outcome::Failed(failure) }
}

#[test]
fn the_first_view_can_be_measured_at_once() {
    let state = after([]);
    let cell = state.cell.as_ref().expect("a function is chosen");
    let request = cell.request("me").expect("defaults are values");
    assert_eq!(request.arguments["size"], Argument::Range(Range { low: 100.0, high: 1_000.0 }));
    assert_eq!(request.arguments["depth"], Argument::Number(300.0));
    assert_eq!(request.arguments["spread"], Argument::Text("A".to_owned()));
    Plan::new(&cell.suite.suite, request).expect("defaults are valid");
}

#[test]
fn another_axis_takes_all_of_its_bounds_and_leaves_the_first_its_low() {
    let state = after([Action::Control(ControlAction::Vary("depth".to_owned()))]);
    let request = state.cell.as_ref().and_then(|cell| cell.request("me").ok()).expect("a request");
    assert_eq!(request.arguments["depth"], Argument::Range(Range { low: 100.0, high: 10_000.0 }));
    assert_eq!(request.arguments["size"], Argument::Number(100.0));
}

#[test]
fn a_text_is_no_axis() {
    let state = after([Action::Control(ControlAction::Vary("spread".to_owned()))]);
    assert_eq!(state.cell.as_ref().map(|cell| cell.controls.axis.as_str()), Some("size"));
}

#[test]
fn typed_values_move_to_the_grid_and_say_so() {
    let state = after([typed(End::Low, "210")]);
    let Some(Setting::Number { low, .. }) = state.cell.as_ref().and_then(|cell| cell.controls.settings.get("size"))
    else {
        panic!("the size is a number");
    };
    assert_eq!((low.text.as_str(), low.value), ("200", 200.0));
    assert!(matches!(&low.note, Some(Note::Snapped(note)) if note.contains("100")), "{:?}", low.note);
}

#[test]
fn what_is_no_value_keeps_its_text_and_makes_no_request() {
    for text in ["", "many", "99", "1e9"] {
        let state = after([typed(End::High, text)]);
        let cell = state.cell.as_ref().expect("a function is chosen");
        let problems = cell.request("me").expect_err(text);
        assert_eq!(problems.iter().map(|problem| problem.place.as_str()).collect::<Vec<_>>(), ["arguments.size"]);
        let shown = &cell.controls.settings["size"].fields(true)[1].text;
        assert_eq!(shown, text);
    }
}

#[test]
fn a_field_that_is_not_in_use_does_not_matter() {
    let state = after([typed(End::Value, "many")]);
    assert!(state.cell.as_ref().is_some_and(|cell| cell.request("me").is_ok()));
}

#[test]
fn points_gather_while_priorities_go_by() {
    let second = Priority::try_from(2).expect("2 is one");
    let state = after([
        Action::Started(machine()),
        Action::Priority(Priority::FIRST),
        Action::Measured(Priority::FIRST, vec![failed(100.0), failed(1_000.0)]),
        Action::Priority(second),
        Action::Measured(second, vec![failed(500.0)]),
        Action::Stopped,
    ]);
    let cell = state.cell.as_ref().expect("a function is chosen");
    let curve = &cell.result.as_ref().expect("it was measured").curve;
    assert_eq!(curve.readings().iter().map(|reading| reading.point.x).collect::<Vec<_>>(), [100.0, 500.0, 1_000.0]);
    assert_eq!(cell.run, Run::Stopped);
    assert!(!state.is_measuring());
}

#[test]
fn the_answer_of_the_last_priority_ends_it() {
    let begun = [Action::Started(machine()), Action::Priority(Priority::LAST)];
    let request = after([]).cell.as_ref().and_then(|cell| cell.request("me").ok()).expect("a request");
    let answer = |priority| {
        let suite = suite().card;
        let response =
            Response { request: request.clone(), priority, suite, machine: machine(), points: vec![failed(100.0)] };
        Action::Answered(Box::new(response))
    };
    for (priority, done) in [(Priority::FIRST, false), (Priority::LAST, true)] {
        let state = after(begun.clone().into_iter().chain([answer(priority)]));
        let cell = state.cell.as_ref().expect("a function is chosen");
        assert_eq!(cell.run == Run::Done, done);
        assert_eq!(cell.result.as_ref().and_then(|result| result.curve.priority()), Some(priority));
    }
}

#[test]
fn a_new_measurement_begins_with_an_empty_curve() {
    let measured = Action::Measured(Priority::FIRST, vec![failed(100.0)]);
    let state = after([Action::Started(machine()), measured, Action::Stopped, Action::Started(machine())]);
    assert!(
        state
            .cell
            .as_ref()
            .and_then(|cell| cell.result.as_ref())
            .is_some_and(|result| result.curve.readings().is_empty())
    );
}

#[test]
fn a_second_suite_of_the_same_name_is_told() {
    let state = after([Action::SuiteLoaded(suite())]);
    assert_eq!((state.suites.len(), state.problems.len()), (1, 1));
}

#[test]
fn what_is_not_there_cannot_be_chosen() {
    let state = after([Action::Choose("demo".to_owned(), "none".to_owned())]);
    assert!(state.cell.as_ref().is_none_or(|cell| cell.function.path == "sort"));
}
