//! Tests of the reducer, from user actions to the resulting state.

mod archive;
mod axes;
mod compare;
mod export;
pub(crate) mod fixed_results;
mod function_history;
pub(crate) mod golden;
mod largest;
mod machine_comparison;
mod metrics;
mod notebook;
mod opening;
mod origins;
mod own_suites;
pub(crate) mod points;
mod ranking;
mod ratio_distribution;
mod rebuilding;
mod runner;
mod saving;
mod self_test;
mod staleness;

use std::rc::Rc;

use benchbook_contract::catalog::{Build, Function, Generator, Mode, Suite};
use benchbook_contract::parameter::{Argument, ChoiceOption, Kind, Numeric, NumericDefault, Parameter, Range, Scale};
use benchbook_host::quality::Priority;
use benchbook_host::request::Plan;
use benchbook_host::response::{Machine, MachineKind, Outcome, Point, SuiteCard};
use benchbook_host::sample::clock_card::ClockCard;
use benchbook_host::sample::measurement::Progress;
use benchbook_notebook::id::Id;
use yew::Reducible;

use super::browser_identity::BrowserIdentity;
use super::cell::{CellAction, CellId, LiveCell, RunStatus};
use super::controls::{ControlAction, End, NumberField, Role, Setting};
use super::field_note::Note;
use super::id_source::IdSource;
use super::loaded_suite::{FunctionId, LoadedSuite, SuiteId};
use super::own_suites::OwnSuiteAction;
use super::page::{PageAction, State};
use super::site_config::SiteConfig;
use crate::settings::measuring_options::MeasuringOptions;
use benchbook_report::results::ResultOrigin;
use points::{failed, measured};

fn number(name: &str, default: NumericDefault) -> Parameter {
    let numeric = Numeric {
        of: "u32".to_owned(),
        min: 100.0,
        max: 10_000.0,
        step: Some(100.0),
        values: Vec::new(),
        default,
        unit: None,
        scale: Scale::Log,
        axis: true,
    };
    Parameter { name: name.to_owned(), description: format!("The {name}."), kind: Kind::Integer(numeric) }
}

pub(crate) fn suite() -> LoadedSuite {
    named("demo", 0)
}

/// A suite of this name at this index of the site configuration.
fn named(name: &str, index: usize) -> LoadedSuite {
    let choice = Kind::Choice {
        options: ["A", "B"].map(|name| ChoiceOption { name: name.to_owned(), description: String::new() }).to_vec(),
        default: "A".to_owned(),
        varied: false,
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
        source_hash: String::new(),
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
        source_hash: String::new(),
    };
    let function = |name: &str, generators: &[&str], alternatives: Option<&str>| Function {
        path: name.to_owned(),
        signature: format!("fn {name}(keys: &mut [u64])"),
        docs: String::new(),
        source: String::new(),
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
        notes: Vec::new(),
        generators: vec![generator, texts],
    };
    LoadedSuite {
        id: SuiteId::Site(index),
        card: SuiteCard::new(&suite, "fingerprint".to_owned()),
        suite,
        clock: Some(clock(index)),
    }
}

/// A distinct clock for each suite.
fn clock(index: usize) -> ClockCard {
    ClockCard { resolution: 5_000.0 + index as f64, jitter: 0.0, cost: 50.0 }
}

fn machine() -> Machine {
    this_browser().machine(clock(0))
}

fn this_browser() -> BrowserIdentity {
    BrowserIdentity { name: "Chrome 156".to_owned(), id: Id::from_random(156), processor: None }
}

/// The origin of the results of the suite at index 0 on a machine.
fn origin(machine: Machine) -> ResultOrigin {
    ResultOrigin { id: Id::from_random(1), started: 1_790_000_000_000.0, machine, suite: suite().card }
}

fn choose(index: usize, path: &str) -> PageAction {
    PageAction::Choose(id(index, path))
}

fn id(index: usize, path: &str) -> FunctionId {
    FunctionId { suite: SuiteId::Site(index), path: path.to_owned() }
}

/// The cell with this number of the first notebook, in the order in which they were added.
fn nth_cell(number: usize) -> CellId {
    let mut ids = IdSource::default();
    let notebook = ids.next();
    let cell = (0..=number).map(|_| ids.next()).last().expect("there is at least one");
    CellId { notebook, cell }
}

/// An event of the first cell.
fn on_first(action: CellAction) -> PageAction {
    PageAction::Cell(nth_cell(0), action)
}

