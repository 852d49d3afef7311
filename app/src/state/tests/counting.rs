//! Counting wasm instructions, when the user chooses to see them.

use benchbook_contract::axis_value::AxisValue;
use benchbook_count::PointCounts;
use benchbook_host::alternative::build_id;
use benchbook_host::metric::{ALLOCATIONS, Metric, TIME, WASM_INSTRUCTIONS};
use benchbook_host::response::{WasmCounts, WasmInstructions};
use benchbook_notebook::result::{SharedValue, StoredListing, StoredProfile};
use benchbook_notebook::view::{Tab, ViewAction};
use benchbook_report::export::ExportFormat;
use benchbook_report::table_text::as_text;
use benchbook_report::wasm_counts::notes;
use serde_json::json;

use super::*;

fn shows(metric: &'static Metric) -> CellAction {
    CellAction::Edit(SetupEdit::View(ViewAction::Metric(metric)))
}

fn counted(x: f64, load: i64) -> CellAction {
    let counts = WasmCounts::Counted(WasmInstructions { calls: 2, load, ..WasmInstructions::default() });
    with_counts(x, counts)
}

fn with_counts(x: f64, counts: WasmCounts) -> CellAction {
    CellAction::Run(RunEvent::Counted(PointCounts { function: "sort".to_owned(), x: x.into(), counts }))
}

/// Two points of the first priority, of a complete measurement.
fn two_points() -> [CellAction; 3] {
    let points = [100.0, 200.0].map(|x| measured(x, 5.0)).to_vec();
    [started(), in_browser(Priority::FIRST, points), CellAction::Run(RunEvent::PriorityDone(Priority::LAST))]
}

fn left_to_count(cell: &LiveCell) -> Vec<AxisValue> {
    cell.uncounted().into_iter().flat_map(|uncounted| uncounted.points).flat_map(|(_, xs)| xs).collect()
}

#[test]
fn the_points_of_a_measurement_are_counted_when_the_user_chooses_the_metric() {
    let state = begun().then(two_points().map(on_first));
    assert_eq!(state.cell_to_count(), None);
    assert_eq!(state.clone().then([on_first(shows(&ALLOCATIONS))]).cell_to_count(), None);
    let state = state.then([on_first(shows(&WASM_INSTRUCTIONS))]);
    assert_eq!(state.cell_to_count(), Some(nth_cell(0)));

    // Once begun, or stopped, it doesn't begin again by itself.
    let state =
        state.then([CellAction::Run(RunEvent::Counting { done: 0, total: 2 }), counted(100.0, 8)].map(on_first));
    assert_eq!(shown_cell(&state).status, RunStatus::Counting { done: 1, total: 2 });
    assert!(shown_cell(&state).is_measuring() && state.cell_to_count().is_none());
    assert_eq!(left_to_count(shown_cell(&state)), [200.0]);
    let stopped = state.clone().then([PageAction::StopAll]);
    assert_eq!((stopped.cell_to_count(), &shown_cell(&stopped).status), (None, &RunStatus::Stopped));

    let state = state.then([counted(200.0, 16), CellAction::Run(RunEvent::CountingDone)].map(on_first));
    assert_eq!((shown_cell(&state).is_measuring(), state.cell_to_count()), (false, None));
    let text = as_text(&shown_cell(&state).results.shown(), &[]);
    let fields: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
    for heading in ["Wasm instructions per call", "Wasm loads per call"] {
        let column = fields[0].iter().position(|field| *field == heading).expect(heading);
        assert_eq!([fields[1][column], fields[2][column]], ["4", "8"], "{heading}");
    }
    assert!(!text.contains("Wasm stores"), "only classes that occur: {text}");
    let markdown = ExportFormat::Markdown.write(&shown_cell(&state).results, 0.01, None);
    assert!(markdown.contains(" wasm instructions |\n") && markdown.contains(" | 8 |\n"), "{markdown}");
    // The notebook has them, too.
    let stored = state.notebook().unwrap().document.measurement(&nth_cell(0).cell).unwrap().results.clone();
    assert_eq!(stored, shown_cell(&state).results.stored());
}

#[test]
fn another_metric_and_stop_end_the_wish_to_count() {
    let during_a_run =
        || begun().then([started(), in_browser(Priority::FIRST, vec![measured(100.0, 5.0)])].map(on_first));
    let chosen = during_a_run().then([on_first(shows(&WASM_INSTRUCTIONS))]);
    assert_eq!(chosen.cell_to_count(), Some(nth_cell(0)));
    assert_eq!(chosen.clone().then([on_first(shows(&TIME))]).cell_to_count(), None);
    assert_eq!(chosen.then([PageAction::StopAll]).cell_to_count(), None);
}

