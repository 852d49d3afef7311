//! Merging the edits of two tabs.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::cell::{Cell, CellContent};
use crate::edit::Edit;
use crate::id::Id;
use crate::notebook::Notebook;

/// A notebook with the edits of two tabs.
#[derive(Clone, Debug, PartialEq)]
pub struct MergedNotebook {
    /// The notebook.
    pub notebook: Notebook,
    /// The parts that both tabs changed differently, in the order of this tab's edits.
    pub conflicts: Vec<MergeConflict>,
}

/// A part of a notebook that two tabs changed differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MergeConflict {
    /// Both set the title. A notebook has one title: this tab's.
    Title {
        /// The title that this tab set.
        own: String,
        /// The title that the other tab set.
        other: String,
    },
    /// Both changed a cell: this tab's version is in its place, the other one after it.
    Cell {
        /// The name of this tab's version; may be empty.
        name: String,
    },
    /// This tab removed a cell that the other tab changed: the other version remains.
    RemovedHere {
        /// The name of the cell; may be empty.
        name: String,
    },
    /// The other tab removed a cell that this tab changed: this tab's version remains.
    RemovedElsewhere {
        /// The name of the cell; may be empty.
        name: String,
    },
}

impl MergeConflict {
    /// A sentence for the user.
    pub fn message(&self) -> String {
        let cell = |name: &str| if name.is_empty() { "a cell".to_owned() } else { format!("the cell “{name}”") };
        let title = |title: &str| {
            if title.is_empty() { "an empty title".to_owned() } else { format!("the title “{title}”") }
        };
        match self {
            Self::Title { own, other } => {
                format!(
                    "Another tab set {} at the same time. This tab set {}, which remains.",
                    title(other),
                    title(own)
                )
            }
            Self::Cell { name } => {
                format!("Another tab changed {}, too. Its version follows the version of this tab.", cell(name))
            }
            Self::RemovedHere { name } => {
                format!("Another tab changed {}, which this tab deleted. Its version remains.", cell(name))
            }
            Self::RemovedElsewhere { name } => {
                format!("Another tab deleted {}, which this tab changed. The version of this tab remains.", cell(name))
            }
        }
    }
}

/// Applies the edits of this tab to the notebook that another tab has stored in the meantime. If both changed the same cell, both
/// versions remain: this tab's in its place, and the other one after it. A cell that one tab removed and the other one changed
/// remains.
///
/// * `stored`: the notebook as the other tab stored it.
/// * `base`: the notebook that both tabs started from.
/// * `edits`: the edits of this tab since then, oldest first. Each changed this tab's notebook.
/// * `new_id`: returns identifiers for the cells and results that both tabs changed.
pub fn merge(stored: &Notebook, base: &Notebook, edits: &[Edit], mut new_id: impl FnMut() -> Id) -> MergedNotebook {
    let mut own = base.clone();
    edits.iter().for_each(|edit| _ = own.apply(edit.clone()));
    let (mut merged, mut conflicts, mut seen) = (stored.clone(), Vec::new(), BTreeSet::new());
    if own.title != base.title && ![&base.title, &own.title].contains(&&stored.title) {
        conflicts.push(MergeConflict::Title { own: own.title.clone(), other: stored.title.clone() });
    }
    for edit in edits {
        if let Some(id) = content_changed_by(edit).filter(|id| seen.insert((*id).clone())) {
            let versions = CellVersions { base: base.cell(id), stored: stored.cell(id), own: own.cell(id) };
            conflicts.extend(versions.prepare(&mut merged, base, id, &mut new_id));
        }
        merged.apply(edit.clone());
    }
    if own.title == base.title {
        // This tab may have changed it and changed it back.
        merged.title.clone_from(&stored.title);
    }
    MergedNotebook { notebook: merged, conflicts }
}

/// The versions of a cell; `None` where it does not exist.
struct CellVersions<'n> {
    base: Option<&'n Rc<Cell>>,
    stored: Option<&'n Rc<Cell>>,
    own: Option<&'n Rc<Cell>>,
}

impl CellVersions<'_> {
    /// Prepares the merged notebook for this tab's edits of the cell: they begin with its base version, and a different version of
    /// the other tab gets an identifier of its own.
    fn prepare(
        &self,
        merged: &mut Notebook,
        base: &Notebook,
        id: &Id,
        mut new_id: impl FnMut() -> Id,
    ) -> Option<MergeConflict> {
        match self.stored {
            Some(other) => {
                let is_unchanged = self.base.is_some_and(|before| has_same_content(other, before));
                if is_unchanged || self.own.is_some_and(|own| has_same_content(other, own)) {
                    return None;
                }
                let index = merged.index(id)?;
                let copy = Rc::new(other.copied(&mut new_id));
                match self.base {
                    Some(before) => {
                        merged.cells[index] = Rc::clone(before);
                        merged.cells.insert(index + 1, copy);
                    }
                    // This tab's first edit inserts it.
                    None => merged.cells[index] = copy,
                }
                Some(match self.own {
                    Some(own) => MergeConflict::Cell { name: own.name() },
                    None => MergeConflict::RemovedHere { name: other.name() },
                })
            }
            None => {
                let (before, own) = (self.base?, self.own?);
                let index = base.index(id).unwrap_or_default().min(merged.cells.len());
                merged.cells.insert(index, Rc::clone(before));
                Some(MergeConflict::RemovedElsewhere { name: own.name() })
            }
        }
    }
}

/// The cell whose content an edit changes, or that it inserts or removes.
fn content_changed_by(edit: &Edit) -> Option<&Id> {
    match edit {
        Edit::SetTitle { .. } | Edit::MoveCell { .. } | Edit::SetCollapsed { .. } | Edit::SetView { .. } => None,
        Edit::InsertCell { .. }
        | Edit::RemoveCell { .. }
        | Edit::SetText { .. }
        | Edit::SetCellTitle { .. }
        | Edit::SetSetup { .. }
        | Edit::SetResults { .. }
        | Edit::SetOverlays { .. }
        | Edit::SetPinpoint { .. } => edit.cell(),
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
