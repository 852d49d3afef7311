//! Tests of edits, undo and redo.

use proptest::collection::vec;
use proptest::prelude::*;

use super::strategies::{edit, notebook};
use super::{id, measurement_cell, set_text, setup, text_cell, texts, with_time};
use crate::cell::MeasurementCell;
use crate::edit::Edit;
use crate::history::History;
use crate::notebook::Notebook;
use crate::view::{CellView, Tab};

fn three_cells() -> Notebook {
    Notebook {
        title: "Maps".to_owned(),
        cells: ["a", "b", "c"].iter().zip(1..).map(|(text, n)| text_cell(n, text)).collect(),
    }
}

#[test]
fn edits_name_their_cells() {
    let table = [
        (Edit::RemoveCell { cell: id(2) }, vec!["a", "c"]),
        (Edit::MoveCell { cell: id(1), index: 2 }, vec!["b", "c", "a"]),
        (Edit::MoveCell { cell: id(3), index: 0 }, vec!["c", "a", "b"]),
        (Edit::MoveCell { cell: id(1), index: 99 }, vec!["b", "c", "a"]),
        (Edit::InsertCell { index: 1, cell: text_cell(4, "d") }, vec!["a", "d", "b", "c"]),
        (Edit::InsertCell { index: 99, cell: text_cell(4, "d") }, vec!["a", "b", "c", "d"]),
        (set_text(2, "B"), vec!["a", "B", "c"]),
    ];
    for (edit, expected) in table {
        let mut notebook = three_cells();
        assert!(notebook.apply(edit.clone()).is_some(), "{edit:?}");
        assert_eq!(texts(&notebook), expected, "{edit:?}");
    }
}

#[test]
fn an_edit_without_effect_has_no_inverse() {
    let table = [
        Edit::SetTitle { title: "Maps".to_owned() },
        Edit::InsertCell { index: 0, cell: text_cell(3, "the same identifier") },
        Edit::RemoveCell { cell: id(9) },
        Edit::MoveCell { cell: id(1), index: 0 },
        Edit::MoveCell { cell: id(9), index: 0 },
        set_text(1, "a"),
        set_text(9, "z"),
        Edit::SetCellTitle { cell: id(1), title: "a text cell has no title".to_owned() },
    ];
    for edit in table {
        let mut notebook = three_cells();
        assert_eq!(notebook.apply(edit), None);
        assert_eq!(notebook, three_cells());
    }
}

#[test]
fn typing_is_one_step_until_it_is_closed() {
    let (mut notebook, mut history) = (three_cells(), History::default());
    for text in ["h", "he", "hey"] {
        history.apply(&mut notebook, set_text(1, text));
    }
    history.close_step();
    history.apply(&mut notebook, set_text(1, "hey you"));
    history.apply(&mut notebook, set_text(2, "another cell"));
    let mut after = |undone: bool| {
        let edit = if undone { history.undo(&mut notebook) } else { history.redo(&mut notebook) };
        edit.map(|_| texts(&notebook).join(" | "))
    };
    assert_eq!(after(true).as_deref(), Some("hey you | b | c"));
    assert_eq!(after(true).as_deref(), Some("hey | b | c"));
    assert_eq!(after(true).as_deref(), Some("a | b | c"));
    assert_eq!(after(true), None);
    assert_eq!(after(false).as_deref(), Some("hey | b | c"));
    assert_eq!(after(false).as_deref(), Some("hey you | b | c"));
    assert_eq!(after(false).as_deref(), Some("hey you | another cell | c"));
    assert_eq!(after(false), None);
}

#[test]
fn a_new_edit_discards_the_undone_ones() {
    let (mut notebook, mut history) = (three_cells(), History::default());
    history.apply(&mut notebook, Edit::RemoveCell { cell: id(1) });
    history.undo(&mut notebook);
    assert!(history.next_redo().is_some());
    history.apply(&mut notebook, set_text(2, "new"));
    assert_eq!((history.redo(&mut notebook), texts(&notebook)), (None, vec!["a", "new", "c"]));
}

#[test]
fn undo_skips_cells_that_another_tab_removed() {
    let (mut notebook, mut history) = (three_cells(), History::default());
    history.apply(&mut notebook, set_text(1, "first"));
    history.apply(&mut notebook, set_text(2, "second"));
    notebook.apply(Edit::RemoveCell { cell: id(2) });
    assert_eq!(history.undo(&mut notebook), Some(set_text(1, "a")));
    assert_eq!(texts(&notebook), ["a", "c"]);
}

#[test]
fn undo_ignores_changes_of_the_view() {
    let measurement = MeasurementCell { setup: setup(), ..MeasurementCell::default() };
    let mut notebook = Notebook { title: String::new(), cells: vec![measurement_cell(1, measurement)] };
    let mut history = History::default();
    let view = |tab| Box::new(CellView { tab, ..CellView::default() });
    history.apply(&mut notebook, Edit::SetSetup { cell: id(1), setup: Box::new(with_time("3")) });
    assert!(history.apply(&mut notebook, Edit::SetView { cell: id(1), view: view(Tab::Table) }));
    assert!(history.apply(&mut notebook, Edit::SetCollapsed { cell: id(1), is_collapsed: true }));
    history.undo(&mut notebook);
    let cell = notebook.cell(&id(1)).expect("it was not removed");
    let setup = &cell.measurement().expect("it is one").setup;
    assert_eq!((setup.options.time.as_str(), setup.view.tab, cell.is_collapsed), ("", Tab::Table, true));
    assert_eq!(history.undo(&mut notebook), None);
}

#[test]
fn the_history_is_limited() {
    let (mut notebook, mut history) = (three_cells(), History::default());
    for step in 0..500 {
        history.apply(&mut notebook, Edit::MoveCell { cell: id(1), index: 2 - 2 * (step % 2) });
    }
    let undone = std::iter::from_fn(|| history.undo(&mut notebook)).count();
    assert_eq!(undone, 200);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn an_inverse_restores_the_notebook(before in notebook(), edit in edit()) {
        let mut after = before.clone();
        match after.apply(edit) {
            Some(inverse) => {
                prop_assert!(after != before);
                prop_assert!(after.apply(inverse).is_some());
                prop_assert_eq!(after, before);
            }
            None => prop_assert_eq!(after, before),
        }
    }

    #[test]
    fn undoing_all_steps_restores_the_notebook(before in notebook(), edits in vec(edit(), 0..12)) {
        let edits = edits.into_iter().filter(|edit| !edit.is_view_change());
        let (mut notebook, mut history) = (before.clone(), History::default());
        for edit in edits {
            history.apply(&mut notebook, edit);
        }
        let after = notebook.clone();
        while history.undo(&mut notebook).is_some() {}
        prop_assert_eq!(&notebook, &before);
        while history.redo(&mut notebook).is_some() {}
        prop_assert_eq!(notebook, after);
    }
}
