//! Tests of the reducer, from user actions to the resulting state.

mod archive;
mod axes;
mod compare;
pub(crate) mod counting;
mod export;
pub(crate) mod fixed_results;
pub(crate) mod function_history;
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
use benchbook_host::response::{ClockCard, Machine, MachineKind, Outcome, Point, SuiteCard};
use benchbook_host::sample::measurement::Progress;
use benchbook_notebook::id::Id;
use yew::Reducible;

use super::cell::{CellId, LiveCell, RunStatus};
use super::site_config::SiteConfig;
use super::{PageAction, Shown, State};
use crate::address::Address;
use crate::address::link::Link;
use crate::state::cell::action::{CellAction, OverlayAction, RunEvent, SetupEdit};
use crate::state::cell::argument_check::Note;
use crate::state::cell::controls::{ControlAction, End, NumberField, Role, Setting};
use crate::state::machines::browser_identity::BrowserIdentity;
use crate::state::machines::runner::{RunnerAction, RunnerEndpoint};
use crate::state::notebook::id_source::IdSource;
use crate::state::suites::loaded_suite::{FunctionId, LoadedSuite, SuiteId};
use crate::state::suites::own_suites::OwnSuiteAction;
use benchbook_notebook::measuring_options::MeasuringOptions;
use benchbook_report::results::{ResultOrigin, Results};
use points::{failed, measured, of};

/// The bounds of a parameter.
pub(crate) fn numeric(default: NumericDefault) -> Numeric {
    Numeric {
        of: "u32".to_owned(),
        min: 100.0,
        max: 10_000.0,
        step: Some(100.0),
        values: Vec::new(),
        default,
        unit: None,
        scale: Scale::Log,
        axis: true,
    }
}

fn number(name: &str, default: NumericDefault) -> Parameter {
    let kind = Kind::Integer(numeric(default));
    Parameter { name: name.to_owned(), description: format!("The {name}."), kind }
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
    let text = Kind::Text { default: "needle".to_owned() };
    let parameter = |name: &str, description: &str, kind: Kind| Parameter {
        name: name.to_owned(),
        description: description.to_owned(),
        kind,
    };
    let range = || NumericDefault::Range(Range { low: 100.0, high: 1_000.0 });
    let generator = |path: &str, name: &str, mode: Mode, parameters: Vec<Parameter>| Generator {
        path: path.to_owned(),
        name: name.to_owned(),
        docs: String::new(),
        mode,
        parameters,
        native: false,
        source_hash: String::new(),
    };
    let of_keys = vec![
        number("size", range()),
        number("depth", NumericDefault::Value(300.0)),
        parameter("spread", "The spread.", choice),
    ];
    let of_texts = vec![number("length", range()), parameter("needle", "What is searched.", text)];
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
    let suite = Suite {
        name: name.to_owned(),
        version: "0.1.0".to_owned(),
        build: Build {
            rustc: "rustc 1.95.0".to_owned(),
            target: "wasm32-unknown-unknown".to_owned(),
            opt_level: "3".to_owned(),
            ..Build::default()
        },
        functions: vec![
            function("find", &["texts"], None),
            function("reverse", &["keys"], None),
            function("rotate", &["keys"], None),
            function("shuffle", &["keys"], None),
            function("sort", &["keys", "texts"], Some("sorting")),
            function("sort_stable", &["keys", "texts"], Some("sorting")),
        ],
        notes: Vec::new(),
        generators: vec![
            generator("keys", "Keys", Mode::Fresh, of_keys),
            generator("texts", "Texts", Mode::Shared, of_texts),
        ],
    };
    let card = SuiteCard::new(&suite, "fingerprint".to_owned());
    LoadedSuite { id: SuiteId::Site(index), card, suite, clock: Some(clock(index)) }
}

/// The suite as another build.
fn rebuilt(fingerprint: &str) -> LoadedSuite {
    let suite = suite();
    LoadedSuite { card: SuiteCard { fingerprint: fingerprint.to_owned(), ..suite.card }, ..suite }
}

/// A distinct clock for each suite.
fn clock(index: usize) -> ClockCard {
    ClockCard { resolution: 5_000.0 + index as f64, jitter: 0.0, cost: 50.0 }
}

pub(crate) fn machine() -> Machine {
    this_browser().machine(clock(0))
}

