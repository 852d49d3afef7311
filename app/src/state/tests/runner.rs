//! Tests of the runner: its connection, and its curves next to this browser's.

use super::*;
use crate::state::machines::runner::{RunnerError, RunnerStatus};
use benchbook_report::comparison::compared_pairs;
use benchbook_report::ranking::MachineRanking;

fn connected(hash: &str, version: &str) -> PageAction {
    let card = SuiteCard { version: version.to_owned(), catalog_hash: hash.to_owned(), ..suite().card };
    runner_connected(vec![card])
}

fn can_measure(state: &State) -> bool {
    state.can_measure(state.cell().expect("a function is chosen"))
}

/// Points of both machines from one measurement run.
fn escalated() -> [CellAction; 4] {
    [
        started(),
        in_browser(Priority::FIRST, vec![measured(100.0, 5.0)]),
        CellAction::Run(RunEvent::Escalated(Box::new(origin(native())))),
        on_runner(Priority::FIRST, vec![measured(100.0, 3.0), measured(500.0, 4.0)]),
    ]
}

#[test]
fn each_machine_has_its_own_curve() {
    let cell = after(escalated());
    let curves: Vec<_> =
        cell.results.traces().iter().map(|trace| (trace.setup.target_name(), trace.curve.readings().len())).collect();
    assert_eq!(curves, [("browser", 1), ("native", 2)]);
    let shown = cell.results.shown();
    let labels: Vec<_> =
        shown.iter().map(|one| (one.label.as_str(), one.is_elsewhere, one.is_sketch, one.hue)).collect();
    assert_eq!(labels, [("sort · Chrome 156", true, true, 0), ("sort · reference-01", false, false, 0)]);
    assert!(compared_pairs(&shown, &MachineRanking::all(&shown)).is_empty(), "machines are not compared");
    assert!(!cell.is_outdated());
}

#[test]
fn a_browser_continues_after_the_runner() {
    let runner = escalated()
        .into_iter()
        .chain([CellAction::Run(RunEvent::PriorityDone(Priority::FIRST)), CellAction::Run(RunEvent::RunnerDone)]);
    let cell = after(runner.clone());
    assert_eq!((cell.is_measuring(), &cell.status), (true, &RunStatus::Measuring));
    let browser = [
        CellAction::Run(RunEvent::PriorityStarted(MachineKind::Browser, second(), 10.0)),
        in_browser(second(), vec![measured(100.0, 5.5), measured(500.0, 6.0)]),
        CellAction::Run(RunEvent::PriorityDone(Priority::LAST)),
    ];
    let cell = after(runner.chain(browser));
    let counts: Vec<_> = cell.results.traces().iter().map(|trace| trace.curve.readings().len()).collect();
    assert_eq!((counts, &cell.status), (vec![2, 2], &RunStatus::Done));
}

#[test]
fn all_priorities_of_the_runner_share_a_curve() {
    let again = [
        CellAction::Run(RunEvent::Escalated(Box::new(origin(native())))),
        on_runner(second(), vec![measured(100.0, 3.5)]),
    ];
    let cell = after(escalated().into_iter().chain(again));
    assert_eq!(cell.results.traces().len(), 2);
    let priorities: Vec<u8> =
        cell.results.traces()[1].curve.readings().iter().map(|reading| reading.priority().number()).collect();
    assert_eq!(priorities, [2, 1]);
}

#[test]
fn the_more_precise_machine_is_ranked_first() {
    let browser =
        |priority: Priority| in_browser(priority, vec![measured(100.0, 5.0), of("sort_stable", measured(100.0, 6.0))]);
    let runner = |priority: Priority| {
        on_runner(priority, vec![measured(100.0, 3.0), of("sort_stable", measured(100.0, 4.0)), failed(500.0)])
    };
    let begun = [add_partner("sort_stable"), started(), browser(Priority::FIRST)];
    let escalated = CellAction::Run(RunEvent::Escalated(Box::new(origin(native()))));
    let first = |events: Vec<CellAction>| {
        let shown = after(begun.iter().cloned().chain([escalated.clone()]).chain(events)).results.shown();
        MachineRanking::all(&shown).first().map(|ranking| ranking.setup.machine.kind).expect("there is a ranking")
    };
    assert_eq!(first(vec![]), MachineKind::Browser, "the runner has no points yet");
    assert_eq!(first(vec![runner(Priority::FIRST)]), MachineKind::Native);
    // The runner was lost, and this browser continued.
    assert_eq!(first(vec![runner(Priority::FIRST), browser(second())]), MachineKind::Browser);
    assert_eq!(first(vec![runner(Priority::FIRST), browser(second()), runner(second())]), MachineKind::Native);
}

#[test]
fn points_of_two_builds_of_the_runner_are_two_results() {
    let other = ResultOrigin { suite: rebuilt("other").card, ..origin_of(7, native(), "other") };
    let again =
        [CellAction::Run(RunEvent::Escalated(Box::new(other))), on_runner(second(), vec![measured(100.0, 2.0)])];
    let cell = after(escalated().into_iter().chain(again));
    let counts = |results: &[Rc<benchbook_notebook::result::CellResult>]| {
        results.iter().map(|result| result.setup.suite.fingerprint.clone()).collect::<Vec<_>>()
    };
    assert_eq!(counts(&cell.results.earlier), ["fingerprint"]);
    assert_eq!(counts(&cell.results.latest), ["fingerprint", "other"]);
}

