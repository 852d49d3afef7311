//! Tests of partners, overlays, and retained results.

use benchbook_host::analyze::stability::Stability;
use benchbook_host::response::{Overhead, Run, Sample};

use super::*;
use crate::state::open_notebook::NotebookAction;
use benchbook_notebook::trace::Trace;
use benchbook_report::comparison::FunctionComparison;
use benchbook_report::ranking::MachineRanking;

fn with(path: &str) -> PageAction {
    on_first(CellAction::AddPartner(path.to_owned()))
}

fn of(function: &str, x: f64, mean: f64) -> Point {
    Point { function: function.to_owned(), ..measured(x, mean) }
}

/// A measurement with one point of `function`, the function of the cell with this number.
fn measure_in(cell: usize, function: &str, mean: f64) -> [PageAction; 3] {
    let cell = nth_cell(cell);
    [
        PageAction::Cell(cell.clone(), CellAction::Started(origin(machine()))),
        PageAction::Cell(
            cell.clone(),
            CellAction::Measured(MachineKind::Browser, Priority::FIRST, vec![of(function, 100.0, mean)]),
        ),
        PageAction::Cell(cell, CellAction::Stopped),
    ]
}

/// A measurement of the first cell, whose function is `sort`.
fn measure(mean: f64) -> [PageAction; 3] {
    measure_in(0, "sort", mean)
}

fn add(path: &str) -> PageAction {
    PageAction::Add(id(0, path))
}

fn select(cell: usize) -> PageAction {
    PageAction::Notebook(NotebookAction::Select(nth_cell(cell).cell))
}

/// Overlays a trace in the first cell.
fn overlay(trace: &Trace) -> PageAction {
    on_first(CellAction::AddOverlay(Id::from_random(9), trace.clone()))
}

fn begun() -> Vec<PageAction> {
    vec![PageAction::SuiteLoaded(suite()), choose(0, "sort")]
}

fn shown_cell(actions: impl IntoIterator<Item = PageAction>) -> LiveCell {
    LiveCell::clone(page(begun().into_iter().chain(actions)).cell().expect("a function is chosen"))
}

fn partners(cell: &LiveCell) -> Vec<&str> {
    cell.partners.iter().map(|partner| partner.path.as_str()).collect()
}

#[test]
fn lists_candidates_with_alternatives_first() {
    let cell = shown_cell([]);
    let candidates = cell.candidates();
    let listed: Vec<_> = candidates.iter().map(|c| (c.function.path.as_str(), c.is_alternative)).collect();
    assert_eq!(listed, [("sort_stable", true), ("reverse", false), ("rotate", false), ("shuffle", false)]);
}

#[test]
fn adds_all_alternatives_that_fit() {
    let all = || on_first(CellAction::AddAlternatives);
    assert_eq!(partners(&shown_cell([all()])), ["sort_stable"]);
    let full = [with("reverse"), with("rotate"), with("shuffle"), all()];
    assert_eq!(partners(&shown_cell(full)), ["reverse", "rotate", "shuffle"]);
}

#[test]
fn a_partner_becomes_the_baseline_and_any_function_but_the_last_is_removed() {
    let functions = |cell: &LiveCell| {
        let paths: Vec<String> = cell.functions().map(|function| function.path.clone()).collect();
        paths.join(" ")
    };
    let baseline = |path: &str| on_first(CellAction::MakeBaseline(path.to_owned()));
    let remove = |path: &str| on_first(CellAction::RemoveFunction(path.to_owned()));
    let three = || vec![with("reverse"), with("rotate")];
    let table = [
        (vec![baseline("rotate")], "rotate reverse sort"),
        (vec![baseline("sort")], "sort reverse rotate"),
        (vec![baseline("shuffle")], "sort reverse rotate"),
        (vec![remove("reverse")], "sort rotate"),
        (vec![remove("sort")], "reverse rotate"),
        (vec![remove("sort"), remove("reverse"), remove("rotate")], "rotate"),
    ];
    for (actions, expected) in table {
        let cell = shown_cell(three().into_iter().chain(actions.clone()));
        assert_eq!(functions(&cell), expected, "{actions:?}");
        assert!(cell.request("").is_ok(), "{actions:?}");
    }
    assert_eq!(shown_cell(three()).compared(), [id(0, "sort"), id(0, "reverse"), id(0, "rotate")]);
    assert_eq!(shown_cell([]).compared(), [], "a single function is not compared");
}

