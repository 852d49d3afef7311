//! Merging the edits of two tabs.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::cell::{Cell, CellContent};
use crate::edit::Edit;
use crate::id::Id;
use crate::notebook::Notebook;

/// Applies the edits of this tab to the notebook that another tab has stored in the meantime. If both changed the same cell, both
/// versions remain: this tab's in its place, and the other one after it. A cell that the other tab removed but this tab edited is
/// restored.
///
/// * `stored`: the notebook as the other tab stored it.
/// * `base`: the notebook that both tabs started from.
/// * `edits`: the edits of this tab since then, oldest first.
/// * `new_id`: returns identifiers for the cells and results that both tabs changed.
pub fn merge(stored: &Notebook, base: &Notebook, edits: &[Edit], mut new_id: impl FnMut() -> Id) -> Notebook {
    let mut merged = stored.clone();
    let mut seen = BTreeSet::new();
    for edit in edits {
        if let Some(id) = content_changed_by(edit)
            && let Some(before) = base.cell(id)
            && seen.insert(id.clone())
        {
            match stored.cell(id) {
                Some(other) if !has_same_content(other, before) => {
                    let copy = other.copied(&mut new_id);
                    let index = merged.index(id).map_or(merged.cells.len(), |index| index + 1);
                    merged.cells.insert(index, Rc::new(copy));
                }
                None if !matches!(edit, Edit::RemoveCell { .. }) => {
                    let index = base.index(id).unwrap_or_default().min(merged.cells.len());
                    merged.cells.insert(index, Rc::clone(before));
                }
                Some(_) | None => {}
            }
        }
        merged.apply(edit.clone());
    }
    merged
}

/// The cell whose content an edit changes or removes.
fn content_changed_by(edit: &Edit) -> Option<&Id> {
    match edit {
        Edit::SetText { cell, .. }
        | Edit::SetCellTitle { cell, .. }
        | Edit::SetSetup { cell, .. }
        | Edit::SetResults { cell, .. }
        | Edit::SetOverlays { cell, .. }
        | Edit::RemoveCell { cell } => Some(cell),
        Edit::SetTitle { .. }
        | Edit::InsertCell { .. }
        | Edit::MoveCell { .. }
        | Edit::SetCollapsed { .. }
        | Edit::SetView { .. } => None,
    }
}

/// Whether two versions of a cell differ in their views only.
fn has_same_content(one: &Cell, other: &Cell) -> bool {
    match (&one.content, &other.content) {
        (CellContent::Measurement(one), CellContent::Measurement(other)) => {
            let mut one = one.clone();
            one.setup.view = other.setup.view.clone();
            one == *other
        }
        (one, other) => one == other,
    }
}
