//! What the storage contains of a notebook, and the edits that it lacks.

use benchbook_notebook::edit::Edit;
use benchbook_notebook::merge::MergeConflict;
use benchbook_notebook::notebook::Notebook;
use benchbook_notebook::record::ResultRecord;

/// How long edits wait for further ones, in milliseconds: a slider causes many.
const SETTLE_MS: u32 = 150;

/// The edits of a notebook that are not stored yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Saving {
    /// What this tab last read or stored; `None` if the notebook was never stored.
    pub(crate) stored: Option<StoredVersion>,
    /// The edits since then, oldest first.
    pub(crate) edits: Vec<Edit>,
    /// While the notebook is being written: the number of edits that it contains, which are the first ones.
    written: Option<usize>,
    /// Whether the notebook is to be written even without edits: the storage may have lost it.
    must_write: bool,
    /// Whether edits are never stored: the notebook is a file to read.
    is_read_only: bool,
    /// Whether another tab has stored a newer version.
    pub(crate) is_outdated: bool,
    /// The status that the page shows.
    pub(crate) status: SaveStatus,
}

/// A version of a notebook in the storage.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StoredVersion {
    /// The notebook.
    pub(crate) document: Notebook,
    /// Its results that are missing or damaged. They remain in the storage until the user replaces them.
    pub(crate) unreadable: Vec<ResultRecord>,
    /// Its revision.
    pub(crate) revision: u64,
}

/// The outcome of a save.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SavedNotebook {
    /// The notebook, with the edits of other tabs.
    pub(crate) version: StoredVersion,
    /// The conflicts with edits of other tabs; `None` if it contains no such edits.
    pub(crate) conflicts: Option<Vec<MergeConflict>>,
    /// Whether the notebook was no longer in the storage.
    pub(crate) was_lost: bool,
}

/// Whether the edits of a notebook are stored.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum SaveStatus {
    /// There was no edit yet, so nothing is stored.
    #[default]
    Untouched,
    /// Edits are waiting, or are being written.
    Saving,
    /// Everything is stored.
    Saved,
    /// The storage rejects the notebook; a sentence that says how to fix it. The edits remain in this tab.
    Failed(String),
}

impl Saving {
    /// Of a notebook that was read from the storage.
    pub(crate) fn of_stored(stored: StoredVersion) -> Self {
        Self { stored: Some(stored), status: SaveStatus::Saved, ..Self::default() }
    }

    /// Of a document from a file or a link, which is stored without an edit: a reload shows it again.
    pub(crate) fn of_opened() -> Self {
        Self { status: SaveStatus::Saving, ..Self::default() }
    }

    /// Of a file to read, which the page does not change.
    pub(crate) fn read_only() -> Self {
        Self { is_read_only: true, ..Self::default() }
    }

    /// Whether something is waiting, and nothing is being written.
    pub(crate) fn can_begin(&self) -> bool {
        let is_waiting = self.has_unsaved_edits() || self.stored.is_none();
        self.status == SaveStatus::Saving && self.written.is_none() && is_waiting
    }

    /// Whether something would be lost with this tab.
    pub(crate) fn has_unsaved_edits(&self) -> bool {
        !self.edits.is_empty() || self.must_write
    }

    /// How long the edits wait for further ones, in milliseconds. Those with results of a measurement do not wait: a crash would cost them, and
    /// the next priority starts at once.
    pub(crate) fn settle_ms(&self) -> u32 {
        if self.edits.iter().any(|edit| matches!(edit, Edit::SetResults { .. })) { 0 } else { SETTLE_MS }
    }

    /// Writes the notebook again, since the storage may have lost it.
    pub(crate) fn write_again(&mut self) {
        if self.stored.is_some() {
            self.must_write = true;
            self.status = SaveStatus::Saving;
        }
    }

    /// Tries again to write a notebook that the storage rejected.
    pub(crate) fn retry(&mut self) {
        if matches!(self.status, SaveStatus::Failed(_)) {
            self.status = SaveStatus::Saving;
        }
    }

    /// All waiting edits are being written.
    pub(crate) fn begin(&mut self) {
        self.written = Some(self.edits.len());
        self.must_write = false;
    }

    /// The edits were written, and the storage contains this version.
    pub(crate) fn end(&mut self, version: StoredVersion) {
        let written = self.written.take().unwrap_or_default();
        self.edits.drain(..written.min(self.edits.len()));
        self.stored = Some(version);
        self.status = if self.has_unsaved_edits() { SaveStatus::Saving } else { SaveStatus::Saved };
    }

    /// The edits were not written.
    pub(crate) fn fail(&mut self, reason: String) {
        self.written = None;
        self.must_write = true;
        self.status = SaveStatus::Failed(reason);
    }

    /// Adds an edit. It replaces the previous one if that set the same value: each letter of a text is an edit.
    pub(crate) fn add(&mut self, edit: Edit) {
        if self.is_read_only {
            return;
        }
        let is_waiting = self.edits.len() > self.written.unwrap_or_default();
        if is_waiting && self.edits.last().is_some_and(|last| sets_same_value(last, &edit)) {
            self.edits.pop();
        }
        self.edits.push(edit);
        self.status = SaveStatus::Saving;
    }
}

/// Whether the second edit makes the first one superfluous.
fn sets_same_value(one: &Edit, other: &Edit) -> bool {
    let is_same_kind = std::mem::discriminant(one) == std::mem::discriminant(other);
    let replaces = !matches!(other, Edit::InsertCell { .. } | Edit::RemoveCell { .. } | Edit::MoveCell { .. });
    is_same_kind && replaces && one.cell() == other.cell()
}
