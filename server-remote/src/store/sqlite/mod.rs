//! The SQLite store: one thread writes; readers use separate connections and never wait for the writer.
//!
//! [`mod@open`] inspects a file before it writes anything, and [`schema`] creates the tables. [`writer`] and [`insert`] fill
//! them, [`prune`] deletes old results, [`find`] and [`browse`] query them. [`encode`] converts results to rows and back, and
//! [`unreadable`] collects the rows that cannot be decoded. [`source`] reads databases that a runner may use, and [`copy`]
//! creates backups and restores them. [`failure`] adds path and fix to errors. `docs/store.md` describes the file.

mod browse;
mod copy;
mod encode;
mod failure;
mod files;
mod find;
mod insert;
mod inspect;
mod lock;
mod open;
mod prune;
mod schema;
mod source;
mod sql_axis_value;
mod unreadable;
mod writer;

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::api::{ResultCard, StoredFunction, StoredGenerator, StoredResult, StoredSamples};
use benchbook_host::repeatability::MachineHistory;
use rusqlite::Connection;

use super::error::StoreError;
use super::interface::Store;
use super::model::{NewResult, PointMatch, PointQuery, ResultFilter};
use super::retention::{PruneMode, Pruning, Retention};
pub use copy::{Restoration, backup, restore};
use encode::{ResultRow, fixed_arguments};
use failure::{failed, stopped};
use files::{DatabaseFiles, set_log_aside};
use lock::DatabaseLock;
use open::{OpenDatabase, open, reader};
use schema::MIGRATIONS;
pub use source::{DatabaseSummary, read_result, verify};
use unreadable::UnreadableRows;
use writer::Writer;

/// The number of idle connections to keep. Each may cache 2 MB of the database.
const IDLE_CONNECTIONS: usize = 8;

/// Results in a SQLite database that no other process uses.
#[derive(Debug)]
pub struct SqliteStore {
    files: DatabaseFiles,
    /// Connections for the next readers.
    idle: Mutex<Vec<Connection>>,
    /// The number of writes since the database was opened.
    revision: AtomicU64,
    unreadable: UnreadableRows,
    writer: Writer,
    /// Released last: fields are dropped in this order.
    _lock: DatabaseLock,
}

impl SqliteStore {
    /// Opens a database and migrates it to the latest version, or creates one.
    ///
    /// # Errors
    /// If the file is no database of this program, is damaged, has a newer version, is in use by another runner, or is not
    /// writable. The error states the problem and how to fix it; the file is unchanged.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let OpenDatabase { writer, files, lock } = open(path, MIGRATIONS)?;
        Ok(Self {
            files: files.clone(),
            idle: Mutex::new(Vec::new()),
            revision: AtomicU64::new(0),
            unreadable: UnreadableRows::new(path),
            writer: Writer::new(writer, files)?,
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

    /// Deletes the results beyond the limits, except the newest one of each point.
    ///
    /// # Errors
    /// If the database cannot be written. Nothing is deleted then.
    pub fn prune(&self, retention: Retention, mode: PruneMode) -> Result<Pruning, StoreError> {
        let pruned = self.writer.prune(retention, mode)?;
        if mode != PruneMode::DryRun && !pruned.deleted.is_empty() {
            self.advance_revision();
        }
        Ok(pruned)
    }

    fn advance_revision(&self) {
        self.revision.fetch_add(1, Ordering::SeqCst);
    }

    fn read<T>(&self, query: impl FnOnce(&mut Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let connection = idle().pop();
        let explain = |error| failed(self.files.path(), &error);
        let mut connection = match connection {
            Some(connection) => connection,
            None => {
                // Open connections can still read a database that was moved. A new one would read another file.
                self.files.check()?;
                reader(self.files.path()).map_err(explain)?
            }
        };
        let result = query(&mut connection).map_err(explain)?;
        let mut idle = idle();
        if idle.len() < IDLE_CONNECTIONS {
            idle.push(connection);
        }
        Ok(result)
    }
}

impl Drop for SqliteStore {
    /// SQLite does not merge its log into a file that replaced the database, so the log would be read with that file.
    fn drop(&mut self) {
        if self.files.has_foreign_log()
            && let Err(error) = set_log_aside(self.files.path())
        {
            let path = self.files.path().display();
            tracing::error!("the database {path} was replaced. Move {path}-wal away before the next start: {error}");
        }
    }
}

impl Store for SqliteStore {
    fn add(&self, result: &NewResult) -> Result<u64, StoreError> {
        let ids = self.writer.add(vec![ResultRow::new(result)?])?;
        self.advance_revision();
        ids.first().copied().ok_or_else(|| stopped(self.files.path(), &"it returned no number"))
    }

    fn revision(&self) -> u64 {
        self.revision.load(Ordering::SeqCst)
    }

    fn find(&self, query: &PointQuery) -> Result<Vec<PointMatch>, StoreError> {
        let arguments = fixed_arguments(&query.arguments, &query.axis)?;
        self.read(|database| find::find(database, query, &arguments, &self.unreadable))
    }

    fn functions(&self) -> Result<Vec<StoredFunction>, StoreError> {
        self.read(|database| browse::functions(database))
    }

    fn generators(&self, suite: &str, function: &str) -> Result<Vec<StoredGenerator>, StoreError> {
        self.read(|database| browse::generators(database, suite, function))
    }

    fn results(&self, filter: &ResultFilter) -> Result<Vec<ResultCard>, StoreError> {
        self.read(|database| browse::results(database, filter, &self.unreadable))
    }

    fn result(&self, id: u64) -> Result<Option<StoredResult>, StoreError> {
        self.read(|database| browse::result(database, id, &self.unreadable))
    }

    fn samples(&self, id: u64, function: &str, x: &AxisValue) -> Result<Option<StoredSamples>, StoreError> {
        self.read(|database| browse::samples(database, id, function, x, &self.unreadable))
    }

    fn history(&self, machine: &str) -> Result<MachineHistory, StoreError> {
        let text = self.read(|database| browse::history(database, machine))?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
    }

    fn keep_history(&self, machine: &str, history: &MachineHistory) -> Result<(), StoreError> {
        let text = serde_json::to_string(history).map_err(|error| stopped(self.files.path(), &error))?;
        self.writer.keep_history(machine.to_owned(), text)
    }

    fn count(&self) -> Result<u64, StoreError> {
        self.read(|database| browse::count(database))
    }

    fn unreadable_rows(&self) -> u64 {
        self.unreadable.count()
    }

    fn bytes(&self) -> Result<u64, StoreError> {
        self.files.bytes()
    }

    fn clear(&self) -> Result<(), StoreError> {
        self.writer.clear()?;
        self.advance_revision();
        Ok(())
    }
}
