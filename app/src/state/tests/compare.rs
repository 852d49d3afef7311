//! Tests of partners, overlays, and kept results.

use super::points::run_of;
use super::*;
use crate::state::notebook::NotebookAction;
use crate::state::notebook::retention::overlay_details;
use crate::state::suites::group::{Group, groups};
use benchbook_host::response::DeclaredWork;
use benchbook_notebook::trace::Trace;
use benchbook_report::comparison::{RatioToFastest, compared_pairs, one_process_note};
use benchbook_report::ranking::MachineRanking;

fn with(path: &str) -> PageAction {
    on_first(add_partner(path))
}

/// A measurement with one point of `function`, the function of the cell with this number.
fn measure_in(cell: usize, function: &str, mean: f64) -> [PageAction; 3] {
    let points = vec![of(function, measured(100.0, mean))];
    [started(), in_browser(Priority::FIRST, points), CellAction::Run(RunEvent::Stopped)]
        .map(|action| PageAction::Cell(nth_cell(cell), action))
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
    on_first(CellAction::Overlay(OverlayAction::Add(Id::from_random(9), trace.clone())))
}

fn cell_after(actions: impl IntoIterator<Item = PageAction>) -> LiveCell {
    shown_cell(&begun().then(actions)).clone()
}

/// The means of the results that can be overlaid, each at its first point.
fn kept_means(state: &State) -> Vec<f64> {
    state.overlay_candidates().iter().map(first_mean).collect()
}

fn first_mean(trace: &Trace) -> f64 {
    trace.curve.readings()[0].measured().expect("figures").summary.mean
}

#[test]
fn the_groups_of_an_empty_notebook_are_what_a_cell_compares() {
    // Alternatives need not have the same generators: those of `reverse`, `rotate`, `shuffle` and `sort`, and the groups.
    let (k, t, both) = (&["keys"][..], &["texts"][..], &["keys", "texts"][..]);
    for (generators, expected) in [
        ([k, k, k, k], &["reverse rotate shuffle sort"][..]),
        ([both, t, t, k], &["reverse sort", "rotate reverse shuffle"]),
        ([k, t, both, t], &["reverse shuffle", "rotate shuffle sort"]),
        ([k, t, &[], &[]], &[]),
    ] {
        let mut loaded = suite();
        for function in &mut loaded.suite.functions {
            let index = ["reverse", "rotate", "shuffle", "sort"].iter().position(|name| *name == function.path);
            function.alternatives = index.map(|_| "moving".to_owned());
            if let Some(own) = index.map(|index| generators[index]).filter(|own| !own.is_empty()) {
                function.generators = own.iter().map(ToString::to_string).collect();
            } else {
                function.alternatives = None;
            }
        }
        let empty = page([PageAction::SuiteLoaded(loaded), PageAction::New]);
        assert!(empty.cell().is_none());
        let groups: Vec<Group> = groups(&empty.suites).collect();
        let names = |group: &Group| group.functions.iter().map(|id| id.path.as_str()).collect::<Vec<_>>().join(" ");
        assert_eq!(groups.iter().map(names).collect::<Vec<_>>(), expected);
        for group in groups {
            let state = Rc::clone(&empty).reduce(PageAction::AddGroup(group.functions[0].clone()));
            let compared: Vec<_> = shown_cell(&state).functions().map(|function| function.path.clone()).collect();
            let offered: Vec<_> = group.functions.into_iter().map(|id| id.path).collect();
            assert_eq!(compared, offered);
        }
    }
}

#[test]
fn lists_candidates_with_alternatives_first() {
    let cell = cell_after([]);
    let candidates = cell.candidates();
    let listed: Vec<_> = candidates.iter().map(|c| (c.function.path.as_str(), c.is_alternative)).collect();
    assert_eq!(listed, [("sort_stable", true), ("reverse", false), ("rotate", false), ("shuffle", false)]);
}

#[test]
fn partners_are_different_functions_that_the_plot_and_the_generator_accept() {
    let all = || on_first(CellAction::Edit(SetupEdit::AddAlternatives));
    let texts = on_first(CellAction::Edit(SetupEdit::ChooseGenerator("texts".to_owned())));
    let many = ["find", "sort", "reverse", "reverse", "rotate", "shuffle", "sort_stable"];
    let table = [
        (vec![all()], "sort_stable"),
        (vec![with("reverse"), with("rotate"), with("shuffle"), all()], "reverse rotate shuffle"),
        (many.map(with).to_vec(), "reverse rotate shuffle"),
        (vec![with("sort_stable"), with("reverse"), texts], "sort_stable"),
    ];
    for (actions, expected) in table {
        let cell = cell_after(actions.clone());
        let partners: Vec<&str> = cell.partners.iter().map(|partner| partner.path.as_str()).collect();
        assert_eq!(partners.join(" "), expected, "{actions:?}");
        assert_eq!(cell.has_room(), partners.len() < 3, "{actions:?}");
    }
}

