//! Random notebooks and edits.

use std::rc::Rc;

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::{Argument, Range, Scale};
use benchbook_host::metric::METRICS;
use benchbook_host::response::{FirstCalls, Outcome, Point, StartUpTimes};
use benchbook_host::units::Nanos;
use proptest::collection::{btree_map, btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

use super::{failed, id, priority, result_setup, with_samples};
use crate::cell::{Cell, CellContent, MeasurementCell};
use crate::edit::Edit;
use crate::measuring_options::{MeasuringOptions, RunOn};
use crate::notebook::Notebook;
use crate::result::{CellResult, SharedValue, StoredListing, StoredProfile};
use crate::result_setup::ResultSetup;
use crate::setup::{CellSetup, WrittenArgument};
use crate::view::{AssemblyView, CellView, Margin, ProfileView, Tab, Zoom};

fn text() -> impl Strategy<Value = String> {
    "\\PC{0,12}"
}

/// How a result varies `size`, and its axis values.
fn variation() -> impl Strategy<Value = (Argument, Vec<AxisValue>)> {
    let numbers = || vec((1.0..1e4_f64).prop_map(AxisValue::from), 1..4);
    let texts = btree_set(text(), 1..4).prop_map(|texts| texts.into_iter().map(AxisValue::Text).collect::<Vec<_>>());
    let listed = |values: Vec<AxisValue>| (Argument::Values(values.clone()), values);
    prop_oneof![
        numbers().prop_map(|values| (Argument::Range(Range { low: 1.0, high: 1e4 }), values)),
        numbers().prop_map(listed),
        texts.prop_map(listed),
        (1.0..1e4_f64).prop_map(|size| (Argument::Number(size), vec![AxisValue::Absent])),
    ]
}

/// The times of a point in nanoseconds, none of a failed one; and the times of its first calls.
fn times() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    (vec(1e-3..1e9_f64, 0..9), vec(1e-3..1e9_f64, 0..3))
}

fn point(function: &str, x: AxisValue, (times, first_calls): (Vec<f64>, Vec<f64>)) -> Point {
    let Point { mut outcome, .. } = if times.is_empty() { failed(1.0) } else { with_samples(1.0, &times, true) };
    let with_first_calls = (!first_calls.is_empty()).then(|| with_samples(1.0, &first_calls, true).outcome);
    if let (Outcome::Measured(measured), Some(Outcome::Measured(first))) = (&mut outcome, with_first_calls) {
        let samples = first.runs.into_iter().flat_map(|run| run.samples).collect();
        let call = Some(StartUpTimes { summary: first.summary, samples });
        let Outcome::Failed(failure) = failed(1.0).outcome else { unreachable!("it failed") };
        measured.first_calls = Some(FirstCalls { call, compilation: None, failure: Some(failure) });
    }
    Point { function: function.to_owned(), x, outcome }
}

/// A result of one to `max_functions` functions. Half of them have figures only, with the ratios of the functions.
fn cell_result(max_functions: usize) -> impl Strategy<Value = Rc<CellResult>> {
    const FUNCTIONS: [&str; 3] = ["sort", "sort_stable", "radix::sort"];
    let parts = (any::<u64>(), variation(), 1..=max_functions, 1..=4_u8, any::<(bool, bool)>());
    let times = vec(vec(times(), 4), FUNCTIONS.len());
    (parts, times).prop_map(|((number, (size, values), functions, priority_number, (first_calls, is_bare)), times)| {
        let mut setup = ResultSetup::clone(&result_setup(size));
        let functions = &FUNCTIONS[..functions];
        setup.request.functions = functions.iter().map(ToString::to_string).collect();
        setup.request.first_calls = first_calls;
        let mut result = CellResult::new(id(number), 1.79e12, Rc::new(setup));
        for (function, times) in functions.iter().zip(times) {
            let points = values.iter().cloned().zip(times).map(|(x, times)| point(function, x, times));
            result.add(priority(priority_number), points.collect());
            if first_calls {
                let profile = Rc::new(json!({ "frames": [{ "name": function, "own": [{ "calls": number }] }] }));
                let profile = SharedValue(profile);
                let listing = SharedValue(Rc::new(json!({ "function": function, "instructions": [] })));
                result.add_profile(StoredProfile { function: (*function).to_owned(), profile });
                result.add_listing(StoredListing { function: (*function).to_owned(), listing });
            }
        }
        Rc::new(if is_bare { result.without_samples() } else { result })
    })
}

fn results() -> impl Strategy<Value = Vec<Rc<CellResult>>> {
    vec(cell_result(3), 0..3)
}

fn overlays() -> impl Strategy<Value = Vec<Rc<CellResult>>> {
    vec(cell_result(1), 0..2)
}

fn argument() -> impl Strategy<Value = WrittenArgument> {
    prop_oneof![text().prop_map(WrittenArgument::Single), vec(text(), 0..3).prop_map(WrittenArgument::List)]
}

