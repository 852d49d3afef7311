//! Tests of the notes on stale results: which machine and which build count as current.

use super::*;
use crate::state::runner::{RunnerAction, RunnerEndpoint};

fn native(name: &str) -> Machine {
    Machine { kind: MachineKind::Native, name: name.to_owned(), id: None, ..machine() }
}

/// The note in this browser on a measurement by a machine with a build, after these actions.
fn note(machine: Machine, fingerprint: &str, actions: impl IntoIterator<Item = PageAction>) -> Option<String> {
    let state = measured_by(machine, fingerprint, actions);
    state.staleness(state.cell().expect("it is shown"))
}

/// The state of this browser after a measurement by a machine with a build, and after these actions.
fn measured_by(machine: Machine, fingerprint: &str, actions: impl IntoIterator<Item = PageAction>) -> State {
    let suite_card = SuiteCard { fingerprint: fingerprint.to_owned(), ..suite().card };
    let kind = machine.kind;
    let origin = ResultOrigin { suite: suite_card, ..origin(machine) };
    let measured = CellAction::Measured(kind, Priority::LAST, vec![measured(300.0, 5.0)]);
    let run = [CellAction::Started(origin), measured, CellAction::PriorityDone(Priority::LAST)].map(on_first);
    let begun = [PageAction::SuiteLoaded(suite()), choose(0, "sort")].into_iter().chain(run).chain(actions);
    let mut state = State::clone(&page(begun));
    state.browser = Some(this_browser());
    state
}

#[test]
fn the_button_states_whether_results_are_from_elsewhere() {
    let label = |state: &State| state.measure_label(state.cell().expect("it is shown"));
    let colleague = || Machine { id: Some("colleague".to_owned()), ..machine() };
    let table = [
        (machine(), "Measure again"),
        (Machine { name: "Chrome 155".to_owned(), ..machine() }, "Measure again"),
        (colleague(), "Measure again here"),
        (native("reference-01"), "Measure again here"),
    ];
    for (machine, expected) in table {
        let name = machine.name.clone();
        assert_eq!(label(&measured_by(machine, "fingerprint", [])), expected, "{name}");
    }
    let unmeasured = page([PageAction::SuiteLoaded(suite()), choose(0, "sort")]);
    assert_eq!(label(&unmeasured), "Measure");
    let here = ResultOrigin { id: Id::from_random(2), ..origin(machine()) };
    let again = [
        CellAction::Started(here),
        CellAction::Measured(MachineKind::Browser, Priority::LAST, vec![measured(300.0, 5.0)]),
    ];
    let both = measured_by(colleague(), "fingerprint", again.map(on_first));
    assert_eq!(label(&both), "Measure again here", "the colleague's results are still shown");
}

#[test]
fn a_complete_measurement_of_the_runner_is_repeated() {
    let chosen = || PageAction::Runner(RunnerAction::Chosen(Some(RunnerEndpoint::new("https://reference-01", ""))));
    let connected = || PageAction::Runner(RunnerAction::Connected("reference-01".to_owned(), None, vec![suite().card]));
    let is_complete = |machine: Machine, fingerprint: &str, actions: Vec<PageAction>| {
        let actions = [chosen(), connected()].into_iter().chain(actions);
        let state = measured_by(machine, fingerprint, actions);
        state.is_complete_on_runner(state.cell().expect("it is shown"))
    };
    let reference = || native("reference-01");
    let build = suite().card.fingerprint;
    let options = MeasuringOptions { first_calls: true, ..MeasuringOptions::default() };
    let other_settings = on_first(CellAction::SetMeasuringOptions(options));
    let stopped = [
        CellAction::Started(ResultOrigin { id: Id::from_random(2), ..origin(reference()) }),
        CellAction::Measured(MachineKind::Native, Priority::FIRST, vec![measured(300.0, 5.0)]),
    ];
    assert!(is_complete(reference(), &build, Vec::new()));
    assert!(!is_complete(reference(), &build, stopped.map(on_first).into()), "stopped");
    assert!(!is_complete(native("reference-02"), &build, Vec::new()), "another runner");
    assert!(!is_complete(machine(), &build, Vec::new()), "this browser");
    assert!(!is_complete(reference(), "other", Vec::new()), "another build");
    assert!(!is_complete(reference(), &build, vec![other_settings]), "other settings");
}

#[test]
fn results_of_this_browser_and_build_are_current() {
    assert_eq!(note(machine(), "fingerprint", []), None);
    let other_build = "demo has been rebuilt since this measurement. Measure again to compare the builds.";
    assert_eq!(note(machine(), "other", []).as_deref(), Some(other_build));
}

#[test]
fn another_browser_with_the_same_name_is_another_machine() {
    let of = |id: Option<&str>, name: &str, fingerprint: &str| {
        let machine = Machine { id: id.map(str::to_owned), name: name.to_owned(), ..machine() };
        note(machine, fingerprint, []).unwrap_or_default()
    };
    let own = this_browser().id.to_string();
    let another = "Measured on another machine: Chrome 156. Measure again to add results from here.";
    assert_eq!(of(Some("colleague"), "Chrome 156", "fingerprint"), another);
    assert_eq!(of(None, "Chrome 156", "fingerprint"), another, "files without identifiers are not from here");
    assert_eq!(
        of(Some("colleague"), "Firefox 150", "other"),
        "Measured on another machine: Firefox 150, with another build of demo. Measure again to add results from here."
    );
    assert_eq!(
        of(Some(&own), "Chrome 155", "fingerprint"),
        "Measured with another version of this browser: Chrome 155. Measure again to add results from here."
    );
}

#[test]
fn results_of_a_runner_are_compared_with_the_runner_that_responds() {
    let connected = |name: &str, fingerprint: &str| {
        let card = SuiteCard { fingerprint: fingerprint.to_owned(), ..suite().card };
        let chosen = RunnerAction::Chosen(Some(RunnerEndpoint::new("http://localhost:1", "")));
        let connected = RunnerAction::Connected(name.to_owned(), None, vec![card]);
        [chosen, connected].map(PageAction::Runner)
    };
    let of = |actions: Vec<PageAction>| note(native("reference-01"), "native", actions);
    assert_eq!(of(Vec::new()), None, "no runner responds");
    assert_eq!(of(connected("reference-01", "native").to_vec()), None);
    assert_eq!(
        of(connected("reference-02", "native").to_vec()).as_deref(),
        Some("Measured on another runner: reference-01. Measure again to add results from here.")
    );
    assert!(of(connected("reference-01", "rebuilt").to_vec()).is_some_and(|note| note.contains("rebuilt")));
}
