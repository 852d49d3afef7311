//! Undo and redo.

use crate::edit::Edit;
use crate::id::Id;
use crate::notebook::Notebook;

/// The most steps to undo. A step that removed a cell keeps its samples, so the history is limited.
const MAX_STEPS: usize = 200;

/// The inverses of the edits so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// The inverses of the edits, newest last.
    undo: Vec<Edit>,
    /// The inverses of the undone edits, newest last.
    redo: Vec<Edit>,
    /// Whether the next edit can continue the last step.
    is_open: bool,
}

impl History {
    /// Applies an edit to the notebook and stores its inverse. Consecutive edits of the same text or setup become one step,
    /// so that undo does not revert letter by letter; see [`Self::close_step`]. Returns whether the notebook changed.
    pub fn apply(&mut self, notebook: &mut Notebook, edit: Edit) -> bool {
        let (is_view_change, target) = (edit.is_view_change(), TypingTarget::of(&edit));
        let Some(inverse) = notebook.apply(edit) else { return false };
        if is_view_change {
            return true;
        }
        self.redo.clear();
        let continues = self.is_open && target.is_some() && self.undo.last().and_then(TypingTarget::of) == target;
        if !continues {
            self.undo.push(inverse);
            let surplus = self.undo.len().saturating_sub(MAX_STEPS);
            self.undo.drain(..surplus);
        }
        self.is_open = true;
        true
    }

    /// Ends the current step: the next edit starts another one. The page calls it when a field loses the focus.
    pub fn close_step(&mut self) {
        self.is_open = false;
    }

    /// Undoes the last step and returns the edit that was applied for it; `None` if there is nothing to undo. Skips steps whose
    /// cells another tab has removed.
    pub fn undo(&mut self, notebook: &mut Notebook) -> Option<Edit> {
        self.is_open = false;
        step(&mut self.undo, &mut self.redo, notebook)
    }

    /// Redoes the step that was undone last, and returns the edit that was applied for it; `None` if there is nothing to redo.
    pub fn redo(&mut self, notebook: &mut Notebook) -> Option<Edit> {
        self.is_open = false;
        step(&mut self.redo, &mut self.undo, notebook)
    }

    /// The edit that [`Self::undo`] would apply.
    pub fn next_undo(&self) -> Option<&Edit> {
        self.undo.last()
    }

    /// The edit that [`Self::redo`] would apply.
    pub fn next_redo(&self) -> Option<&Edit> {
        self.redo.last()
    }
}

/// Applies the last edit of `from` that changes the notebook, and stores its inverse in `to`.
fn step(from: &mut Vec<Edit>, to: &mut Vec<Edit>, notebook: &mut Notebook) -> Option<Edit> {
    while let Some(edit) = from.pop() {
        if let Some(inverse) = notebook.apply(edit.clone()) {
            to.push(inverse);
            return Some(edit);
        }
    }
    None
}

/// The target of an edit that is repeated with each typed letter or each movement of a slider.
#[derive(PartialEq)]
enum TypingTarget {
    Title,
    Text(Id),
    CellTitle(Id),
    Setup(Id),
}

impl TypingTarget {
    fn of(edit: &Edit) -> Option<Self> {
        match edit {
            Edit::SetTitle { .. } => Some(Self::Title),
            Edit::SetText { cell, .. } => Some(Self::Text(cell.clone())),
            Edit::SetCellTitle { cell, .. } => Some(Self::CellTitle(cell.clone())),
            Edit::SetSetup { cell, .. } => Some(Self::Setup(cell.clone())),
            _ => None,
        }
    }
}
