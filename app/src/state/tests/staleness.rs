//! Tests of the notes on stale results: which machine and which build count as current.

use super::*;

fn runner(name: &str) -> Machine {
    Machine { name: name.to_owned(), ..native() }
}

/// The note in this browser on a measurement by a machine with a build, after these actions.
fn note(machine: Machine, fingerprint: &str, actions: impl IntoIterator<Item = PageAction>) -> Option<String> {
    let state = measured_by(machine, fingerprint, actions);
    state.staleness(shown_cell(&state))
}

/// The state of this browser after a measurement by a machine with a build, and after these actions.
fn measured_by(machine: Machine, fingerprint: &str, actions: impl IntoIterator<Item = PageAction>) -> State {
    let run = measurement(origin_of(1, machine, fingerprint), Priority::LAST, vec![measured(300.0, 5.0)]);
    let mut state = State::clone(&begun().then(run.map(on_first)).then(actions));
    state.browser = Some(this_browser());
    state
}

#[test]
fn the_button_states_whether_results_are_from_elsewhere() {
    let label = |state: &State| state.measure_label(shown_cell(state));
    let table = [
        (machine(), "Measure again"),
        (Machine { name: "Chrome 155".to_owned(), ..machine() }, "Measure again"),
        (colleague(), "Measure again here"),
        (native(), "Measure again here"),
    ];
    for (machine, expected) in table {
        let name = machine.name.clone();
        assert_eq!(label(&measured_by(machine, "fingerprint", [])), expected, "{name}");
    }
    assert_eq!(label(&begun()), "Measure");
    let here = ResultOrigin { id: Id::from_random(2), ..origin(machine()) };
    let again =
        [CellAction::Run(RunEvent::Started(Box::new(here))), in_browser(Priority::LAST, vec![measured(300.0, 5.0)])];
    let both = measured_by(colleague(), "fingerprint", again.map(on_first));
    assert_eq!(label(&both), "Measure again here", "the colleague's results are still shown");
}

#[test]
fn a_complete_measurement_of_the_runner_is_repeated() {
    let is_complete = |machine: Machine, fingerprint: &str, actions: Vec<PageAction>| {
        let runner = [runner_chosen(), runner_connected(vec![suite().card])];
        let state = measured_by(machine, fingerprint, runner.into_iter().chain(actions));
        state.is_complete_on_runner(shown_cell(&state))
    };
    let build = suite().card.fingerprint;
    let options = MeasuringOptions { first_calls: true, ..MeasuringOptions::default() };
    let other_settings = on_first(CellAction::Edit(SetupEdit::SetOptions(options)));
    let stopped = [
        CellAction::Run(RunEvent::Started(Box::new(ResultOrigin { id: Id::from_random(2), ..origin(native()) }))),
        on_runner(Priority::FIRST, vec![measured(300.0, 5.0)]),
    ];
    for (machine, fingerprint, actions, expected, why) in [
        (native(), build.as_str(), vec![], true, "complete"),
        (native(), &build, stopped.map(on_first).to_vec(), false, "stopped"),
        (runner("reference-02"), &build, vec![], false, "another runner"),
        (machine(), &build, vec![], false, "this browser"),
        (native(), "other", vec![], false, "another build"),
        (native(), &build, vec![other_settings], false, "other settings"),
    ] {
        assert_eq!(is_complete(machine, fingerprint, actions), expected, "{why}");
    }
}

#[test]
fn results_of_another_browser_or_build_are_stale() {
    let another = "Measured in another browser or profile: Chrome 156. Measure again to add results from here.";
    let table = [
        (machine(), "fingerprint", None),
        (
            machine(),
            "other",
            Some("demo has been rebuilt since this measurement. Measure again to compare the builds."),
        ),
        // A colleague's browser, or a fresh profile on this machine.
        (colleague(), "fingerprint", Some(another)),
        // Files without identifiers are not from here.
        (Machine { id: None, ..machine() }, "fingerprint", Some(another)),
        (
            firefox(),
            "other",
            Some(
                "Measured in another browser or profile: Firefox 150, with another build of demo. Measure again to add results from here.",
            ),
        ),
        (
            Machine { name: "Chrome 155".to_owned(), ..machine() },
            "fingerprint",
            Some("Measured with another version of this browser: Chrome 155. Measure again to add results from here."),
        ),
    ];
    for (machine, fingerprint, expected) in table {
        assert_eq!(note(machine, fingerprint, []).as_deref(), expected);
    }
}

#[test]
fn results_of_a_runner_are_compared_with_the_runner_that_responds() {
    let connected = |name: &str, fingerprint: &str| {
        let connected = RunnerAction::Connected(name.to_owned(), None, vec![rebuilt(fingerprint).card]);
        vec![runner_chosen(), PageAction::Runner(connected)]
    };
    let of = |actions: Vec<PageAction>| note(native(), "native", actions);
    assert_eq!(of(Vec::new()), None, "no runner responds");
    assert_eq!(of(connected("reference-01", "native")), None);
    assert_eq!(
        of(connected("reference-02", "native")).as_deref(),
        Some("Measured on another runner: reference-01. Measure again to add results from here.")
    );
    assert!(of(connected("reference-01", "rebuilt")).is_some_and(|note| note.contains("rebuilt")));
}
