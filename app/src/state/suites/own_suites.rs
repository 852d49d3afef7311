//! The suites that the user opened, from files and addresses.

use std::collections::BTreeMap;

use super::loaded_suite::{LoadedSuite, SuiteId};

/// What the page shows of the user's suites, in addition to the list of functions.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct OwnSuites {
    /// The number of stored suites that are still loading; `None` until the storage was read.
    pub(crate) loading: Option<usize>,
    /// The file or the address of each suite.
    pub(crate) sources: BTreeMap<SuiteId, String>,
    /// The stored suites that cannot be loaded.
    pub(crate) unusable: Vec<UnusableSuite>,
    /// The file that is being opened.
    pub(crate) opening: Option<SuiteOpening>,
    /// Whether the dialog is shown in which the user chooses a file or an address.
    pub(crate) is_dialog_open: bool,
    /// The address that the dialog suggests, because a link names it.
    pub(crate) suggested: Option<String>,
    /// Why the last file or address cannot be opened; a sentence that says how to fix it.
    pub(crate) problem: Option<String>,
    /// The outcome of the last change.
    pub(crate) notice: Option<SuiteNotice>,
}

/// A stored suite that cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnusableSuite {
    /// The name of the suite.
    pub(crate) name: String,
    /// A sentence that says how to fix it.
    pub(crate) reason: String,
}

/// A file that is being opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SuiteOpening {
    /// The identifier that the suite will have.
    pub(crate) id: SuiteId,
    /// The file or the address.
    pub(crate) source: String,
    /// The bytes that were downloaded; `None` for a file.
    pub(crate) received: Option<usize>,
    /// The size of the download, if the host reports it.
    pub(crate) total: Option<usize>,
}

/// The outcome of a change, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SuiteNotice {
    /// The sentence.
    pub(crate) text: String,
    /// Whether the user can undo the change.
    pub(crate) can_undo: bool,
}

/// An event of the user's suites.
#[derive(Clone, Debug)]
pub(crate) enum OwnSuiteAction {
    /// The storage was read; the number of suites in it, which are now loading.
    Listed(usize),
    /// A suite from the storage was loaded, with its file or address. Another tab may have stored it just now.
    Loaded(LoadedSuite, String),
    /// A suite from the storage cannot be loaded.
    Unusable(UnusableSuite),
    /// One of the listed suites was loaded, or cannot be.
    Restored,
    /// Shows or closes the dialog.
    ShowDialog(bool),
    /// A file is being opened, or a part of it was downloaded.
    Progress(SuiteOpening),
    /// The user opened a suite from a file or an address.
    Opened(LoadedSuite, String),
    /// The user cancelled a download, or started another one.
    Cancelled(SuiteId),
    /// A file cannot be opened; a sentence that says how to fix it.
    Failed(SuiteId, String),
    /// A suite was not stored; a sentence that says how to fix it.
    NotStored(String),
    /// The user removed the suite of this name.
    Removed(String),
    /// Another tab removed the suite of this name.
    Dropped(String),
    /// The user has read the notice.
    DismissNotice,
}

impl OwnSuites {
    /// The state of a page without storage.
    pub(crate) fn of_standalone_page() -> Self {
        Self { loading: Some(0), ..Self::default() }
    }

    /// Whether stored suites may still appear.
    pub(crate) fn is_loading(&self) -> bool {
        self.loading != Some(0)
    }

    /// A stored suite was loaded, or cannot be.
    pub(crate) fn has_loaded(&mut self) {
        self.loading = self.loading.map(|loading| loading.saturating_sub(1));
    }

    /// The opening of a suite has ended.
    pub(crate) fn end_opening(&mut self, id: SuiteId) {
        self.opening.take_if(|opening| opening.id == id);
    }

    /// Whether a suite of this address is open.
    pub(crate) fn has_source(&self, address: &str) -> bool {
        self.sources.values().any(|source| source == address)
    }

    /// The address that a suite was opened from; `None` for a file.
    pub(crate) fn address_of(&self, id: SuiteId) -> Option<&String> {
        self.sources.get(&id).filter(|source| source.starts_with("https://") || source.starts_with("http://"))
    }

    /// Opens the dialog with the address of a link.
    pub(crate) fn suggest(&mut self, address: String) {
        self.is_dialog_open = true;
        self.suggested = Some(address);
    }

    /// Closes the dialog.
    pub(crate) fn close_dialog(&mut self) {
        self.is_dialog_open = false;
        self.suggested = None;
    }

    /// The user does something else, so the last outcome is no longer of interest. A removal can still be undone.
    pub(crate) fn forget_outcome(&mut self) {
        self.problem = None;
        self.notice.take_if(|notice| !notice.can_undo);
    }

    /// Shows the outcome of a change.
    pub(crate) fn report(&mut self, text: String) {
        self.notice = Some(SuiteNotice { text, can_undo: false });
    }
}

impl SuiteOpening {
    /// A file that is being opened.
    pub(crate) fn of_file(id: SuiteId, source: String) -> Self {
        Self { id, source, received: None, total: None }
    }

    /// The downloaded share in percent, if the host has reported the size.
    pub(crate) fn percent(&self) -> Option<f64> {
        let (received, total) = (self.received? as f64, self.total? as f64);
        // A compressed response is larger than its size.
        (received <= total && total > 0.0).then(|| 100.0 * received / total)
    }
}