fn this_browser() -> BrowserIdentity {
    BrowserIdentity { name: "Chrome 156".to_owned(), id: Id::from_random(156), processor: None }
}

/// Another browser with the same name.
fn colleague() -> Machine {
    Machine { id: Some("colleague".to_owned()), ..machine() }
}

/// A browser with another name.
fn firefox() -> Machine {
    Machine { name: "Firefox 150".to_owned(), ..colleague() }
}

/// A runner.
pub(crate) fn native() -> Machine {
    Machine { kind: MachineKind::Native, name: "reference-01".to_owned(), id: None, ..machine() }
}

/// The origin of the results of the suite at index 0 on a machine.
fn origin(machine: Machine) -> ResultOrigin {
    ResultOrigin { id: Id::from_random(1), started: 1_790_000_000_000.0, machine, suite: suite().card }
}

/// The origin of another result, of a build.
pub(crate) fn origin_of(number: u64, machine: Machine, fingerprint: &str) -> ResultOrigin {
    ResultOrigin { id: Id::from_random(number), suite: rebuilt(fingerprint).card, ..origin(machine) }
}

fn runner_chosen() -> PageAction {
    PageAction::Runner(RunnerAction::Chosen(Some(RunnerEndpoint::new("https://reference-01", ""))))
}

/// The runner responds, and has these suites.
fn runner_connected(suites: Vec<SuiteCard>) -> PageAction {
    PageAction::Runner(RunnerAction::Connected("reference-01".to_owned(), None, suites))
}

fn follow(fragment: &str) -> PageAction {
    PageAction::Follow(Link::read(fragment))
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
    Rc::new(State::default()).then([read]).then(actions)
}

/// The state with a cell of the function `sort`.
fn begun() -> Rc<State> {
    page([PageAction::SuiteLoaded(suite()), choose(0, "sort")])
}

trait Then {
    /// The state after further actions.
    fn then(self, actions: impl IntoIterator<Item = PageAction>) -> Self;
}

impl Then for Rc<State> {
    fn then(self, actions: impl IntoIterator<Item = PageAction>) -> Self {
        actions.into_iter().fold(self, Reducible::reduce)
    }
}

/// The shown cell.
#[track_caller]
fn shown_cell(state: &State) -> &LiveCell {
    state.cell().expect("a cell is shown")
}

/// The cell of the function `sort` after `actions`.
pub(crate) fn after(actions: impl IntoIterator<Item = CellAction>) -> LiveCell {
    shown_cell(&begun().then(actions.into_iter().map(on_first))).clone()
}

/// A measurement starts in this browser.
fn started() -> CellAction {
    CellAction::Run(RunEvent::Started(Box::new(origin(machine()))))
}

fn priority_started(priority: Priority) -> CellAction {
    CellAction::Run(RunEvent::PriorityStarted(MachineKind::Browser, priority, 2_000.0))
}

/// This browser has measured points.
fn in_browser(priority: Priority, points: Vec<Point>) -> CellAction {
    CellAction::Run(RunEvent::Measured(MachineKind::Browser, priority, points))
}

/// The runner has measured points.
fn on_runner(priority: Priority, points: Vec<Point>) -> CellAction {
    CellAction::Run(RunEvent::Measured(MachineKind::Native, priority, points))
}

/// A measurement up to a priority.
pub(crate) fn measurement(origin: ResultOrigin, priority: Priority, points: Vec<Point>) -> [CellAction; 3] {
    let measured = CellAction::Run(RunEvent::Measured(origin.machine.kind, priority, points));
    [CellAction::Run(RunEvent::Started(Box::new(origin))), measured, CellAction::Run(RunEvent::PriorityDone(priority))]
}

fn labels(results: &Results) -> Vec<String> {
    results.shown().into_iter().map(|shown| shown.label).collect()
}

/// The paths of the functions that a cell measures.
fn functions(cell: &LiveCell) -> Vec<&str> {
    cell.functions().map(|function| function.path.as_str()).collect()
}

fn add_partner(path: &str) -> CellAction {
    CellAction::Edit(SetupEdit::AddPartner(path.to_owned()))
}

fn set_role(name: &str, role: Role) -> CellAction {
    CellAction::Edit(SetupEdit::Control(ControlAction::SetRole(name.to_owned(), role)))
}

