//! The reducer, from what a person does to what the page shows.

mod archive;
mod compare;
mod opening;
mod runner;

use std::rc::Rc;

use benchbook_contract::catalog::{Build, Function, Generator, Mode, Suite};
use benchbook_contract::parameter::{Argument, ChoiceOption, Kind, Numeric, NumericDefault, Parameter, Range, Scale};
use benchbook_host::analyze::blocks;
use benchbook_host::analyze::statistics::{Basis, summarize};
use benchbook_host::quality::Priority;
use benchbook_host::request::Plan;
use benchbook_host::response::{Failure, FailureKind, Machine, MachineKind, Measured, Outcome, Point, SuiteCard};
use benchbook_host::sample::clock_card::ClockCard;
use benchbook_host::sample::measurement::Progress;
use yew::Reducible;

use super::aim::Aim;
use super::cell::{Cell, CellAction, CellId};
use super::controls::{ControlAction, End, Field, Note, Setting};
use super::notebook::Notebook;
use super::{Action, LoadedSuite, State, SuiteId, cell};

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
    named("demo", 0)
}

/// A suite of this name at this place of the notebook.
fn named(name: &str, place: usize) -> LoadedSuite {
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
    let texts = Generator {
        path: "texts".to_owned(),
        name: "Texts".to_owned(),
        docs: String::new(),
        mode: Mode::Shared,
        parameters: vec![
            number("length", NumericDefault::Range(Range { low: 100.0, high: 1_000.0 })),
            Parameter {
                name: "needle".to_owned(),
                description: "What is searched.".to_owned(),
                kind: Kind::Text { default: "needle".to_owned() },
            },
        ],
        native: false,
    };
    let function = |name: &str, generators: &[&str], alternatives: Option<&str>| Function {
        path: name.to_owned(),
        signature: format!("fn {name}(keys: &mut [u64])"),
        docs: String::new(),
        file: "src/main.rs".to_owned(),
        line: 1,
        generators: generators.iter().map(ToString::to_string).collect(),
        native: false,
        alternatives: alternatives.map(str::to_owned),
    };
    let build = Build {
        rustc: "rustc 1.95.0".to_owned(),
        target: "wasm32-unknown-unknown".to_owned(),
        opt_level: "3".to_owned(),
        debug_assertions: false,
        target_features: Vec::new(),
    };
    let suite = Suite {
        name: name.to_owned(),
        version: "0.1.0".to_owned(),
        build,
        functions: vec![
            function("find", &["texts"], None),
            function("reverse", &["keys"], None),
            function("rotate", &["keys"], None),
            function("shuffle", &["keys"], None),
            function("sort", &["keys", "texts"], Some("sorting")),
            function("sort_stable", &["keys", "texts"], Some("sorting")),
        ],
        generators: vec![generator, texts],
    };
    LoadedSuite {
        id: SuiteId(place),
        card: SuiteCard::new(&suite, "fingerprint".to_owned()),
        suite,
        clock: clock(place),
    }
}

/// A clock that tells the suites apart.
fn clock(place: usize) -> ClockCard {
    ClockCard { resolution: 5_000.0 + place as f64, jitter: 0.0, cost: 50.0 }
}

fn machine() -> Machine {
    Machine { kind: MachineKind::Browser, name: "Chrome 156".to_owned(), clock: clock(0) }
}

fn choose(place: usize, path: &str) -> Action {
    Action::Choose(id(place, path))
}

fn id(place: usize, path: &str) -> CellId {
    CellId { suite: SuiteId(place), path: path.to_owned() }
}

fn on_sort(action: CellAction) -> Action {
    Action::Cell(id(0, "sort"), action)
}

/// The state after all of `actions`.
fn page(actions: impl IntoIterator<Item = Action>) -> Rc<State> {
    actions.into_iter().fold(Rc::new(State::default()), Reducible::reduce)
}

/// The cell of the function `sort` after all of `actions`.
fn after(actions: impl IntoIterator<Item = CellAction>) -> Cell {
    let first = [Action::SuiteLoaded(suite()), choose(0, "sort")];
    let state = page(first.into_iter().chain(actions.into_iter().map(on_sort)));
    Cell::clone(state.cell().expect("a function is chosen"))
}

fn typed(end: End, text: &str) -> CellAction {
    CellAction::Control(ControlAction::Type("size".to_owned(), end, text.to_owned()))
}

