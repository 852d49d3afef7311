//! Tests of saving: merges, retries, a storage that is cleared, and results that cannot be read.

use benchbook_notebook::cell::{Cell, CellContent};
use benchbook_notebook::edit::Edit;
use benchbook_notebook::merge::MergeConflict;
use benchbook_notebook::notebook::Notebook;
use benchbook_notebook::record::ResultRecord;

use super::*;
use crate::address::FileAddress;
use crate::state::notebook::library::StorageAction;
use crate::state::notebook::notices::Notices;
use crate::state::notebook::saving::{SaveStatus, SavedNotebook, StoredVersion};
use crate::state::notebook::{NotebookAction, OpenNotebook};

fn storage(action: StorageAction) -> PageAction {
    PageAction::Storage(action)
}

fn set_title(title: &str) -> PageAction {
    PageAction::Notebook(NotebookAction::SetTitle(title.to_owned()))
}

fn shown(state: &State) -> &OpenNotebook {
    state.notebook().expect("it is shown")
}

fn texts(notices: &Notices) -> Vec<&str> {
    notices.all().iter().map(|notice| notice.text.as_str()).collect()
}

fn version(document: Notebook, revision: u64) -> StoredVersion {
    StoredVersion { document, unreadable: Vec::new(), revision }
}

/// A page with a cell and a title that is being written, and the identifier of the notebook.
fn writing() -> (Rc<State>, Id) {
    let state = begun().reduce(set_title("Sorts"));
    let id = shown(&state).id.clone();
    (state.reduce(storage(StorageAction::SaveStarted(id.clone()))), id)
}

fn saved(state: Rc<State>, id: &Id, revision: u64) -> Rc<State> {
    let version = version(shown(&state).document.clone(), revision);
    let saved = SavedNotebook { version, conflicts: None, was_lost: false };
    state.reduce(storage(StorageAction::Saved(id.clone(), saved)))
}

fn failed() -> (Rc<State>, Id) {
    let (state, id) = writing();
    (state.reduce(storage(StorageAction::SaveFailed(id.clone(), "It is full.".to_owned()))), id)
}

#[test]
fn a_merge_keeps_edits_that_were_typed_while_it_was_written() {
    let (state, id) = writing();
    let state = state.reduce(set_title("Sorts of keys"));
    let mut document = shown(&state).document.clone();
    document.title = "Sorts".to_owned();
    let text = Cell { id: Id::from_random(77), is_collapsed: false, content: CellContent::Text("theirs".to_owned()) };
    document.apply(Edit::InsertCell { index: 9, cell: Rc::new(text) });
    let conflict = MergeConflict::Title { own: "Sorts".to_owned(), other: "Orders".to_owned() };
    let merged = SavedNotebook { version: version(document, 2), conflicts: Some(vec![conflict]), was_lost: false };
    let state = state.reduce(storage(StorageAction::Saved(id, merged)));
    let notebook = shown(&state);
    assert_eq!((notebook.document.title.as_str(), notebook.document.cells.len()), ("Sorts of keys", 2));
    assert!(notebook.saving.can_begin(), "the later title is not stored yet");
    assert_eq!(
        texts(&notebook.notices),
        ["Another tab set the title “Orders” at the same time. This tab set the title “Sorts”, which remains."]
    );
    assert!(notebook.notices.all()[0].is_problem);
    let state = state.reduce(PageAction::Notebook(NotebookAction::DismissNotice(0)));
    assert!(shown(&state).notices.all().is_empty());
}

#[test]
fn a_merge_without_conflict_is_reported_once() {
    let (mut state, id) = writing();
    for revision in [2, 3] {
        let version = version(shown(&state).document.clone(), revision);
        let merged = SavedNotebook { version, conflicts: Some(Vec::new()), was_lost: false };
        state = state.reduce(storage(StorageAction::Saved(id.clone(), merged)));
    }
    assert_eq!(
        texts(&shown(&state).notices),
        ["Another tab has changed this notebook, too. The notebook now contains the edits of both tabs."]
    );
    assert!(!shown(&state).notices.all()[0].is_problem);
}

