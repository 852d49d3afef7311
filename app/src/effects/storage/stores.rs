//! The stores of the database in a transaction.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use benchbook_notebook::id::Id;
use benchbook_notebook::notebook::Notebook;
use benchbook_notebook::record::{NotebookRecord, ResultRecord, write_result};
use benchbook_notebook::result::CellResult;
use benchbook_report::digest::NotebookDigest;
use idb::{Error, KeyRange, ObjectStore, Query, Transaction};
use wasm_bindgen::JsValue;

use super::error::StorageError;
use crate::state::notebook::saving::StoredVersion;

/// The store of the records.
pub(super) const NOTEBOOKS: &str = "notebooks";

/// The store of the results.
pub(super) const RESULTS: &str = "results";

/// The store of the suites that the user opened.
pub(super) const SUITES: &str = "suites";

/// The two stores of the notebooks in a transaction.
pub(super) struct Stores {
    pub(super) notebooks: ObjectStore,
    pub(super) results: ObjectStore,
}

impl Stores {
    pub(super) fn of(transaction: &Transaction) -> Result<Self, Error> {
        Ok(Self { notebooks: transaction.object_store(NOTEBOOKS)?, results: transaction.object_store(RESULTS)? })
    }

    /// The record of a notebook; `None` if the notebook is not stored.
    pub(super) async fn record(&self, id: &Id) -> Result<Option<NotebookRecord>, StorageError> {
        let value = self.notebooks.get(Query::Key(JsValue::from_str(id.as_str())))?.await?;
        let Some(value) = value else { return Ok(None) };
        Ok(Some(NotebookRecord::read(&value.as_string().unwrap_or_default())?))
    }

    /// The version of a notebook that a record describes.
    pub(super) async fn version(&self, id: &Id, record: &NotebookRecord) -> Result<StoredVersion, StorageError> {
        let results = self.results(id).await?;
        let read = record.notebook(|id| results.get(id).cloned())?;
        Ok(StoredVersion { document: read.notebook, unreadable: read.unreadable, revision: record.revision })
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

    /// Writes the record, and the results that differ from those of `known`, which are in the store. Deletes the results that the
    /// version no longer has, and `dropped`.
    pub(super) async fn write(
        &self,
        id: &Id,
        version: &StoredVersion,
        known: Option<&Notebook>,
        dropped: &[ResultRecord],
    ) -> Result<(), Error> {
        let digest = NotebookDigest { thumbnail: None, ..NotebookDigest::of(&version.document) };
        let record = NotebookRecord {
            digest: serde_json::to_string(&digest).unwrap_or_default(),
            ..NotebookRecord::new(&version.document, version.revision, js_sys::Date::now())
        };
        self.put(id, &record.with_unreadable(&version.unreadable)).await?;
        let stored: BTreeMap<&Id, &Rc<CellResult>> =
            known.into_iter().flat_map(Notebook::results).map(|result| (&result.id, result)).collect();
        let mut unused: BTreeSet<&Id> = stored.keys().copied().chain(dropped.iter().map(|result| &result.id)).collect();
        for result in version.document.results() {
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

    /// Writes a record.
    pub(super) async fn put(&self, id: &Id, record: &NotebookRecord) -> Result<(), Error> {
        self.notebooks.put(&record.write().into(), Some(&JsValue::from_str(id.as_str())))?.await.map(drop)
    }

    /// Removes a notebook with its results.
    pub(super) async fn remove(&self, id: &Id) -> Result<(), Error> {
        self.notebooks.delete(Query::Key(JsValue::from_str(id.as_str())))?.await?;
        self.results.delete(Query::KeyRange(results_of(id)?))?.await
    }
}

fn result_key(notebook: &Id, result: &Id) -> JsValue {
    format!("{notebook}/{result}").into()
}

/// The keys of the results of a notebook. `0` follows `/` in ASCII.
fn results_of(notebook: &Id) -> Result<KeyRange, Error> {
    KeyRange::bound(&format!("{notebook}/").into(), &format!("{notebook}0").into(), Some(true), Some(true))
}
