//! The init process of the namespaces. When it ends, the kernel kills every other process in them.

use std::io;

use fork::{Fork, fork};
use nix::sys::wait::{WaitStatus, wait};
use rustix::process::{Signal, set_parent_process_death_signal};

use super::{KILLED, release_streams, root};
use crate::launch::Launch;
use crate::launched::child;
use crate::launched::ending::context;

/// Mounts what the child may see, starts the child, and waits until it ends. Returns its exit code.
pub(super) fn run(launch: &Launch) -> io::Result<i32> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    root::enter(&launch.isolation, launch.scratch.as_deref())?;
    match fork()? {
        Fork::Child => child::execute(launch),
        Fork::Parent(child) => wait_for(child),
    }
}

/// Waits until the child ends.
fn wait_for(child: libc::pid_t) -> io::Result<i32> {
    release_streams()?;
    // The init process adopts every orphan, so it has to wait for all of them.
    loop {
        let ended = wait().map_err(context("failed to wait for the suite"))?;
        let is_child = ended.pid().is_some_and(|pid| pid.as_raw() == child);
        match ended {
            WaitStatus::Exited(_, code) if is_child => return Ok(code),
            WaitStatus::Signaled(_, signal, _) if is_child => return Ok(KILLED + signal as i32),
            _ => {}
        }
    }
}
