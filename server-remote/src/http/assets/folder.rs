//! Reads a folder into memory.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use axum::body::Bytes;
use walkdir::{DirEntry, WalkDir};

/// The file that every page has.
const INDEX: &str = "index.html";

/// Reads all files of a built page, by their paths relative to the folder. Hidden ones are not part of the page.
///
/// # Errors
/// If the folder contains no page, or a file cannot be read.
pub fn read_folder(folder: &Path) -> Result<BTreeMap<PathBuf, Bytes>> {
    // Checked first, since a wrong folder may be large.
    ensure!(
        folder.join(INDEX).is_file(),
        "{} contains no {INDEX}; build the page with `cargo xtask build`, or choose its folder with --page",
        folder.display()
    );
    let is_visible = |entry: &DirEntry| entry.depth() == 0 || !entry.file_name().to_string_lossy().starts_with('.');
    let mut files = BTreeMap::new();
    for entry in WalkDir::new(folder).follow_links(true).into_iter().filter_entry(is_visible) {
        let entry = entry.context("failed to read the page's folder")?;
        if entry.file_type().is_file() {
            let bytes =
                std::fs::read(entry.path()).with_context(|| format!("failed to read {}", entry.path().display()))?;
            files.insert(entry.path().strip_prefix(folder)?.to_owned(), bytes.into());
        }
    }
    Ok(files)
}