#[test]
fn any_function_but_the_last_is_removed() {
    let remove = |path: &str| on_first(CellAction::Edit(SetupEdit::RemoveFunction(path.to_owned())));
    let three = || vec![with("reverse"), with("rotate")];
    let table = [
        (vec![remove("shuffle")], "sort reverse rotate"),
        (vec![remove("reverse")], "sort rotate"),
        (vec![remove("sort")], "reverse rotate"),
        (vec![remove("sort"), remove("reverse"), remove("rotate")], "rotate"),
    ];
    for (actions, expected) in table {
        let cell = cell_after(three().into_iter().chain(actions.clone()));
        assert_eq!(functions(&cell).join(" "), expected, "{actions:?}");
        assert!(cell.request("").is_ok(), "{actions:?}");
    }
    assert_eq!(cell_after(three()).compared(), [id(0, "sort"), id(0, "reverse"), id(0, "rotate")]);
    assert_eq!(cell_after([]).compared(), [], "a single function is not compared");
}

#[test]
fn all_measurements_stop_at_once_even_if_their_cells_are_collapsed() {
    let collapse = PageAction::Notebook(NotebookAction::SetCollapsed(nth_cell(0).cell, true));
    let state = begun().then([add("reverse"), PageAction::MeasureAll, on_first(started()), collapse]);
    assert!(state.is_measuring_or_queued() && state.measuring().is_some());
    assert_eq!(state.queue, [nth_cell(1)]);
    let stopped = state.reduce(PageAction::StopAll);
    assert!(!stopped.is_measuring_or_queued() && stopped.measuring().is_none() && stopped.queue.is_empty());
}

#[test]
fn partners_are_part_of_the_request_and_have_traces() {
    let at = |function: &str, mean| of(function, measured(100.0, mean));
    let points = vec![at("reverse", 7.0), at("sort", 5.0), at("unknown", 1.0), at("sort_stable", 6.0)];
    let measured = [started(), in_browser(Priority::FIRST, points)].map(on_first);
    let cell = cell_after([with("sort_stable"), with("reverse")].into_iter().chain(measured));
    assert_eq!(cell.request("me").expect("a request").functions, ["sort", "sort_stable", "reverse"]);
    let traces = cell.results.traces();
    let means: Vec<_> = traces.iter().map(|trace| (trace.path.as_str(), first_mean(trace))).collect();
    assert_eq!(means, [("sort", 5.0), ("sort_stable", 6.0), ("reverse", 7.0)]);
    assert!(traces.iter().all(|trace| trace.is_paired_with(&traces[0])));
}

#[test]
fn results_of_other_cells_can_be_overlaid_but_are_not_compared() {
    let stable = [add("sort_stable")].into_iter().chain(measure_in(1, "sort_stable", 9.0));
    let state = begun().then(stable).reduce(select(0)).then(measure(5.0));
    let candidates = state.overlay_candidates();
    assert_eq!(candidates.iter().map(|trace| trace.path.as_str()).collect::<Vec<_>>(), ["sort_stable"]);
    let state = state.reduce(overlay(&candidates[0]));
    let shown = shown_cell(&state).results.shown();
    let labels: Vec<_> = shown.iter().map(|shown| (shown.label.as_str(), shown.is_separate)).collect();
    assert_eq!(labels, [("sort", false), ("sort_stable · earlier", true)]);
    assert!(compared_pairs(&shown, &MachineRanking::all(&shown)).is_empty());
    let state = state.reduce(overlay(&candidates[0]));
    assert_eq!(shown_cell(&state).results.overlays.len(), 1, "an overlay is added once");
    assert!(state.overlay_candidates().is_empty());
}

#[test]
fn keeps_a_replaced_measurement_with_other_arguments() {
    let other = on_first(choose_spread("B"));
    let state = begun().then(measure(5.0)).reduce(other).then(measure(6.0));
    assert_eq!(kept_means(&state), [5.0]);
    let candidate = state.overlay_candidates().remove(0);
    let state = state.reduce(overlay(&candidate));
    assert_eq!(labels(&shown_cell(&state).results), ["sort", "sort · Keys: spread A"]);
}

