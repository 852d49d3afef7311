//! Tasks for when the browser is idle.

use std::cell::RefCell;

use gloo::timers::callback::Timeout;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::IdleDeadline;

use super::task_queue::TaskQueue;

/// The shortest idle period in which a task runs, in milliseconds: about as long as a task takes. While the user scrolls,
/// browsers are idle for less than a frame at a time, so tasks wait.
const MIN_PERIOD_MS: f64 = 30.0;

/// The delay in browsers that do not report when they are idle, in milliseconds.
const FALLBACK_MS: u32 = 500;

thread_local! {
    static QUEUE: RefCell<IdleQueue> = RefCell::default();
}

#[derive(Default)]
struct IdleQueue {
    tasks: TaskQueue,
    /// Whether the browser will report the next idle period.
    is_requested: bool,
}

/// A queued task. Dropping the handle cancels it.
pub(crate) struct IdleTask(u64);

impl Drop for IdleTask {
    fn drop(&mut self) {
        QUEUE.with_borrow_mut(|queue| queue.tasks.cancel(self.0));
    }
}

/// Runs the task in its own idle period.
pub(crate) fn when_idle(work: impl FnOnce() + 'static) -> IdleTask {
    QUEUE.with_borrow_mut(|queue| {
        let task = IdleTask(queue.tasks.push(work));
        queue.request_period();
        task
    })
}

impl IdleQueue {
    fn request_period(&mut self) {
        if self.is_requested || self.tasks.is_empty() {
            return;
        }
        let Some(window) = web_sys::window() else { return };
        self.is_requested = true;
        let callback = Closure::once_into_js(|period: IdleDeadline| run_next(period.time_remaining() >= MIN_PERIOD_MS));
        if window.request_idle_callback(callback.unchecked_ref()).is_err() {
            // Safari lacks `requestIdleCallback`.
            Timeout::new(FALLBACK_MS, || run_next(true)).forget();
        }
    }
}

/// Runs the next task if there is time, and requests another idle period.
fn run_next(has_time: bool) {
    let next = QUEUE.with_borrow_mut(|queue| {
        queue.is_requested = false;
        let next = if has_time { queue.tasks.pop() } else { None };
        queue.request_period();
        next
    });
    if let Some(work) = next {
        work();
    }
}
