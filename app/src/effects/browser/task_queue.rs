//! A queue of tasks that can be cancelled.

use std::collections::VecDeque;

/// A task.
pub(super) type DeferredTask = Box<dyn FnOnce()>;

/// Tasks in the order in which they were added.
#[derive(Default)]
pub(super) struct TaskQueue {
    waiting: VecDeque<(u64, DeferredTask)>,
    /// The number of the last task.
    last: u64,
}

impl TaskQueue {
    /// Adds a task. Returns its number.
    pub(super) fn push(&mut self, work: impl FnOnce() + 'static) -> u64 {
        self.last += 1;
        self.waiting.push_back((self.last, Box::new(work)));
        self.last
    }

    /// Removes the first task.
    pub(super) fn pop(&mut self) -> Option<DeferredTask> {
        self.waiting.pop_front().map(|(_, work)| work)
    }

    /// Removes all tasks.
    pub(super) fn take(&mut self) -> Vec<DeferredTask> {
        self.waiting.drain(..).map(|(_, work)| work).collect()
    }

    /// Removes the task with this number, if it has not run.
    pub(super) fn cancel(&mut self, number: u64) {
        self.waiting.retain(|(other, _)| *other != number);
    }

    /// Whether the queue is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}
