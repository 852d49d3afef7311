//! Tests of records and of merging.

use std::collections::BTreeMap;
use std::rc::Rc;

use proptest::collection::vec;
use proptest::prelude::*;

use super::strategies::{edit, notebook};
use super::{id, measured, measurement_cell, result, set_text, setup, text_cell, texts, with_time};
use crate::cell::{Cell, CellContent, MeasurementCell};
use crate::edit::Edit;
use crate::file::FileError;
use crate::id::Id;
use crate::merge::{MergeConflict, MergedNotebook, merge};
use crate::notebook::Notebook;
use crate::record::{NotebookRecord, RecordedNotebook, ResultRecord, without_replaced, write_result};
use crate::result::FunctionCurve;
use crate::setup::CellSetup;
use crate::view::CellView;

/// Returns identifiers that no test uses otherwise.
fn new_ids() -> impl FnMut() -> Id {
    let mut next = 1_000;
    move || {
        next += 1;
        id(next)
    }
}

fn merged(stored: &Notebook, base: &Notebook, edits: &[Edit]) -> Notebook {
    merge(stored, base, edits, new_ids()).notebook
}

/// The conflicts between two tabs that started from [`base`].
fn conflicts(theirs: &[Edit], ours: &[Edit]) -> Vec<MergeConflict> {
    merge(&after(theirs), &base(), ours, new_ids()).conflicts
}

fn base() -> Notebook {
    Notebook { title: "Maps".to_owned(), cells: vec![text_cell(1, "one"), text_cell(2, "two")] }
}

fn set_title(title: &str) -> Edit {
    Edit::SetTitle { title: title.to_owned() }
}

fn after(edits: &[Edit]) -> Notebook {
    let mut notebook = base();
    edits.iter().for_each(|edit| _ = notebook.apply(edit.clone()));
    notebook
}

#[test]
fn edits_of_different_cells_are_merged() {
    let stored = after(&[set_text(1, "ONE"), Edit::InsertCell { index: 0, cell: text_cell(3, "three") }]);
    let merged = merged(&stored, &base(), &[set_text(2, "TWO"), Edit::SetTitle { title: "Which map?".to_owned() }]);
    assert_eq!(texts(&merged), ["three", "ONE", "TWO"]);
    assert_eq!(merged.title, "Which map?");
}

#[test]
fn both_versions_of_a_cell_that_both_tabs_changed_remain() {
    let stored = after(&[set_text(1, "theirs")]);
    let merged = merged(&stored, &base(), &[set_text(1, "o"), set_text(1, "ours")]);
    assert_eq!(texts(&merged), ["ours", "theirs", "two"]);
    assert_eq!(merged.cells[0].id, id(1), "the cell of this tab remains in place");
}

#[test]
fn a_cell_is_kept_if_one_tab_removes_it_and_the_other_edits_it() {
    let remove = || Edit::RemoveCell { cell: id(1) };
    assert_eq!(texts(&merged(&after(&[remove()]), &base(), &[set_text(1, "ours")])), ["ours", "two"]);
    assert_eq!(texts(&merged(&after(&[set_text(1, "theirs")]), &base(), &[remove()])), ["theirs", "two"]);
    assert_eq!(texts(&merged(&after(&[remove()]), &base(), &[remove()])), ["two"]);
}

#[test]
fn the_same_change_in_both_tabs_is_no_conflict() {
    for edits in [vec![set_title("Trees")], vec![set_text(1, "both")], vec![Edit::RemoveCell { cell: id(1) }]] {
        let expected = MergedNotebook { notebook: after(&edits), conflicts: Vec::new() };
        assert_eq!(merge(&after(&edits), &base(), &edits, new_ids()), expected);
    }
}

#[test]
fn each_conflict_has_a_sentence() {
    let remove = || Edit::RemoveCell { cell: id(1) };
    let table = [
        (vec![set_text(2, "theirs")], vec![set_text(1, "ours")], vec![]),
        (vec![set_title("Trees")], vec![set_text(1, "ours")], vec![]),
        (
            vec![set_title("Trees")],
            vec![set_title("Hashes")],
            vec!["Another tab set the title “Trees” at the same time. This tab set the title “Hashes”, which remains."],
        ),
        (
            vec![set_text(1, "theirs")],
            vec![set_text(1, "ours"), set_title("Hashes")],
            vec!["Another tab changed the cell “ours”, too. Its version follows the version of this tab."],
        ),
        (
            vec![set_text(1, "theirs")],
            vec![remove()],
            vec!["Another tab changed the cell “theirs”, which this tab deleted. Its version remains."],
        ),
        (
            vec![remove()],
            vec![set_text(1, "ours")],
            vec!["Another tab deleted the cell “ours”, which this tab changed. The version of this tab remains."],
        ),
    ];
    for (theirs, ours, expected) in table {
        let messages: Vec<String> = conflicts(&theirs, &ours).iter().map(MergeConflict::message).collect();
        assert_eq!(messages, expected, "{theirs:?} and {ours:?}");
    }
}

