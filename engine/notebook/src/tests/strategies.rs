//! Random notebooks and edits.

use std::rc::Rc;

use benchbook_host::response::Point;
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;

use super::{failed, id, measurement_cell, result, text_cell, with_samples};
use crate::cell::{Cell, MeasurementCell};
use crate::edit::Edit;
use crate::notebook::Notebook;
use crate::result::CellResult;
use crate::setup::{CellSetup, WrittenArgument};
use crate::view::CellView;

fn text() -> impl Strategy<Value = String> {
    "\\PC{0,12}"
}

fn point() -> impl Strategy<Value = Point> {
    let x = 1.0..1e4_f64;
    (x, vec(1e-3..1e9_f64, 0..4)).prop_map(
        |(x, times)| {
            if times.is_empty() { failed(x) } else { with_samples(x, &times, true) }
        },
    )
}

fn cell_result() -> impl Strategy<Value = Rc<CellResult>> {
    (any::<u64>(), vec(point(), 0..4)).prop_map(|(number, points)| Rc::new(result(number, points)))
}

fn argument() -> impl Strategy<Value = WrittenArgument> {
    prop_oneof![text().prop_map(WrittenArgument::Single), vec(text(), 0..3).prop_map(WrittenArgument::List)]
}

fn view() -> impl Strategy<Value = CellView> {
    let zoom = option::of([-1e9..1e9, -1e9..1e9, 1e-9..1e9, 1e-9..1e9_f64]);
    (option::of(text()), zoom, option::of(any::<bool>()), option::of(1e-9..1e9_f64), option::of((0..9_usize, text())))
        .prop_map(|(tab, zoom, mean, limit_ns, point)| CellView {
            tab,
            zoom,
            mean,
            limit_ns,
            point,
            ..CellView::default()
        })
}

fn setup() -> impl Strategy<Value = CellSetup> {
    let names = (text(), vec(text(), 1..=4), option::of(text()), btree_map(text(), argument(), 0..3));
    (names, text(), any::<bool>(), text(), view()).prop_map(
        |((suite, functions, generator, arguments), precision, first_calls, run_on, view)| CellSetup {
            suite,
            functions,
            generator,
            arguments,
            precision,
            time: String::new(),
            first_calls,
            run_on,
            view,
        },
    )
}

fn measurement() -> impl Strategy<Value = MeasurementCell> {
    (text(), setup(), vec(cell_result(), 0..3), vec(cell_result(), 0..2))
        .prop_map(|(title, setup, results, overlays)| MeasurementCell { title, setup, results, overlays })
}

/// A cell with one of a few identifiers, so that edits meet the cells of a notebook.
fn cell() -> impl Strategy<Value = Rc<Cell>> {
    let number = || 0..8_u64;
    prop_oneof![
        (number(), text()).prop_map(|(number, text)| text_cell(number, &text)),
        (number(), measurement()).prop_map(|(number, measurement)| measurement_cell(number, measurement)),
    ]
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
        (cell_id(), vec(cell_result(), 0..3)).prop_map(|(cell, results)| Edit::SetResults { cell, results }),
        (cell_id(), vec(cell_result(), 0..2)).prop_map(|(cell, overlays)| Edit::SetOverlays { cell, overlays }),
    ]
}