/// The state after `actions`.
fn page(actions: impl IntoIterator<Item = PageAction>) -> Rc<State> {
    let read = PageAction::OwnSuites(OwnSuiteAction::Listed(0));
    [read].into_iter().chain(actions).fold(Rc::new(State::default()), Reducible::reduce)
}

/// The cell of the function `sort` after `actions`.
fn after(actions: impl IntoIterator<Item = CellAction>) -> LiveCell {
    let first = [PageAction::SuiteLoaded(suite()), choose(0, "sort")];
    let state = page(first.into_iter().chain(actions.into_iter().map(on_first)));
    LiveCell::clone(state.cell().expect("a function is chosen"))
}

fn typed(end: End, text: &str) -> CellAction {
    CellAction::Control(ControlAction::Type("size".to_owned(), end, text.to_owned()))
}

fn settled(end: End) -> CellAction {
    CellAction::Control(ControlAction::Leave("size".to_owned(), end))
}

fn progress(done: usize) -> CellAction {
    CellAction::Progressed(Progress { done, total: 5, x: 100.0.into(), forecast: None }, 1_000.0)
}

/// The field of `size` at its low end.
fn low(cell: &LiveCell) -> &NumberField {
    match &cell.controls.settings["size"] {
        Setting::Number { low, .. } => low,
        Setting::Text { .. } => panic!("the size is a number"),
    }
}

fn second() -> Priority {
    Priority::try_from(2).expect("2 is valid")
}

#[test]
fn the_defaults_make_a_valid_request() {
    let cell = after([]);
    let request = cell.request("me").expect("defaults are values");
    assert_eq!(request.arguments["size"], Argument::Range(Range { low: 100.0, high: 1_000.0 }));
    assert_eq!(request.arguments["depth"], Argument::Number(300.0));
    assert_eq!(request.arguments["spread"], Argument::Text("A".to_owned()));
    Plan::new(&cell.suite.suite, request).expect("defaults are valid");
}

#[test]
fn a_new_axis_spans_its_bounds_and_the_old_one_retains_its_low() {
    let request = after([CellAction::Control(ControlAction::SetRole("depth".to_owned(), Role::Range))])
        .request("me")
        .expect("values");
    assert_eq!(request.arguments["depth"], Argument::Range(Range { low: 100.0, high: 10_000.0 }));
    assert_eq!(request.arguments["size"], Argument::Number(100.0));
}

#[test]
fn rounds_a_typed_value_at_once_and_formats_it_on_blur() {
    let cell = after([typed(End::Low, "210")]);
    assert_eq!((low(&cell).text.as_str(), low(&cell).value), ("210", 200.0));
    let note = low(&cell).note.clone();
    assert!(matches!(&note, Some(Note::Snapped(text)) if text.contains("rounded to 200")), "{note:?}");

    let cell = after([typed(End::Low, "210"), settled(End::Low)]);
    assert_eq!((low(&cell).text.as_str(), &low(&cell).note), ("200", &note), "leaving the field moves nothing");
}

#[test]
fn invalid_text_remains_and_prevents_the_request() {
    for text in ["", "many", "99", "1e9", "2,5"] {
        let cell = after([typed(End::Low, text), settled(End::Low)]);
        let problems = cell.request("me").expect_err(text);
        assert_eq!(problems.iter().map(|problem| problem.location.as_str()).collect::<Vec<_>>(), ["arguments.size"]);
        assert_eq!(low(&cell).text, text);
        assert_eq!(low(&cell).value, 100.0, "the slider does not move");
    }
}

#[test]
fn rejects_an_invalid_measuring_options_before_the_first_priority() {
    let target = MeasuringOptions { precision: "0".to_owned(), time: "2".to_owned(), ..MeasuringOptions::default() };
    let problems = after([CellAction::SetMeasuringOptions(target), typed(End::Low, "many")])
        .request("me")
        .expect_err("two are invalid");
    let fields: Vec<_> = problems.iter().map(|problem| problem.location.as_str()).collect();
    assert_eq!(fields, ["arguments.size", "precision"]);
}

#[test]
fn a_new_measuring_options_makes_results_outdated() {
    let target = MeasuringOptions { precision: "0.5".to_owned(), ..MeasuringOptions::default() };
    assert!(!after([CellAction::Started(origin(machine()))]).is_outdated());
    assert!(after([CellAction::Started(origin(machine())), CellAction::SetMeasuringOptions(target)]).is_outdated());
}

