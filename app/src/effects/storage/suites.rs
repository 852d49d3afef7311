//! The suites that the user opened, by name: each with its binary, and the file or the address that it came from.

use idb::TransactionMode;
use js_sys::{ArrayBuffer, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use super::database::Storage;
use super::stores::SUITES;

/// A suite as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct StoredSuite {
    /// The name of the suite.
    pub(crate) name: String,
    /// The file or the address.
    pub(crate) source: String,
    /// The wasm file. It is empty if the stored one is damaged.
    pub(crate) binary: ArrayBuffer,
}

impl StoredSuite {
    fn of_record(name: String, record: &JsValue) -> Self {
        let field = |name: &str| Reflect::get(record, &name.into()).unwrap_or_default();
        let binary = field("binary").dyn_into().unwrap_or_else(|_| ArrayBuffer::new(0));
        Self { name, source: field("source").as_string().unwrap_or_default(), binary }
    }

    fn record(&self) -> JsValue {
        let record = Object::new();
        for (name, value) in [("source", JsValue::from_str(&self.source)), ("binary", self.binary.clone().into())] {
            // Fails only for objects that are sealed or proxies.
            let _ = Reflect::set(&record, &name.into(), &value);
        }
        record.into()
    }
}

impl Storage {
    /// All suites, by name.
    ///
    /// # Errors
    /// Returns a sentence if the storage cannot be read.
    pub(crate) async fn suites(&self) -> Result<Vec<StoredSuite>, String> {
        let list = self.0.run(async |database| {
            let transaction = database.transaction(&[SUITES], TransactionMode::ReadOnly)?;
            let store = transaction.object_store(SUITES)?;
            let keys = store.get_all_keys(None, None)?.await?;
            Ok((keys, store.get_all(None, None)?.await?))
        });
        let (keys, records) = list.await.map_err(|error| error.on_read_suites())?;
        let suite = |(key, record): (JsValue, JsValue)| Some(StoredSuite::of_record(key.as_string()?, &record));
        Ok(keys.into_iter().zip(records).filter_map(suite).collect())
    }

    /// Stores a suite, in place of the one with the same name.
    ///
    /// # Errors
    /// Returns a sentence if the storage is full or blocked. Then nothing is changed.
    pub(crate) async fn save_suite(&self, suite: &StoredSuite) -> Result<(), String> {
        let save = self.write_to(&[SUITES], async |transaction| {
            let store = transaction.object_store(SUITES)?;
            store.put(&suite.record(), Some(&JsValue::from_str(&suite.name)))?.await?;
            Ok(())
        });
        save.await.map_err(|error| error.on_save_suite(&suite.name))
    }

    /// Removes the suite of this name.
    ///
    /// # Errors
    /// Returns a sentence if the storage rejects it.
    pub(crate) async fn remove_suite(&self, name: &str) -> Result<(), String> {
        let remove = self.write_to(&[SUITES], async |transaction| {
            let store = transaction.object_store(SUITES)?;
            store.delete(idb::Query::Key(JsValue::from_str(name)))?.await?;
            Ok(())
        });
        remove.await.map_err(|error| error.on_change())
    }
}
