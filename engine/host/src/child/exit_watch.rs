//! Reports when a child exits, even if processes that it started still have its pipes open.

use std::process::Child;
use std::sync::mpsc::SyncSender;

use super::pipes::PipeEvent;

/// Starts a thread that sends [`PipeEvent::Exited`] when the child exits. The child remains to be waited for.
#[cfg(unix)]
pub(super) fn start(child: &Child, events: SyncSender<PipeEvent>) {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

    let id = Pid::from_child(child);
    // Without the thread, the end of the pipes still reports the exit.
    let _ = std::thread::Builder::new().spawn(move || {
        let exit = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        if waitid(WaitId::Pid(id), exit).is_ok() {
            // The receiver may be gone.
            let _ = events.send(PipeEvent::Exited);
        }
    });
}

/// On other systems, the end of the pipes reports the exit.
#[cfg(not(unix))]
pub(super) fn start(_child: &Child, _events: SyncSender<PipeEvent>) {}
