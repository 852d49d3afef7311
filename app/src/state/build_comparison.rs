//! The comparison of the current build with the one before it.

use super::cell::CellAction;
use super::page::State;

impl State {
    /// The current cell's function in the latest earlier build, if the runner can measure both together.
    pub(crate) fn function_before(&self) -> Option<String> {
        let cell = self.cell().filter(|cell| cell.has_room())?;
        let before = cell.function_in_build(self.runner.earlier_build(&cell.suite)?);
        let is_compared = cell.functions().any(|function| function.path == before);
        (!is_compared).then_some(before)
    }

    /// Compares the current cell's function with the same function in the latest earlier build, and measures both next.
    pub(super) fn compare_builds(&mut self) {
        let Some((id, before)) = self.current().zip(self.function_before()) else { return };
        self.apply_to_cell(&id, CellAction::AddPartner(before));
        self.queue.retain(|queued| *queued != id);
        self.queue.push_front(id);
    }
}
