//! Ends superseded measurement runs.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use futures_util::future::{AbortHandle, abortable};
use wasm_bindgen_futures::spawn_local;

use super::request::RunnerRequest;

/// Controls which measurement run is current: a new run, or Stop, ends all earlier ones, including those that wait for
/// their turn.
#[derive(Clone, Default)]
pub(crate) struct RunControl {
    number: Rc<Cell<u32>>,
    /// The current run's request to the runner.
    request: Rc<RefCell<Option<RunnerRequest>>>,
    /// Ends the current run's task.
    task: Rc<RefCell<Option<AbortHandle>>>,
}

/// Identifies one run.
#[derive(Clone)]
pub(crate) struct RunTicket {
    control: RunControl,
    number: u32,
}

impl RunControl {
    /// Ends all earlier runs and returns the ticket of the next one.
    pub(crate) fn next(&self) -> RunTicket {
        self.number.set(self.number.get().wrapping_add(1));
        self.request.take();
        if let Some(task) = self.task.take() {
            task.abort();
        }
        RunTicket { control: self.clone(), number: self.number.get() }
    }

    /// Cancels the request to the runner as if the connection had broken; the run continues without it.
    pub(crate) fn cancel_request(&self) {
        self.request.take();
    }
}

impl RunTicket {
    /// Whether the run was stopped or superseded.
    pub(crate) fn is_over(&self) -> bool {
        self.control.number.get() != self.number
    }

    /// Drives a task until it is done, or the run ends, which drops it.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + 'static) {
        let (task, handle) = abortable(task);
        self.control.task.replace(Some(handle));
        spawn_local(async move { _ = task.await });
    }

    /// Keeps the run's request to the runner until the run ends.
    pub(crate) fn keep(&self, request: RunnerRequest) {
        self.control.request.replace(Some(request));
    }
}