#[test]
fn keeps_a_bounded_number_of_the_newest_results() {
    let many = (0..30).flat_map(|round| {
        let depth = ControlAction::Type("depth".to_owned(), End::Value, format!("{}", 100 * (1 + round % 12)));
        [on_first(CellAction::Edit(SetupEdit::Control(depth)))].into_iter().chain(measure(f64::from(round)))
    });
    let means = kept_means(&begun().then(many));
    assert_eq!(means, [28.0, 27.0, 26.0, 25.0, 24.0, 23.0, 22.0, 21.0]);
}

#[test]
fn a_stopped_measurement_does_not_replace_a_better_one() {
    let points =
        |means: &[f64]| means.iter().zip([100.0, 500.0, 1_000.0]).map(|(mean, x)| measured(x, *mean)).collect();
    let run = |priority: u8, means: &[f64]| {
        let priority = Priority::try_from(priority).expect("1 to 4");
        [started(), in_browser(priority, points(means)), CellAction::Run(RunEvent::Stopped)].map(on_first)
    };
    for (priority, means, expected, why) in [
        (1, &[5.0, 6.0, 7.0][..], 1.0, "the later one has a lower priority"),
        (2, &[5.0], 1.0, "the later one has fewer points"),
        (2, &[5.0, 6.0, 7.0], 5.0, "the later one is as good"),
        (3, &[5.0], 5.0, "the later one has a higher priority"),
    ] {
        let state = begun().then(run(2, &[1.0, 2.0, 3.0])).then(run(priority, means)).reduce(on_first(started()));
        assert_eq!(kept_means(&state), [expected], "one for each set of inputs: {why}");
    }
}

#[test]
fn overlays_a_running_measurement_once() {
    let on_second = |action| PageAction::Cell(nth_cell(1), action);
    let shuffled = |x: f64| on_second(in_browser(Priority::FIRST, vec![of("shuffle", measured(x, 9.0))]));
    let state = begun().reduce(add("shuffle")).then(measure(5.0));
    let state = state.then([on_second(started()), shuffled(100.0), select(0)]);
    let early = state.overlay_candidates().remove(0);
    let state = state.reduce(overlay(&early)).reduce(shuffled(1_000.0));
    assert!(state.overlay_candidates().is_empty(), "it is overlaid already");
    let late = state.live(&nth_cell(1)).expect("it is measured").results.traces()[0].clone();
    assert_eq!(late.curve.readings().len(), 2);
    let state = state.reduce(overlay(&late));
    assert_eq!(shown_cell(&state).results.overlays.len(), 1);
}

#[test]
fn measures_one_cell_at_a_time() {
    let start = |cell: usize| PageAction::Cell(nth_cell(cell), started());
    let state = begun().then([start(0), add("shuffle"), start(1)]);
    assert_eq!(state.measuring().map(|(_, cell)| cell.function.path.as_str()), Some("shuffle"));
    assert_eq!(shown_cell(&state.reduce(select(0))).status, RunStatus::Stopped);
}

/// A point of `function` with six blocks of one sample each.
fn blocks(function: &str, x: f64, times: [f64; 6]) -> Point {
    let mut point = of(function, measured(x, 1.0));
    if let Outcome::Measured(measured) = &mut point.outcome {
        measured.runs = vec![run_of(&times)];
    }
    point
}

#[test]
fn compares_figures_of_the_same_priority() {
    const ONE: [f64; 6] = [100.0, 101.0, 99.0, 100.0, 102.0, 98.0];
    let points = |x| vec![blocks("sort", x, ONE), blocks("sort_stable", x, ONE.map(|time| 2.0 * time))];
    let cell = after([
        add_partner("sort_stable"),
        started(),
        in_browser(Priority::FIRST, [points(100.0), points(500.0), points(900.0)].concat()),
        // Only one function has figures of the second priority here.
        in_browser(second(), vec![blocks("sort", 500.0, ONE)]),
        in_browser(second(), points(900.0)),
    ]);
    let rankings = MachineRanking::all(&cell.results.shown());
    let to_fastest = |ordinal: usize, x: f64| RatioToFastest::of(&rankings, ordinal, &x.into());
    assert_eq!([100.0, 500.0, 900.0].map(|x| to_fastest(1, x).is_some()), [true, false, true]);
    assert_eq!(to_fastest(0, 900.0), Some(RatioToFastest::Fastest));
    let (ratio, _) = to_fastest(1, 900.0).and_then(RatioToFastest::ratio).expect("a ratio");
    assert!((ratio - 2.0).abs() < 1e-9, "{ratio}");
}

