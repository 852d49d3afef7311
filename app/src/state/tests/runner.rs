//! The runner: how it stands with it, and what it measures beside this browser.

use super::*;
use crate::state::runner::{Offer, Reach, RunnerAction, Standing, Trouble};
use crate::state::versus::Versus;

fn native() -> Machine {
    Machine { kind: MachineKind::Native, name: "reference-01".to_owned(), ..machine() }
}

fn offer(hash: &str, version: &str) -> Action {
    let offer = Offer { name: "demo".to_owned(), version: version.to_owned(), catalog_hash: hash.to_owned() };
    Action::Runner(RunnerAction::Connected("reference-01".to_owned(), vec![offer]))
}

fn chosen() -> Action {
    Action::Runner(RunnerAction::Chosen(Some(Reach::new("https://reference-01", " secret "))))
}

/// Points of both machines, measured in one press.
fn escalated() -> [CellAction; 4] {
    [
        CellAction::Started(machine()),
        CellAction::Measured(MachineKind::Browser, Priority::FIRST, vec![measured(100.0, 5.0)]),
        CellAction::Escalated(native()),
        CellAction::Measured(MachineKind::Native, Priority::FIRST, vec![measured(100.0, 3.0), measured(500.0, 4.0)]),
    ]
}

#[test]
fn points_of_two_machines_make_two_curves() {
    let cell = after(escalated());
    let curves: Vec<_> = cell.traces.iter().map(|trace| (trace.setup.face(), trace.curve.readings().len())).collect();
    assert_eq!(curves, [("browser", 1), ("native", 2)]);
    let shown = cell.shown();
    let told: Vec<_> = shown.iter().map(|one| (one.label.as_str(), one.unpaired, one.is_sketch, one.hue)).collect();
    assert_eq!(told, [("sort · Chrome 156", false, true, 0), ("sort · reference-01", false, false, 1)]);
    assert!(Versus::all(&shown).is_empty(), "no ratio is told across machines");
    assert!(!cell.is_outdated());
}

#[test]
fn each_priority_of_the_runner_goes_on_with_its_curve() {
    let again = [
        CellAction::Escalated(native()),
        CellAction::Measured(MachineKind::Native, second(), vec![measured(100.0, 3.5)]),
    ];
    let cell = after(escalated().into_iter().chain(again));
    assert_eq!(cell.traces.len(), 2);
    let priorities: Vec<u8> =
        cell.traces[1].curve.readings().iter().map(|reading| reading.priority().number()).collect();
    assert_eq!(priorities, [2, 1]);
}

#[test]
fn functions_are_compared_on_each_machine_with_the_first_there() {
    let partner = CellAction::AddPartner("sort_stable".to_owned());
    let shown = after([partner].into_iter().chain(escalated())).shown();
    let compared: Vec<_> = Versus::all(&shown).iter().map(|one| (one.baseline, one.ordinal)).collect();
    assert_eq!(compared, [(0, 1), (2, 3)]);
}

#[test]
fn what_only_a_runner_measures_has_its_curve_alone() {
    let cell = after([
        CellAction::Started(native()),
        CellAction::Escalated(Machine { clock: clock(9), ..native() }),
        CellAction::Measured(MachineKind::Native, Priority::FIRST, vec![measured(100.0, 3.0)]),
    ]);
    assert_eq!(cell.traces.len(), 1);
    assert_eq!(cell.setup().map(|setup| setup.machine.clock), Some(clock(9)));
    assert_eq!(cell.shown()[0].label, "sort");
}

#[test]
fn who_waits_for_the_runner_is_told_for_how_long() {
    let cell = after([CellAction::Started(machine()), CellAction::Ahead(3, 20_000.0)]);
    assert!(cell.run == cell::Run::Ahead(3, 20_000.0) && cell.is_measuring());
    let began = CellAction::Began(MachineKind::Native, Priority::FIRST, 1.0);
    assert_eq!(after([CellAction::Started(machine()), CellAction::Ahead(3, 20_000.0), began]).run, cell::Run::Waiting);
}

