//! A notebook as a browser stores it: a small record, which each edit rewrites, and results, which are rarely written.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::cell::MeasurementCell;
use crate::edit::Edit;
use crate::file::{self, FileError};
use crate::id::Id;
use crate::notebook::Notebook;
use crate::result::CellResult;

/// A notebook without the content of its results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NotebookRecord {
    /// The number of times that it was written: a tab that has read another revision must merge its edits.
    pub revision: u64,
    /// When it was written last, in milliseconds since 1970.
    pub changed: f64,
    /// When the user deleted it; `None` if it was not deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted: Option<f64>,
    /// The file without results.
    pub document: String,
    /// The results of all cells, each stored on its own.
    pub results: Vec<ResultRecord>,
    /// What the notebook says in short, as JSON of the program that stored it: a list would have to read all results. Empty if unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub digest: String,
}

/// The place of a stored result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultRecord {
    /// The cell.
    pub cell: Id,
    /// The identifier of the result.
    pub id: Id,
    /// Whether it is an overlay.
    #[serde(default, rename = "overlay", skip_serializing_if = "std::ops::Not::not")]
    pub is_overlay: bool,
}

impl NotebookRecord {
    /// The record of a notebook. `changed`: the current time, in milliseconds since 1970.
    pub fn new(notebook: &Notebook, revision: u64, changed: f64) -> Self {
        let of_cell = |(cell, measurement): (&Id, &MeasurementCell)| {
            let record = |is_overlay: bool| {
                let cell = cell.clone();
                move |result: &Rc<CellResult>| ResultRecord { cell: cell.clone(), id: result.id.clone(), is_overlay }
            };
            let results = measurement.results.iter().map(record(false));
            results.chain(measurement.overlays.iter().map(record(true))).collect::<Vec<_>>()
        };
        let measurements = notebook.cells.iter().filter_map(|cell| Some((&cell.id, cell.measurement()?)));
        let results = measurements.flat_map(of_cell).collect();
        let document = file::write(&notebook.without_results());
        Self { revision, changed, deleted: None, document, results, digest: String::new() }
    }

    /// Reads a record.
    ///
    /// # Errors
    /// Returns an error with a sentence for the user if this version cannot read it.
    pub fn read(json: &str) -> Result<Self, FileError> {
        serde_json::from_str(json).map_err(|error| FileError::Damaged { reason: error.to_string() })
    }

    /// The record as JSON.
    ///
    /// # Panics
    /// Never: every record can be written as JSON.
    pub fn write(&self) -> String {
        serde_json::to_string(self).expect("a record has no keys other than strings")
    }

    /// The same record, which also refers to results that cannot be read.
    #[must_use]
    pub fn with_unreadable(mut self, unreadable: &[ResultRecord]) -> Self {
        self.results.extend_from_slice(unreadable);
        self
    }

    /// The notebook with its results. `result` returns the JSON of the result with an identifier. A missing or damaged result is
    /// omitted: the others remain readable.
    ///
    /// # Errors
    /// Returns an error with a sentence for the user if this version cannot read the document.
    pub fn notebook(&self, result: impl Fn(&Id) -> Option<String>) -> Result<RecordedNotebook, FileError> {
        let mut notebook = file::read(&self.document)?;
        let mut unreadable = Vec::new();
        for record in &self.results {
            let Some(measurement) = notebook.measurement_mut(&record.cell) else { continue };
            match result(&record.id).and_then(|json| read_result(&json)) {
                Some(stored) => {
                    let list = if record.is_overlay { &mut measurement.overlays } else { &mut measurement.results };
                    list.push(Rc::new(stored));
                }
                None => unreadable.push(record.clone()),
            }
        }
        Ok(RecordedNotebook { notebook, unreadable })
    }
}

/// The content of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedNotebook {
    /// The notebook with all results that can be read.
    pub notebook: Notebook,
    /// The missing and damaged results.
    pub unreadable: Vec<ResultRecord>,
}

/// Divides the unreadable results into those to keep, and those that the user has replaced or removed: the cell was removed, or
/// `edits` set its results or its overlays.
pub fn without_replaced(
    unreadable: Vec<ResultRecord>,
    notebook: &Notebook,
    edits: &[Edit],
) -> (Vec<ResultRecord>, Vec<ResultRecord>) {
    let is_replaced = |result: &ResultRecord| {
        edits.iter().any(|edit| match edit {
            Edit::SetResults { cell, .. } => !result.is_overlay && *cell == result.cell,
            Edit::SetOverlays { cell, .. } => result.is_overlay && *cell == result.cell,
            _ => false,
        })
    };
    unreadable.into_iter().partition(|result| notebook.measurement(&result.cell).is_some() && !is_replaced(result))
}

/// A result as JSON.
///
/// # Panics
/// Never: every result can be written as JSON.
pub fn write_result(result: &CellResult) -> String {
    serde_json::to_string(result).expect("a result has no keys other than strings")
}

/// Reads a result; `None` if it is damaged.
fn read_result(json: &str) -> Option<CellResult> {
    let mut result: CellResult = serde_json::from_str(json).ok()?;
    result.check().ok()?;
    result.sort();
    Some(result)
}
