//! A database to read from, possibly while a runner uses it.

use std::path::Path;

use benchbook_host::api::StoredResult;
use rusqlite::Connection;

use super::browse;
use super::failure::{failed, unusable};
use super::files::{log_of, sibling};
use super::inspect::{Inspection, inspect, inspect_open, isolated_reader};
use super::lock::DatabaseLock;
use super::open::reader;
use super::schema::{MIGRATIONS, supported};
use super::unreadable::UnreadableRows;
use crate::store::error::StoreError;

/// The contents of an intact database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DatabaseSummary {
    /// The version of its schema.
    pub version: usize,
    /// The number of results.
    pub results: u64,
    /// The number of points of all results.
    pub points: u64,
}

/// An intact database that is open for reading.
#[derive(Debug)]
pub(super) struct SourceDatabase {
    pub connection: Connection,
    pub summary: DatabaseSummary,
    /// Released last: fields are dropped in this order.
    _lock: ReadLock,
}

/// Prevents a runner from starting; absent if one uses the database, or none can.
#[derive(Debug)]
struct ReadLock(Option<DatabaseLock>);

impl Drop for ReadLock {
    fn drop(&mut self) {
        if let Some(lock) = &self.0 {
            lock.remove_if_new();
        }
    }
}

impl SourceDatabase {
    /// Opens a database and checks it as at startup, without writing anything.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            return Err(unusable(path, "does not exist. Check the path."));
        }
        let was_locked = sibling(path, ".lock").exists();
        let (lock, is_in_use) = match DatabaseLock::try_acquire(path) {
            Ok(Some(lock)) => (Some(lock), false),
            Ok(None) => (None, true),
            // In a read-only folder without a lock, no runner uses the database.
            Err(_) if !was_locked => (None, false),
            Err(error) => return Err(error),
        };
        let lock = ReadLock(lock);
        let (connection, version) = if is_in_use { open_shared(path)? } else { open_isolated(path)? };
        let count = |table| connection.query_row(&format!("SELECT count(*) FROM {table}"), (), |row| row.get(0));
        let explain = |error| failed(path, &error);
        let (results, points) = (count("results").map_err(explain)?, count("points").map_err(explain)?);
        Ok(Self { connection, summary: DatabaseSummary { version, results, points }, _lock: lock })
    }
}

/// Reads next to the runner that uses the database.
fn open_shared(path: &Path) -> Result<(Connection, usize), StoreError> {
    let connection = reader(path).map_err(|error| failed(path, &error))?;
    let version = inspect_open(&connection, path, &supported(MIGRATIONS))?;
    Ok((connection, version))
}

fn open_isolated(path: &Path) -> Result<(Connection, usize), StoreError> {
    let Inspection { version, has_foreign_log } = inspect(path, &supported(MIGRATIONS))?;
    if has_foreign_log {
        let log = log_of(path);
        let log = log.display();
        return Err(unusable(path, format!("is intact, but {log} belongs to another database. Move {log} away.")));
    }
    let connection = isolated_reader(path).map_err(|error| failed(path, &error))?;
    Ok((connection, version))
}

/// Checks a database as at startup, without writing anything. A runner may use it at the same time.
///
/// # Errors
/// If the database does not exist or cannot be used.
pub fn verify(path: &Path) -> Result<DatabaseSummary, StoreError> {
    Ok(SourceDatabase::open(path)?.summary)
}

/// Reads a result with its points but without raw samples, and writes nothing. Absent if no result has this number. A runner may
/// use the database at the same time.
///
/// # Errors
/// If the database does not exist or cannot be used.
pub fn read_result(path: &Path, id: u64) -> Result<Option<StoredResult>, StoreError> {
    let mut source = SourceDatabase::open(path)?;
    browse::result(&mut source.connection, id, &UnreadableRows::new(path)).map_err(|error| failed(path, &error))
}
