//! What a visitor downloads, in bytes as a good host sends them: compressed with Brotli.

use std::path::Path;

use anyhow::Result;
use xtask::sizes::{Size, Sizes};

/// The most bytes of the page: a guard against accidents.
pub const MOST_OF_PAGE: u64 = 600_000;
/// The most bytes of the demo suite.
pub const MOST_OF_SUITE: u64 = 200_000;

/// The page without its suites: HTML, style sheet, scripts and its own wasm.
///
/// # Errors
/// Where the folder of the built page can't be read.
pub fn page(dist: &Path) -> Result<u64> {
    Ok(Sizes::of_page(dist)?.page().brotli)
}

/// One file.
///
/// # Errors
/// Where it can't be read.
pub fn file(path: &Path) -> Result<u64> {
    Ok(Size::of_file(path)?.brotli)
}