#[test]
fn both_versions_of_a_measurement_are_unmixed() {
    let measurement = MeasurementCell { setup: setup(), ..MeasurementCell::default() };
    let base = Notebook { title: String::new(), cells: vec![measurement_cell(1, measurement)] };
    let mut stored = base.clone();
    let theirs = with_time("3");
    stored.apply(Edit::SetSetup { cell: id(1), setup: Box::new(theirs.clone()) });
    let merged = merged(&stored, &base, &[Edit::SetCellTitle { cell: id(1), title: "Ours".to_owned() }]);
    let of = |index: usize| merged.cells[index].measurement().map(|cell| (cell.title.as_str(), cell.setup.clone()));
    assert_eq!([of(0), of(1)], [Some(("Ours", setup())), Some(("", theirs))]);
}

#[test]
fn a_damaged_result_costs_only_itself() {
    let results = [result(1, vec![measured(10.0, 5.0)]), result(2, vec![measured(10.0, 6.0)])].map(Rc::new).to_vec();
    let measurement = MeasurementCell { setup: setup(), results: results.clone(), ..MeasurementCell::default() };
    let notebook = Notebook { title: String::new(), cells: vec![measurement_cell(1, measurement)] };
    let record = NotebookRecord::new(&notebook, 1, 0.0);
    let stored = |wanted: &Id| Some(if *wanted == id(1) { "{".to_owned() } else { write_result(&results[1]) });
    let RecordedNotebook { notebook: read, unreadable } = record.notebook(stored).expect("the document is valid");
    assert_eq!(read.cells[0].measurement().map(|measurement| &measurement.results[..]), Some(&results[1..]));
    assert_eq!(unreadable, [ResultRecord { cell: id(1), id: id(1), is_overlay: false }]);
    // The reference remains, so that the next version of the record does not drop the result.
    let mut next: Vec<Id> = NotebookRecord::new(&read, 2, 0.0)
        .with_unreadable(&unreadable)
        .results
        .into_iter()
        .map(|result| result.id)
        .collect();
    next.sort();
    assert_eq!(next, [id(1), id(2)]);
    let missing = record.notebook(|_| None).expect("the document is valid").unreadable;
    assert_eq!(missing, record.results, "missing results are reported, too");
}

#[test]
fn an_unreadable_result_remains_until_its_cell_has_others_or_is_removed() {
    let cell = || measurement_cell(1, MeasurementCell { setup: setup(), ..MeasurementCell::default() });
    let notebook = Notebook { title: String::new(), cells: vec![cell(), text_cell(2, "two")] };
    let unreadable = [false, true].map(|is_overlay| ResultRecord { cell: id(1), id: id(7), is_overlay }).to_vec();
    let retained = |edits: &[Edit]| {
        let mut notebook = notebook.clone();
        edits.iter().for_each(|edit| _ = notebook.apply(edit.clone()));
        let (retained, dropped) = without_replaced(unreadable.clone(), &notebook, edits);
        assert_eq!(retained.len() + dropped.len(), unreadable.len());
        retained.iter().map(|result| result.is_overlay).collect::<Vec<_>>()
    };
    let results = vec![Rc::new(result(3, vec![measured(10.0, 5.0)]))];
    assert_eq!(retained(&[set_text(2, "TWO"), set_title("Hashes")]), [false, true]);
    assert_eq!(retained(&[Edit::SetResults { cell: id(1), results: results.clone() }]), [true]);
    assert_eq!(retained(&[Edit::SetOverlays { cell: id(1), overlays: results }]), [false]);
    assert_eq!(retained(&[Edit::RemoveCell { cell: id(1) }]), [false; 0]);
}

