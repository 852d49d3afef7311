//! Notices on an open notebook: events of the storage that the user must know.

use std::rc::Rc;

use benchbook_notebook::cell::Cell;
use benchbook_notebook::merge::MergeConflict;

use super::saving::{SavedNotebook, StoredVersion};

/// The notices on a notebook, one sentence each, until the user dismisses them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Notices(Vec<String>);

impl Notices {
    /// The sentences, oldest first.
    pub(crate) fn sentences(&self) -> &[String] {
        &self.0
    }

    /// Adds notices about a save: merged edits of other tabs, or a notebook that was missing in the storage.
    pub(super) fn add_saved(&mut self, saved: &SavedNotebook) {
        notices_of(saved).into_iter().for_each(|notice| self.add(notice));
    }

    /// Adds a notice if some results of a stored version cannot be read.
    pub(super) fn add_loaded(&mut self, version: &StoredVersion) {
        unreadable_notice(version).into_iter().for_each(|notice| self.add(notice));
    }

    /// Removes the notice at an index.
    pub(super) fn dismiss(&mut self, index: usize) {
        if index < self.0.len() {
            self.0.remove(index);
        }
    }

    /// Adds a notice, unless it is shown already.
    pub(super) fn add(&mut self, notice: String) {
        if !self.0.contains(&notice) {
            self.0.push(notice);
        }
    }
}

/// The notices about a save, one sentence each.
fn notices_of(saved: &SavedNotebook) -> Vec<String> {
    let mut notices = match &saved.conflicts {
        None => Vec::new(),
        Some(conflicts) if conflicts.is_empty() => {
            vec![
                "Another tab has changed this notebook, too. The notebook now contains the edits of both tabs."
                    .to_owned(),
            ]
        }
        Some(conflicts) => conflicts.iter().map(MergeConflict::message).collect(),
    };
    if saved.was_lost {
        notices.push("This notebook was no longer in the browser's storage. This tab has stored it again.".to_owned());
    }
    notices
}

/// A sentence if stored results cannot be read: how many of which cells.
fn unreadable_notice(version: &StoredVersion) -> Option<String> {
    let count =
        |count: usize| if count == 1 { "1 stored result".to_owned() } else { format!("{count} stored results") };
    let of_cell = |cell: &Rc<Cell>| {
        let results = version.unreadable.iter().filter(|result| result.cell == cell.id).count();
        (results > 0).then(|| format!("{} of the cell “{}”", count(results), cell.name()))
    };
    let cells: Vec<String> = version.document.cells.iter().filter_map(of_cell).collect();
    let results = match cells.split_last()? {
        (last, []) => last.clone(),
        (last, others) => format!("{} and {last}", others.join(", ")),
    };
    Some(format!(
        "Cannot read {results}: damaged or missing. The rest is complete. Measure again, or delete the cell, to remove the damaged data."
    ))
}
