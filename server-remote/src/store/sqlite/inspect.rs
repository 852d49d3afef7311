//! Inspects a database without writing anything, not even next to it.

use std::ops::RangeInclusive;
use std::path::Path;

use percent_encoding::{NON_ALPHANUMERIC, percent_encode};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::failure::{damaged, not_ours, unusable};
use super::files::log_of;
use super::schema::{APPLICATION, version};
use crate::store::error::StoreError;

/// Why a database cannot be used.
#[derive(Debug)]
enum Defect {
    Empty,
    /// The file is not a database, or belongs to another program.
    NotOurs,
    Damaged(String),
    /// A version that this program does not support.
    OtherVersion(usize),
    Unreadable(rusqlite::Error),
}

impl Defect {
    fn explain(self, path: &Path, supported: &RangeInclusive<usize>) -> StoreError {
        match self {
            Self::Empty => {
                unusable(path, "is an empty file. Delete it to create a new database, or choose another file.")
            }
            Self::NotOurs => not_ours(path),
            Self::Damaged(problem) => damaged(path, &problem),
            Self::OtherVersion(version) => unusable(
                path,
                format!(
                    "has version {version}, but this benchbook-server uses version {}. Use the program that wrote it, or choose another file.",
                    supported.end()
                ),
            ),
            Self::Unreadable(error) => {
                let fix = "Check that it is a file, and that the runner's user may read it.";
                unusable(path, format!("cannot be read: {error}. {fix}"))
            }
        }
    }
}

impl From<rusqlite::Error> for Defect {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::NotOurs,
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged(error.to_string()),
            _ => Self::Unreadable(error),
        }
    }
}

/// A usable database.
#[derive(Debug)]
pub(super) struct Inspection {
    /// The version of its schema.
    pub version: usize,
    /// Whether the write-ahead log belongs to another database. Without the log, this one is intact.
    pub has_foreign_log: bool,
}

/// Reads the entire database. Writes nothing, not even next to it.
///
/// # Errors
/// If the database cannot be used by a program that supports these versions.
pub(super) fn inspect(path: &Path, supported: &RangeInclusive<usize>) -> Result<Inspection, StoreError> {
    examine(path, supported).map_err(|defect| defect.explain(path, supported))
}

fn examine(path: &Path, supported: &RangeInclusive<usize>) -> Result<Inspection, Defect> {
    if path.metadata().is_ok_and(|file| file.len() == 0) {
        return Err(Defect::Empty);
    }
    if !has_log(path) {
        let version = check(&reader_without_log(path)?, supported)?;
        return Ok(Inspection { version, has_foreign_log: false });
    }
    match reader_with_log(path).map_err(Defect::from).and_then(|database| check(&database, supported)) {
        Ok(version) => Ok(Inspection { version, has_foreign_log: false }),
        // The checksums of a log cover only the log: SQLite replaces pages by those of any database's log. The contents of a
        // database with its own log are intact, even after a crash.
        Err(defect @ (Defect::Damaged(_) | Defect::NotOurs)) => {
            let alone = reader_without_log(path).map_err(Defect::from).and_then(|database| check(&database, supported));
            alone.map(|version| Inspection { version, has_foreign_log: true }).map_err(|_| defect)
        }
        Err(defect) => Err(defect),
    }
}

/// As [`inspect`], through an open connection.
pub(super) fn inspect_open(
    database: &Connection,
    path: &Path,
    supported: &RangeInclusive<usize>,
) -> Result<usize, StoreError> {
    check(database, supported).map_err(|defect| defect.explain(path, supported))
}

/// Returns the version.
fn check(database: &Connection, supported: &RangeInclusive<usize>) -> Result<usize, Defect> {
    let application: i32 = database.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if application != APPLICATION {
        return Err(Defect::NotOurs);
    }
    let version = version(database)?;
    if !supported.contains(&version) {
        return Err(Defect::OtherVersion(version));
    }
    let verdict: String = database.query_row("PRAGMA quick_check(1)", (), |row| row.get(0))?;
    if verdict == "ok" { Ok(version) } else { Err(Defect::Damaged(verdict)) }
}

fn has_log(path: &Path) -> bool {
    log_of(path).metadata().is_ok_and(|log| log.len() > 0)
}

/// SQLite's file system without locks.
const WITHOUT_LOCKS: &str = if cfg!(windows) { "win32-none" } else { "unix-none" };

const READ_ONLY: OpenFlags = OpenFlags::SQLITE_OPEN_READ_ONLY.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

/// Opens a reader that creates no files, of a database that no runner uses.
pub(super) fn isolated_reader(path: &Path) -> rusqlite::Result<Connection> {
    if has_log(path) { reader_with_log(path) } else { reader_without_log(path) }
}

/// Opens a reader of a database with a write-ahead log. It creates no files: exclusive mode makes SQLite hold the log's index
/// in memory. It needs no locks, since [`DatabaseLock`](super::lock::DatabaseLock) excludes other runners.
fn reader_with_log(path: &Path) -> rusqlite::Result<Connection> {
    let database = Connection::open_with_flags_and_vfs(path, READ_ONLY, WITHOUT_LOCKS)?;
    database.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    database.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    Ok(database)
}

/// Opens a reader that ignores any write-ahead log. As immutable, the database needs neither locks nor further files.
fn reader_without_log(path: &Path) -> rusqlite::Result<Connection> {
    let name = percent_encode(path.as_os_str().as_encoded_bytes(), NON_ALPHANUMERIC);
    Connection::open_with_flags(format!("file:{name}?immutable=1"), READ_ONLY | OpenFlags::SQLITE_OPEN_URI)
}
