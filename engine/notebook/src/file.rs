//! The file of a notebook, `*.benchbook.json`: the model as JSON, with a version. docs/notebook-format.md describes it.

use std::collections::BTreeSet;
use std::rc::Rc;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::cell::{Cell, CellContent, MeasurementCell};
use crate::notebook::Notebook;
use crate::result::CellResult;
use benchbook_contract::protocol::MAX_FUNCTIONS;

/// The version of the format that this version writes. It reads this one and all earlier ones.
pub const VERSION: u32 = 1;

/// The maximum size of a file in bytes. The raw samples of a cell with four curves of 33 points, measured natively and in a browser at
/// the last priority, have up to 30 MB.
pub const MAX_BYTES: usize = 64 << 20;

/// The maximum number of cells.
pub const MAX_CELLS: usize = 1_000;

/// The maximum length of a title in characters.
const MAX_TITLE: usize = 2_000;

/// The maximum length of a text in characters.
const MAX_TEXT: usize = 1 << 20;

/// The file extension.
pub const EXTENSION: &str = ".benchbook.json";

/// Why a file cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FileError {
    /// It exceeds [`MAX_BYTES`].
    #[error("The file has {} MiB; the limit is {} MiB. Remove cells or results.", bytes.div_ceil(1 << 20), MAX_BYTES >> 20)]
    TooLarge {
        /// Its size.
        bytes: usize,
    },
    /// It is not JSON, or it is incomplete.
    #[error("The file is damaged or incomplete: {reason}. Save or download it again.")]
    Damaged {
        /// The position and the cause.
        reason: String,
    },
    /// It is JSON without the field `benchbook`.
    #[error("The file is not a Benchbook notebook: it has no field `benchbook` with the version of the format.")]
    NotANotebook,
    /// It has a version that this version does not know.
    #[error("The file has version {version} of the format; this page reads up to version {VERSION}. Update Benchbook.")]
    Newer {
        /// The file's version.
        version: u32,
    },
    /// A value is invalid.
    #[error("The notebook has an invalid value: {reason}. Correct it, or save the notebook again.")]
    Invalid {
        /// The location and the cause.
        reason: String,
    },
}

/// Writes a notebook as a file, with all samples.
///
/// # Panics
/// Never: every notebook can be written as JSON.
pub fn write(notebook: &Notebook) -> String {
    let file = FileRef { benchbook: VERSION, title: &notebook.title, cells: &notebook.cells };
    serde_json::to_string(&file).expect("a notebook has no keys other than strings")
}

/// A notebook as a file that can be read again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenFile {
    /// The content.
    pub text: String,
    /// Whether it contains the raw samples; otherwise, they would exceed [`MAX_BYTES`].
    pub has_samples: bool,
}

/// Writes a notebook as a file, without samples if it would be too large with them.
pub fn write_for_reading(notebook: &Notebook) -> WrittenFile {
    write_up_to(notebook, MAX_BYTES)
}

pub(crate) fn write_up_to(notebook: &Notebook, max_bytes: usize) -> WrittenFile {
    let text = write(notebook);
    if text.len() <= max_bytes {
        return WrittenFile { text, has_samples: true };
    }
    WrittenFile { text: write(&notebook.without_samples()), has_samples: false }
}

