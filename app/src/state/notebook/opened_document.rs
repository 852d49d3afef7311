//! A notebook from a link or a file, until the storage has said whether it has the same one.

use benchbook_host::fingerprint::fingerprint;
use benchbook_notebook::file;
use benchbook_notebook::id::Id;
use benchbook_notebook::notebook::Notebook;
use benchbook_notebook::record::NotebookRecord;

use super::OpenNotebook;
use super::saving::{Saving, StoredVersion};
use crate::state::{Shown, State, find_mut};

/// A document that is being opened. Its identifier follows from its content, so that the same link or file leads to the same notebook.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OpenedDocument {
    document: Notebook,
    fingerprint: String,
    /// The number of notebooks with this content that the user has changed since they were opened.
    changed: u32,
}

impl OpenedDocument {
    fn new(document: Notebook) -> Self {
        let fingerprint = fingerprint(file::write(&document).as_bytes());
        Self { document, fingerprint, changed: 0 }
    }

    /// The identifier of the notebook to open: if the user has changed the first one, the second one is opened, and so on.
    pub(super) fn id(&self) -> Id {
        let hash = &self.fingerprint[..16];
        let id = if self.changed == 0 { hash.to_owned() } else { format!("{hash}-{}", self.changed) };
        Id::try_from(id).expect("digits, letters and a hyphen")
    }

    /// Whether another document has the same texts, setups and results. The numbers of a result are not compared: writing and reading
    /// them may change the last digit, and each measurement has an identifier.
    fn is_same(&self, other: &Notebook) -> bool {
        let record = |document: &Notebook| NotebookRecord::new(document, 0, 0.0);
        record(&self.document) == record(other)
    }
}

impl State {
    /// Shows a notebook from a file or a link, and stores it, unless this browser has the same one already.
    pub(in crate::state) fn show_opened(&mut self, document: Notebook) {
        self.forget_link();
        if self.is_embedded || self.is_standalone {
            let id = self.ids.next();
            let saving = if self.is_embedded { Saving::read_only() } else { Saving::of_opened() };
            self.show(OpenNotebook::new(id, document, saving, &self.suites.clone()));
            return;
        }
        self.open_document(OpenedDocument::new(document));
    }

    /// Shows the notebook with this content if it is open in this tab, and otherwise waits for the storage.
    fn open_document(&mut self, mut opened: OpenedDocument) {
        while let Some(notebook) = find_mut(&mut self.notebooks, &opened.id()) {
            if opened.is_same(&notebook.document) {
                // The user may have deleted it.
                notebook.saving.write_again();
                self.shown = Shown::Notebook(opened.id());
                return;
            }
            opened.changed += 1;
        }
        self.opened = Some(opened);
    }

    /// Continues to open a document if it waits for this notebook of the storage.
    pub(super) fn open_stored_document(&mut self, id: &Id, outcome: &Result<Option<StoredVersion>, String>) {
        let Some(mut opened) = self.opened.take_if(|opened| opened.id() == *id) else { return };
        let (id, document, saving) = match outcome {
            Ok(Some(version)) if opened.is_same(&version.document) => {
                let mut saving = Saving::of_stored(version.clone());
                // The user may have deleted it.
                saving.write_again();
                (id.clone(), version.document.clone(), saving)
            }
            Ok(Some(_)) => {
                opened.changed += 1;
                return self.open_document(opened);
            }
            Ok(None) => (id.clone(), opened.document, Saving::of_opened()),
            // There may be a notebook that this version can't read.
            Err(_) => (self.ids.next(), opened.document, Saving::of_opened()),
        };
        self.show(OpenNotebook::new(id, document, saving, &self.suites.clone()));
    }
}
