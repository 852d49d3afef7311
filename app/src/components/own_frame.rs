//! Work that can wait for a frame of its own: several pieces in one frame would delay it visibly.

use std::cell::RefCell;

use gloo::events::{EventListener, EventListenerOptions};
use gloo::render::{AnimationFrame, request_animation_frame};

use super::task_queue::TaskQueue;

thread_local! {
    static QUEUE: RefCell<FrameQueue> = RefCell::default();
}

/// The waiting pieces of work, and the printer, which does not wait.
#[derive(Default)]
struct FrameQueue {
    tasks: TaskQueue,
    /// The frame for the next piece.
    frame: Option<AnimationFrame>,
    /// Whether the page is being printed.
    is_printing: bool,
    /// The listeners for printing, as soon as there was work.
    printing: Vec<EventListener>,
}

/// A piece of work that waits. Dropping it cancels the work.
pub(super) struct FrameTask(u64);

impl Drop for FrameTask {
    fn drop(&mut self) {
        QUEUE.with_borrow_mut(|queue| queue.tasks.cancel(self.0));
    }
}

/// Does the work in the next frame that has no other piece, or at once while the page is printed.
pub(super) fn in_own_frame(work: impl FnOnce() + 'static) -> FrameTask {
    let (task, next) = QUEUE.with_borrow_mut(|queue| {
        if queue.printing.is_empty() {
            queue.printing = follow_printing();
        }
        let task = FrameTask(queue.tasks.push(work));
        queue.request_frame();
        // Nothing else waits while the page is printed.
        (task, if queue.is_printing { queue.tasks.pop() } else { None })
    });
    if let Some(work) = next {
        work();
    }
    task
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

/// Does all waiting work before the page is printed.
fn follow_printing() -> Vec<EventListener> {
    let Some(window) = web_sys::window() else { return Vec::new() };
    // Before the listeners that cause more work.
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
