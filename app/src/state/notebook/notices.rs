//! Notices on an open notebook: events of the storage that the user must know.

use std::rc::Rc;

use benchbook_notebook::cell::Cell;
use benchbook_notebook::merge::MergeConflict;

use super::saving::{SavedNotebook, StoredVersion};

/// A sentence about the notebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Notice {
    pub(crate) text: String,
    /// Whether it reports an error or a possible loss of data.
    pub(crate) is_problem: bool,
}

impl Notice {
    pub(crate) fn information(text: String) -> Self {
        Self { text, is_problem: false }
    }

    pub(crate) fn problem(text: String) -> Self {
        Self { text, is_problem: true }
    }
}

/// The notices on a notebook, until the user dismisses them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Notices(Vec<Notice>);

impl Notices {
    /// The notices, oldest first.
    pub(crate) fn all(&self) -> &[Notice] {
        &self.0
    }

    /// Adds notices about a save: merged edits of other tabs, or a notebook that was missing in the storage.
    pub(crate) fn add_saved(&mut self, saved: &SavedNotebook) {
        notices_of(saved).into_iter().for_each(|notice| self.add(notice));
    }

    /// Adds a notice if some results of a stored version cannot be read.
    pub(crate) fn add_loaded(&mut self, version: &StoredVersion) {
        unreadable_notice(version).into_iter().for_each(|notice| self.add(notice));
    }

    /// Removes the notice at an index.
    pub(crate) fn dismiss(&mut self, index: usize) {
        if index < self.0.len() {
            self.0.remove(index);
        }
    }

    /// Adds a notice, unless it is shown already.
    pub(crate) fn add(&mut self, notice: Notice) {
        if !self.0.contains(&notice) {
            self.0.push(notice);
        }
    }
}

/// The notices about a save.
fn notices_of(saved: &SavedNotebook) -> Vec<Notice> {
    let mut notices = match &saved.conflicts {
        None => Vec::new(),
        Some(conflicts) if conflicts.is_empty() => {
            let text = "Another tab has changed this notebook, too. The notebook now contains the edits of both tabs.";
            vec![Notice::information(text.to_owned())]
        }
        Some(conflicts) => conflicts.iter().map(MergeConflict::message).map(Notice::problem).collect(),
    };
    if saved.was_lost {
        let text = "This notebook was no longer in the browser's storage. This tab has stored it again.";
        notices.push(Notice::problem(text.to_owned()));
    }
    notices
}

/// A notice if stored results cannot be read: how many of which cells.
fn unreadable_notice(version: &StoredVersion) -> Option<Notice> {
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
    Some(Notice::problem(format!(
        "Cannot read {results}: damaged or missing. The rest is complete. Measure again, or delete the cell, to remove the damaged data."
    )))
}