#[test]
fn a_finished_priority_is_written_at_once() {
    let (state, id) = writing();
    let settle_ms = |state: &State| {
        let saving = &shown(state).saving;
        saving.can_begin().then(|| saving.settle_ms())
    };
    let typed = saved(Rc::clone(&state), &id, 1).reduce(set_title("Sorts of keys"));
    assert!(settle_ms(&typed) > Some(0), "letters wait for further ones");
    let points = in_browser(Priority::FIRST, vec![measured(100.0, 3.0)]);
    let during = saved(state, &id, 1).then([started(), points].map(on_first));
    assert!(settle_ms(&during) != Some(0), "a point is not written while others are measured");
    let done = during.reduce(on_first(CellAction::Run(RunEvent::PriorityDone(Priority::FIRST))));
    assert_eq!(settle_ms(&done), Some(0));
}

#[test]
fn a_rejected_notebook_is_written_again_when_there_may_be_room() {
    let problem = StorageAction::Changed(Err("It failed.".to_owned()));
    let table = [
        (StorageAction::Retry, true),
        (StorageAction::Changed(Ok(())), true),
        (StorageAction::ChangedElsewhere(Id::from_random(78)), true),
        (problem, false),
    ];
    for (action, is_written) in table {
        let (state, id) = failed();
        assert!(!shown(&state).saving.can_begin() && state.has_unsaved_edits());
        let state = state.reduce(storage(action.clone()));
        assert_eq!(shown(&state).saving.can_begin(), is_written, "{action:?}");
        let state = saved(state.reduce(storage(StorageAction::SaveStarted(id.clone()))), &id, 1);
        assert_eq!(shown(&state).saving.status, SaveStatus::Saved);
        assert!(!state.has_unsaved_edits());
    }
}

#[test]
fn open_notebooks_are_written_again_after_the_browser_has_cleared_the_storage() {
    let (state, id) = writing();
    let state = saved(state, &id, 4);
    assert!(!shown(&state).saving.can_begin() && !state.has_unsaved_edits());
    let state = state.reduce(storage(StorageAction::Closed));
    assert!(shown(&state).saving.can_begin() && state.has_unsaved_edits(), "without an edit");
    let state = state.reduce(storage(StorageAction::SaveStarted(id.clone())));
    // It is closed again while it is written.
    let state = state.reduce(storage(StorageAction::Closed));
    let version = version(shown(&state).document.clone(), 5);
    let lost = SavedNotebook { version, conflicts: None, was_lost: true };
    let state = state.reduce(storage(StorageAction::Saved(id.clone(), lost)));
    assert!(shown(&state).saving.can_begin());
    assert_eq!(
        texts(&shown(&state).notices),
        ["This notebook was no longer in the browser's storage. This tab has stored it again."]
    );

    let untouched = page([PageAction::SuiteLoaded(suite()), PageAction::New, storage(StorageAction::Closed)]);
    let file = Id::from_random(79);
    let read = OpenNotebook::of_file(file, FileAddress::Site("a".to_owned()), Notebook::default(), &[]);
    let mut reading = State::default();
    reading.show(read);
    let reading = Rc::new(reading).reduce(storage(StorageAction::Closed));
    for state in [untouched, reading] {
        assert!(!shown(&state).saving.can_begin(), "it was never stored");
    }
}

#[test]
fn results_that_cannot_be_read_are_reported_with_their_cells() {
    let id = || Id::from_random(80);
    let add = PageAction::Add(super::id(0, "find"));
    let document = shown(&begun().reduce(add)).document.clone();
    let result = |cell: usize, number: u64| ResultRecord {
        cell: document.cells[cell].id.clone(),
        id: Id::from_random(number),
        is_overlay: false,
    };
    let table = [
        (vec![], None),
        (vec![result(1, 1)], Some("Cannot read 1 stored result of the cell “find”: damaged or missing.")),
        (
            vec![result(0, 1), result(1, 2), result(0, 3)],
            Some(
                "Cannot read 2 stored results of the cell “sort” and 1 stored result of the cell “find”: damaged or missing.",
            ),
        ),
    ];
    for (unreadable, expected) in table {
        let version = StoredVersion { document: document.clone(), unreadable, revision: 1 };
        let address = Address::Stored { notebook: id(), cell: None, elsewhere: None };
        let state = page([PageAction::Follow(Some(address.into()))]);
        let state = state.reduce(storage(StorageAction::Loaded(id(), Ok(Some(version)))));
        let notices = texts(&shown(&state).notices);
        assert_eq!(notices.len(), usize::from(expected.is_some()), "{notices:?}");
        assert!(expected.is_none_or(|expected| notices[0].starts_with(expected)), "{notices:?}");
    }
}
