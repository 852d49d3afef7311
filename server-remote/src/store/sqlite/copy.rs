//! Copies of a database: backup and restoration.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags, ffi};
use tempfile::TempPath;

use super::failure::{cannot_copy, unusable};
use super::files::{folder, log_of, sibling, sync_folder, unused_sibling};
use super::inspect::inspect;
use super::lock::DatabaseLock;
use super::schema::{MIGRATIONS, supported};
use super::source::{DatabaseSummary, SourceDatabase};
use crate::store::error::StoreError;

/// A restored database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restoration {
    /// The contents of the restored database.
    pub summary: DatabaseSummary,
    /// The new path of the previous database; absent if there was none.
    pub previous: Option<PathBuf>,
}

/// Copies a database to a new file, which appears once it is complete, intact and on disk. A runner may use the database at
/// the same time.
///
/// # Errors
/// If the file exists or cannot be written, or if the database cannot be used.
pub fn backup(database: &Path, file: &Path) -> Result<DatabaseSummary, StoreError> {
    if file.symlink_metadata().is_ok() {
        return Err(StoreError::Unusable(format!(
            "{} already exists. Choose another file, or delete it.",
            file.display()
        )));
    }
    let source = SourceDatabase::open(database)?;
    let copy = copy_next_to(file, &source, database)?;
    copy.persist_noclobber(file).map_err(|error| cannot_copy(file, &error.error))?;
    sync_folder(file).map_err(|error| cannot_copy(file, &error))?;
    Ok(source.summary)
}

/// Replaces a database by a copy of `file`, and renames the previous one.
///
/// # Errors
/// If a runner uses the database, if `file` cannot be used, or if the copy cannot be written. The database is unchanged then.
pub fn restore(database: &Path, file: &Path) -> Result<Restoration, StoreError> {
    // A symbolic link remains one.
    let database = database.canonicalize().unwrap_or_else(|_| database.to_owned());
    if file.canonicalize().is_ok_and(|file| file == database) {
        return Err(unusable(file, "is the database to be replaced. Choose a backup."));
    }
    let lock = DatabaseLock::acquire(&database)?;
    let restored = restore_locked(&database, file);
    // The runner may be another user, who could not open the file.
    lock.remove_if_new();
    restored
}

fn restore_locked(database: &Path, file: &Path) -> Result<Restoration, StoreError> {
    let source = SourceDatabase::open(file)?;
    let permissions = if database.exists() { database } else { file };
    let copy = copy_next_to(database, &source, permissions)?;
    copy_owner(&copy, if database.exists() { database } else { folder(database) });
    let previous = rename_previous(database).map_err(|error| {
        unusable(database, format!("cannot be renamed: {error}. Check that you may write to its folder."))
    })?;
    copy.persist(database).map_err(|error| cannot_copy(database, &error.error))?;
    sync_folder(database).map_err(|error| cannot_copy(database, &error))?;
    Ok(Restoration { summary: source.summary, previous })
}

/// Creates a temporary copy in the folder of `target`, with the permissions of another file.
fn copy_next_to(target: &Path, source: &SourceDatabase, permissions: &Path) -> Result<TempPath, StoreError> {
    let created = tempfile::Builder::new().prefix(".benchbook-").suffix(".partial").tempfile_in(folder(target));
    let copy = created.map_err(|error| cannot_copy(target, &error))?.into_temp_path();
    transfer(&source.connection, &copy).map_err(|error| cannot_copy(target, &error))?;
    inspect(&copy, &supported(MIGRATIONS))?;
    let finish = || {
        fs::set_permissions(&copy, fs::metadata(permissions)?.permissions())?;
        File::options().write(true).open(&copy)?.sync_all()
    };
    finish().map_err(|error| cannot_copy(target, &error))?;
    Ok(copy)
}

/// Gives a file the owner of another one, in case the command runs as root.
#[cfg(unix)]
fn copy_owner(file: &Path, other: &Path) {
    use std::os::unix::fs::{MetadataExt, chown};

    // Other users cannot do this, and need not: they are the runner's user.
    fs::metadata(other).and_then(|other| chown(file, Some(other.uid()), Some(other.gid()))).ok();
}

#[cfg(not(unix))]
fn copy_owner(_file: &Path, _other: &Path) {}

/// Copies all pages to an empty file.
fn transfer(from: &Connection, to: &Path) -> rusqlite::Result<()> {
    let mut copy =
        Connection::open_with_flags(to, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    // The file is synced once it is complete. Until then it may be invalid, so it needs no journal.
    copy.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")?;
    let backup = Backup::new(from, &mut copy)?;
    // A single step reads one state of the database. A runner that writes in the meantime does not wait, since its log grows.
    if backup.step(-1)? != StepResult::Done {
        return Err(rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_BUSY), None));
    }
    drop(backup);
    copy.close().map_err(|(_, error)| error)
}

/// Gives the previous database and its log another name, under which they can be opened. Until the copy is renamed, the
/// database remains at its path too, if the file system supports links.
fn rename_previous(database: &Path) -> io::Result<Option<PathBuf>> {
    let log = log_of(database);
    if !database.exists() && !log.exists() {
        return Ok(None);
    }
    let previous = unused_sibling(database, "previous");
    if database.exists() {
        fs::hard_link(database, &previous).or_else(|_| fs::rename(database, &previous))?;
    }
    if log.exists() {
        fs::rename(&log, sibling(&previous, "-wal"))?;
    }
    // The index of the log, which SQLite recreates.
    match fs::remove_file(sibling(database, "-shm")) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(Some(previous)),
    }
}
