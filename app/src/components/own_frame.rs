//! Work that can wait for a frame of its own: several pieces in one frame would delay it visibly.

use std::cell::RefCell;
use std::collections::VecDeque;

use gloo::events::{EventListener, EventListenerOptions};
use gloo::render::{AnimationFrame, request_animation_frame};

thread_local! {
    static QUEUE: RefCell<FrameQueue> = RefCell::default();
}

/// The waiting pieces of work, and the printer, which does not wait.
#[derive(Default)]
struct FrameQueue {
    waiting: VecDeque<(u64, Box<dyn FnOnce()>)>,
    /// The number of the last piece.
    last: u64,
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
        QUEUE.with_borrow_mut(|queue| queue.waiting.retain(|(id, _)| *id != self.0));
    }
}

/// Does the work in the next frame that has no other piece, or at once while the page is printed.
pub(super) fn in_own_frame(work: impl FnOnce() + 'static) -> FrameTask {
    let (id, is_printing) = QUEUE.with_borrow_mut(|queue| {
        queue.last += 1;
        if queue.printing.is_empty() {
            queue.printing = follow_printing();
        }
        (queue.last, queue.is_printing)
    });
    if is_printing {
        work();
    } else {
        QUEUE.with_borrow_mut(|queue| {
            queue.waiting.push_back((id, Box::new(work)));
            queue.request_frame();
        });
    }
    FrameTask(id)
}

impl FrameQueue {
    fn request_frame(&mut self) {
        if self.frame.is_none() && !self.waiting.is_empty() {
            self.frame = Some(request_animation_frame(|_| do_next()));
        }
    }
}

fn do_next() {
    let next = QUEUE.with_borrow_mut(|queue| {
        queue.frame = None;
        let next = queue.waiting.pop_front();
        queue.request_frame();
        next
    });
    if let Some((_, work)) = next {
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
            std::mem::take(&mut queue.waiting)
        });
        waiting.into_iter().for_each(|(_, work)| work());
    });
    let after = EventListener::new(&window, "afterprint", |_| {
        QUEUE.with_borrow_mut(|queue| queue.is_printing = false);
    });
    vec![before, after]
}
