//! Files next to a database.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The path with a suffix appended to its name.
pub(super) fn sibling(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
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