fn settled(end: End) -> CellAction {
    CellAction::Control(ControlAction::Settle("size".to_owned(), end))
}

pub(super) fn failed(x: f64) -> Point {
    let failure = Failure { kind: FailureKind::Panic, reason: "it panicked".to_owned() };
    Point { function: "sort".to_owned(), x, outcome: Outcome::Failed(failure) }
}

pub(crate) fn measured(x: f64, mean: f64) -> Point {
    let runs = [blocks::RunTimes { times: &[mean], blocks: &[1], overhead: 0.0 }];
    let basis = Basis { runs: &runs, calls: 1, resolution: 0.0, quartiles_withheld: false, steady: true };
    let summary = summarize(&basis).expect("there is a sample");
    let measured = Measured { summary, runs: Vec::new(), outputs: None, warnings: Vec::new() };
    Point { function: "sort".to_owned(), x, outcome: Outcome::Measured(Box::new(measured)) }
}

fn progress(done: usize) -> CellAction {
    CellAction::Progressed(Progress { done, of: 5, x: 100.0, outlook: None }, 1_000.0)
}

/// The field of `size` at its low end.
fn low(cell: &Cell) -> &Field {
    match &cell.controls.settings["size"] {
        Setting::Number { low, .. } => low,
        Setting::Text(_) => panic!("the size is a number"),
    }
}

fn second() -> Priority {
    Priority::try_from(2).expect("2 is one")
}

#[test]
fn the_first_view_can_be_measured_at_once() {
    let cell = after([]);
    let request = cell.request("me").expect("defaults are values");
    assert_eq!(request.arguments["size"], Argument::Range(Range { low: 100.0, high: 1_000.0 }));
    assert_eq!(request.arguments["depth"], Argument::Number(300.0));
    assert_eq!(request.arguments["spread"], Argument::Text("A".to_owned()));
    Plan::new(&cell.suite.suite, request).expect("defaults are valid");
}

#[test]
fn another_axis_takes_all_of_its_bounds_and_leaves_the_first_its_low() {
    let request = after([CellAction::Control(ControlAction::Vary("depth".to_owned()))]).request("me").expect("values");
    assert_eq!(request.arguments["depth"], Argument::Range(Range { low: 100.0, high: 10_000.0 }));
    assert_eq!(request.arguments["size"], Argument::Number(100.0));
}

#[test]
fn a_text_is_no_axis() {
    assert_eq!(after([CellAction::Control(ControlAction::Vary("spread".to_owned()))]).controls.axis, "size");
}

#[test]
fn a_typed_value_is_taken_to_the_grid_at_once_and_written_so_when_the_field_is_left() {
    let cell = after([typed(End::Low, "210")]);
    assert_eq!((low(&cell).text.as_str(), low(&cell).value), ("210", 200.0));
    let told = low(&cell).note.clone();
    assert!(matches!(&told, Some(Note::Snapped(note)) if note.contains("taken as 200")), "{told:?}");

    let cell = after([typed(End::Low, "210"), settled(End::Low)]);
    assert_eq!((low(&cell).text.as_str(), &low(&cell).note), ("200", &told), "nothing moves when the field is left");
}

#[test]
fn what_is_no_value_keeps_its_text_and_makes_no_request() {
    for text in ["", "many", "99", "1e9", "2,5"] {
        let cell = after([typed(End::Low, text), settled(End::Low)]);
        let problems = cell.request("me").expect_err(text);
        assert_eq!(problems.iter().map(|problem| problem.place.as_str()).collect::<Vec<_>>(), ["arguments.size"]);
        assert_eq!(low(&cell).text, text);
        assert_eq!(low(&cell).value, 100.0, "the slider stays where it was");
    }
}

#[test]
fn an_aim_that_cannot_be_is_told_before_the_first_priority() {
    let aim = Aim { precision: "0".to_owned(), time: "2".to_owned() };
    let problems = after([CellAction::Aim(aim), typed(End::Low, "many")]).request("me").expect_err("two are wrong");
    let places: Vec<_> = problems.iter().map(|problem| problem.place.as_str()).collect();
    assert_eq!(places, ["arguments.size", "precision"]);
}

