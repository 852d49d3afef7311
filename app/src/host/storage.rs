//! The notebooks in this browser: IndexedDB, which survives a reload and a crash, and is shared by all tabs of this address.
//!
//! The database has two stores. `notebooks` contains a [`NotebookRecord`] for each notebook, which each edit rewrites. `results`
//! contains the results with their raw samples, which are written once. Both hold JSON, under the identifier of the notebook and
//! `notebook/result`. One transaction writes everything that belongs to an edit.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use benchbook_notebook::edit::Edit;
use benchbook_notebook::file::FileError;
use benchbook_notebook::id::Id;
use benchbook_notebook::merge::merge;
use benchbook_notebook::notebook::Notebook;
use benchbook_notebook::record::{NotebookRecord, write_result};
use benchbook_notebook::result::CellResult;
use idb::{
    Database, DatabaseEvent, Error, Factory, KeyRange, ObjectStore, Query, Transaction, TransactionMode,
    TransactionResult,
};
use js_sys::Reflect;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::browser::new_id;
use super::worker::text_of;
use crate::state::library::{StorageUse, StoredNotebook};
use crate::state::saving::StoredVersion;

/// The name of the database. Other pages of the same address share it.
const DATABASE: &str = "benchbook";

/// The version of the database. A page with a higher version converts it; one with a lower version does not open it.
const VERSION: u32 = 1;

const NOTEBOOKS: &str = "notebooks";
const RESULTS: &str = "results";

/// The opened database; clones share it.
#[derive(Clone)]
pub(crate) struct Storage(Rc<Database>);

/// What saving stored.
pub(crate) struct SavedNotebook {
    /// The notebook with the edits of other tabs.
    pub(crate) version: StoredVersion,
    /// Whether it contains edits of other tabs.
    pub(crate) is_merged: bool,
}

impl Storage {
    /// Opens the database, and creates it at the first time.
    ///
    /// # Errors
    /// Returns a sentence with the remedy if the browser has no storage for this page, or if it is from a newer version.
    pub(crate) async fn open() -> Result<Self, String> {
        let open = async {
            let mut request = Factory::new()?.open(DATABASE, Some(VERSION))?;
            request.on_upgrade_needed(|event| {
                let Ok(database) = event.database() else { return };
                for name in [NOTEBOOKS, RESULTS] {
                    // Opening fails below if a store is missing.
                    let _ = database.create_object_store(name, idb::ObjectStoreParams::new());
                }
            });
            let mut database = request.await?;
            // A newer page converts the database as soon as the older ones have closed it.
            database.on_version_change(|event| {
                if let Ok(database) = event.database() {
                    database.close();
                }
            });
            Ok(Self(Rc::new(database)))
        };
        open.await.map_err(|error: StorageError| match error.name().as_deref() {
            Some("VersionError") => {
                "A newer version of Benchbook has stored notebooks in this browser. Reload the page to update it."
                    .to_owned()
            }
            _ => format!(
                "This browser does not store notebooks for this page: {}. Download the notebook as a file.",
                error.reason()
            ),
        })
    }

    /// All notebooks, the newest first.
    ///
    /// # Errors
    /// Returns a sentence if the storage cannot be read.
    pub(crate) async fn list(&self) -> Result<Vec<StoredNotebook>, String> {
        let list = async {
            let transaction = self.0.transaction(&[NOTEBOOKS], TransactionMode::ReadOnly)?;
            let store = transaction.object_store(NOTEBOOKS)?;
            let keys = store.get_all_keys(None, None)?.await?;
            let values = store.get_all(None, None)?.await?;
            Ok(keys.into_iter().zip(values))
        };
        let all = list.await.map_err(|error: StorageError| read_problem(&error))?;
        let card = |(key, value): (JsValue, JsValue)| {
            let id = Id::try_from(key.as_string()?).ok()?;
            Some(StoredNotebook::new(id, &NotebookRecord::read(&value.as_string()?).ok()?))
        };
        let mut cards: Vec<StoredNotebook> = all.filter_map(card).collect();
        cards.sort_by(|one, other| other.changed.total_cmp(&one.changed));
        Ok(cards)
    }

    /// A notebook with its results; `None` if there is no such notebook.
    ///
    /// # Errors
    /// Returns a sentence if it cannot be read.
    pub(crate) async fn load(&self, id: &Id) -> Result<Option<StoredVersion>, String> {
        let load = async {
            let transaction = self.0.transaction(&[NOTEBOOKS, RESULTS], TransactionMode::ReadOnly)?;
            let stores = Stores::of(&transaction)?;
            let Some(record) = stores.record(id).await? else { return Ok(None) };
            let results = stores.results(id).await?;
            version_of(&record, &results).map(Some)
        };
        load.await.map_err(|error: StorageError| read_problem(&error))
    }

