//! The files of a database.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::failure::{moved, unusable};
use crate::store::error::StoreError;

/// Identifies a file even if its path changes: its device and its inode.
#[cfg(unix)]
type FileIdentity = (u64, u64);

/// Elsewhere a file in use can be neither moved nor replaced.
#[cfg(not(unix))]
type FileIdentity = ();

#[cfg(unix)]
fn identity(path: &Path) -> io::Result<FileIdentity> {
    use std::os::unix::fs::MetadataExt;

    // Not by opening the file: closing it would release SQLite's locks.
    fs::metadata(path).map(|file| (file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> io::Result<FileIdentity> {
    fs::metadata(path).map(|_| ())
}

/// The files of an open database: the database and its write-ahead log.
///
/// SQLite writes to the open files even after they were moved or deleted, and such results would be lost.
#[derive(Clone, Debug)]
pub(super) struct DatabaseFiles {
    path: PathBuf,
    database: FileIdentity,
    /// The path of the log, next to the file that a symbolic link refers to.
    log_path: PathBuf,
    log: FileIdentity,
}

impl DatabaseFiles {
    /// The files of a database that is open in write-ahead mode.
    pub fn of(path: &Path) -> io::Result<Self> {
        let log_path = log_of(path);
        let (database, log) = (identity(path)?, identity(&log_path)?);
        Ok(Self { path: path.to_owned(), database, log_path, log })
    }

    /// Whether another file has the database's path, while the log next to it is still the open one.
    pub fn has_foreign_log(&self) -> bool {
        let is_replaced = identity(&self.path).is_ok_and(|found| found != self.database);
        is_replaced && identity(&log_of(&self.path)).is_ok_and(|found| found == self.log)
    }

    /// The path of the database.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The size of both files in bytes.
    ///
    /// # Errors
    /// If the database was moved or deleted.
    pub fn bytes(&self) -> Result<u64, StoreError> {
        let size = |path: &Path| fs::metadata(path).map(|file| file.len());
        let database = size(&self.path).map_err(|_| moved(&self.path, &self.path))?;
        Ok(database + size(&self.log_path).unwrap_or(0))
    }

    /// Checks that both paths still refer to the open files.
    ///
    /// # Errors
    /// If one of them was moved, deleted or replaced.
    pub fn check(&self) -> Result<(), StoreError> {
        for (path, opened) in [(&self.path, self.database), (&self.log_path, self.log)] {
            match identity(path) {
                Ok(found) if found == opened => {}
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    let file = path.display();
                    let fix = "Grant the runner's user access to its folder, and check its disk.";
                    return Err(unusable(&self.path, format!("cannot be used: cannot access {file}: {error}. {fix}")));
                }
                _ => return Err(moved(&self.path, path)),
            }
        }
        Ok(())
    }
}

/// The path with a suffix appended to its name.
pub(super) fn sibling(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

/// The first path of the form `path.suffix-1`, `path.suffix-2`, … without a file.
pub(super) fn unused_sibling(path: &Path, suffix: &str) -> PathBuf {
    let mut candidates = (1..).map(|number: u64| sibling(path, &format!(".{suffix}-{number}")));
    candidates.find(|candidate| candidate.symlink_metadata().is_err()).expect("an infinite range")
}

/// The write-ahead log of a database, next to the file that a symbolic link refers to.
pub(super) fn log_of(database: &Path) -> PathBuf {
    sibling(&database.canonicalize().unwrap_or_else(|_| database.to_owned()), "-wal")
}

/// Renames a log that belongs to another database. SQLite would overlay the database with it, since a log does not identify
/// its database.
pub(super) fn set_log_aside(database: &Path) -> io::Result<()> {
    let log = log_of(database);
    let aside = unused_sibling(&log, "foreign");
    fs::rename(&log, &aside)?;
    sync_folder(&log)?;
    tracing::warn!(
        "the database {} was replaced, and {} belongs to the previous file. It was renamed to {}, since it may contain \
         results of that file. Delete it if you do not need them",
        database.display(),
        log.display(),
        aside.display()
    );
    Ok(())
}

/// The folder of a file.
pub(super) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Syncs the folder of a file, so that the names in it are on disk.
#[cfg(unix)]
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(folder(path))?.sync_all()
}

/// Other systems sync names automatically, or cannot sync them.
#[cfg(not(unix))]
pub(super) fn sync_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}