fn view() -> impl Strategy<Value = CellView> {
    let flag = || option::of(any::<bool>());
    let scale = || option::of(select(&[Scale::Linear, Scale::Log][..]));
    let zoom = option::of([-1e9..0.0, 0.0..1e9, 1e-9..1.0, 1.0..1e9_f64]);
    let zoom = zoom.prop_map(|ends| ends.and_then(|[a, b, c, d]| Zoom::new([a, b], [c, d])));
    let plot = (select(&Tab::ALL[..]), option::of(select(&METRICS[1..])), flag(), zoom, scale(), scale());
    let lines = (flag(), flag(), any::<bool>(), vec(text(), 0..3), vec(text(), 0..3));
    let limit = option::of((1e-9..1e9_f64).prop_map(Nanos));
    let of_profile = (option::of(text()), option::of(text()), option::of(text()), option::of(text()), any::<bool>());
    let profile = of_profile.prop_map(|(function, by, at, before, shows_library)| ProfileView {
        function,
        by,
        at,
        before,
        shows_library,
    });
    let of_assembly = (option::of(text()), option::of(text()), option::of(0..1_000_000_u64), any::<bool>());
    let assembly = of_assembly.prop_map(|(function, before, marked, shows_around)| AssemblyView {
        function,
        before,
        marked,
        shows_around,
    });
    let ranked = (option::of(text()), option::of((0..9_usize, text())));
    let further = (select(&Margin::ALL[..]), limit, ranked, profile, assembly);
    (plot, lines, further).prop_map(
        |(
            (tab, metric, relative, zoom, x_scale, y_scale),
            (show_mean, show_median, show_samples, hidden_machines, hidden_functions),
            (margin, limit, (ranked_at, point), profile, assembly),
        )| CellView {
            tab,
            metric,
            relative,
            zoom,
            x_scale,
            y_scale,
            show_mean,
            show_median,
            show_samples,
            hidden_machines,
            hidden_functions,
            margin,
            limit,
            ranked_at,
            point,
            profile,
            assembly,
        },
    )
}

fn setup() -> impl Strategy<Value = CellSetup> {
    let names = (text(), vec(text(), 1..=4), option::of(text()), btree_map(text(), argument(), 0..3));
    let run_on = select(&[RunOn::Runner, RunOn::Browser, RunOn::Both][..]);
    (names, text(), text(), any::<bool>(), run_on, view()).prop_map(
        |((suite, functions, generator, arguments), precision, time, first_calls, run_on, view)| {
            let options = MeasuringOptions { precision, time, first_calls, run_on };
            CellSetup { suite, functions, generator, arguments, options, view }
        },
    )
}

fn measurement() -> impl Strategy<Value = MeasurementCell> {
    let parts = (text(), setup(), results(), overlays(), option::of(pinpoint()));
    parts.prop_map(|(title, setup, results, overlays, pinpoint)| MeasurementCell {
        title,
        setup,
        results,
        overlays,
        pinpoint,
    })
}

fn pinpoint() -> impl Strategy<Value = SharedValue> {
    text().prop_map(|answer| SharedValue(Rc::new(json!({ "answer": answer }))))
}

/// A cell with one of a few identifiers, so that edits meet the cells of a notebook.
fn cell() -> impl Strategy<Value = Rc<Cell>> {
    let content = prop_oneof![
        text().prop_map(CellContent::Text),
        measurement().prop_map(|measurement| CellContent::Measurement(Box::new(measurement))),
    ];
    (0..8_u64, any::<bool>(), content)
        .prop_map(|(number, is_collapsed, content)| Rc::new(Cell { id: id(number), is_collapsed, content }))
}

/// A notebook whose cells have different identifiers.
pub(super) fn notebook() -> impl Strategy<Value = Notebook> {
    (text(), vec(cell(), 0..5)).prop_map(|(title, cells)| {
        let mut notebook = Notebook { title, cells: Vec::new() };
        for cell in cells {
            notebook.apply(Edit::InsertCell { index: usize::MAX, cell });
        }
        notebook
    })
}

pub(super) fn edit() -> impl Strategy<Value = Edit> {
    let cell_id = || (0..8_u64).prop_map(id);
    prop_oneof![
        text().prop_map(|title| Edit::SetTitle { title }),
        (0..6_usize, cell()).prop_map(|(index, cell)| Edit::InsertCell { index, cell }),
        cell_id().prop_map(|cell| Edit::RemoveCell { cell }),
        (cell_id(), 0..6_usize).prop_map(|(cell, index)| Edit::MoveCell { cell, index }),
        (cell_id(), any::<bool>()).prop_map(|(cell, is_collapsed)| Edit::SetCollapsed { cell, is_collapsed }),
        (cell_id(), text()).prop_map(|(cell, text)| Edit::SetText { cell, text }),
        (cell_id(), text()).prop_map(|(cell, title)| Edit::SetCellTitle { cell, title }),
        (cell_id(), setup()).prop_map(|(cell, setup)| Edit::SetSetup { cell, setup: Box::new(setup) }),
        (cell_id(), view()).prop_map(|(cell, view)| Edit::SetView { cell, view: Box::new(view) }),
        (cell_id(), results()).prop_map(|(cell, results)| Edit::SetResults { cell, results }),
        (cell_id(), overlays()).prop_map(|(cell, overlays)| Edit::SetOverlays { cell, overlays }),
        (cell_id(), option::of(pinpoint())).prop_map(|(cell, pinpoint)| Edit::SetPinpoint { cell, pinpoint }),
    ]
}
