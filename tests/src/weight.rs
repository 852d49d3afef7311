//! What a visitor downloads, in bytes as a good host sends them: compressed with Brotli.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use brotli::enc::BrotliEncoderParams;

/// The most bytes of the page.
pub const MOST_OF_PAGE: usize = 300_000;
/// The most bytes of the demo suite.
pub const MOST_OF_SUITE: usize = 200_000;

/// The page without its suites: HTML, style sheet, scripts and its own wasm.
///
/// # Errors
/// Where the folder of the built page can't be read.
pub fn page(dist: &Path) -> Result<usize> {
    let mut bytes = 0;
    for entry in fs::read_dir(dist).with_context(|| format!("reading {}", dist.display()))? {
        let path = entry?.path();
        let kind = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        if ["html", "css", "js", "wasm"].contains(&kind) {
            bytes += file(&path)?;
        }
    }
    Ok(bytes)
}

/// One file.
///
/// # Errors
/// Where it can't be read.
pub fn file(path: &Path) -> Result<usize> {
    let plain = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut plain.as_slice(), &mut compressed, &BrotliEncoderParams::default())?;
    Ok(compressed.len())
}