fn choose_spread(text: &str) -> CellAction {
    CellAction::Edit(SetupEdit::Control(ControlAction::Text("spread".to_owned(), text.to_owned())))
}

fn typed(end: End, text: &str) -> CellAction {
    CellAction::Edit(SetupEdit::Control(ControlAction::Type("size".to_owned(), end, text.to_owned())))
}

fn settled(end: End) -> CellAction {
    CellAction::Edit(SetupEdit::Control(ControlAction::Leave("size".to_owned(), end)))
}

fn progress(done: usize) -> CellAction {
    CellAction::Run(RunEvent::Progressed(Progress { done, total: 5, x: 100.0.into(), forecast: None }, 1_000.0))
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
fn a_new_axis_spans_its_bounds_and_the_old_one_keeps_its_low() {
    let request = after([set_role("depth", Role::Range)]).request("me").expect("values");
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
    assert!(after([typed(End::Value, "many")]).request("me").is_ok(), "the field is not in use");
}

#[test]
fn rejects_an_invalid_measuring_options_before_the_first_priority() {
    let target = MeasuringOptions { precision: "0".to_owned(), time: "2".to_owned(), ..MeasuringOptions::default() };
    let cell = after([CellAction::Edit(SetupEdit::SetOptions(target)), typed(End::Low, "many")]);
    let problems = cell.request("me").expect_err("two are invalid");
    let fields: Vec<_> = problems.iter().map(|problem| problem.location.as_str()).collect();
    assert_eq!(fields, ["arguments.size", "precision"]);
}

#[test]
fn changed_settings_make_results_outdated() {
    let precise = MeasuringOptions { precision: "0.5".to_owned(), ..MeasuringOptions::default() };
    let remove = CellAction::Edit(SetupEdit::RemoveFunction("reverse".to_owned()));
    let table = [
        (vec![typed(End::High, "900")], false, "there are no results yet"),
        (vec![started()], false, "nothing was changed"),
        (vec![started(), typed(End::High, "900")], true, "another range"),
        (vec![started(), typed(End::High, "900"), typed(End::High, "1000")], false, "the change was reverted"),
        (vec![started(), typed(End::High, "many")], true, "an invalid range"),
        (vec![started(), CellAction::Edit(SetupEdit::SetOptions(precise))], true, "another precision"),
        (vec![add_partner("reverse"), started()], false, "the partner was measured"),
        (vec![started(), add_partner("reverse")], true, "a new partner"),
        (vec![add_partner("reverse"), started(), remove], true, "a removed partner"),
    ];
    for (actions, is_outdated, why) in table {
        assert_eq!(after(actions).is_outdated(), is_outdated, "{why}");
    }
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
        started(),
        in_browser(Priority::FIRST, vec![measured(100.0, 5.0), failed(1_000.0)]),
        in_browser(second(), vec![failed(100.0), measured(500.0, 7.0)]),
    ]);
    let traces = cell.results.traces();
    let readings = traces[0].curve.readings();
    let known: Vec<_> = readings.iter().map(|reading| (reading.x.number(), reading.measured().is_some())).collect();
    assert_eq!(known, [(Some(100.0), true), (Some(500.0), true), (Some(1_000.0), false)]);
    assert_eq!(readings[0].failure().map(|(priority, _)| priority), Some(second()));
}

