//! Opens a database. Inspects it before writing anything, so that a foreign or damaged file remains unchanged.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::failure::{cannot_create, failed, unusable};
use super::files::{DatabaseFiles, set_log_aside, sibling, sync_folder};
use super::inspect::inspect;
use super::lock::DatabaseLock;
use super::schema::{migrate, supported};
use crate::store::error::StoreError;

/// A usable database.
#[derive(Debug)]
pub(super) struct OpenDatabase {
    /// The connection for writing.
    pub writer: Connection,
    /// The opened files.
    pub files: DatabaseFiles,
    /// Released when the database is closed.
    pub lock: DatabaseLock,
}

/// Opens or creates a database.
///
/// # Errors
/// States the problem and how to fix it. The file is unchanged.
pub(super) fn open(path: &Path, migrations: &[&str]) -> Result<OpenDatabase, StoreError> {
    let lock = DatabaseLock::acquire(path)?;
    let writer = open_locked(path, migrations).inspect_err(|_| lock.remove_if_new())?;
    let files = DatabaseFiles::of(path).map_err(|error| cannot_access(path, &error))?;
    Ok(OpenDatabase { writer, files, lock })
}

fn open_locked(path: &Path, migrations: &[&str]) -> Result<Connection, StoreError> {
    if path.try_exists().map_err(|error| cannot_access(path, &error))? {
        let inspection = inspect(path, &supported(migrations))?;
        if inspection.has_foreign_log {
            set_log_aside(path).map_err(|error| cannot_access(path, &error))?;
        }
    } else {
        create(path, migrations)?;
    }
    let explain = |error| failed(path, &error);
    let mut writer = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(explain)?;
    if writer.is_readonly("main").map_err(explain)? {
        return Err(unusable(
            path,
            "is not writable. Grant write permission to the runner's user, or choose another file.",
        ));
    }
    make_durable(&writer).and_then(|()| migrate(&mut writer, migrations)).map_err(explain)?;
    Ok(writer)
}

fn cannot_access(path: &Path, error: &io::Error) -> StoreError {
    unusable(path, format!("cannot be accessed: {error}. Grant the runner's user access to its folder."))
}

/// Opens a connection for reading.
pub(super) fn reader(path: &Path) -> rusqlite::Result<Connection> {
    connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
}

fn connect(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)
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
    let publish = || {
        File::options().write(true).open(&unfinished)?.sync_all()?;
        fs::rename(&unfinished, path)?;
        sync_folder(path)
    };
    remove_unfinished(&unfinished).map_err(|error| cannot_create(path, &error))?;
    fill_new(&unfinished, migrations)
        .map_err(|error| cannot_create(path, &error))
        .and_then(|()| publish().map_err(|error| cannot_create(path, &error)))
        .inspect_err(|_| {
            // On a full disk, they would occupy space. The next creation deletes any that remain.
            remove_unfinished(&unfinished).ok();
        })
}

/// Creates a database with empty tables.
fn fill_new(path: &Path, migrations: &[&str]) -> rusqlite::Result<()> {
    let mut database = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
    make_durable(&database)?;
    migrate(&mut database, migrations)?;
    database.close().map_err(|(_, error)| error)
}

/// Deletes the files of a database whose creation failed.
fn remove_unfinished(unfinished: &Path) -> io::Result<()> {
    for end in ["", "-wal", "-shm", "-journal"] {
        match fs::remove_file(sibling(unfinished, end)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sqlite::schema::MIGRATIONS;

    #[test]
    fn a_failed_creation_leaves_no_files() {
        let is_full = "PRAGMA max_page_count = 1; CREATE TABLE t (a)";
        for (migrations, problem) in [
            ([MIGRATIONS[0], "SELECT absent"], "no such column"),
            ([is_full, MIGRATIONS[0]], "database or disk is full"),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("results.db");
            let error = open(&path, &migrations).unwrap_err().to_string();
            assert!(error.contains(&format!("{} cannot be created: {problem}", path.display())), "{error}");
            assert!(error.contains("Check that its disk has space"), "{error}");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{problem}");
        }
    }
}