#[test]
fn all_measurements_stop_at_once_even_if_their_cells_are_collapsed() {
    let collapse = PageAction::Notebook(NotebookAction::SetCollapsed(nth_cell(0).cell, true));
    let start = on_first(CellAction::Started(origin(machine())));
    let state = page(begun().into_iter().chain([add("reverse"), PageAction::MeasureAll, start, collapse]));
    assert!(state.is_measuring_or_queued() && state.measuring().is_some());
    assert_eq!(state.queue, [nth_cell(1)]);
    let stopped = state.reduce(PageAction::StopAll);
    assert!(!stopped.is_measuring_or_queued() && stopped.measuring().is_none() && stopped.queue.is_empty());
}

#[test]
fn partners_are_part_of_the_request_and_have_traces() {
    let cell = shown_cell([with("sort_stable"), with("reverse"), on_first(CellAction::Started(origin(machine())))]);
    assert_eq!(cell.request("me").expect("a request").functions, ["sort", "sort_stable", "reverse"]);
    let traces: Vec<_> = cell.results.traces().into_iter().map(|trace| trace.path).collect();
    assert_eq!(traces, ["sort", "sort_stable", "reverse"]);
    assert!(cell.results.traces().iter().all(|trace| trace.is_paired_with(&cell.results.traces()[0])));
}

#[test]
fn a_plot_holds_four_different_functions_of_one_generator() {
    let cell = shown_cell([
        with("find"),
        with("sort"),
        with("reverse"),
        with("reverse"),
        with("rotate"),
        with("shuffle"),
        with("sort_stable"),
    ]);
    assert_eq!(partners(&cell), ["reverse", "rotate", "shuffle"]);
    assert!(!cell.has_room());
}

#[test]
fn removes_partners_that_do_not_accept_a_new_generator() {
    let cell =
        shown_cell([with("sort_stable"), with("reverse"), on_first(CellAction::ChooseGenerator("texts".to_owned()))]);
    assert_eq!(partners(&cell), ["sort_stable"]);
}

#[test]
fn other_partners_make_results_outdated() {
    let started = || on_first(CellAction::Started(origin(machine())));
    assert!(!shown_cell([with("reverse"), started()]).is_outdated());
    assert!(shown_cell([started(), with("reverse")]).is_outdated());
    assert!(
        shown_cell([with("reverse"), started(), on_first(CellAction::RemoveFunction("reverse".to_owned()))])
            .is_outdated()
    );
}

#[test]
fn assigns_each_point_to_its_function() {
    let points = vec![of("reverse", 100.0, 7.0), of("sort", 100.0, 5.0), of("unknown", 100.0, 1.0)];
    let cell = shown_cell([
        with("reverse"),
        on_first(CellAction::Started(origin(machine()))),
        on_first(CellAction::Measured(MachineKind::Browser, Priority::FIRST, points)),
    ]);
    let means: Vec<f64> = cell
        .results
        .traces()
        .iter()
        .map(|trace| trace.curve.readings()[0].measured().expect("figures").summary.mean)
        .collect();
    assert_eq!(means, [5.0, 7.0]);
}

#[test]
fn results_of_other_cells_can_be_overlaid_unpaired() {
    let actions: Vec<PageAction> = [add("shuffle")]
        .into_iter()
        .chain(measure_in(1, "shuffle", 9.0))
        .chain([select(0)])
        .chain(measure(5.0))
        .collect();
    let state = page(begun().into_iter().chain(actions));
    let candidates = state.overlay_candidates();
    assert_eq!(candidates.iter().map(|trace| trace.path.as_str()).collect::<Vec<_>>(), ["shuffle"]);
    let state = Reducible::reduce(state, overlay(&candidates[0]));
    let shown = state.cell().expect("it is shown").results.shown();
    let labels: Vec<_> = shown.iter().map(|shown| (shown.label.as_str(), shown.unpaired)).collect();
    assert_eq!(labels, [("sort", false), ("shuffle · earlier", true)]);
    let state = Reducible::reduce(state, overlay(&candidates[0]));
    assert_eq!(state.cell().expect("it is shown").results.overlays.len(), 1, "an overlay is added once");
    assert!(state.overlay_candidates().is_empty());
}

