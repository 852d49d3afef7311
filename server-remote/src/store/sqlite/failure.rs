//! The errors of a database: its path, the problem and how to fix it.

use std::fmt::Display;
use std::path::Path;

use rusqlite::ErrorCode;

use crate::store::error::StoreError;

/// The database cannot be used. `problem` continues a sentence that starts with the database, and ends with how to fix it.
pub(super) fn unusable(path: &Path, problem: impl AsRef<str>) -> StoreError {
    StoreError::Unusable(format!("the database {} {}", path.display(), problem.as_ref()))
}

pub(super) fn cannot_create(path: &Path, error: &dyn Display) -> StoreError {
    let fix =
        "Check that its disk has space and that the runner's user may write to its folder, or choose another file.";
    unusable(path, format!("cannot be created: {error}. {fix}"))
}

/// A copy of a database cannot be written to `path`.
pub(super) fn cannot_copy(path: &Path, error: &dyn Display) -> StoreError {
    StoreError::Unusable(format!(
        "the copy {} cannot be created: {error}. Check that its folder exists, that you may write to it, and that its disk \
         has space.",
        path.display()
    ))
}

pub(super) fn not_ours(path: &Path) -> StoreError {
    unusable(path, "is not a database of benchbook-server. Choose another file, or move this one away.")
}

pub(super) fn damaged(path: &Path, problem: &dyn Display) -> StoreError {
    unusable(
        path,
        format!(
            "is damaged ({problem}). Restore a backup with `benchbook-server restore FILE`, recover the readable part with \
             `sqlite3 FILE .recover | sqlite3 NEW`, or move the file away to start with an empty database."
        ),
    )
}

/// The file at `path`, which is the database or its log, is no longer the open one.
pub(super) fn moved(database: &Path, path: &Path) -> StoreError {
    let file = path.display();
    unusable(
        database,
        format!(
            "cannot be used: {file} was moved, deleted or replaced while the runner was using it. No further results are \
             stored. Put the original file or a backup there, then restart the runner."
        ),
    )
}

/// SQLite returned an error during an operation on an open database.
pub(super) fn failed(path: &Path, error: &rusqlite::Error) -> StoreError {
    let code = error.sqlite_extended_error_code().map(|code| format!(" (SQLite code {code})")).unwrap_or_default();
    StoreError::Database(format!("the database {} failed: {error}{code}. {}", path.display(), fix(error)))
}

/// The database failed for another reason, which includes no fix.
pub(super) fn stopped(path: &Path, problem: &dyn Display) -> StoreError {
    StoreError::Database(format!("the database {} failed: {problem}. {RESTART}", path.display()))
}

const RESTART: &str = "Restart the runner. If the error returns, report it as a bug of benchbook-server.";

fn fix(error: &rusqlite::Error) -> &'static str {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "Free space on its disk. The runner then stores results again without a restart.",
        Some(ErrorCode::SystemIoFailure) => {
            "Check the disk, its free space, the limit on file sizes, and the errors in the system's log."
        }
        Some(ErrorCode::ReadOnly) => {
            "Grant the runner's user write permission for the file and its folder, and mount the file system for writing."
        }
        Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            "Check that the file exists, and that the runner's user may read and write it and its folder."
        }
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            "Check it with `benchbook-server verify`. If it is damaged, restore a backup."
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => "Close other programs that write to the database.",
        Some(ErrorCode::OutOfMemory) => "Free memory on this machine.",
        _ => RESTART,
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::ffi;

    use super::*;

    #[test]
    fn errors_state_path_problem_and_fix() {
        for (code, problem, fix) in [
            (ffi::SQLITE_FULL, "database or disk is full (SQLite code 13)", "Free space"),
            (ffi::SQLITE_IOERR_WRITE, "disk I/O error (SQLite code 778)", "Check the disk"),
            (ffi::SQLITE_READONLY, "attempt to write a readonly database (SQLite code 8)", "write permission"),
            (ffi::SQLITE_CANTOPEN, "unable to open database file (SQLite code 14)", "Check that the file exists"),
            (ffi::SQLITE_CORRUPT, "database disk image is malformed (SQLite code 11)", "restore a backup"),
            (ffi::SQLITE_BUSY, "database is locked (SQLite code 5)", "Close other programs"),
            (ffi::SQLITE_SCHEMA, "database schema has changed (SQLite code 17)", "Restart the runner"),
        ] {
            let message = Some(ffi::code_to_str(code).to_owned());
            let error = rusqlite::Error::SqliteFailure(ffi::Error::new(code), message);
            let text = failed(Path::new("/data/results.sqlite"), &error).to_string();
            assert!(text.starts_with(&format!("the database /data/results.sqlite failed: {problem}. ")), "{text}");
            assert!(text.contains(fix), "{text}");
        }
    }
}