#[test]
fn compares_functions_on_each_machine() {
    let shown = after([add_partner("sort_stable")].into_iter().chain(escalated())).results.shown();
    let ordinals: Vec<Vec<usize>> = MachineRanking::all(&shown).into_iter().map(|ranking| ranking.ordinals).collect();
    assert_eq!(
        (ordinals, compared_pairs(&shown, &MachineRanking::all(&shown)).len()),
        (vec![vec![2, 3], vec![0, 1]], 2)
    );
}

#[test]
fn a_native_function_has_the_runners_curve_only() {
    let cell = after([
        CellAction::Run(RunEvent::Started(Box::new(origin(native())))),
        CellAction::Run(RunEvent::Escalated(Box::new(origin(Machine { clock: clock(9), ..native() })))),
        on_runner(Priority::FIRST, vec![measured(100.0, 3.0)]),
    ]);
    assert_eq!(cell.results.traces().len(), 1);
    assert_eq!(cell.results.setup().map(|setup| setup.machine.clock), Some(clock(9)));
    assert_eq!(cell.results.shown()[0].label, "sort");
}

#[test]
fn remarks_remain_until_the_next_run() {
    let remarked = |text: &str| CellAction::Run(RunEvent::Remarked(text.to_owned()));
    let lost = escalated().into_iter().chain(["Coarse clock.", "Lost.", "Back.", "Lost."].map(remarked));
    assert_eq!(after(lost.clone()).remarks, ["Coarse clock.", "Back.", "Lost."]);
    assert!(after(lost.chain([started()])).remarks.is_empty());
}

#[test]
fn uses_a_runner_only_for_the_same_build() {
    let state = |response: PageAction| begun().then([runner_chosen(), response]);
    let card = suite().card;
    let ready = state(connected(&card.catalog_hash, &card.version));
    assert!(ready.runner.endpoint_for(&suite()).is_some() && ready.runner.problem(&suite()).is_none());
    for (other, expected) in [
        (connected("0000", &card.version), "The runner's build of demo"),
        (connected(&card.catalog_hash, "9.9.9"), "(version 9.9.9) differs from this page's (version 0.1.0)"),
        (runner_connected(Vec::new()), "lacks the suite demo"),
    ] {
        let state = state(other);
        assert!(state.runner.endpoint_for(&suite()).is_none());
        let problem = state.runner.problem(&suite()).expect(expected);
        assert!(problem.contains(expected), "{problem}");
    }
}

#[test]
fn measures_a_native_function_while_connected() {
    let mut native = suite();
    native.suite.functions[4].native = true;
    let card = native.card.clone();
    let state = page([PageAction::SuiteLoaded(native), choose(0, "sort"), runner_chosen()]);
    assert!(!can_measure(&state));
    let state = state.reduce(connected(&card.catalog_hash, &card.version));
    assert!(can_measure(&state));
    let state = state.reduce(PageAction::Runner(RunnerAction::Lost));
    assert!(!can_measure(&state) && state.runner.status == RunnerStatus::Connecting);
}

#[test]
fn errors_state_the_fix() {
    let endpoint = |address: &str| RunnerEndpoint::new(address, "");
    let here = "http://127.0.0.1:8080";
    let table = [
        ("./", here, 0, true, "Start it, or choose another one."),
        (
            "https://far",
            here,
            0,
            true,
            "https://far/ does not respond. Start the runner, and list http://127.0.0.1:8080 in its `origins`.",
        ),
        ("http://far", "https://page", 0, false, "cannot access http://far/ over http"),
        ("http://127.0.0.1:4040", "https://page", -1, false, "local network"),
        ("./", here, -1, true, "Start it, or choose another one."),
        ("./", here, 401, false, "requires a token"),
        ("./", here, 403, false, "The runner rejected the request: why"),
        ("./", here, 404, false, "The runner rejected the request: why"),
        ("./", here, 503, true, "The runner failed: why"),
    ];
    for (address, origin, status, is_temporary, expected) in table {
        let error = endpoint(address).error(origin, status, "why");
        assert_eq!(matches!(error, RunnerError::Temporary(_)), is_temporary, "{status}");
        assert!(error.message().contains(expected), "{error:?}");
    }
    let busy = endpoint("./").error(here, 429, "The queue is full. Try again in 9 s.");
    assert_eq!(busy.message(), "The runner is busy. The queue is full. Try again in 9 s.");
    // Other servers send no error message.
    for status in [200, 404] {
        let error = endpoint("./").error(here, status, "");
        assert!(matches!(&error, RunnerError::Permanent(message) if message.contains("no runner at ./")), "{error:?}");
    }
}

#[test]
fn builds_urls_with_and_without_a_trailing_slash() {
    let urls =
        ["https://far/bench", " https://far/bench/ "].map(|address| RunnerEndpoint::new(address, "").url("queue"));
    assert_eq!(urls, ["https://far/bench/api/v1/queue"; 2]);
}

#[test]
fn choosing_a_runner_connects_at_once() {
    let state =
        page([runner_chosen(), PageAction::Runner(RunnerAction::Failed(RunnerError::Permanent("no".to_owned())))]);
    let again = Rc::clone(&state).reduce(runner_chosen());
    assert!(again.runner.attempts > state.runner.attempts && again.runner.status == RunnerStatus::Connecting);
    let lost = Rc::clone(&again).reduce(PageAction::Runner(RunnerAction::Lost));
    assert!(lost.runner.attempts > again.runner.attempts);
}