#[test]
fn what_is_told_of_a_lost_runner_stays_until_the_next_press() {
    let lost = escalated().into_iter().chain([CellAction::Remarked("It was lost.".to_owned())]);
    assert_eq!(after(lost.clone()).remark.as_deref(), Some("It was lost."));
    assert_eq!(after(lost.chain([CellAction::Started(machine())])).remark, None);
}

#[test]
fn a_runner_is_asked_for_the_very_suite_that_is_shown() {
    let state = |offered: Action| page([Action::SuiteLoaded(suite()), choose(0, "sort"), chosen(), offered]);
    let card = suite().card;
    let ready = state(offer(&card.catalog_hash, &card.version));
    assert!(ready.runner.ready_for(&suite()).is_some() && ready.runner.trouble(&suite()).is_none());
    for (other, told) in [
        (offer("0000", &card.version), "another build of demo"),
        (offer(&card.catalog_hash, "9.9.9"), "9.9.9, this page has 0.1.0"),
        (
            Action::Runner(RunnerAction::Connected("reference-01".to_owned(), Vec::new())),
            "does not have the suite demo",
        ),
    ] {
        let state = state(other);
        assert!(state.runner.ready_for(&suite()).is_none());
        let trouble = state.runner.trouble(&suite()).expect(told);
        assert!(trouble.contains(told), "{trouble}");
    }
}

#[test]
fn a_native_function_can_be_measured_while_its_runner_answers() {
    let mut native = suite();
    native.suite.functions[4].native = true;
    let card = native.card.clone();
    let state = page([Action::SuiteLoaded(native), choose(0, "sort"), chosen()]);
    assert!(!state.can_measure());
    let state = Reducible::reduce(state, offer(&card.catalog_hash, &card.version));
    assert!(state.can_measure());
    let state = Reducible::reduce(state, Action::Runner(RunnerAction::Lost));
    assert!(!state.can_measure() && state.runner.standing == Standing::Connecting);
}

#[test]
fn why_a_runner_does_not_answer_says_what_to_do() {
    let reach = |address: &str| Reach::new(address, "");
    let here = "http://127.0.0.1:8080";
    let table = [
        (reach("./"), here, 0, true, "is it running?"),
        (
            reach("https://far"),
            here,
            0,
            true,
            "https://far/ does not answer: is it running, and is http://127.0.0.1:8080 among its origins?",
        ),
        (reach("http://far"), "https://page", 0, false, "over plain http"),
        (reach("http://127.0.0.1:4040"), "https://page", -1, false, "local network"),
        (reach("./"), here, -1, true, "is it running?"),
        (reach("./"), here, 401, false, "its token"),
        (reach("./"), here, 403, false, "The runner refuses: why"),
        (reach("./"), here, 404, false, "The runner refuses: why"),
        (reach("./"), here, 429, true, "The runner cannot: why"),
        (reach("./"), here, 503, true, "The runner cannot: why"),
    ];
    for (reach, origin, status, passes, expected) in table {
        let trouble = reach.trouble(origin, status, "why");
        assert_eq!(matches!(trouble, Trouble::Passing(_)), passes, "{status}");
        assert!(trouble.told().contains(expected), "{trouble:?}");
    }
    // What is no runner says nothing that a runner says.
    for status in [200, 404] {
        let trouble = reach("./").trouble(here, status, "");
        assert!(matches!(&trouble, Trouble::Lasting(told) if told.contains("no runner at ./")), "{trouble:?}");
    }
}

#[test]
fn the_api_is_below_the_address_however_it_is_written() {
    let urls = ["https://far/bench", " https://far/bench/ "].map(|address| Reach::new(address, "").url("queue"));
    assert_eq!(urls, ["https://far/bench/api/v1/queue"; 2]);
}

#[test]
fn whoever_presses_connect_is_answered_at_once() {
    let state = page([chosen(), Action::Runner(RunnerAction::Failed(Trouble::Lasting("no".to_owned())))]);
    let again = Reducible::reduce(Rc::clone(&state), chosen());
    assert!(again.runner.attempts > state.runner.attempts && again.runner.standing == Standing::Connecting);
    let lost = Reducible::reduce(Rc::clone(&again), Action::Runner(RunnerAction::Lost));
    assert!(lost.runner.attempts > again.runner.attempts);
}