/// Reads a file of this or an earlier version.
///
/// # Errors
/// Returns an error with a sentence for the user if the file is not a notebook that this version can read.
pub fn read(text: &str) -> Result<Notebook, FileError> {
    if text.len() > MAX_BYTES {
        return Err(FileError::TooLarge { bytes: text.len() });
    }
    // serde also reads a list as a struct.
    if !text.trim_start().starts_with('{') && is_json(text) {
        return Err(FileError::NotANotebook);
    }
    let header: serde_json::Result<Header> = serde_json::from_str(text);
    match header {
        Ok(Header { benchbook: Some(version) }) if version > VERSION => return Err(FileError::Newer { version }),
        Ok(Header { benchbook: Some(1..) }) => {}
        Ok(Header { benchbook: Some(0) | None }) => return Err(FileError::NotANotebook),
        Err(error) if error.is_data() => return Err(FileError::NotANotebook),
        Err(error) => return Err(FileError::Damaged { reason: damage(&error) }),
    }
    let File { title, mut cells } = serde_json::from_str(text).map_err(|error| invalid(error.to_string()))?;
    check(&title, &cells)?;
    for measurement in cells.iter_mut().map(Rc::make_mut).filter_map(measurement_mut) {
        let results = measurement.results.iter_mut().chain(&mut measurement.overlays);
        results.map(Rc::make_mut).for_each(CellResult::sort);
    }
    Ok(Notebook { title, cells })
}

/// The beginning of a file.
#[derive(Deserialize)]
struct Header {
    benchbook: Option<u32>,
}

/// A file to write.
#[derive(Serialize)]
struct FileRef<'n> {
    benchbook: u32,
    title: &'n str,
    cells: &'n [Rc<Cell>],
}

/// A file that was read.
#[derive(Deserialize)]
struct File {
    #[serde(default)]
    title: String,
    cells: Vec<Rc<Cell>>,
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// Where the text stops being valid JSON.
fn damage(error: &serde_json::Error) -> String {
    let (line, column) = (error.line(), error.column());
    match error.is_eof() {
        true => format!("it ends early, on line {line}"),
        false => format!("invalid JSON at line {line}, column {column}"),
    }
}

fn measurement_mut(cell: &mut Cell) -> Option<&mut MeasurementCell> {
    match &mut cell.content {
        CellContent::Measurement(measurement) => Some(measurement),
        CellContent::Text(_) => None,
    }
}

fn invalid(reason: impl Into<String>) -> FileError {
    FileError::Invalid { reason: reason.into() }
}

/// Checks what the types do not guarantee.
fn check(title: &str, cells: &[Rc<Cell>]) -> Result<(), FileError> {
    if is_longer(title, MAX_TITLE) {
        return Err(invalid(format!("the title has more than {MAX_TITLE} characters")));
    }
    if cells.len() > MAX_CELLS {
        return Err(invalid(format!("expected at most {MAX_CELLS} cells, found {}", cells.len())));
    }
    let mut results = BTreeSet::new();
    for (index, cell) in cells.iter().enumerate() {
        if cells[..index].iter().any(|other| other.id == cell.id) {
            return Err(invalid(format!("two cells have the identifier {}", cell.id)));
        }
        check_cell(cell).map_err(|reason| invalid(format!("cell {}: {reason}", index + 1)))?;
        for result in cell.measurement().iter().flat_map(|measurement| measurement.all_results()) {
            if !results.insert(&result.id) {
                return Err(invalid(format!("two results have the identifier {}", result.id)));
            }
        }
    }
    Ok(())
}

fn is_longer(text: &str, characters: usize) -> bool {
    text.chars().nth(characters).is_some()
}

fn check_cell(cell: &Cell) -> Result<(), String> {
    let measurement = match &cell.content {
        CellContent::Text(text) if is_longer(text, MAX_TEXT) => {
            return Err(format!("the text has more than {MAX_TEXT} characters"));
        }
        CellContent::Text(_) => return Ok(()),
        CellContent::Measurement(measurement) => measurement,
    };
    if is_longer(&measurement.title, MAX_TITLE) {
        return Err(format!("the title has more than {MAX_TITLE} characters"));
    }
    if !(1..=MAX_FUNCTIONS).contains(&measurement.setup.functions.len()) {
        return Err(format!("expected 1 to {MAX_FUNCTIONS} functions, found {}", measurement.setup.functions.len()));
    }
    if let Some(overlay) = measurement.overlays.iter().find(|overlay| overlay.curves.len() != 1) {
        return Err(format!("expected 1 function in an overlay, found {}", overlay.curves.len()));
    }
    measurement.all_results().try_for_each(|result| result.check())
}
