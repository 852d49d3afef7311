//! Notebooks between the page and the storage.

use benchbook_notebook::id::Id;

use super::OpenNotebook;
use super::library::StorageAction;
use super::notices::Notices;
use super::saving::{Saving, StoredVersion};
use crate::address::Address;
use crate::address::link::Link;
use crate::state::{State, find_mut};

impl State {
    /// The notebook to load because the address names it, or because it may be the one that is being opened.
    pub(crate) fn wanted_notebook(&self) -> Option<Id> {
        if let Some(opened) = &self.opened {
            return Some(opened.id());
        }
        let Address::Stored { notebook, .. } = &self.pending.as_ref()?.address else { return None };
        (self.missing.as_ref() != Some(notebook)).then(|| notebook.clone())
    }

    /// The open notebooks that another tab has changed, unless they have edits of this tab: saving those merges both.
    pub(crate) fn outdated_notebooks(&self) -> Vec<Id> {
        let outdated =
            self.notebooks.iter().filter(|notebook| notebook.saving.is_outdated && notebook.saving.edits.is_empty());
        outdated.map(|notebook| notebook.id.clone()).collect()
    }

    /// The open notebooks whose edits can be written now.
    pub(crate) fn unsaved_notebooks(&self) -> Vec<&OpenNotebook> {
        self.notebooks.iter().filter(|notebook| notebook.saving.can_begin()).collect()
    }

    /// Whether edits would be lost with this tab.
    pub(crate) fn has_unsaved_edits(&self) -> bool {
        self.notebooks.iter().any(|notebook| notebook.saving.has_unsaved_edits())
    }

    pub(crate) fn apply_to_storage(&mut self, action: StorageAction) {
        match action {
            StorageAction::Opened(outcome) => self.library.opened = Some(outcome),
            StorageAction::Listed(outcome, storage) => {
                self.library.storage = storage;
                match outcome {
                    Ok(cards) => (self.library.cards, self.library.problem) = (Some(cards), None),
                    Err(problem) => self.library.problem = Some(problem),
                }
            }
            StorageAction::Loaded(id, outcome) => {
                self.open_stored_document(&id, &outcome);
                self.open_loaded(&id, outcome);
            }
            StorageAction::SaveStarted(id) => {
                if let Some(notebook) = self.open_mut(&id) {
                    notebook.saving.begin();
                }
            }
            StorageAction::Saved(id, saved) => {
                self.library.changes += 1;
                self.library.opened = Some(Ok(()));
                let suites = self.suites.clone();
                if let Some(notebook) = self.open_mut(&id) {
                    notebook.notices.add_saved(&saved);
                    notebook.saving.end(saved.version.clone());
                    if saved.conflicts.is_some() {
                        let mut document = saved.version.document;
                        // The user may have continued to type in the meantime.
                        notebook.saving.edits.iter().for_each(|edit| _ = document.apply(edit.clone()));
                        notebook.replace_document(document, &suites);
                    }
                }
            }
            StorageAction::SaveFailed(id, reason) => {
                if let Some(notebook) = self.open_mut(&id) {
                    notebook.saving.fail(reason);
                }
            }
            StorageAction::Retry => self.retry_saving(),
            StorageAction::Closed => {
                self.library.changes += 1;
                self.notebooks.iter_mut().for_each(|notebook| notebook.saving.write_again());
            }
            StorageAction::ChangedElsewhere(id) => {
                self.library.changes += 1;
                // It may have made room.
                self.retry_saving();
                if let Some(notebook) = self.open_mut(&id) {
                    notebook.saving.is_outdated = true;
                }
            }
            StorageAction::Reloaded(id, version) => {
                let suites = self.suites.clone();
                if let Some(notebook) = self.open_mut(&id) {
                    notebook.saving.is_outdated = false;
                    let is_newer =
                        notebook.saving.stored.as_ref().is_none_or(|stored| version.revision > stored.revision);
                    if is_newer && notebook.saving.edits.is_empty() {
                        notebook.notices.add_loaded(&version);
                        notebook.replace_document(version.document.clone(), &suites);
                        notebook.saving = Saving::of_stored(version);
                    }
                }
            }
            StorageAction::Changed(outcome) => {
                self.library.changes += 1;
                if outcome.is_ok() {
                    // It may have made room.
                    self.retry_saving();
                }
                self.library.problem = outcome.err();
            }
            StorageAction::Search(search) => self.library.search = search,
        }
    }

    /// Shows the notebook that the address names, or follows the rest of the link if this browser has no such notebook.
    fn open_loaded(&mut self, id: &Id, outcome: Result<Option<StoredVersion>, String>) {
        let is_wanted = |link: &mut Link| matches!(&link.address, Address::Stored { notebook, .. } if notebook == id);
        let Some(link) = self.pending.take_if(is_wanted) else { return };
        let (version, problem) = match outcome {
            Ok(version) => (version, None),
            Err(problem) => (None, Some(problem)),
        };
        match version {
            Some(version) => {
                let mut notices = Notices::default();
                notices.add_loaded(&version);
                let document = version.document.clone();
                let opened = OpenNotebook::new(id.clone(), document, Saving::of_stored(version), &self.suites.clone());
                self.show(opened).notices = notices;
                self.select(&link.address);
            }
            None if link.address.cell().is_none() => {
                let missing = "This notebook isn't stored in this browser. Ask its author for a file or a link.";
                self.link_problems.push(problem.unwrap_or_else(|| missing.to_owned()));
            }
            None => {
                self.missing = Some(id.clone());
                self.pending = Some(link);
                self.open_pending();
            }
        }
    }

    fn retry_saving(&mut self) {
        self.notebooks.iter_mut().for_each(|notebook| notebook.saving.retry());
    }

    fn open_mut(&mut self, id: &Id) -> Option<&mut OpenNotebook> {
        find_mut(&mut self.notebooks, id)
    }
}
