//! Opening a database: looked at before anything is written, so that what is not ours, or damaged, stays as it is.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use percent_encoding::{NON_ALPHANUMERIC, percent_encode};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::schema::{APPLICATION, migrate, version};
use crate::store::StoreError;

/// A database that will do.
#[derive(Debug)]
pub(super) struct Opened {
    /// The connection that writes.
    pub writer: Connection,
    /// Held as long as the database is used.
    pub lock: Lock,
}

/// Opens a database, or makes one where there is none.
///
/// # Errors
/// What is wrong with the file and what to do; it is then as it was.
pub(super) fn open(path: &Path, migrations: &[&str]) -> Result<Opened, StoreError> {
    let lock = Lock::take(path)?;
    let writer = open_locked(path, migrations).inspect_err(|_| lock.leave_no_trace())?;
    Ok(Opened { writer, lock })
}

fn open_locked(path: &Path, migrations: &[&str]) -> Result<Connection, StoreError> {
    if path.try_exists().map_err(|error| unusable(path, format!("cannot be looked at: {error}")))? {
        look(path, migrations.len())?;
    } else {
        create(path, migrations)?;
    }
    let mut writer = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    if writer.is_readonly("main")? {
        return Err(unusable(path, "cannot be written: give the runner's user the right to, or name another file"));
    }
    make_durable(&writer)?;
    migrate(&mut writer, migrations)?;
    Ok(writer)
}

/// A connection that only reads.
pub(super) fn reader(path: &Path) -> Result<Connection, StoreError> {
    connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    Ok(Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?)
}

/// What is committed is on disk: the log of what was written is synced at each commit. On macOS a sync reaches the disk
/// itself only where `fullfsync` asks for it; elsewhere that changes nothing.
fn make_durable(database: &Connection) -> rusqlite::Result<()> {
    database.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; \
         PRAGMA checkpoint_fullfsync = ON; PRAGMA foreign_keys = ON;",
    )
}

/// Makes an empty database under another name, and gives it its own when it is whole and on disk: a crash leaves either
/// none or a whole one.
fn create(path: &Path, migrations: &[&str]) -> Result<(), StoreError> {
    if let Some(left) = ["-wal", "-journal"].map(|end| beside(path, end)).iter().find(|left| left.exists()) {
        let name = left.display();
        let advice = format!(
            "is missing, but {name} belongs to it and may hold results: put the database back, or move {name} away"
        );
        return Err(unusable(path, advice));
    }
    let unfinished = beside(path, ".new");
    for end in ["", "-wal", "-shm", "-journal"] {
        match fs::remove_file(beside(&unfinished, end)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(not_made(path, &error)),
            _ => {}
        }
    }
    let made = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let mut database = connect(&unfinished, made).map_err(|error| not_made(path, &error))?;
    make_durable(&database)?;
    migrate(&mut database, migrations)?;
    database.close().map_err(|(_, error)| error)?;
    let keep = || {
        File::options().write(true).open(&unfinished)?.sync_all()?;
        fs::rename(&unfinished, path)?;
        sync_folder(path)
    };
    keep().map_err(|error| not_made(path, &error))
}

/// Makes sure that the names of files in a folder are on disk.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

/// Other systems keep names by themselves, or offer nothing for it.
#[cfg(not(unix))]
fn sync_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// Reads the database from end to end without writing anything, not even beside it.
fn look(path: &Path, latest: usize) -> Result<(), StoreError> {
    let told = |error: rusqlite::Error| match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => not_ours(path),
        Some(ErrorCode::DatabaseCorrupt) => damaged(path, &error),
        _ => unusable(path, format!("cannot be read: {error}")),
    };
    if path.metadata().is_ok_and(|file| file.len() == 0) {
        return Err(unusable(path, "is empty, and so no database: remove it, and a new one is made, or name another"));
    }
    let database = reader_without_trace(path).map_err(told)?;
    let application: i32 = database.pragma_query_value(None, "application_id", |row| row.get(0)).map_err(told)?;
    if application != APPLICATION {
        return Err(not_ours(path));
    }
    let version = version(&database).map_err(told)?;
    if version > latest {
        return Err(unusable(
            path,
            format!(
                "is of version {version}, made by a newer benchbook-server; this one knows versions up to {latest}: \
                 use the newer one, or name another file"
            ),
        ));
    }
    let verdict: String = database.query_row("PRAGMA quick_check(1)", (), |row| row.get(0)).map_err(told)?;
    if verdict == "ok" { Ok(()) } else { Err(damaged(path, &verdict)) }
}

/// The file system of SQLite's that takes no locks.
const WITHOUT_LOCKS: &str = if cfg!(windows) { "win32-none" } else { "unix-none" };

/// Without a log beside it a database is read like a file that nobody changes. With one, what is in the log counts:
/// then SQLite keeps its index of the log in memory, for which it wants the file for itself. It takes no locks in either
/// case, since [`Lock`] keeps others away.
fn reader_without_trace(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    if beside(path, "-wal").metadata().is_ok_and(|log| log.len() > 0) {
        let database = Connection::open_with_flags_and_vfs(path, flags, WITHOUT_LOCKS)?;
        database.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        database.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        Ok(database)
    } else {
        let name = percent_encode(path.as_os_str().as_encoded_bytes(), NON_ALPHANUMERIC);
        Connection::open_with_flags(format!("file:{name}?immutable=1"), flags | OpenFlags::SQLITE_OPEN_URI)
    }
}

/// Keeps a second runner off a database: a lock on a file beside it, which ends with the process.
///
/// Not on the database itself, since closing any handle of a file drops the locks that SQLite holds on it.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    /// Whether the file was there before.
    is_old: bool,
    _file: File,
}

impl Lock {
    fn take(database: &Path) -> Result<Self, StoreError> {
        let path = beside(database, ".lock");
        let is_old = path.exists();
        let made = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
        let file = made.map_err(|error| {
            unusable(database, format!("cannot be used, since {} cannot be made beside it: {error}", path.display()))
        })?;
        match file.try_lock() {
            Ok(()) => Ok(Self { path, is_old, _file: file }),
            Err(TryLockError::WouldBlock) => {
                Err(unusable(database, "is in use by another benchbook-server: end that one, or name another file"))
            }
            Err(TryLockError::Error(error)) => {
                Err(unusable(database, format!("cannot be locked at {}: {error}", path.display())))
            }
        }
    }

    /// Beside what is no database of ours no file is left.
    fn leave_no_trace(&self) {
        if !self.is_old {
            // A lock that stays is in nobody's way.
            fs::remove_file(&self.path).ok();
        }
    }
}

/// A file whose name begins with the database's.
fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(end);
    PathBuf::from(name)
}

fn unusable(path: &Path, what: impl AsRef<str>) -> StoreError {
    StoreError::Unusable(format!("the database {} {}", path.display(), what.as_ref()))
}

fn not_made(path: &Path, error: &dyn std::fmt::Display) -> StoreError {
    unusable(path, format!("cannot be made: {error}"))
}

fn not_ours(path: &Path) -> StoreError {
    unusable(path, "is no database of benchbook-server: name another file, or move this one away")
}

fn damaged(path: &Path, what: &dyn std::fmt::Display) -> StoreError {
    unusable(
        path,
        format!(
            "is damaged ({what}): put a copy back, or rescue what can be read with \
             `sqlite3 FILE .recover | sqlite3 NEW`, or move it away to begin anew"
        ),
    )
}