#[test]
fn retains_a_replaced_measurement_with_other_arguments() {
    let other = on_first(CellAction::Control(ControlAction::Text("spread".to_owned(), "B".to_owned())));
    let state = page(begun().into_iter().chain(measure(5.0)).chain([other]).chain(measure(6.0)));
    let retained = state.overlay_candidates();
    assert_eq!(retained.len(), 1);
    assert_eq!(retained[0].curve.readings()[0].measured().expect("figures").summary.mean, 5.0);
    let cell = Reducible::reduce(Rc::clone(&state), overlay(&retained[0]));
    let labels: Vec<String> =
        cell.cell().expect("it is shown").results.shown().into_iter().map(|shown| shown.label).collect();
    assert_eq!(labels, ["sort", "sort · Keys: spread A"]);
}

#[test]
fn retains_a_bounded_number_of_the_newest_results() {
    let spread = |text: &str| on_first(CellAction::Control(ControlAction::Text("spread".to_owned(), text.to_owned())));
    let many = (0..30).flat_map(|round| {
        let text = format!("{}", round % 12);
        [spread(&text)].into_iter().chain(measure(f64::from(round)))
    });
    let state = page(begun().into_iter().chain(many));
    let retained: Vec<f64> = state
        .overlay_candidates()
        .iter()
        .map(|trace| trace.curve.readings()[0].measured().expect("figures").summary.mean)
        .collect();
    assert_eq!(retained, [28.0, 27.0, 26.0, 25.0, 24.0, 23.0, 22.0, 21.0]);
}

#[test]
fn a_stopped_measurement_does_not_replace_a_better_one() {
    let points =
        |means: &[f64]| means.iter().zip([100.0, 500.0, 1_000.0]).map(|(mean, x)| measured(x, *mean)).collect();
    let run = |priority: u8, means: &[f64]| {
        let priority = Priority::try_from(priority).expect("1 to 4");
        let steps = [
            CellAction::Started(origin(machine())),
            CellAction::Measured(MachineKind::Browser, priority, points(means)),
            CellAction::Stopped,
        ];
        steps.map(on_first)
    };
    let retained_mean = |before: [PageAction; 3], after: [PageAction; 3]| {
        let third = [on_first(CellAction::Started(origin(machine())))];
        let state = page(begun().into_iter().chain(before).chain(after).chain(third));
        let retained = state.overlay_candidates();
        assert_eq!(retained.len(), 1, "one for each set of inputs");
        retained[0].curve.readings()[0].measured().expect("figures").summary.mean
    };
    assert_eq!(
        retained_mean(run(2, &[1.0, 2.0, 3.0]), run(1, &[5.0, 6.0, 7.0])),
        1.0,
        "the later one has a lower priority"
    );
    assert_eq!(retained_mean(run(2, &[1.0, 2.0, 3.0]), run(2, &[5.0])), 1.0, "the later one has fewer points");
    assert_eq!(retained_mean(run(2, &[1.0, 2.0, 3.0]), run(2, &[5.0, 6.0, 7.0])), 5.0, "the later one is as good");
    assert_eq!(retained_mean(run(2, &[1.0, 2.0, 3.0]), run(3, &[5.0])), 5.0, "the later one has a higher priority");
}

#[test]
fn overlays_a_running_measurement_once() {
    let on_second = |action| PageAction::Cell(nth_cell(1), action);
    let shuffled =
        |x: f64| on_second(CellAction::Measured(MachineKind::Browser, Priority::FIRST, vec![of("shuffle", x, 9.0)]));
    let actions = [on_second(CellAction::Started(origin(machine()))), shuffled(100.0), select(0)];
    let state = page(begun().into_iter().chain([add("shuffle")]).chain(measure(5.0)).chain(actions));
    let early = state.overlay_candidates().remove(0);
    let state = state.reduce(overlay(&early)).reduce(shuffled(1_000.0));
    assert!(state.overlay_candidates().is_empty(), "it is overlaid already");
    let late = state.live(&nth_cell(1)).expect("it is measured").results.traces()[0].clone();
    assert_eq!(late.curve.readings().len(), 2);
    let state = state.reduce(overlay(&late));
    assert_eq!(state.cell().expect("it is shown").results.overlays.len(), 1);
}

