//! Download sizes in bytes, compressed with Brotli.

use std::path::Path;

use anyhow::Result;
use xtask::sizes::{Size, Sizes};

/// The size limit of the page in bytes, a guard against accidents: a few percent above its size. It shapes nothing.
pub const MAX_PAGE_BYTES: u64 = 1_330_000;
/// The size limit of the demo suite in bytes.
pub const MAX_SUITE_BYTES: u64 = 200_000;

/// The size of the page without its suites: HTML, style sheet, scripts and its wasm.
pub fn page(dist: &Path) -> Result<u64> {
    Ok(Sizes::of_page(dist)?.page().brotli)
}

/// The size of one file.
pub fn file(path: &Path) -> Result<u64> {
    Ok(Size::of_file(path)?.brotli)
}
