//! What the storage contains of a notebook, and the edits that it lacks.

use benchbook_notebook::edit::Edit;
use benchbook_notebook::notebook::Notebook;

/// The edits of a notebook that are not stored yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Saving {
    /// What this tab last read or stored; `None` if the notebook was never stored.
    pub(crate) stored: Option<StoredVersion>,
    /// The edits since then, oldest first.
    pub(crate) edits: Vec<Edit>,
    /// While the notebook is being written: the number of edits that it contains, which are the first ones.
    written: Option<usize>,
    /// Whether edits are never stored: the notebook is a file to read.
    is_read_only: bool,
    /// Whether another tab has stored a newer version.
    pub(super) is_outdated: bool,
    /// The status that the page shows.
    pub(crate) status: SaveStatus,
}

/// A version of a notebook in the storage.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StoredVersion {
    /// The notebook.
    pub(crate) document: Notebook,
    /// Its revision.
    pub(crate) revision: u64,
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
    /// The storage rejects the notebook; a sentence with the remedy. The edits remain in this tab.
    Failed(String),
}

impl Saving {
    /// Of a notebook that was read from the storage.
    pub(super) fn of_stored(stored: StoredVersion) -> Self {
        Self { stored: Some(stored), status: SaveStatus::Saved, ..Self::default() }
    }

    /// Of a document from a file or a link, which is stored without an edit: a reload shows it again.
    pub(super) fn of_opened() -> Self {
        Self { status: SaveStatus::Saving, ..Self::default() }
    }

    /// Of a file to read, which the page does not change.
    pub(super) fn read_only() -> Self {
        Self { is_read_only: true, ..Self::default() }
    }

    /// Whether something is waiting, and nothing is being written.
    pub(crate) fn can_begin(&self) -> bool {
        let is_waiting = !self.edits.is_empty() || self.stored.is_none();
        self.status == SaveStatus::Saving && self.written.is_none() && is_waiting
    }

    /// All waiting edits are being written.
    pub(super) fn begin(&mut self) {
        self.written = Some(self.edits.len());
    }

    /// The edits were written, and the storage contains this version.
    pub(super) fn end(&mut self, version: StoredVersion) {
        let written = self.written.take().unwrap_or_default();
        self.edits.drain(..written.min(self.edits.len()));
        self.stored = Some(version);
        self.status = if self.edits.is_empty() { SaveStatus::Saved } else { SaveStatus::Saving };
    }

    /// The edits were not written.
    pub(super) fn fail(&mut self, reason: String) {
        self.written = None;
        self.status = SaveStatus::Failed(reason);
    }

    /// Adds an edit. It replaces the previous one if that set the same value: each letter of a text is an edit.
    pub(super) fn add(&mut self, edit: Edit) {
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