    /// Stores a notebook. If another tab has stored it since `base` was read, merges the edits of this tab.
    /// `base`: what this tab last read or stored; `None` if it never did.
    ///
    /// # Errors
    /// Returns a sentence with the remedy if the storage is full or blocked, or contains a version that this page cannot read. Then
    /// nothing is changed.
    pub(crate) async fn save(
        &self,
        id: &Id,
        document: Notebook,
        base: Option<StoredVersion>,
        edits: &[Edit],
    ) -> Result<SavedNotebook, String> {
        let save = self.write(async |stores| {
            let record = stores.record(id).await?;
            let theirs = match (&record, &base) {
                (Some(record), Some(base)) if record.revision == base.revision => None,
                (Some(record), base) => {
                    let results = stores.results(id).await?;
                    Some((version_of(record, &results)?, base.as_ref()))
                }
                // Removed by another tab, or never stored.
                (None, _) => None,
            };
            let is_merged = theirs.is_some();
            let revision = record.as_ref().map_or(0, |record| record.revision) + 1;
            let (document, known) = match theirs {
                Some((theirs, base)) => {
                    let before = base.map_or(&theirs.document, |base| &base.document);
                    let merged = merge(&theirs.document, before, edits, new_id);
                    (merged, Some(theirs.document))
                }
                None => (document, base.filter(|_| record.is_some()).map(|base| base.document)),
            };
            stores.write(id, &document, known.as_ref(), revision).await?;
            Ok(SavedNotebook { version: StoredVersion { document, revision }, is_merged })
        });
        save.await.map_err(|error| match error.name().as_deref() {
            Some("QuotaExceededError") => {
                "Not saved: this browser's storage is full. Delete notebooks, or download this one as a file."
                    .to_owned()
            }
            _ => format!("Not saved: {}. Download the notebook as a file.", error.reason()),
        })
    }

    /// Changes both stores in one transaction: either all of `change` is stored, or nothing.
    async fn write<T>(&self, change: impl AsyncFnOnce(&Stores) -> Result<T, StorageError>) -> Result<T, StorageError> {
        let transaction = self.0.transaction(&[NOTEBOOKS, RESULTS], TransactionMode::ReadWrite)?;
        match change(&Stores::of(&transaction)?).await {
            Ok(outcome) => match transaction.commit()?.await? {
                TransactionResult::Committed => Ok(outcome),
                TransactionResult::Aborted => Err(Error::TransactionAbortError(JsValue::NULL).into()),
            },
            Err(error) => {
                // It may have aborted itself.
                let _ = transaction.abort();
                Err(error)
            }
        }
    }

    /// Marks a notebook as deleted, or restores it. `deleted`: when it was deleted, in milliseconds since 1970.
    ///
    /// # Errors
    /// Returns a sentence if the storage rejects it.
    pub(crate) async fn set_deleted(&self, id: &Id, deleted: Option<f64>) -> Result<(), String> {
        let set = self.write(async |stores| {
            if let Some(record) = stores.record(id).await? {
                let record = NotebookRecord { deleted, ..record };
                stores.notebooks.put(&record.write().into(), Some(&JsValue::from_str(id.as_str())))?.await?;
            }
            Ok(())
        });
        set.await.map_err(|error| write_problem(&error))
    }

    /// Removes notebooks with their results for good.
    ///
    /// # Errors
    /// Returns a sentence if the storage rejects it.
    pub(crate) async fn remove(&self, ids: &[Id]) -> Result<(), String> {
        let remove = self.write(async |stores| {
            for id in ids {
                stores.notebooks.delete(Query::Key(JsValue::from_str(id.as_str())))?.await?;
                stores.results.delete(Query::KeyRange(results_of(id)?))?.await?;
            }
            Ok(())
        });
        remove.await.map_err(|error| write_problem(&error))
    }
}

/// The two stores in a transaction.
struct Stores {
    notebooks: ObjectStore,
    results: ObjectStore,
}

impl Stores {
    fn of(transaction: &Transaction) -> Result<Self, Error> {
        Ok(Self { notebooks: transaction.object_store(NOTEBOOKS)?, results: transaction.object_store(RESULTS)? })
    }