#[test]
fn ignores_unused_fields() {
    assert!(after([typed(End::Value, "many")]).request("me").is_ok());
}

#[test]
fn native_functions_and_generators_require_a_runner() {
    let with = |function: bool, generator: bool| {
        let mut suite = suite();
        suite.suite.functions[4].native = function;
        suite.suite.generators[0].native = generator;
        let state = page([PageAction::SuiteLoaded(suite), choose(0, "sort")]);
        state.cell().map(|cell| (cell.native_part(), cell.native_reason())).unwrap()
    };
    let declared = Some("its author declared it native");
    assert_eq!(with(false, false), (None, None));
    assert_eq!(with(true, true), (Some("function"), declared));
    assert_eq!(with(false, true), (Some("generator"), declared));
}

#[test]
fn collects_points_of_all_priorities() {
    let cell = after([
        CellAction::Started(origin(machine())),
        CellAction::Measured(MachineKind::Browser, Priority::FIRST, vec![measured(100.0, 5.0), failed(1_000.0)]),
        CellAction::Measured(MachineKind::Browser, second(), vec![failed(100.0), measured(500.0, 7.0)]),
    ]);
    let traces = cell.results.traces();
    let readings = traces[0].curve.readings();
    let known: Vec<_> = readings.iter().map(|reading| (reading.x.number(), reading.measured().is_some())).collect();
    assert_eq!(known, [(Some(100.0), true), (Some(500.0), true), (Some(1_000.0), false)]);
    assert_eq!(readings[0].failure().map(|(priority, _)| priority), Some(second()));
}

#[test]
fn waits_until_the_suite_responds() {
    let cell = after([
        CellAction::Started(origin(machine())),
        CellAction::PriorityStarted(MachineKind::Browser, Priority::FIRST, 2_000.0),
    ]);
    assert_eq!(cell.status, RunStatus::Waiting);
    let cell = after([
        CellAction::Started(origin(machine())),
        CellAction::PriorityStarted(MachineKind::Browser, Priority::FIRST, 2_000.0),
        progress(0),
    ]);
    assert_eq!(cell.status, RunStatus::Measuring);
}

#[test]
fn a_hidden_tab_pauses_the_measurement() {
    let begun = || {
        vec![
            CellAction::Started(origin(machine())),
            CellAction::PriorityStarted(MachineKind::Browser, Priority::FIRST, 2_000.0),
        ]
    };
    let paused = after([begun(), vec![progress(3), CellAction::Paused]].concat());
    assert!(paused.status == RunStatus::Paused && paused.is_measuring());
    for (before, run) in [(vec![], RunStatus::Waiting), (vec![progress(3)], RunStatus::Measuring)] {
        let shown = vec![CellAction::Paused, CellAction::Resumed];
        assert_eq!(after([begun(), before, shown].concat()).status, run);
    }
    let late = [CellAction::Paused, CellAction::Stopped, CellAction::Resumed].to_vec();
    assert_eq!(after([begun(), late].concat()).status, RunStatus::Stopped);
}

#[test]
fn stopping_retains_the_current_priority() {
    let cell = after([
        CellAction::Started(origin(machine())),
        CellAction::PriorityStarted(MachineKind::Browser, second(), 2_000.0),
        progress(3),
        CellAction::Stopped,
        progress(4),
    ]);
    let step = cell.step.expect("a priority was running");
    assert_eq!((&cell.status, step.priority), (&RunStatus::Stopped, second()));
    assert_eq!(step.progress.map(|progress| progress.done), Some(3), "ignores late events");
}

#[test]
fn ends_with_the_last_priority() {
    for (priority, run) in [(Priority::FIRST, RunStatus::Measuring), (Priority::LAST, RunStatus::Done)] {
        let cell = after([
            CellAction::Started(origin(machine())),
            CellAction::PriorityStarted(MachineKind::Browser, priority, 2_000.0),
            progress(5),
            CellAction::PriorityDone(priority),
        ]);
        let step = cell.step.expect("a priority was running");
        assert_eq!(
            (&cell.status, step.priority, step.progress.map(|progress| progress.done)),
            (&run, priority, Some(5))
        );
    }
}

