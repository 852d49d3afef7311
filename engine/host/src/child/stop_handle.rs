//! The handle that stops a measurement from another thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};

use super::pipes::PipeEvent;

/// Stops a measurement from another thread immediately, even during a call that never returns. Clones stop the same
/// measurement. A handle cannot be reset.
#[derive(Clone, Debug, Default)]
pub struct StopHandle(Arc<StopState>);

#[derive(Debug, Default)]
struct StopState {
    is_stopped: AtomicBool,
    /// Wakes the thread that waits for a response of the running process.
    wake: Mutex<Option<SyncSender<PipeEvent>>>,
}

impl StopHandle {
    /// Stops the measurement, now or as soon as it starts.
    pub fn stop(&self) {
        self.0.is_stopped.store(true, Ordering::SeqCst);
        if let Some(sender) = &*self.0.wake.lock().unwrap_or_else(PoisonError::into_inner) {
            // If the channel is full, another event wakes the receiver, which checks `is_stopped` before it waits
            // again.
            let _ = sender.try_send(PipeEvent::Stopped);
        }
    }

    /// Whether [`Self::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.0.is_stopped.load(Ordering::SeqCst)
    }

    /// The receiver that [`Self::stop`] wakes, for [`Self::restore_wake`].
    pub(super) fn wake(&self) -> Option<SyncSender<PipeEvent>> {
        self.0.wake.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Makes [`Self::stop`] wake an earlier receiver again. The receiver must check [`Self::is_stopped`] before it waits.
    pub(super) fn restore_wake(&self, wake: Option<SyncSender<PipeEvent>>) {
        *self.0.wake.lock().unwrap_or_else(PoisonError::into_inner) = wake;
    }

    /// Makes [`Self::stop`] wake the receiver of `sender` from now on.
    pub(super) fn wake_on_stop(&self, sender: SyncSender<PipeEvent>) {
        *self.0.wake.lock().unwrap_or_else(PoisonError::into_inner) = Some(sender);
    }
}
