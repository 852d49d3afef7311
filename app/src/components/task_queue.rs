//! A queue of work that can be cancelled.

use std::collections::VecDeque;

/// A piece of work.
pub(super) type DeferredWork = Box<dyn FnOnce()>;

/// Pieces of work in the order in which they were added.
#[derive(Default)]
pub(super) struct TaskQueue {
    waiting: VecDeque<(u64, DeferredWork)>,
    /// The number of the last piece.
    last: u64,
}

impl TaskQueue {
    /// Adds a piece of work. Returns its number.
    pub(super) fn push(&mut self, work: impl FnOnce() + 'static) -> u64 {
        self.last += 1;
        self.waiting.push_back((self.last, Box::new(work)));
        self.last
    }

    /// Removes the first piece.
    pub(super) fn pop(&mut self) -> Option<DeferredWork> {
        self.waiting.pop_front().map(|(_, work)| work)
    }

    /// Removes all pieces.
    pub(super) fn take(&mut self) -> Vec<DeferredWork> {
        self.waiting.drain(..).map(|(_, work)| work).collect()
    }

    /// Removes the piece with this number, if it still waits.
    pub(super) fn cancel(&mut self, number: u64) {
        self.waiting.retain(|(other, _)| *other != number);
    }

    /// Whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}
