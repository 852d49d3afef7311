//! Why the storage cannot be read or written, as sentences that say how to fix it.

use benchbook_notebook::file::FileError;
use idb::Error;
use wasm_bindgen::JsCast;

use crate::effects::worker::text_of;

/// Why the storage cannot be read or written.
pub(super) enum StorageError {
    /// The database cannot be opened: the browser has no storage for this page, or the database is from a newer version.
    Unavailable(Error),
    /// The browser rejected it.
    Database(Error),
    /// A stored notebook is damaged, or from a newer version. It is never overwritten.
    Unreadable(FileError),
}

impl From<Error> for StorageError {
    fn from(error: Error) -> Self {
        Self::Database(error)
    }
}

impl From<FileError> for StorageError {
    fn from(error: FileError) -> Self {
        Self::Unreadable(error)
    }
}

impl StorageError {
    /// The name of the browser's exception, such as `QuotaExceededError`.
    pub(super) fn name(&self) -> Option<String> {
        match self {
            Self::Unavailable(error) | Self::Database(error) => exception(error).map(|exception| exception.name()),
            Self::Unreadable(_) => None,
        }
    }

    /// The sentence for notebooks that cannot be read.
    pub(super) fn on_read(&self) -> String {
        match self {
            Self::Unavailable(_) => self.on_open(),
            Self::Database(_) => {
                format!("The notebooks of this browser cannot be read: {}. Reload the page.", self.reason())
            }
            Self::Unreadable(error) => error.to_string(),
        }
    }

    /// The sentence for edits that cannot be saved.
    pub(super) fn on_save(&self) -> String {
        match (self, self.name().as_deref()) {
            (Self::Unavailable(_), _) => self.on_open(),
            (_, Some("QuotaExceededError")) => {
                "Not saved: storage is full. Delete notebooks, empty the deleted list, or download this one.".to_owned()
            }
            _ => format!("Not saved: {}. Download the notebook as a file.", self.reason()),
        }
    }

    /// The sentence for a list that cannot be changed.
    pub(super) fn on_change(&self) -> String {
        match (self, self.name().as_deref()) {
            (Self::Unavailable(_), _) => self.on_open(),
            (_, Some("QuotaExceededError")) => {
                "This browser's storage is full. Remove the deleted notebooks, or other data of this page.".to_owned()
            }
            _ => format!("This browser's storage rejected the change: {}. Reload the page.", self.reason()),
        }
    }

    /// The sentence for a suite that is open, but cannot be stored.
    pub(super) fn on_save_suite(&self, suite: &str) -> String {
        let (reason, fix) = match (self, self.name().as_deref()) {
            (Self::Unavailable(_), Some("VersionError")) => {
                ("a newer version of Benchbook uses this browser’s storage".to_owned(), "Reload the page, and")
            }
            (_, Some("QuotaExceededError")) => {
                ("this browser’s storage is full".to_owned(), "Remove other suites or notebooks, then")
            }
            _ => (self.reason(), "At your next visit,"),
        };
        format!(
            "The suite {suite} works until you leave this page, but it is not stored: {reason}. {fix} open it again."
        )
    }

    /// The sentence for suites that cannot be read.
    pub(super) fn on_read_suites(&self) -> String {
        format!("The suites that you opened cannot be read: {}. Reload the page.", self.reason())
    }

    /// The sentence for a database that cannot be opened.
    fn on_open(&self) -> String {
        match self.name().as_deref() {
            Some("VersionError") => {
                "A newer version of Benchbook has stored notebooks in this browser. Reload the page to update it."
                    .to_owned()
            }
            _ => format!(
                "This browser does not store notebooks for this page: {}. Download the notebook as a file.",
                self.reason()
            ),
        }
    }

    /// The reason, without a full stop.
    fn reason(&self) -> String {
        let text = match self {
            Self::Unavailable(Error::IndexedDbNotFound(_)) => {
                "it has no IndexedDB here, as in some private windows or with storage switched off".to_owned()
            }
            Self::Unavailable(error) | Self::Database(error) => {
                exception(error).map_or_else(|| error.to_string(), |exception| text_of(&exception.into()))
            }
            Self::Unreadable(error) => error.to_string(),
        };
        text.trim_end_matches('.').to_owned()
    }
}

/// The DOM exception behind an error.
fn exception(error: &Error) -> Option<web_sys::DomException> {
    match error {
        Error::DomException(exception) => Some(exception.clone()),
        Error::IndexedDbOpenFailed(value)
        | Error::GetFailed(value)
        | Error::GetAllFailed(value)
        | Error::GetAllKeysFailed(value)
        | Error::AddFailed(value)
        | Error::UpdateFailed(value)
        | Error::DeleteFailed(value)
        | Error::TransactionOpenFailed(value)
        | Error::TransactionCommitError(value)
        | Error::TransactionAbortError(value) => value.clone().dyn_into().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen::JsValue;

    use super::*;

    #[test]
    fn a_browser_without_storage_has_a_sentence() {
        let error = StorageError::Unavailable(Error::IndexedDbNotFound(JsValue::UNDEFINED));
        for text in [error.on_read(), error.on_save(), error.on_change()] {
            assert_eq!(
                text,
                "This browser does not store notebooks for this page: it has no IndexedDB here, as in some private windows or with storage switched off. Download the notebook as a file."
            );
        }
    }
}