#[test]
fn a_record_of_a_newer_version_is_rejected() {
    let mut record = NotebookRecord::new(&base(), 1, 0.0);
    record.document = record.document.replace("\"benchbook\":1", "\"benchbook\":2");
    assert_eq!(record.notebook(|_| None).map(|read| read.notebook), Err(FileError::Newer { version: 2 }));
    assert!(NotebookRecord::read("{\"revision\":1").is_err());
}

#[test]
fn a_title_that_was_changed_back_does_not_replace_that_of_another_tab() {
    let mut stored = base();
    stored.apply(set_title("Hashes"));
    let edits = [set_title("Trees"), set_title(&base().title)];
    let merged = merge(&stored, &base(), &edits, new_ids());
    assert_eq!((merged.notebook.title.as_str(), merged.conflicts.len()), ("Hashes", 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_stored_notebook_is_read_unchanged(notebook in notebook(), revision in 0..9_u64) {
        let record = NotebookRecord::new(&notebook, revision, 1.5);
        let record = NotebookRecord::read(&record.write()).expect("it was just written");
        prop_assert_eq!((record.revision, record.changed), (revision, 1.5));
        let results: BTreeMap<Id, String> = notebook.results().map(|result| (result.id.clone(), write_result(result))).collect();
        prop_assume!(results.len() == notebook.results().count());
        let read = record.notebook(|id| results.get(id).cloned()).expect("it is valid");
        prop_assert_eq!(read, RecordedNotebook { notebook, unreadable: Vec::new() });
    }

    #[test]
    fn without_another_tab_merging_applies_the_edits(base in notebook(), edits in vec(edit(), 0..6)) {
        let mut expected = base.clone();
        edits.iter().for_each(|edit| _ = expected.apply(edit.clone()));
        prop_assert_eq!(merged(&base, &base, &edits), expected);
    }

    #[test]
    fn merging_loses_nothing_of_either_tab(
        base in notebook(),
        theirs in vec(edit(), 0..6),
        ours in vec(edit(), 0..6),
    ) {
        let (mut stored, mut own) = (base.clone(), base.clone());
        theirs.iter().for_each(|edit| _ = stored.apply(edit.clone()));
        // A tab records only edits with an effect.
        let ours: Vec<Edit> = ours.into_iter().filter(|edit| own.apply(edit.clone()).is_some()).collect();
        let MergedNotebook { notebook: merged, conflicts } = merge(&stored, &base, &ours, new_ids());

        let changed_titles = [&stored, &own].map(|tab| &tab.title).into_iter().filter(|title| **title != base.title);
        for title in changed_titles {
            let is_reported = |conflict: &MergeConflict| {
                matches!(conflict, MergeConflict::Title { own, other } if [own, other].contains(&title))
            };
            prop_assert!(merged.title == *title || conflicts.iter().any(is_reported), "{title}: {merged:?}");
        }
        for (tab, other) in [(&stored, &own), (&own, &stored)] {
            for cell in &tab.cells {
                let before = base.cell(&cell.id);
                let has_content = |cell: &&Rc<Cell>, wanted: &Cell| content(cell) == content(wanted);
                if !before.is_some_and(|before| has_content(&before, cell)) {
                    prop_assert!(merged.cells.iter().any(|merged| has_content(&merged, cell)), "{cell:?}: {merged:?}");
                } else if other.cell(&cell.id).is_some_and(|other| has_content(&other, cell)) {
                    prop_assert!(merged.cell(&cell.id).is_some(), "{cell:?} was not removed: {merged:?}");
                }
            }
        }
        let mut ids: Vec<&Id> = merged.cells.iter().map(|cell| &cell.id).collect();
        ids.sort();
        ids.dedup();
        prop_assert_eq!(ids.len(), merged.cells.len(), "identifiers are unique");
    }
}

/// The parts of a cell that a merge keeps: its text, or its title, its setup without the view, and the curves of its results, which
/// get other identifiers in a copy.
fn content(cell: &Cell) -> (CellContent, Vec<Vec<FunctionCurve>>) {
    let CellContent::Measurement(measurement) = &cell.content else { return (cell.content.clone(), Vec::new()) };
    let curves = measurement.all_results().map(|result| result.curves.clone()).collect();
    let setup = CellSetup { view: CellView::default(), ..measurement.setup.clone() };
    let bare = MeasurementCell { setup, results: Vec::new(), overlays: Vec::new(), ..(**measurement).clone() };
    (CellContent::Measurement(Box::new(bare)), curves)
}
