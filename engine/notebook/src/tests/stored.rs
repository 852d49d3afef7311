//! Tests of records and of merging.

use std::collections::BTreeMap;
use std::rc::Rc;

use proptest::collection::vec;
use proptest::prelude::*;

use super::strategies::{edit, notebook};
use super::{id, measured, measurement_cell, result, setup, text_cell};
use crate::cell::{CellContent, MeasurementCell};
use crate::edit::Edit;
use crate::file::FileError;
use crate::id::Id;
use crate::merge::merge;
use crate::notebook::Notebook;
use crate::record::{NotebookRecord, write_result};

/// Returns identifiers that no test uses otherwise.
fn new_ids() -> impl FnMut() -> Id {
    let mut next = 1_000;
    move || {
        next += 1;
        id(next)
    }
}

fn merged(stored: &Notebook, base: &Notebook, edits: &[Edit]) -> Notebook {
    merge(stored, base, edits, new_ids())
}

fn texts(notebook: &Notebook) -> Vec<String> {
    notebook.cells.iter().map(|cell| text_of(&cell.content)).collect()
}

fn text_of(content: &CellContent) -> String {
    match content {
        CellContent::Text(text) => text.clone(),
        CellContent::Measurement(_) => "a measurement".to_owned(),
    }
}

fn base() -> Notebook {
    Notebook { title: "Maps".to_owned(), cells: vec![text_cell(1, "one"), text_cell(2, "two")] }
}

fn set_text(number: u64, text: &str) -> Edit {
    Edit::SetText { cell: id(number), text: text.to_owned() }
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
fn a_cell_is_retained_if_one_tab_removes_it_and_the_other_edits_it() {
    let remove = || Edit::RemoveCell { cell: id(1) };
    assert_eq!(texts(&merged(&after(&[remove()]), &base(), &[set_text(1, "ours")])), ["ours", "two"]);
    assert_eq!(texts(&merged(&after(&[set_text(1, "theirs")]), &base(), &[remove()])), ["theirs", "two"]);
    assert_eq!(texts(&merged(&after(&[remove()]), &base(), &[remove()])), ["two"]);
}

#[test]
fn a_damaged_result_costs_only_itself() {
    let results = [result(1, vec![measured(10.0, 5.0)]), result(2, vec![measured(10.0, 6.0)])].map(Rc::new).to_vec();
    let measurement = MeasurementCell { setup: setup(), results: results.clone(), ..MeasurementCell::default() };
    let notebook = Notebook { title: String::new(), cells: vec![measurement_cell(1, measurement)] };
    let record = NotebookRecord::new(&notebook, 1, 0.0);
    let stored = |wanted: &Id| Some(if *wanted == id(1) { "{".to_owned() } else { write_result(&results[1]) });
    let read = record.notebook(stored).expect("the document is valid");
    assert_eq!(read.cells[0].measurement().map(|measurement| &measurement.results[..]), Some(&results[1..]));
}

#[test]
fn a_record_of_a_newer_version_is_rejected() {
    let mut record = NotebookRecord::new(&base(), 1, 0.0);
    record.document = record.document.replace("\"benchbook\":1", "\"benchbook\":2");
    assert_eq!(record.notebook(|_| None), Err(FileError::Newer { version: 2 }));
    assert!(NotebookRecord::read("{\"revision\":1").is_err());
}

proptest! {
    #[test]
    fn a_stored_notebook_is_read_unchanged(notebook in notebook(), revision in 0..9_u64) {
        let record = NotebookRecord::new(&notebook, revision, 1.5);
        let record = NotebookRecord::read(&record.write()).expect("it was just written");
        prop_assert_eq!((record.revision, record.changed), (revision, 1.5));
        let results: BTreeMap<Id, String> = notebook.results().map(|result| (result.id.clone(), write_result(result))).collect();
        prop_assume!(results.len() == notebook.results().count());
        let read = record.notebook(|id| results.get(id).cloned()).expect("it is valid");
        prop_assert_eq!(read, notebook);
    }

    #[test]
    fn without_another_tab_merging_applies_the_edits(base in notebook(), edits in vec(edit(), 0..6)) {
        let mut expected = base.clone();
        edits.iter().for_each(|edit| _ = expected.apply(edit.clone()));
        prop_assert_eq!(merged(&base, &base, &edits), expected);
    }

    #[test]
    fn merging_loses_no_text_of_either_tab(
        base in notebook(),
        theirs in vec(edit(), 0..6),
        ours in vec(edit(), 0..6),
    ) {
        let apply = |edits: &[Edit]| {
            let mut notebook = base.clone();
            edits.iter().for_each(|edit| _ = notebook.apply(edit.clone()));
            notebook
        };
        let (stored, own) = (apply(&theirs), apply(&ours));
        let merged = merged(&stored, &base, &ours);
        for cell in &base.cells {
            let (Some(theirs), Some(ours)) = (stored.cell(&cell.id), own.cell(&cell.id)) else { continue };
            if let (CellContent::Text(theirs), CellContent::Text(ours)) = (&theirs.content, &ours.content)
                && ![theirs, ours].contains(&&text_of(&cell.content))
            {
                prop_assert!([theirs, ours].iter().all(|text| texts(&merged).contains(text)), "{merged:?}");
            }
        }
    }
}