    /// The record of a notebook; `None` if the notebook is not stored.
    async fn record(&self, id: &Id) -> Result<Option<NotebookRecord>, StorageError> {
        let value = self.notebooks.get(Query::Key(JsValue::from_str(id.as_str())))?.await?;
        let Some(value) = value else { return Ok(None) };
        Ok(Some(NotebookRecord::read(&value.as_string().unwrap_or_default())?))
    }

    /// The JSON of the results of a notebook, by identifier.
    async fn results(&self, notebook: &Id) -> Result<BTreeMap<Id, String>, Error> {
        let range = || Ok::<_, Error>(Some(Query::KeyRange(results_of(notebook)?)));
        let keys = self.results.get_all_keys(range()?, None)?.await?;
        let values = self.results.get_all(range()?, None)?.await?;
        let entry = |(key, value): (JsValue, JsValue)| {
            let key = key.as_string()?;
            let (_, id) = key.split_once('/')?;
            Some((Id::try_from(id.to_owned()).ok()?, value.as_string()?))
        };
        Ok(keys.into_iter().zip(values).filter_map(entry).collect())
    }

    /// Writes the record, and the results that differ from those of `known`, which are in the store.
    async fn write(&self, id: &Id, document: &Notebook, known: Option<&Notebook>, revision: u64) -> Result<(), Error> {
        let record = NotebookRecord::new(document, revision, js_sys::Date::now());
        let key = JsValue::from_str(id.as_str());
        self.notebooks.put(&record.write().into(), Some(&key))?.await?;
        let stored: BTreeMap<&Id, &Rc<CellResult>> =
            known.into_iter().flat_map(Notebook::results).map(|result| (&result.id, result)).collect();
        let mut unused: BTreeSet<&Id> = stored.keys().copied().collect();
        for result in document.results() {
            unused.remove(&result.id);
            if !stored.get(&result.id).is_some_and(|stored| Rc::ptr_eq(stored, result)) {
                self.results.put(&write_result(result).into(), Some(&result_key(id, &result.id)))?.await?;
            }
        }
        for result in unused {
            self.results.delete(Query::Key(result_key(id, result)))?.await?;
        }
        Ok(())
    }
}

fn result_key(notebook: &Id, result: &Id) -> JsValue {
    format!("{notebook}/{result}").into()
}

/// The keys of the results of a notebook. `0` follows `/` in ASCII.
fn results_of(notebook: &Id) -> Result<KeyRange, Error> {
    KeyRange::bound(&format!("{notebook}/").into(), &format!("{notebook}0").into(), Some(true), Some(true))
}

fn version_of(record: &NotebookRecord, results: &BTreeMap<Id, String>) -> Result<StoredVersion, StorageError> {
    let document = record.notebook(|id| results.get(id).cloned())?;
    Ok(StoredVersion { document, revision: record.revision })
}

fn read_problem(error: &StorageError) -> String {
    match error {
        StorageError::Database(_) => {
            format!("The notebooks of this browser cannot be read: {}. Reload the page.", error.reason())
        }
        StorageError::Unreadable(error) => error.to_string(),
    }
}

fn write_problem(error: &StorageError) -> String {
    format!("This browser's storage rejected the change: {}. Reload the page.", error.reason())
}

/// Why the storage cannot be read or written.
enum StorageError {
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
    fn name(&self) -> Option<String> {
        match self {
            Self::Database(error) => exception(error).map(|exception| exception.name()),
            Self::Unreadable(_) => None,
        }
    }

    /// The reason, without a full stop.
    fn reason(&self) -> String {
        let text = match self {
            Self::Database(error) => {
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

/// Requests that the browser retain the notebooks when its disk is nearly full. Most browsers decide silently; Firefox shows a
/// question.
pub(crate) async fn request_persistence() {
    if let Some(manager) = manager()
        && let Ok(promise) = manager.persist()
    {
        // Without permission, the notebooks remain until the disk is full.
        let _ = JsFuture::from(promise).await;
    }
}

/// The storage that this page's address uses; `None` if the browser does not report it.
pub(crate) async fn storage_use() -> Option<StorageUse> {
    let estimate = JsFuture::from(manager()?.estimate().ok()?).await.ok()?;
    let number = |name: &str| Reflect::get(&estimate, &name.into()).ok()?.as_f64();
    Some(StorageUse { used: number("usage")?, quota: number("quota")? })
}

/// The storage manager; absent over plain HTTP, although its type is not optional.
fn manager() -> Option<web_sys::StorageManager> {
    let manager: JsValue = web_sys::window()?.navigator().storage().into();
    manager.is_object().then(|| manager.unchecked_into())
}
