//! Tasks that can wait for a frame of their own: several in one frame would delay it visibly.

use std::cell::RefCell;

use gloo::events::{EventListener, EventListenerOptions};
use gloo::render::{AnimationFrame, request_animation_frame};

use super::task_queue::TaskQueue;

thread_local! {
    static QUEUE: RefCell<FrameQueue> = RefCell::default();
}

/// The queued tasks, and whether the page is being printed, when none may be deferred.
#[derive(Default)]
struct FrameQueue {
    tasks: TaskQueue,
    /// The frame for the next task.
    frame: Option<AnimationFrame>,
    /// Whether the page is being printed.
    is_printing: bool,
    /// The listeners for printing, registered with the first task.
    printing: Vec<EventListener>,
}

/// A queued task. Dropping the handle cancels it.
pub(crate) struct FrameTask(u64);

impl Drop for FrameTask {
    fn drop(&mut self) {
        QUEUE.with_borrow_mut(|queue| queue.tasks.cancel(self.0));
    }
}

/// Runs the task in the next frame that has no other task, or immediately while the page is printed.
pub(crate) fn in_own_frame(work: impl FnOnce() + 'static) -> FrameTask {
    let (task, next) = QUEUE.with_borrow_mut(|queue| {
        if queue.printing.is_empty() {
            queue.printing = listen_for_printing();
        }
        let task = FrameTask(queue.tasks.push(work));
        queue.request_frame();
        // The queue is empty while the page is printed, so this pops the task pushed above.
        (task, if queue.is_printing { queue.tasks.pop() } else { None })
    });
    if let Some(work) = next {
        work();
    }
    task
}

/// Whether the page is being printed.
pub(crate) fn is_printing() -> bool {
    QUEUE.with_borrow(|queue| queue.is_printing)
}

impl FrameQueue {
    fn request_frame(&mut self) {
        if self.frame.is_none() && !self.tasks.is_empty() {
            self.frame = Some(request_animation_frame(|_| do_next()));
        }
    }
}

fn do_next() {
    let next = QUEUE.with_borrow_mut(|queue| {
        queue.frame = None;
        let next = queue.tasks.pop();
        queue.request_frame();
        next
    });
    if let Some(work) = next {
        work();
    }
}

/// Runs all queued tasks before the page is printed.
fn listen_for_printing() -> Vec<EventListener> {
    let Some(window) = web_sys::window() else { return Vec::new() };
    // In the capture phase: before the listeners that queue more tasks.
    let options = EventListenerOptions::run_in_capture_phase();
    let before = EventListener::new_with_options(&window, "beforeprint", options, |_| {
        let waiting = QUEUE.with_borrow_mut(|queue| {
            queue.is_printing = true;
            queue.tasks.take()
        });
        waiting.into_iter().for_each(|work| work());
    });
    let after = EventListener::new(&window, "afterprint", |_| {
        QUEUE.with_borrow_mut(|queue| queue.is_printing = false);
    });
    vec![before, after]
}