#[test]
fn the_status_follows_the_events_of_a_measurement() {
    let measuring = || vec![started(), priority_started(Priority::FIRST)];
    let queued = || vec![started(), CellAction::Run(RunEvent::Queued)];
    let queued_there = || vec![started(), CellAction::Run(RunEvent::QueuedOnRunner(3, 20_000.0))];
    let next = || vec![priority_started(Priority::FIRST)];
    let runner_started = CellAction::Run(RunEvent::PriorityStarted(MachineKind::Native, Priority::FIRST, 1.0));
    let table = [
        (measuring(), vec![], RunStatus::Waiting),
        (measuring(), vec![progress(0)], RunStatus::Measuring),
        // The tab is hidden, and shown again.
        (measuring(), vec![progress(3), CellAction::Run(RunEvent::Paused)], RunStatus::Paused),
        (measuring(), vec![CellAction::Run(RunEvent::Paused), CellAction::Run(RunEvent::Resumed)], RunStatus::Waiting),
        (
            measuring(),
            vec![progress(3), CellAction::Run(RunEvent::Paused), CellAction::Run(RunEvent::Resumed)],
            RunStatus::Measuring,
        ),
        (
            measuring(),
            vec![
                CellAction::Run(RunEvent::Paused),
                CellAction::Run(RunEvent::Stopped),
                CellAction::Run(RunEvent::Resumed),
            ],
            RunStatus::Stopped,
        ),
        // Another tab measures; a late turn is ignored.
        (queued(), vec![], RunStatus::Queued),
        (queued(), next(), RunStatus::Waiting),
        (queued(), [vec![CellAction::Run(RunEvent::Stopped)], next()].concat(), RunStatus::Stopped),
        (queued_there(), vec![], RunStatus::QueuedOnRunner(3, 20_000.0)),
        (queued_there(), vec![runner_started], RunStatus::Waiting),
    ];
    for (before, events, status) in table {
        let cell = after([before.clone(), events.clone()].concat());
        assert_eq!(cell.status, status, "{before:?} {events:?}");
        assert_eq!(cell.is_measuring(), status != RunStatus::Stopped, "{before:?} {events:?}");
    }
}

#[test]
fn the_end_of_a_priority_keeps_its_progress() {
    let table = [
        (Priority::FIRST, CellAction::Run(RunEvent::PriorityDone(Priority::FIRST)), RunStatus::Measuring),
        (Priority::LAST, CellAction::Run(RunEvent::PriorityDone(Priority::LAST)), RunStatus::Done),
        (second(), CellAction::Run(RunEvent::Stopped), RunStatus::Stopped),
    ];
    for (priority, end, status) in table {
        let late = (status != RunStatus::Measuring).then(|| progress(4));
        let actions = [started(), priority_started(priority), progress(3), end];
        let cell = after(actions.into_iter().chain(late));
        let step = cell.step.expect("a priority was running");
        assert_eq!((cell.status, step.priority), (status, priority));
        assert_eq!(step.progress.map(|progress| progress.done), Some(3), "ignores late events");
    }
}

#[test]
fn the_end_of_a_priority_keeps_its_points() {
    let shared = |state: &State| {
        Rc::clone(shown_cell(state).results.traces()[0].curve.readings()[0].shared().expect("it has figures"))
    };
    let points = in_browser(Priority::FIRST, vec![measured(100.0, 5.0)]);
    let state = begun().then([started(), points].map(on_first));
    let before = shared(&state);
    let state = state.reduce(on_first(CellAction::Run(RunEvent::PriorityDone(Priority::FIRST))));
    assert!(Rc::ptr_eq(&before, &shared(&state)), "copied samples would be drawn again");
}

#[test]
fn a_new_measurement_starts_with_an_empty_curve() {
    let points = in_browser(Priority::FIRST, vec![failed(100.0)]);
    let cell = after([started(), points, CellAction::Run(RunEvent::Stopped), started()]);
    assert!(cell.results.traces()[0].curve.readings().is_empty());
}

#[test]
fn orders_suites_as_in_the_site_configuration() {
    let state = page([1, 2, 0].map(|index| PageAction::SuiteLoaded(named(&format!("suite {index}"), index))));
    let names: Vec<_> = state.suites.iter().map(|loaded| loaded.suite.name.as_str()).collect();
    assert_eq!(names, ["suite 0", "suite 1", "suite 2"]);
    assert_eq!(state.clock(), Some(clock(0)), "the first suite's until one is chosen");
    assert_eq!(state.reduce(choose(1, "sort")).clock(), Some(clock(1)));
    assert_eq!(page([]).clock(), None);
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
fn loading_ends_when_each_suite_loaded_or_failed() {
    let config = |count: usize| {
        let suites = vec!["suites/some.wasm".to_owned(); count];
        PageAction::SiteConfigLoaded(SiteConfig { suites, ..SiteConfig::default() })
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
    let before = begun().reduce(on_first(typed(End::Low, "300")));
    for missing in [choose(0, "none"), choose(1, "shuffle")] {
        assert_eq!(Rc::clone(&before).reduce(missing).cell(), before.cell(), "the cell is unchanged");
    }
    let other = before.reduce(choose(0, "shuffle"));
    assert_eq!(other.cell().map(|cell| cell.function.path.as_str()), Some("shuffle"));
}
