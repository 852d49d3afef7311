//! The lock of a database.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use super::failure::unusable;
use super::files::sibling;
use crate::store::error::StoreError;

/// Excludes other runners: a lock on a separate file, which the system releases when the process ends.
///
/// The database itself cannot be locked, since closing any handle of a file releases all of SQLite's locks on it.
#[derive(Debug)]
pub(super) struct DatabaseLock {
    path: PathBuf,
    /// Whether the file existed before.
    existed: bool,
    file: File,
}

impl DatabaseLock {
    pub fn acquire(database: &Path) -> Result<Self, StoreError> {
        let in_use = "is in use by another benchbook-server. Stop that one, or choose another file.";
        Self::try_acquire(database)?.ok_or_else(|| unusable(database, in_use))
    }

    /// Absent if another process holds the lock.
    pub fn try_acquire(database: &Path) -> Result<Option<Self>, StoreError> {
        let path = sibling(database, ".lock");
        let existed = path.exists();
        let opened = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
        let file = opened.map_err(|error| {
            let fix =
                "Check that its folder exists and that the runner's user may write to it, or choose another file.";
            unusable(database, format!("cannot be used: cannot create {}: {error}. {fix}", path.display()))
        })?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { path, existed, file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => {
                let fix = "Choose a file on a local disk, since some network file systems have no locks.";
                Err(unusable(database, format!("cannot be locked by {}: {error}. {fix}", path.display())))
            }
        }
    }

    /// Removes the lock file unless it existed before, so that a rejected database has no new file next to it.
    pub fn remove_if_new(&self) {
        if !self.existed {
            // A remaining lock file is harmless.
            fs::remove_file(&self.path).ok();
        }
    }
}

impl Drop for DatabaseLock {
    /// Closing the file alone would release the lock later if another thread is starting a program at that moment: until
    /// the program runs, the new process has a copy of every open file.
    fn drop(&mut self) {
        // The system releases the lock at the latest when the process ends.
        self.file.unlock().ok();
    }
}

#[cfg(test)]
mod tests {
    use super::DatabaseLock;

    #[test]
    fn dropping_releases_the_lock_despite_copies_of_its_file() {
        let folder = tempfile::TempDir::new().expect("a temporary folder");
        let database = folder.path().join("results.db");
        let lock = DatabaseLock::acquire(&database).expect("the lock is free");
        let _copy = lock.file.try_clone().expect("the file can be copied");
        assert!(DatabaseLock::try_acquire(&database).expect("the lock file opens").is_none());
        drop(lock);
        assert!(DatabaseLock::try_acquire(&database).expect("the lock file opens").is_some());
    }
}
