//! The handle by which another thread ends a measurement.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};

use super::pipes::PipeEvent;

/// Ends a measurement from another thread, at once, also in the middle of a call that never ends. Clones are of the same
/// measurement; one that was stopped stays so.
#[derive(Clone, Debug, Default)]
pub struct StopHandle(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    is_stopped: AtomicBool,
    /// To whoever waits for an answer of the process at work.
    waiting: Mutex<Option<SyncSender<PipeEvent>>>,
}

impl StopHandle {
    /// Ends the measurement, now or as soon as it begins.
    pub fn stop(&self) {
        self.0.is_stopped.store(true, Ordering::SeqCst);
        if let Some(waiting) = &*self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner) {
            // Where there is no room, something else wakes the host up, which then looks here before it waits again.
            let _ = waiting.try_send(PipeEvent::Stopped);
        }
    }

    /// Whether it was stopped.
    pub fn is_stopped(&self) -> bool {
        self.0.is_stopped.load(Ordering::SeqCst)
    }

    /// From now on, whoever reads at the other end of `waiting` is woken up.
    pub(super) fn wakes(&self, waiting: SyncSender<PipeEvent>) {
        *self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner) = Some(waiting);
    }
}
