//! Writes files together with their folders.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Writes a file, and creates its folder.
///
/// # Errors
/// If the system does not permit it.
pub fn write(path: &Path, contents: impl AsRef<[u8]>) -> Result<()> {
    let writing = || format!("failed to write {}", path.display());
    fs::create_dir_all(path.parent().context("the file has no folder (this is a bug)")?).with_context(writing)?;
    fs::write(path, contents).with_context(writing)
}

/// Copies a file in one step, since a runner may be reading the folder. An identical file keeps its time, so that programs
/// that watch it do not restart.
///
/// # Errors
/// If the file cannot be read, or the copy cannot be written.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    if fs::read(to).is_ok_and(|old| fs::read(from).is_ok_and(|new| new == old)) {
        return Ok(());
    }
    let copying = || format!("failed to copy {} to {}", from.display(), to.display());
    let folder = to.parent().context("the file has no folder (this is a bug)")?;
    fs::create_dir_all(folder).with_context(copying)?;
    let partial = tempfile::Builder::new().prefix(".partial-").tempfile_in(folder).with_context(copying)?;
    fs::copy(from, partial.path()).with_context(copying)?;
    partial.persist(to).with_context(copying)?;
    Ok(())
}