#[test]
fn a_point_of_a_higher_priority_keeps_its_count() {
    let cell = after(two_points().into_iter().chain([counted(100.0, 8)]));
    assert_eq!(left_to_count(&cell), [200.0]);
    let [started, first, _] = two_points();
    let again = in_browser(second(), vec![measured(100.0, 6.0), measured(150.0, 6.0)]);
    let cell = after([started.clone(), first, counted(100.0, 8), again]);
    assert_eq!(left_to_count(&cell), [150.0, 200.0]);
    // A new measurement may have another build.
    let [_, first, _] = two_points();
    let cell = after([started.clone(), first.clone(), counted(100.0, 8), started, first]);
    assert_eq!(left_to_count(&cell), [100.0, 200.0]);
}

#[test]
fn each_note_about_counts_appears_once() {
    let of = |load, conditional| WasmInstructions { calls: 1, load, conditional, ..WasmInstructions::default() };
    let notes = |counts: [WasmCounts; 2]| {
        let counted = |(x, counts)| with_counts(x, counts);
        let cell = after(two_points().into_iter().chain([100.0, 200.0].into_iter().zip(counts).map(counted)));
        notes(&cell.results.shown()).join("\n").replace(benchbook_host::units::SPACE, " ")
    };
    let counted = |load, conditional| WasmCounts::Counted(of(load, conditional));
    assert_eq!(notes([counted(8, 0), counted(9, 0)]), "");
    let differs = "sort: native code differs from what was counted, since 25% of the instructions at 200 are in code that is compiled only for some targets.";
    assert_eq!(notes([counted(8, 0), counted(8, 2)]), differs);
    let varying = WasmCounts::Varying { first: of(8, 0), second: of(9, 0) };
    let depends =
        "sort has two counts at 100: what it does depends on addresses in memory, like a hash map with random keys.";
    assert_eq!(notes([varying.clone(), varying]), depends);
    let uncountable = WasmCounts::Uncountable("it can't".to_owned());
    let failed = WasmCounts::Failed("it trapped".to_owned());
    assert_eq!(
        notes([uncountable, failed]),
        "sort was not counted at 100: it can't.\nsort was not counted at 200: it trapped."
    );
}

#[test]
fn only_results_of_this_browser_and_build_are_counted() {
    let points = || vec![measured(100.0, 5.0)];
    let of_other_build = measurement(origin_of(1, machine(), "other"), Priority::LAST, points());
    assert!(after(of_other_build).uncounted().is_none());
    let of_runner = measurement(origin(native()), Priority::LAST, points());
    assert!(after(of_runner).uncounted().is_none());
    let failed = measurement(origin(machine()), Priority::LAST, vec![failed(100.0)]);
    assert!(after(failed).uncounted().is_none());
}

fn chooses(tab: Tab) -> CellAction {
    CellAction::Edit(SetupEdit::View(ViewAction::Tab(tab)))
}

pub(crate) fn profiled(path: &str) -> CellAction {
    let profile = StoredProfile { function: path.to_owned(), profile: SharedValue(Rc::new(json!({ "frames": [] }))) };
    CellAction::Run(RunEvent::Profiled(profile))
}

#[test]
fn functions_are_profiled_when_the_user_chooses_the_tab_and_never_again_for_the_same_build() {
    let state = begun().then(two_points().map(on_first));
    assert_eq!(state.clone().then([on_first(chooses(Tab::Table))]).cell_to_count(), None);
    let state = state.then([on_first(chooses(Tab::Profile))]);
    assert_eq!(state.cell_to_count(), Some(nth_cell(0)));
    assert_eq!(state.clone().then([on_first(chooses(Tab::Plot))]).cell_to_count(), None);
    let during = [CellAction::Run(RunEvent::Counting { done: 0, total: 9 }), profiled("sort")];
    let state = state.then(during.map(on_first)).then([on_first(CellAction::Run(RunEvent::CountingDone))]);
    let has_profile = |state: &State| shown_cell(state).results.latest[0].profile("sort").is_some();
    assert!(has_profile(&state) && shown_cell(&state).unprofiled().is_none());
    let stored = state.notebook().unwrap().document.measurement(&nth_cell(0).cell).unwrap().results.clone();
    assert_eq!(stored, shown_cell(&state).results.stored());

    // While the tab is open, each measurement is followed by its profile.
    let stopped = begun().then(two_points().map(on_first)).then([on_first(chooses(Tab::Profile))]);
    let stopped = stopped.then([CellAction::Run(RunEvent::Counting { done: 0, total: 9 })].map(on_first));
    let stopped = stopped.then([PageAction::StopAll]);
    assert_eq!(stopped.cell_to_count(), None);
    assert_eq!(stopped.then(two_points().map(on_first)).cell_to_count(), Some(nth_cell(0)));

    // Measured again, it executes the same; another build does not.
    let again = state.clone().then([started()].map(on_first));
    assert!(has_profile(&again));
    let other = measurement(origin_of(1, machine(), "other"), Priority::LAST, vec![measured(100.0, 5.0)]);
    assert!(!has_profile(&state.then(other.map(on_first))));
}

