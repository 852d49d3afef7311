//! Tests of the notebook that is shown: edits, results in the document, and repeated measurements.

use super::points::sampled;
use super::*;
use crate::state::notebook::NotebookAction;
use benchbook_notebook::result::CellResult;
use benchbook_report::ranking::MachineRanking;
use benchbook_report::reproduction::reproduction;

fn edit(action: NotebookAction) -> PageAction {
    PageAction::Notebook(action)
}

/// A measurement of the first cell with this identifier up to a priority.
fn run(number: u64, machine: Machine, priority: Priority, points: Vec<Point>) -> [PageAction; 3] {
    let origin = ResultOrigin { id: Id::from_random(number), ..origin(machine) };
    measurement(origin, priority, points).map(on_first)
}

/// The start of another measurement of the first cell.
fn again() -> PageAction {
    on_first(CellAction::Run(RunEvent::Started(Box::new(ResultOrigin { id: Id::from_random(2), ..origin(machine()) }))))
}

/// The results of the first cell in the document.
fn stored(state: &State) -> Vec<Rc<CellResult>> {
    let notebook = state.notebook().expect("it is shown");
    notebook.document.measurement(&nth_cell(0).cell).expect("a measurement").results.clone()
}

fn ids(state: &State) -> Vec<String> {
    stored(state).iter().map(|result| result.id.to_string()).collect()
}

#[test]
fn the_document_contains_settings_and_results() {
    let measured = run(1, machine(), Priority::LAST, vec![measured(300.0, 5.0)]);
    let state = begun().reduce(on_first(typed(End::Low, "300"))).then(measured);
    let notebook = state.notebook().expect("it is shown");
    let measurement = notebook.document.measurement(&nth_cell(0).cell).expect("a measurement");
    let size = serde_json::to_string(&measurement.setup.arguments["size"]).expect("text");
    assert_eq!((size.as_str(), measurement.setup.functions.len()), ("\"300..1000\"", 1));
    assert!(measurement.results[0].has_figures());
    assert!(!notebook.saving.edits.is_empty());
}

#[test]
fn a_first_measurement_is_stored_after_each_priority() {
    let quick = run(2, machine(), Priority::FIRST, vec![measured(300.0, 6.0)]);
    for actions in [vec![on_first(started())], quick.to_vec()] {
        let state = begun().then(actions);
        let notebook = state.notebook().expect("it is shown");
        assert!(notebook.measuring().is_some() && !notebook.is_measuring_again());
    }
}

#[test]
fn undo_and_redo_restore_settings_in_the_controls() {
    let state = begun().then(["300", "400"].map(|text| on_first(typed(End::Low, text))));
    let of = |state: &State| low(shown_cell(state)).value;
    let undone = state.reduce(edit(NotebookAction::Undo));
    assert_eq!(of(&undone), 100.0, "typing is one step");
    assert_eq!(of(&undone.reduce(edit(NotebookAction::Redo))), 400.0);
}

#[test]
fn removing_a_measuring_cell_stops_it_and_undo_restores_its_results() {
    let measured = run(1, machine(), Priority::LAST, vec![measured(300.0, 5.0)]);
    let remove = edit(NotebookAction::Remove(nth_cell(0).cell));
    let state = begun().then(measured).then([again(), remove]);
    assert!(state.measuring().is_none() && state.cell().is_none());
    let state = state.reduce(edit(NotebookAction::Undo));
    assert!(shown_cell(&state).results.traces()[0].has_figures());
}

#[test]
fn a_measurement_without_figures_leaves_the_results_before_it() {
    let measured = run(1, machine(), Priority::LAST, vec![measured(300.0, 5.0)]);
    let state = begun().then(measured).then([again(), on_first(CellAction::Run(RunEvent::Stopped))]);
    assert_eq!(ids(&state), [Id::from_random(1).to_string()]);
    assert!(shown_cell(&state).results.traces()[0].has_figures());
}

#[test]
fn a_less_precise_result_replaces_a_better_one_only_when_the_measurement_ends() {
    let complete = run(1, machine(), Priority::LAST, vec![measured(300.0, 5.0)]);
    let quick = run(2, machine(), Priority::FIRST, vec![measured(300.0, 6.0)]);
    let state = begun().then(complete).then(quick);
    assert_eq!(ids(&state), [Id::from_random(1).to_string()], "a crash would cost the complete curve");
    assert!(state.notebook().expect("it is shown").is_measuring_again());
    let state = state.reduce(on_first(CellAction::Run(RunEvent::Stopped)));
    assert_eq!(ids(&state), [Id::from_random(2).to_string()]);
    let state = state.reduce(edit(NotebookAction::Undo));
    assert_eq!(ids(&state), [Id::from_random(1).to_string()], "undo restores it");
}

#[test]
fn both_results_are_shown_after_another_machine_measured_again() {
    let points = |sort: f64| {
        let at = |x| [of("sort", sampled(x, sort)), of("sort_stable", sampled(x, 80.0))];
        [100.0, 900.0].into_iter().flat_map(at).collect()
    };
    let measured_by = |original: Machine| {
        let state = begun().reduce(on_first(add_partner("sort_stable")));
        let state = state.then(run(1, original, Priority::LAST, points(40.0)));
        state.then(run(2, machine(), Priority::LAST, points(20.0)))
    };
    let sentences = |state: &State| {
        let shown = shown_cell(state).results.shown();
        reproduction(&shown, &MachineRanking::all(&shown), 0.01).remove(0).sentences
    };
    let state = measured_by(firefox());
    assert_eq!(stored(&state).len(), 2);
    let expected = ["sort", "sort_stable", "sort · Firefox 150", "sort_stable · Firefox 150"];
    assert_eq!(labels(&shown_cell(&state).results), expected);
    let stated = sentences(&state);
    assert!(stated[0].starts_with("0 of 2 results from Firefox 150 hold here"), "{stated:?}");
    assert!(stated[1].contains("the ratio is 4"), "{stated:?}");
    let times = stated.last().expect("it has sentences");
    assert!(times.starts_with("Times here relative to Firefox 150 at 900, measured separately: `sort` 0.5"), "{times}");

    let same_name = measured_by(colleague());
    let expected = ["sort", "sort_stable", "sort · another Chrome 156", "sort_stable · another Chrome 156"];
    assert_eq!(labels(&shown_cell(&same_name).results), expected);
    let stated = sentences(&same_name);
    assert!(stated[0].starts_with("0 of 2 results from another Chrome 156 hold here"), "{stated:?}");

    // A reader's result is not an original.
    let mut results = shown_cell(&same_name).results.clone();
    for earlier in &mut results.earlier {
        Rc::make_mut(earlier).from_reader = true;
    }
    let shown = results.shown();
    assert_eq!(shown[2].label, "sort · Chrome 156 of a reader");
    assert_eq!(reproduction(&shown, &MachineRanking::all(&shown), 0.01), []);

    let third = run(3, machine(), Priority::LAST, points(20.0));
    let state = state.reduce(on_first(choose_spread("B"))).then(third);
    assert_eq!(ids(&state), [Id::from_random(3).to_string()], "results of other arguments are not compared");
}
