//! The SQLite store: one thread writes; readers use separate connections and never wait for the writer.
//!
//! [`mod@open`] inspects a file before it writes anything, [`schema`] creates the tables, [`writer`] and [`insert`] fill them,
//! [`find`] and [`browse`] query them, and [`encode`] converts results to rows and back. `docs/store.md` describes the file.

mod browse;
mod encode;
mod find;
mod insert;
mod open;
mod schema;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use benchbook_host::api::{ResultCard, StoredFunction, StoredGenerator, StoredResult, StoredSamples};
use rusqlite::Connection;

use super::error::StoreError;
use super::interface::Store;
use super::model::{NewResult, PointMatch, PointQuery, ResultFilter};
use encode::ResultRow;
use open::{DatabaseLock, OpenDatabase, open, reader};
use schema::MIGRATIONS;
use writer::Writer;

/// The number of idle connections to retain. Each may cache 2 MB of the database.
const IDLE_CONNECTIONS: usize = 8;

/// Results in a SQLite database that no other process uses.
#[derive(Debug)]
pub struct SqliteStore {
    path: PathBuf,
    /// Connections for the next readers.
    idle: Mutex<Vec<Connection>>,
    /// The number of writes since the database was opened.
    revision: AtomicU64,
    writer: Writer,
    /// Released last: fields are dropped in this order.
    _lock: DatabaseLock,
}

impl SqliteStore {
    /// Opens a database and migrates it to the latest version, or creates one.
    ///
    /// # Errors
    /// If the file is no database of this program, is damaged, has a newer version, is in use by another runner, or is not
    /// writable. The error states the problem and the remedy; the file is unchanged.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let OpenDatabase { writer, lock } = open(path, MIGRATIONS)?;
        Ok(Self {
            path: path.to_owned(),
            idle: Mutex::new(Vec::new()),
            revision: AtomicU64::new(0),
            writer: Writer::new(writer)?,
            _lock: lock,
        })
    }

    /// Stores many results in one transaction: all or none, and far faster than one transaction per result.
    ///
    /// # Errors
    /// If one of the results cannot be stored.
    pub fn add_all(&self, results: &[NewResult]) -> Result<Vec<u64>, StoreError> {
        let ids = self.writer.add(results.iter().map(ResultRow::new).collect::<Result<_, _>>()?)?;
        self.advance_revision();
        Ok(ids)
    }

    fn advance_revision(&self) {
        self.revision.fetch_add(1, Ordering::SeqCst);
    }

    fn read<T>(&self, query: impl FnOnce(&mut Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let connection = idle().pop();
        let mut connection = connection.map_or_else(|| reader(&self.path), Ok)?;
        let result = query(&mut connection)?;
        let mut idle = idle();
        if idle.len() < IDLE_CONNECTIONS {
            idle.push(connection);
        }
        Ok(result)
    }
}

impl Store for SqliteStore {
    fn add(&self, result: &NewResult) -> Result<u64, StoreError> {
        let ids = self.writer.add(vec![ResultRow::new(result)?])?;
        self.advance_revision();
        ids.first().copied().ok_or_else(|| StoreError::Database("it returned no number".to_owned()))
    }

    fn revision(&self) -> u64 {
        self.revision.load(Ordering::SeqCst)
    }

    fn find(&self, query: &PointQuery) -> Result<Vec<PointMatch>, StoreError> {
        self.read(|database| find::find(database, query))
    }

    fn functions(&self) -> Result<Vec<StoredFunction>, StoreError> {
        self.read(|database| browse::functions(database))
    }

    fn generators(&self, suite: &str, function: &str) -> Result<Vec<StoredGenerator>, StoreError> {
        self.read(|database| browse::generators(database, suite, function))
    }

    fn results(&self, filter: &ResultFilter) -> Result<Vec<ResultCard>, StoreError> {
        self.read(|database| browse::results(database, filter))
    }

    fn result(&self, id: u64) -> Result<Option<StoredResult>, StoreError> {
        self.read(|database| browse::result(database, id))
    }

    fn samples(&self, id: u64, function: &str, x: f64) -> Result<Option<StoredSamples>, StoreError> {
        self.read(|database| browse::samples(database, id, function, x))
    }

    fn count(&self) -> Result<u64, StoreError> {
        self.read(|database| browse::count(database))
    }

    fn bytes(&self) -> Result<u64, StoreError> {
        let size = |path: &Path| std::fs::metadata(path).map(|metadata| metadata.len());
        let database = size(&self.path).map_err(|error| StoreError::Database(error.to_string()))?;
        let mut log = self.path.clone().into_os_string();
        log.push("-wal");
        // SQLite creates the log with the first write.
        Ok(database + size(Path::new(&log)).unwrap_or(0))
    }

    fn clear(&self) -> Result<(), StoreError> {
        self.writer.clear()?;
        self.advance_revision();
        Ok(())
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error.to_string())
    }
}