#[test]
fn measures_one_cell_at_a_time() {
    let started = |cell: usize| PageAction::Cell(nth_cell(cell), CellAction::Started(origin(machine())));
    let state = page(begun().into_iter().chain([started(0), add("shuffle"), started(1)]));
    assert_eq!(state.measuring().map(|(_, cell)| cell.function.path.as_str()), Some("shuffle"));
    let state = Reducible::reduce(state, select(0));
    assert_eq!(state.cell().expect("it is shown").status, RunStatus::Stopped);
}

#[test]
fn a_queued_tab_reports_it_and_can_be_stopped() {
    let cell = shown_cell([on_first(CellAction::Started(origin(machine()))), on_first(CellAction::Queued)]);
    assert!(cell.status == RunStatus::Queued && cell.is_measuring());
    let queued = || [on_first(CellAction::Started(origin(machine()))), on_first(CellAction::Queued)];
    let began = on_first(CellAction::PriorityStarted(MachineKind::Browser, Priority::FIRST, 1.0));
    assert_eq!(shown_cell(queued().into_iter().chain([began.clone()])).status, RunStatus::Waiting);
    let stopped = on_first(CellAction::Stopped);
    assert_eq!(
        shown_cell(queued().into_iter().chain([stopped, began])).status,
        RunStatus::Stopped,
        "a late turn is ignored"
    );
}

/// A point of `function` with six blocks of one sample each.
fn blocks(function: &str, x: f64, times: [f64; 6]) -> Point {
    let mut point = of(function, x, 1.0);
    if let Outcome::Measured(measured) = &mut point.outcome {
        let sample = |elapsed| Sample { elapsed, warm_up: false, interrupted: false, inferred: false };
        measured.runs = vec![Run {
            calls: 1,
            overhead: Overhead::default(),
            stability: Stability::Settled,
            reference: None,
            samples: times.map(sample).to_vec(),
            blocks: vec![1; 6],
            inputs: None,
            new_inputs: None,
        }];
    }
    point
}

#[test]
fn compares_figures_of_the_same_priority() {
    const ONE: [f64; 6] = [100.0, 101.0, 99.0, 100.0, 102.0, 98.0];
    let points = |x| vec![blocks("sort", x, ONE), blocks("sort_stable", x, ONE.map(|time| 2.0 * time))];
    let cell = shown_cell([
        with("sort_stable"),
        on_first(CellAction::Started(origin(machine()))),
        on_first(CellAction::Measured(
            MachineKind::Browser,
            Priority::FIRST,
            [points(100.0), points(500.0), points(900.0)].concat(),
        )),
        // Only one function has figures of the second priority here.
        on_first(CellAction::Measured(MachineKind::Browser, second(), vec![blocks("sort", 500.0, ONE)])),
        on_first(CellAction::Measured(MachineKind::Browser, second(), points(900.0))),
    ]);
    let comparisons = FunctionComparison::all(&MachineRanking::all(&cell.results.shown()));
    assert_eq!(comparisons.iter().map(|one| one.ordinal).collect::<Vec<_>>(), [1]);
    assert_eq!(comparisons[0].ratios.iter().filter_map(|ratio| ratio.x.number()).collect::<Vec<_>>(), [100.0, 900.0]);
    let ratio = comparisons[0].at(&900.0.into()).and_then(|at| at.ratio).expect("a ratio");
    assert!((ratio - 2.0).abs() < 1e-9, "{ratio}");
}

#[test]
fn does_not_compare_separate_measurements() {
    let stable = [add("sort_stable")].into_iter().chain(measure_in(1, "sort_stable", 7.0));
    let state = page(begun().into_iter().chain(stable).chain([select(0)]).chain(measure(5.0)));
    let trace = state.overlay_candidates().remove(0);
    let state = Reducible::reduce(state, overlay(&trace));
    let shown = state.cell().expect("a function is chosen").results.shown();
    assert_eq!(shown.iter().map(|shown| shown.unpaired).collect::<Vec<_>>(), [false, true]);
    assert!(FunctionComparison::all(&MachineRanking::all(&shown)).is_empty());
}