#[test]
fn the_end_of_a_priority_retains_its_points() {
    let points = [
        CellAction::Started(origin(machine())),
        CellAction::Measured(MachineKind::Browser, Priority::FIRST, vec![measured(100.0, 5.0)]),
    ];
    let begun = [PageAction::SuiteLoaded(suite()), choose(0, "sort")].into_iter().chain(points.map(on_first));
    let shared = |state: &State| {
        let cell = state.cell().expect("a function is chosen");
        Rc::clone(cell.results.traces()[0].curve.readings()[0].shared().expect("it has figures"))
    };
    let state = page(begun);
    let before = shared(&state);
    let state = state.reduce(on_first(CellAction::PriorityDone(Priority::FIRST)));
    assert!(Rc::ptr_eq(&before, &shared(&state)), "copied samples would be drawn again");
}

#[test]
fn changed_settings_make_results_outdated() {
    let is_outdated = |actions: Vec<CellAction>| after(actions).is_outdated();
    let started = || CellAction::Started(origin(machine()));
    assert!(!is_outdated(vec![typed(End::High, "900")]), "there are no results yet");
    assert!(!is_outdated(vec![started()]));
    assert!(is_outdated(vec![started(), typed(End::High, "900")]));
    assert!(
        !is_outdated(vec![started(), typed(End::High, "900"), typed(End::High, "1000")]),
        "the change was reverted"
    );
    assert!(is_outdated(vec![started(), typed(End::High, "many")]));
}

#[test]
fn a_new_measurement_starts_with_an_empty_curve() {
    let points = CellAction::Measured(MachineKind::Browser, Priority::FIRST, vec![failed(100.0)]);
    let started = || CellAction::Started(origin(machine()));
    let cell = after([started(), points, CellAction::Stopped, started()]);
    assert!(cell.results.traces()[0].curve.readings().is_empty());
}

#[test]
fn orders_suites_as_in_the_site_configuration() {
    let state = page([1, 2, 0].map(|index| PageAction::SuiteLoaded(named(&format!("suite {index}"), index))));
    let names: Vec<_> = state.suites.iter().map(|loaded| loaded.suite.name.as_str()).collect();
    assert_eq!(names, ["suite 0", "suite 1", "suite 2"]);
}

#[test]
fn shows_the_first_of_two_suites_with_the_same_name() {
    for order in [[0, 1], [1, 0]] {
        let state = page(order.map(|index| PageAction::SuiteLoaded(named("demo", index))));
        let shown: Vec<_> = state.suites.iter().map(|loaded| loaded.id).collect();
        assert_eq!((shown, state.problems.len()), (vec![SuiteId::Site(0)], 1), "{order:?}");
    }
}

#[test]
fn reports_the_clock_of_the_chosen_suite() {
    let loaded = || [1, 0].map(|index| PageAction::SuiteLoaded(named(&format!("suite {index}"), index)));
    assert_eq!(page([]).clock(), None);
    assert_eq!(page(loaded()).clock(), Some(clock(0)), "the first suite's until one is chosen");
    assert_eq!(page(loaded().into_iter().chain([choose(1, "sort")])).clock(), Some(clock(1)));
}

#[test]
fn loading_ends_when_each_suite_loaded_or_failed() {
    let config = |count: usize| {
        PageAction::SiteConfigLoaded(SiteConfig {
            suites: vec!["suites/some.wasm".to_owned(); count],
            ..SiteConfig::default()
        })
    };
    let failed = || PageAction::SuiteFailed(SuiteId::Site(1), "It is missing.".to_owned());
    assert!(page([]).is_loading());
    assert!(!page([config(0)]).is_loading());
    assert!(page([config(2), failed()]).is_loading());
    assert!(!page([config(2), failed(), PageAction::SuiteLoaded(suite())]).is_loading());
    assert!(!page([PageAction::SiteConfigFailed("It is invalid.".to_owned())]).is_loading());
}

#[test]
fn ignores_the_choice_of_an_unknown_function() {
    let begun = || [PageAction::SuiteLoaded(suite()), choose(0, "sort"), on_first(typed(End::Low, "300"))];
    let before = page(begun());
    for missing in [choose(0, "none"), choose(1, "shuffle")] {
        assert_eq!(page(begun().into_iter().chain([missing])).cell(), before.cell(), "the cell is unchanged");
    }
    let other = page(begun().into_iter().chain([choose(0, "shuffle")]));
    assert_eq!(other.cell().map(|cell| cell.function.path.as_str()), Some("shuffle"));
}