/// The code of these functions of the shown measurement in this browser.
fn listed(state: &State, functions: &[&str], problems: &[&str]) -> CellAction {
    let id = shown_cell(state).results.latest[0].id.clone();
    let listing = |path: &&str| {
        let listing = SharedValue(Rc::new(json!({ "function": path })));
        (id.clone(), StoredListing { function: (*path).to_owned(), listing })
    };
    let listings = functions.iter().map(listing).collect();
    let problems = problems.iter().map(|problem| (*problem).to_owned()).collect();
    CellAction::Run(RunEvent::Listed { results: vec![id.clone()], listings, problems })
}

#[test]
fn code_is_loaded_when_the_user_chooses_the_tab_and_never_again_for_the_same_build() {
    let state = begun().then(two_points().map(on_first));
    assert_eq!(state.cell_to_list(), None);
    let state = state.then([on_first(chooses(Tab::Assembly))]);
    assert_eq!(state.cell_to_list(), Some(nth_cell(0)));
    // It is requested once.
    let state = state.then([on_first(CellAction::Run(RunEvent::Listing))]);
    assert!(state.cell_to_list().is_none() && shown_cell(&state).loads_code);
    // If it is not available, only the user tries again.
    let failure = listed(&state, &[], &["It is on the runner."]);
    let failed = state.clone().then([on_first(failure)]);
    assert_eq!(
        (failed.cell_to_list(), &shown_cell(&failed).code_problems[..]),
        (None, &["It is on the runner.".to_owned()][..])
    );
    assert_eq!(failed.then([on_first(chooses(Tab::Assembly))]).cell_to_list(), Some(nth_cell(0)));

    let arrives = listed(&state, &["sort"], &[]);
    let has_code = |state: &State| shown_cell(state).results.latest[0].listing("sort").is_some();
    // Another measurement has begun in the meantime: its results have other code, and stored ones remain.
    let begins = CellAction::Run(RunEvent::Started(Box::new(origin_of(7, machine(), "other"))));
    let measuring = state.clone().then([on_first(begins)]);
    let stored =
        |state: &State| state.notebook().unwrap().document.measurement(&nth_cell(0).cell).unwrap().results.clone();
    let late = measuring.clone().then([on_first(arrives.clone())]);
    assert!(!has_code(&late) && late.notebook().unwrap().document == measuring.notebook().unwrap().document);

    let state = state.then([on_first(arrives)]);
    assert!(has_code(&state) && state.cell_to_list().is_none() && shown_cell(&state).unlisted().is_none());
    assert_eq!(stored(&state), shown_cell(&state).results.stored());
    // Measured again, it is the same; that of another build is not.
    assert!(has_code(&state.clone().then([started()].map(on_first))));
    let other = measurement(origin_of(1, machine(), "other"), Priority::LAST, vec![measured(100.0, 5.0)]);
    assert!(!has_code(&state.then(other.map(on_first))));
}

#[test]
fn native_code_is_that_of_the_build_that_was_measured() {
    let of_runner = after(measurement(origin(native()), Priority::LAST, vec![measured(100.0, 5.0)]));
    let unlisted = of_runner.unlisted().unwrap();
    let result = &of_runner.results.latest[0];
    let build = build_id(&result.setup.suite.fingerprint).to_owned();
    assert_eq!((unlisted.here, unlisted.on_runner), (None, Some((result.id.clone(), vec!["sort".to_owned()], build))));
    // This browser knows its current build only.
    let of_other_build =
        after(measurement(origin_of(1, machine(), "other"), Priority::LAST, vec![measured(100.0, 5.0)]));
    assert_eq!(of_other_build.unlisted(), None);
}
