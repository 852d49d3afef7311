//! The progress of timing functions on new inputs.

use std::collections::VecDeque;

/// The progress of timing functions on new inputs after the last block.
#[derive(Clone, Debug)]
pub(super) struct NewInputStage {
    /// The functions still to be timed, as indices of the slot; the first is being timed.
    pub(super) functions: VecDeque<usize>,
    /// The time spent on the first one, in nanoseconds.
    pub(super) spent: f64,
}
