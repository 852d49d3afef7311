//! Edits of a notebook. Each edit has an inverse, which undoes it.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::cell::{Cell, CellContent, MeasurementCell};
use crate::id::Id;
use crate::notebook::Notebook;
use crate::result::{CellResult, SharedValue};
use crate::setup::CellSetup;
use crate::view::CellView;

/// A change of a notebook. It names cells by their identifiers, so it can also be applied to a copy of the notebook that
/// another tab has changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "edit", rename_all = "snake_case")]
pub enum Edit {
    /// Sets the title of the notebook.
    SetTitle {
        /// The new title.
        title: String,
    },
    /// Inserts a cell.
    InsertCell {
        /// Its index; a greater index than the number of cells appends it.
        index: usize,
        /// The cell.
        cell: Rc<Cell>,
    },
    /// Removes a cell with its results.
    RemoveCell {
        /// The cell.
        cell: Id,
    },
    /// Moves a cell.
    MoveCell {
        /// The cell.
        cell: Id,
        /// The index that it has afterwards; a greater index than the last one moves it to the end.
        index: usize,
    },
    /// Collapses or expands a cell.
    SetCollapsed {
        /// The cell.
        cell: Id,
        /// Whether only its first lines are shown.
        is_collapsed: bool,
    },
    /// Sets the text of a text cell.
    SetText {
        /// The cell.
        cell: Id,
        /// The new text, in Markdown.
        text: String,
    },
    /// Sets the title of a measurement cell.
    SetCellTitle {
        /// The cell.
        cell: Id,
        /// The new title.
        title: String,
    },
    /// Sets the setup of a measurement cell, except its view.
    SetSetup {
        /// The cell.
        cell: Id,
        /// The new setup.
        setup: Box<CellSetup>,
    },
    /// Sets the view of a measurement cell.
    SetView {
        /// The cell.
        cell: Id,
        /// The new view.
        view: Box<CellView>,
    },
    /// Replaces the results of a measurement cell: with those of a new measurement, or with fewer.
    SetResults {
        /// The cell.
        cell: Id,
        /// The results, oldest first.
        results: Vec<Rc<CellResult>>,
    },
    /// Replaces the overlays of a measurement cell.
    SetOverlays {
        /// The cell.
        cell: Id,
        /// The overlays.
        overlays: Vec<Rc<CellResult>>,
    },
    /// Replaces the comparison of two builds of a measurement cell.
    SetPinpoint {
        /// The cell.
        cell: Id,
        /// The comparison; `None` if the cell shows its results instead.
        pinpoint: Option<SharedValue>,
    },
}

impl Edit {
    /// The cell that it changes; `None` for the title of the notebook.
    pub fn cell(&self) -> Option<&Id> {
        match self {
            Self::SetTitle { .. } => None,
            Self::InsertCell { cell, .. } => Some(&cell.id),
            Self::RemoveCell { cell }
            | Self::MoveCell { cell, .. }
            | Self::SetCollapsed { cell, .. }
            | Self::SetText { cell, .. }
            | Self::SetCellTitle { cell, .. }
            | Self::SetSetup { cell, .. }
            | Self::SetView { cell, .. }
            | Self::SetResults { cell, .. }
            | Self::SetOverlays { cell, .. }
            | Self::SetPinpoint { cell, .. } => Some(cell),
        }
    }

    /// Whether it only changes what is shown. Undo skips such changes deliberately: it restores content. A user who collapsed some cells
    /// and zoomed a plot would otherwise have to undo all of that before the edit, and each such change would discard the edits to redo.
    pub fn is_view_change(&self) -> bool {
        matches!(self, Self::SetView { .. } | Self::SetCollapsed { .. })
    }
}

impl Notebook {
    /// Applies an edit and returns its inverse. Returns `None` if the edit changes nothing: if its cell was removed or has
    /// another content, or if the new value is the old one.
    pub fn apply(&mut self, edit: Edit) -> Option<Edit> {
        match edit {
            Edit::SetTitle { title } => replace(&mut self.title, title).map(|title| Edit::SetTitle { title }),
            Edit::InsertCell { index, cell } => {
                let id = cell.id.clone();
                if self.index(&id).is_some() {
                    return None;
                }
                self.cells.insert(index.min(self.cells.len()), cell);
                Some(Edit::RemoveCell { cell: id })
            }
            Edit::RemoveCell { cell } => {
                let index = self.index(&cell)?;
                Some(Edit::InsertCell { index, cell: self.cells.remove(index) })
            }
            Edit::MoveCell { cell, index } => self.move_cell(cell, index),
            Edit::SetCollapsed { cell, is_collapsed } => {
                let before = replace(&mut self.cell_mut(&cell)?.is_collapsed, is_collapsed)?;
                Some(Edit::SetCollapsed { cell, is_collapsed: before })
            }
            Edit::SetText { cell, text } => match &mut self.cell_mut(&cell)?.content {
                CellContent::Text(old) => replace(old, text).map(|text| Edit::SetText { cell, text }),
                CellContent::Measurement(_) => None,
            },
            Edit::SetCellTitle { cell, title } => {
                let title = self.replace_in(&cell, |measurement| replace(&mut measurement.title, title))?;
                Some(Edit::SetCellTitle { cell, title })
            }
            Edit::SetSetup { cell, setup } => {
                let setup = self.replace_in(&cell, |measurement| {
                    let view = measurement.setup.view.clone();
                    replace(&mut measurement.setup, CellSetup { view, ..*setup })
                })?;
                Some(Edit::SetSetup { cell, setup: Box::new(setup) })
            }
            Edit::SetView { cell, view } => {
                let view = self.replace_in(&cell, |measurement| replace(&mut measurement.setup.view, *view))?;
                Some(Edit::SetView { cell, view: Box::new(view) })
            }
            Edit::SetResults { cell, results } => {
                let results = self.replace_in(&cell, |measurement| replace(&mut measurement.results, results))?;
                Some(Edit::SetResults { cell, results })
            }
            Edit::SetOverlays { cell, overlays } => {
                let overlays = self.replace_in(&cell, |measurement| replace(&mut measurement.overlays, overlays))?;
                Some(Edit::SetOverlays { cell, overlays })
            }
            Edit::SetPinpoint { cell, pinpoint } => {
                let pinpoint = self.replace_in(&cell, |measurement| replace(&mut measurement.pinpoint, pinpoint))?;
                Some(Edit::SetPinpoint { cell, pinpoint })
            }
        }
    }

    fn move_cell(&mut self, id: Id, index: usize) -> Option<Edit> {
        let before = self.index(&id)?;
        let index = index.min(self.cells.len() - 1);
        if index == before {
            return None;
        }
        let cell = self.cells.remove(before);
        self.cells.insert(index, cell);
        Some(Edit::MoveCell { cell: id, index: before })
    }

    fn replace_in<T>(&mut self, cell: &Id, change: impl FnOnce(&mut MeasurementCell) -> Option<T>) -> Option<T> {
        change(self.measurement_mut(cell)?)
    }
}

/// Replaces a value and returns the old one; `None` if they are equal.
fn replace<T: PartialEq>(old: &mut T, new: T) -> Option<T> {
    (*old != new).then(|| std::mem::replace(old, new))
}