#[test]
fn another_aim_is_another_measurement() {
    let aim = Aim { precision: "0.5".to_owned(), ..Aim::default() };
    assert!(!after([CellAction::Started(machine())]).is_outdated());
    assert!(after([CellAction::Started(machine()), CellAction::Aim(aim)]).is_outdated());
}

#[test]
fn a_field_that_is_not_in_use_does_not_matter() {
    assert!(after([typed(End::Value, "many")]).request("me").is_ok());
}

#[test]
fn a_native_generator_needs_a_runner_as_a_native_function_does() {
    let with = |function: bool, generator: bool| {
        let mut suite = suite();
        suite.suite.functions[4].native = function;
        suite.suite.generators[0].native = generator;
        page([Action::SuiteLoaded(suite), choose(0, "sort")]).cell().and_then(|cell| cell.native_part())
    };
    assert_eq!(with(false, false), None);
    assert_eq!(with(true, true), Some("function"));
    assert_eq!(with(false, true), Some("generator"));
}

#[test]
fn points_gather_while_priorities_go_by() {
    let cell = after([
        CellAction::Started(machine()),
        CellAction::Measured(MachineKind::Browser, Priority::FIRST, vec![measured(100.0, 5.0), failed(1_000.0)]),
        CellAction::Measured(MachineKind::Browser, second(), vec![failed(100.0), measured(500.0, 7.0)]),
    ]);
    let readings = cell.traces[0].curve.readings();
    let known: Vec<_> = readings.iter().map(|reading| (reading.x, reading.measured().is_some())).collect();
    assert_eq!(known, [(100.0, true), (500.0, true), (1_000.0, false)]);
    assert_eq!(readings[0].failure().map(|(priority, _)| priority), Some(second()));
}

#[test]
fn it_waits_until_the_suite_answers() {
    let cell =
        after([CellAction::Started(machine()), CellAction::Began(MachineKind::Browser, Priority::FIRST, 2_000.0)]);
    assert_eq!(cell.run, cell::Run::Waiting);
    let cell = after([
        CellAction::Started(machine()),
        CellAction::Began(MachineKind::Browser, Priority::FIRST, 2_000.0),
        progress(0),
    ]);
    assert_eq!(cell.run, cell::Run::Measuring);
}

#[test]
fn a_hidden_tab_pauses_what_is_measured_until_it_is_shown() {
    let begun =
        || vec![CellAction::Started(machine()), CellAction::Began(MachineKind::Browser, Priority::FIRST, 2_000.0)];
    let paused = after([begun(), vec![progress(3), CellAction::Paused]].concat());
    assert!(paused.run == cell::Run::Paused && paused.is_measuring());
    for (before, run) in [(vec![], cell::Run::Waiting), (vec![progress(3)], cell::Run::Measuring)] {
        let shown = vec![CellAction::Paused, CellAction::Resumed];
        assert_eq!(after([begun(), before, shown].concat()).run, run);
    }
    let late = [CellAction::Paused, CellAction::Stopped, CellAction::Resumed].to_vec();
    assert_eq!(after([begun(), late].concat()).run, cell::Run::Stopped);
}

#[test]
fn what_was_stopped_stays_at_the_priority_that_was_at_work() {
    let cell = after([
        CellAction::Started(machine()),
        CellAction::Began(MachineKind::Browser, second(), 2_000.0),
        progress(3),
        CellAction::Stopped,
        progress(4),
    ]);
    let step = cell.step.expect("a priority was at work");
    assert_eq!((&cell.run, step.priority), (&cell::Run::Stopped, second()));
    assert_eq!(step.progress.map(|progress| progress.done), Some(3), "a late answer changes nothing");
}

#[test]
fn the_answer_of_the_last_priority_ends_it() {
    for (priority, run) in [(Priority::FIRST, cell::Run::Measuring), (Priority::LAST, cell::Run::Done)] {
        let cell = after([
            CellAction::Started(machine()),
            CellAction::Began(MachineKind::Browser, priority, 2_000.0),
            progress(5),
            CellAction::Answered(priority),
        ]);
        let step = cell.step.expect("a priority was at work");
        assert_eq!((&cell.run, step.priority, step.progress.map(|progress| progress.done)), (&run, priority, Some(5)));
    }
}