/// Each of these machines, in each of these builds, measured `sort`; the last one last.
#[test]
fn a_function_has_one_colour_on_all_machines_and_only_another_machine_is_dashed() {
    let run = |number: u64, machine: Machine, fingerprint: &str| {
        measurement(origin_of(number, machine, fingerprint), Priority::FIRST, vec![measured(100.0, 5.0)])
    };
    let shown = |runs: Vec<[CellAction; 3]>| -> Vec<(usize, bool)> {
        let results = after(runs.into_iter().flatten()).results;
        results.shown().iter().map(|one| (one.hue, one.is_elsewhere)).collect()
    };
    let elsewhere = shown(vec![run(1, firefox(), "a"), run(2, native(), "a"), run(3, machine(), "a")]);
    assert_eq!(elsewhere, [(0, false), (0, true), (0, true)]);
    let rebuilt = shown(vec![run(1, machine(), "a"), run(2, machine(), "b")]);
    assert_eq!(rebuilt, [(0, false), (1, false)], "another measurement on the same machine");
    let both = shown(vec![run(1, native(), "a"), run(2, native(), "b"), run(3, machine(), "b")]);
    let colours: std::collections::BTreeSet<_> = both.iter().collect();
    assert_eq!(colours.len(), 3, "no two curves look the same: {both:?}");
}

#[test]
fn the_setup_says_what_the_inputs_are() {
    let mut measured = measured(500.0, 5.0);
    if let Outcome::Measured(measured) = &mut measured.outcome {
        measured.work = DeclaredWork { elements: Some(500), bytes: Some(4_000) };
    }
    let inputs = after([started(), in_browser(Priority::FIRST, vec![measured])]).inputs();
    let names: Vec<&str> = inputs.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["Passed as", "Calls", "Seed", "Size"]);
    assert_eq!(inputs[0].1, "keys: &mut [u64]");
    assert!(inputs[2].1.parse::<u64>().is_ok(), "{inputs:?}");
    let size = inputs[3].1.replace(benchbook_host::units::SPACE, " ");
    assert!(size.starts_with("500 elements, 3.906 KiB per call at 500"), "{size}");
}

#[test]
fn earlier_measurements_in_a_list_differ() {
    let traces = |machine: Machine, number: u64| {
        let run = measurement(origin_of(number, machine, "fingerprint"), Priority::FIRST, vec![measured(100.0, 5.0)]);
        after(run).results.traces()
    };
    let details = |machines: &[Machine]| {
        let traces: Vec<Trace> =
            machines.iter().zip(1..).flat_map(|(machine, number)| traces(machine.clone(), number)).collect();
        overlay_details(&traces, |started| format!("at {started}"))
    };
    let ends = |machines: &[Machine]| -> Vec<String> {
        details(machines).iter().map(|text| text.split_once(" · ").expect("two parts").1.to_owned()).collect()
    };
    assert_eq!(ends(&[machine(), native()]), ["Chrome 156", "reference-01"]);
    let same = ends(&[machine(), colleague()]);
    assert!(same.iter().all(|text| text.starts_with("Chrome 156 · at 1790")), "{same:?}");
}

#[test]
fn ratios_of_one_process_have_a_note_unless_more_processes_follow() {
    const ONE: [f64; 6] = [100.0, 101.0, 99.0, 100.0, 102.0, 98.0];
    let points = vec![blocks("sort", 100.0, ONE), blocks("sort_stable", 100.0, ONE.map(|time| 2.0 * time))];
    let note = |priority: Priority, is_measuring: bool| {
        let shown =
            after([add_partner("sort_stable"), started(), in_browser(priority, points.clone())]).results.shown();
        one_process_note(&shown, &MachineRanking::all(&shown), is_measuring)
    };
    let advice = "Measure to the final precision.";
    assert!(note(Priority::FIRST, false).is_some_and(|note| note.ends_with(advice)));
    assert_eq!(note(Priority::FIRST, true), None, "it does so already");
    assert!(note(Priority::LAST, false).is_some_and(|note| !note.contains(advice)), "it did so");
}
