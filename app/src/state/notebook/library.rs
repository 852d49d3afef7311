//! The notebooks in this browser.

use benchbook_notebook::file;
use benchbook_notebook::id::Id;
use benchbook_notebook::record::NotebookRecord;
use benchbook_report::digest::NotebookDigest;

use super::saving::{SavedNotebook, StoredVersion};

/// The list of the notebooks in this browser.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Library {
    /// The notebooks, the newest first; `None` until they are loaded.
    pub(crate) cards: Option<Vec<StoredNotebook>>,
    /// Why they cannot be loaded or changed; a sentence that says how to fix it.
    pub(crate) problem: Option<String>,
    /// The storage in use; `None` if the browser does not report it.
    pub(crate) storage: Option<StorageUse>,
    /// The search text.
    pub(crate) search: String,
    /// Whether the storage was opened: `None` until then, and a sentence that says what to do if it cannot be.
    pub(crate) opened: Option<Result<(), String>>,
    /// The number of times that this tab or another one changed the storage.
    pub(crate) changes: u32,
}

/// A notebook in the list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StoredNotebook {
    /// The identifier.
    pub(crate) id: Id,
    /// The title; may be empty.
    pub(crate) title: String,
    /// The name of its first cell.
    pub(crate) first_cell: String,
    /// When it was changed last, in milliseconds since 1970.
    pub(crate) changed: f64,
    /// When the user deleted it; `None` if it was not deleted.
    pub(crate) deleted: Option<f64>,
    /// The number of its cells; `None` if this version cannot read the notebook.
    pub(crate) cells: Option<usize>,
    /// What it says, in short.
    pub(crate) digest: NotebookDigest,
    /// Its titles and texts in lower case, to search them.
    text: String,
}

/// The storage that this page's address uses, in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StorageUse {
    /// The bytes in use.
    pub(crate) used: f64,
    /// The bytes that the browser grants.
    pub(crate) quota: f64,
}

/// How long deleted notebooks remain restorable, in milliseconds.
const RESTORABLE_MS: f64 = 7.0 * 86_400_000.0;

/// An event of the storage.
#[derive(Clone, Debug)]
pub(crate) enum StorageAction {
    /// The storage was opened, or cannot be; a sentence that says how to fix it.
    Opened(Result<(), String>),
    /// The notebooks were listed.
    Listed(Result<Vec<StoredNotebook>, String>, Option<StorageUse>),
    /// A notebook was loaded to show it; `None` if there is no such notebook.
    Loaded(Id, Result<Option<StoredVersion>, String>),
    /// The edits of a notebook are being written.
    SaveStarted(Id),
    /// The edits were written.
    Saved(Id, SavedNotebook),
    /// The edits were not written; a sentence that says how to fix it.
    SaveFailed(Id, String),
    /// The user tries again to save the notebooks that the storage rejected.
    Retry,
    /// The browser has closed the storage, for example to clear it.
    Closed,
    /// Another tab has changed a notebook.
    ChangedElsewhere(Id),
    /// The version of another tab was loaded.
    Reloaded(Id, StoredVersion),
    /// A notebook was deleted, restored or removed, or could not be; a sentence that says how to fix it.
    Changed(Result<(), String>),
    /// The search text changed.
    Search(String),
}

impl StoredNotebook {
    /// The card of a stored notebook.
    pub(crate) fn new(id: Id, record: &NotebookRecord) -> Self {
        let document = file::read(&record.document).ok();
        Self {
            id,
            title: document.as_ref().map(|document| document.title.clone()).unwrap_or_default(),
            first_cell: document.as_ref().and_then(|document| Some(document.cells.first()?.name())).unwrap_or_default(),
            changed: record.changed,
            deleted: record.deleted,
            cells: document.as_ref().map(|document| document.cells.len()),
            // A notebook that an earlier version stored has none.
            digest: serde_json::from_str(&record.digest).unwrap_or_default(),
            text: record.document.to_lowercase(),
        }
    }

    /// Whether it was deleted so long ago that it is removed for good. `now`: milliseconds since 1970.
    pub(crate) fn is_expired(&self, now: f64) -> bool {
        self.deleted.is_some_and(|deleted| now - deleted > RESTORABLE_MS)
    }
}

impl Library {
    /// Why the notebooks cannot be loaded or changed, each reason once.
    pub(crate) fn problems(&self) -> Vec<&String> {
        let unavailable = self.opened.as_ref().and_then(|opened| opened.as_ref().err());
        let other = self.problem.as_ref().filter(|problem| Some(*problem) != unavailable);
        unavailable.into_iter().chain(other).collect()
    }

    /// The notebooks that contain the search text in a title or a text.
    pub(crate) fn matches(&self) -> Vec<&StoredNotebook> {
        let query = self.search.trim().to_lowercase();
        let cards = self.cards.iter().flatten().filter(|card| card.deleted.is_none());
        cards.filter(|card| query.is_empty() || card.text.contains(&query)).collect()
    }

    /// The notebooks that the user can restore, those that were deleted last first.
    pub(crate) fn deleted(&self) -> Vec<&StoredNotebook> {
        let mut deleted: Vec<&StoredNotebook> =
            self.cards.iter().flatten().filter(|card| card.deleted.is_some()).collect();
        deleted.sort_by(|one, other| other.deleted.unwrap_or_default().total_cmp(&one.deleted.unwrap_or_default()));
        deleted
    }
}
