//! A notebook as part of an address: its file without samples, compressed (DEFLATE, RFC 1951), as base64url without padding
//! (RFC 4648).

use std::io::{Read, Write};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use thiserror::Error;

use crate::file::{self, FileError, MAX_BYTES};
use crate::notebook::Notebook;

/// The maximum length of a notebook in an address, in characters. Browsers accept more, but chat programs and mail cut long
/// addresses off.
pub const MAX_CHARACTERS: usize = 30_000;

/// A notebook in an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotebookLink {
    /// The text: ASCII letters, digits, `-` and `_`.
    pub text: String,
    /// Whether it contains the results, without raw samples. Otherwise it contains only texts and setups.
    pub has_figures: bool,
}

/// Why a notebook does not fit in an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "The notebook is too long for a link: {characters} characters, but at most {MAX_CHARACTERS} arrive reliably. Share the file instead."
)]
pub struct LinkTooLong {
    /// The length of the shortest form.
    pub characters: usize,
}

/// Why a notebook in an address cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LinkError {
    /// It is not compressed text.
    #[error("The link is damaged or incomplete. Copy it again.")]
    Damaged,
    /// Its content is not a notebook.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Writes a notebook, with its figures if they fit.
///
/// # Errors
/// Returns an error if even the texts and setups are too long.
pub fn write(notebook: &Notebook) -> Result<NotebookLink, LinkTooLong> {
    let text = encoded(&notebook.without_samples());
    if text.len() <= MAX_CHARACTERS {
        return Ok(NotebookLink { text, has_figures: notebook.results().next().is_some() });
    }
    let text = encoded(&notebook.without_results());
    match text.len() {
        ..=MAX_CHARACTERS => Ok(NotebookLink { text, has_figures: false }),
        characters => Err(LinkTooLong { characters }),
    }
}

/// Reads a notebook.
///
/// # Errors
/// Returns an error with a sentence for the user if the text is not a notebook that this version can read.
pub fn read(text: &str) -> Result<Notebook, LinkError> {
    let compressed = BASE64_URL_SAFE_NO_PAD.decode(text).map_err(|_| LinkError::Damaged)?;
    let mut json = Vec::new();
    // A short text can expand to gigabytes.
    let limit = MAX_BYTES as u64 + 1;
    DeflateDecoder::new(compressed.as_slice()).take(limit).read_to_end(&mut json).map_err(|_| LinkError::Damaged)?;
    let json = String::from_utf8(json).map_err(|_| LinkError::Damaged)?;
    Ok(file::read(&json)?)
}

/// The file of a notebook, compressed, of any length.
pub fn encoded(notebook: &Notebook) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    // Writing to memory succeeds.
    let _ = encoder.write_all(file::write(notebook).as_bytes());
    BASE64_URL_SAFE_NO_PAD.encode(encoder.finish().unwrap_or_default())
}
