//! Opens a database. Inspects it before writing anything, so that a foreign or damaged file remains unchanged.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use percent_encoding::{NON_ALPHANUMERIC, percent_encode};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::schema::{APPLICATION, migrate, version};
use crate::store::error::StoreError;

/// A usable database.
#[derive(Debug)]
pub(super) struct OpenDatabase {
    /// The connection for writing.
    pub writer: Connection,
    /// Released when the database is closed.
    pub lock: DatabaseLock,
}

/// Opens or creates a database.
///
/// # Errors
/// States the problem and the remedy. The file is unchanged.
pub(super) fn open(path: &Path, migrations: &[&str]) -> Result<OpenDatabase, StoreError> {
    let lock = DatabaseLock::acquire(path)?;
    let writer = open_locked(path, migrations).inspect_err(|_| lock.remove_if_new())?;
    Ok(OpenDatabase { writer, lock })
}

fn open_locked(path: &Path, migrations: &[&str]) -> Result<Connection, StoreError> {
    if path.try_exists().map_err(|error| unusable(path, format!("cannot be accessed: {error}")))? {
        inspect(path, migrations.len())?;
    } else {
        create(path, migrations)?;
    }
    let mut writer = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    if writer.is_readonly("main")? {
        return Err(unusable(
            path,
            "is not writable. Grant write permission to the runner's user, or choose another file.",
        ));
    }
    make_durable(&writer)?;
    migrate(&mut writer, migrations)?;
    Ok(writer)
}

/// Opens a connection for reading.
pub(super) fn reader(path: &Path) -> Result<Connection, StoreError> {
    connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    Ok(Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?)
}

/// Syncs the write-ahead log at each commit, so that committed data is on disk. On macOS, only `fullfsync` flushes the
/// disk's own cache; on other systems it has no effect.
fn make_durable(database: &Connection) -> rusqlite::Result<()> {
    database.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; \
         PRAGMA checkpoint_fullfsync = ON; PRAGMA foreign_keys = ON;",
    )
}

/// Creates an empty database under a temporary name and renames it once it is complete and on disk. After a crash there is
/// a complete database or none.
fn create(path: &Path, migrations: &[&str]) -> Result<(), StoreError> {
    if let Some(left) = ["-wal", "-journal"].map(|end| sibling(path, end)).iter().find(|left| left.exists()) {
        let name = left.display();
        let advice = format!(
            "is missing, but {name} belongs to it and may contain results. Restore the database, or move {name} away."
        );
        return Err(unusable(path, advice));
    }
    let unfinished = sibling(path, ".new");
    for end in ["", "-wal", "-shm", "-journal"] {
        match fs::remove_file(sibling(&unfinished, end)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(cannot_create(path, &error)),
            _ => {}
        }
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let mut database = connect(&unfinished, flags).map_err(|error| cannot_create(path, &error))?;
    make_durable(&database)?;
    migrate(&mut database, migrations)?;
    database.close().map_err(|(_, error)| error)?;
    let publish = || {
        File::options().write(true).open(&unfinished)?.sync_all()?;
        fs::rename(&unfinished, path)?;
        sync_folder(path)
    };
    publish().map_err(|error| cannot_create(path, &error))
}

/// Syncs a folder, so that the names of its files are on disk.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

/// Other systems sync names automatically, or cannot sync them.
#[cfg(not(unix))]
fn sync_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// Reads the entire database without writing anything, not even next to it.
fn inspect(path: &Path, latest: usize) -> Result<(), StoreError> {
    let explain = |error: rusqlite::Error| match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => not_ours(path),
        Some(ErrorCode::DatabaseCorrupt) => damaged(path, &error),
        _ => unusable(path, format!("cannot be read: {error}")),
    };
    if path.metadata().is_ok_and(|file| file.len() == 0) {
        return Err(unusable(path, "is an empty file. Delete it to create a new database, or choose another file."));
    }
    let database = isolated_reader(path).map_err(explain)?;
    let application: i32 = database.pragma_query_value(None, "application_id", |row| row.get(0)).map_err(explain)?;
    if application != APPLICATION {
        return Err(not_ours(path));
    }
    let version = version(&database).map_err(explain)?;
    if version > latest {
        return Err(unusable(
            path,
            format!(
                "has version {version}, written by a newer benchbook-server; this one supports versions up to {latest}. \
                 Use the newer program, or choose another file."
            ),
        ));
    }
    let verdict: String = database.query_row("PRAGMA quick_check(1)", (), |row| row.get(0)).map_err(explain)?;
    if verdict == "ok" { Ok(()) } else { Err(damaged(path, &verdict)) }
}

/// SQLite's file system without locks.
const WITHOUT_LOCKS: &str = if cfg!(windows) { "win32-none" } else { "unix-none" };

/// Opens a reader that creates no files. Without a write-ahead log, the database is opened as immutable. With one, its
/// contents count: exclusive mode makes SQLite hold the log's index in memory. Neither needs locks, since [`DatabaseLock`]
/// excludes other runners.
fn isolated_reader(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    if sibling(path, "-wal").metadata().is_ok_and(|log| log.len() > 0) {
        let database = Connection::open_with_flags_and_vfs(path, flags, WITHOUT_LOCKS)?;
        database.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        database.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        Ok(database)
    } else {
        let name = percent_encode(path.as_os_str().as_encoded_bytes(), NON_ALPHANUMERIC);
        Connection::open_with_flags(format!("file:{name}?immutable=1"), flags | OpenFlags::SQLITE_OPEN_URI)
    }
}

/// Excludes other runners: a lock on a separate file, which the system releases when the process ends.
///
/// The database itself cannot be locked, since closing any handle of a file releases all of SQLite's locks on it.
#[derive(Debug)]
pub(super) struct DatabaseLock {
    path: PathBuf,
    /// Whether the file existed before.
    existed: bool,
    _file: File,
}

impl DatabaseLock {
    fn acquire(database: &Path) -> Result<Self, StoreError> {
        let path = sibling(database, ".lock");
        let existed = path.exists();
        let opened = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
        let file = opened.map_err(|error| {
            unusable(database, format!("cannot be used: cannot create {}: {error}", path.display()))
        })?;
        match file.try_lock() {
            Ok(()) => Ok(Self { path, existed, _file: file }),
            Err(TryLockError::WouldBlock) => {
                Err(unusable(database, "is in use by another benchbook-server. Stop that one, or choose another file."))
            }
            Err(TryLockError::Error(error)) => {
                Err(unusable(database, format!("cannot be locked by {}: {error}", path.display())))
            }
        }
    }

    /// Removes the lock file unless it existed before, so that a rejected database has no new file next to it.
    fn remove_if_new(&self) {
        if !self.existed {
            // A remaining lock file is harmless.
            fs::remove_file(&self.path).ok();
        }
    }
}

/// The path with a suffix appended to its name.
fn sibling(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

fn unusable(path: &Path, problem: impl AsRef<str>) -> StoreError {
    StoreError::Unusable(format!("the database {} {}", path.display(), problem.as_ref()))
}

fn cannot_create(path: &Path, error: &dyn std::fmt::Display) -> StoreError {
    unusable(path, format!("cannot be created: {error}"))
}

fn not_ours(path: &Path) -> StoreError {
    unusable(path, "is not a database of benchbook-server. Choose another file, or move this one away.")
}

fn damaged(path: &Path, problem: &dyn std::fmt::Display) -> StoreError {
    unusable(
        path,
        format!(
            "is damaged ({problem}). Restore a backup, recover the readable part with \
             `sqlite3 FILE .recover | sqlite3 NEW`, or move the file away to start with an empty database."
        ),
    )
}