#[test]
fn an_answer_leaves_the_points_that_were_told_as_they_are() {
    let points = [
        CellAction::Started(machine()),
        CellAction::Measured(MachineKind::Browser, Priority::FIRST, vec![measured(100.0, 5.0)]),
    ];
    let begun = [Action::SuiteLoaded(suite()), choose(0, "sort")].into_iter().chain(points.map(on_sort));
    let shared = |state: &State| {
        let cell = state.cell().expect("a function is chosen");
        Rc::clone(cell.traces[0].curve.readings()[0].shared().expect("it has figures"))
    };
    let state = page(begun);
    let before = shared(&state);
    let state = state.reduce(on_sort(CellAction::Answered(Priority::FIRST)));
    assert!(Rc::ptr_eq(&before, &shared(&state)), "samples that are new would be drawn anew");
}

#[test]
fn a_curve_whose_settings_were_changed_since_is_outdated() {
    let is_outdated = |actions: Vec<CellAction>| after(actions).is_outdated();
    let started = || CellAction::Started(machine());
    assert!(!is_outdated(vec![typed(End::High, "900")]), "nothing is shown yet");
    assert!(!is_outdated(vec![started()]));
    assert!(is_outdated(vec![started(), typed(End::High, "900")]));
    assert!(!is_outdated(vec![started(), typed(End::High, "900"), typed(End::High, "1000")]), "it was set back");
    assert!(is_outdated(vec![started(), typed(End::High, "many")]));
}

#[test]
fn a_new_measurement_begins_with_an_empty_curve() {
    let points = CellAction::Measured(MachineKind::Browser, Priority::FIRST, vec![failed(100.0)]);
    let started = || CellAction::Started(machine());
    let cell = after([started(), points, CellAction::Stopped, started()]);
    assert!(cell.traces[0].curve.readings().is_empty());
}

#[test]
fn suites_stand_in_the_order_of_the_notebook_whichever_comes_first() {
    let state = page([1, 2, 0].map(|place| Action::SuiteLoaded(named(&format!("suite {place}"), place))));
    let names: Vec<_> = state.suites.iter().map(|loaded| loaded.suite.name.as_str()).collect();
    assert_eq!(names, ["suite 0", "suite 1", "suite 2"]);
}

#[test]
fn of_two_suites_with_one_name_the_first_of_the_notebook_is_shown() {
    for order in [[0, 1], [1, 0]] {
        let state = page(order.map(|place| Action::SuiteLoaded(named("demo", place))));
        let shown: Vec<_> = state.suites.iter().map(|loaded| loaded.id).collect();
        assert_eq!((shown, state.problems.len()), (vec![SuiteId(0)], 1), "{order:?}");
    }
}

#[test]
fn the_clock_is_that_of_the_chosen_suite() {
    let loaded = || [1, 0].map(|place| Action::SuiteLoaded(named(&format!("suite {place}"), place)));
    assert_eq!(page([]).clock(), None);
    assert_eq!(page(loaded()).clock(), Some(clock(0)), "the first, before one is chosen");
    assert_eq!(page(loaded().into_iter().chain([choose(1, "sort")])).clock(), Some(clock(1)));
}

#[test]
fn loading_ends_when_every_suite_came_or_could_not() {
    let notebook = |count: usize| {
        Action::NotebookRead(Notebook { suites: vec!["suites/some.wasm".to_owned(); count], ..Notebook::default() })
    };
    let failed = || Action::SuiteFailed("It is not there.".to_owned());
    assert!(page([]).is_loading());
    assert!(!page([notebook(0)]).is_loading());
    assert!(page([notebook(2), failed()]).is_loading());
    assert!(!page([notebook(2), failed(), Action::SuiteLoaded(suite())]).is_loading());
    assert!(!page([Action::NotebookFailed("It is broken.".to_owned())]).is_loading());
}

#[test]
fn what_is_not_there_cannot_be_chosen() {
    let begun = || [Action::SuiteLoaded(suite()), choose(0, "sort"), on_sort(typed(End::Low, "300"))];
    let before = page(begun());
    for missing in [choose(0, "none"), choose(1, "shuffle")] {
        assert_eq!(page(begun().into_iter().chain([missing])).cell(), before.cell(), "the cell stays as it was");
    }
    let other = page(begun().into_iter().chain([choose(0, "shuffle")]));
    assert_eq!(other.cell().map(|cell| cell.function.path.as_str()), Some("shuffle"));
}
