//! The notebooks in this browser: IndexedDB, which survives a reload and a crash, and is shared by all tabs of this address.
//!
//! The database has three stores. `notebooks` contains a [`NotebookRecord`] for each notebook, which each edit rewrites. `results`
//! contains the results with their raw samples, which are written once. Both hold JSON, under the identifier of the notebook and
//! `notebook/result`. One transaction writes everything that belongs to an edit. `suites` contains the suites that the user opened.

use std::rc::Rc;

use benchbook_notebook::edit::Edit;
use benchbook_notebook::id::Id;
use benchbook_notebook::merge::{MergedNotebook, merge};
use benchbook_notebook::notebook::Notebook;
use benchbook_notebook::record::{NotebookRecord, without_replaced};
use idb::{Error, Transaction, TransactionMode, TransactionResult};
use js_sys::Reflect;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::connection::Connection;
use super::error::StorageError;
use super::stores::{NOTEBOOKS, RESULTS, Stores};
use crate::effects::browser::new_id;
use crate::state::notebook::library::{StorageUse, StoredNotebook};
use crate::state::notebook::saving::{SavedNotebook, StoredVersion};

/// The storage; clones share its connection.
#[derive(Clone)]
pub(crate) struct Storage(pub(super) Rc<Connection>);

impl Storage {
    /// The storage of this page's address. `on_closed` is called whenever the browser closes the connection, for example because it
    /// clears the data.
    pub(crate) fn new(on_closed: impl Fn() + 'static) -> Self {
        Self(Rc::new(Connection::new(on_closed)))
    }

    /// Whether both share a connection.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// Opens the database unless it is open. The other methods open it, too.
    ///
    /// # Errors
    /// Returns a sentence that says how to fix it if the browser has no storage for this page, or if it is from a newer version.
    pub(crate) async fn open(&self) -> Result<(), String> {
        self.0.open().await.map_err(|error| error.on_read())
    }

    /// All notebooks, the newest first.
    ///
    /// # Errors
    /// Returns a sentence if the storage cannot be read.
    pub(crate) async fn list(&self) -> Result<Vec<StoredNotebook>, String> {
        let list = self.0.run(async |database| {
            let transaction = database.transaction(&[NOTEBOOKS], TransactionMode::ReadOnly)?;
            let store = transaction.object_store(NOTEBOOKS)?;
            let keys = store.get_all_keys(None, None)?.await?;
            let values = store.get_all(None, None)?.await?;
            Ok(keys.into_iter().zip(values))
        });
        let all = list.await.map_err(|error| error.on_read())?;
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
        let load = self.0.run(async |database| {
            let transaction = database.transaction(&[NOTEBOOKS, RESULTS], TransactionMode::ReadOnly)?;
            let stores = Stores::of(&transaction)?;
            let Some(record) = stores.record(id).await? else { return Ok(None) };
            stores.version(id, &record).await.map(Some)
        });
        load.await.map_err(|error| error.on_read())
    }

    /// Stores a notebook. If another tab has stored it since `base` was read, merges the edits of this tab.
    /// `base`: what this tab last read or stored; `None` if it never did.
    ///
    /// # Errors
    /// Returns a sentence that says how to fix it if the storage is full or blocked, or contains a version that this page cannot read. Then
    /// nothing is changed.
    pub(crate) async fn save(
        &self,
        id: &Id,
        document: &Notebook,
        base: Option<&StoredVersion>,
        edits: &[Edit],
    ) -> Result<SavedNotebook, String> {
        let save = self.write(async |stores| {
            let record = stores.record(id).await?;
            let (document, known, unreadable, conflicts) = match (&record, base) {
                // Never stored, or removed: by another tab, or with all data of the page.
                (None, _) => (document.clone(), None, Vec::new(), None),
                (Some(record), Some(base)) if record.revision == base.revision => {
                    (document.clone(), Some(base.document.clone()), base.unreadable.clone(), None)
                }
                (Some(record), base) => {
                    let theirs = stores.version(id, record).await?;
                    let before = base.map_or(&theirs.document, |base| &base.document);
                    let MergedNotebook { notebook, conflicts } = merge(&theirs.document, before, edits, new_id);
                    (notebook, Some(theirs.document), theirs.unreadable, Some(conflicts))
                }
            };
            let (unreadable, dropped) = without_replaced(unreadable, &document, edits);
            // A revision is never used again, even after the record was removed: other tabs may have read it.
            let last = record.as_ref().map(|record| record.revision).max(base.map(|base| base.revision));
            let version = StoredVersion { document, unreadable, revision: last.unwrap_or_default() + 1 };
            stores.write(id, &version, known.as_ref(), &dropped).await?;
            Ok(SavedNotebook { version, conflicts, was_lost: record.is_none() && base.is_some() })
        });
        save.await.map_err(|error| error.on_save())
    }

    /// Changes notebooks and results in one transaction: either all of `change` is stored, or nothing.
    async fn write<T>(&self, change: impl AsyncFn(&Stores) -> Result<T, StorageError>) -> Result<T, StorageError> {
        let change = async |transaction: &Transaction| change(&Stores::of(transaction)?).await;
        self.write_to(&[NOTEBOOKS, RESULTS], change).await
    }

    /// Changes stores in one transaction: either all of `change` is stored, or nothing.
    pub(super) async fn write_to<T>(
        &self,
        stores: &[&str],
        change: impl AsyncFn(&Transaction) -> Result<T, StorageError>,
    ) -> Result<T, StorageError> {
        self.0
            .run(async |database| {
                let transaction = database.transaction(stores, TransactionMode::ReadWrite)?;
                // Another handle, since a finished transaction is consumed.
                let handle = JsValue::from(transaction);
                let transaction = Transaction::try_from(handle.clone())?;
                let outcome = commit(transaction, &change).await;
                let reason = || Transaction::try_from(handle.clone()).ok().and_then(|ended| ended.error());
                // The requests of an aborted transaction do not report why it was aborted.
                outcome.map_err(|error| reason().map_or(error, |reason| Error::DomException(reason).into()))
            })
            .await
    }

    /// Marks a notebook as deleted, or restores it. `deleted`: when it was deleted, in milliseconds since 1970.
    ///
    /// # Errors
    /// Returns a sentence if the storage rejects it.
    pub(crate) async fn set_deleted(&self, id: &Id, deleted: Option<f64>) -> Result<(), String> {
        let set = self.write(async |stores| {
            if let Some(record) = stores.record(id).await? {
                stores.put(id, &NotebookRecord { deleted, ..record }).await?;
            }
            Ok(())
        });
        set.await.map_err(|error| error.on_change())
    }

    /// Removes notebooks with their results for good.
    ///
    /// # Errors
    /// Returns a sentence if the storage rejects it.
    pub(crate) async fn remove(&self, ids: &[Id]) -> Result<(), String> {
        let remove = self.write(async |stores| {
            for id in ids {
                stores.remove(id).await?;
            }
            Ok(())
        });
        remove.await.map_err(|error| error.on_change())
    }
}

/// Makes a change in a transaction, and waits until it is stored.
async fn commit<T>(
    transaction: Transaction,
    change: &impl AsyncFn(&Transaction) -> Result<T, StorageError>,
) -> Result<T, StorageError> {
    match change(&transaction).await {
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

/// Requests that the browser keep the notebooks when its disk is nearly full. Most browsers decide silently; Firefox shows a
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
