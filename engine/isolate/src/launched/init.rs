//! The init process of the namespaces. When it ends, the kernel kills every other process in them.

use std::io;

use nix::sys::wait::{WaitStatus, wait};
use rustix::process::{Signal, set_parent_process_death_signal};

use super::ending::{KILLED, context, next_step, release_streams};
use super::root;
use crate::launch::{Launch, LaunchStep};

/// Mounts what the child may see, starts the child, and waits until it ends. Returns its exit code.
pub(super) fn run(launch: &Launch) -> io::Result<i32> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    root::enter(&launch.isolation, launch.scratch.as_deref())?;
    let child = next_step(launch, LaunchStep::Child)?.spawn()?;
    release_streams()?;
    // The init process adopts every orphan, so it has to wait for all of them.
    loop {
        let ended = wait().map_err(context("waiting for the suite"))?;
        let is_child = ended.pid().is_some_and(|pid| u32::try_from(pid.as_raw()) == Ok(child.id()));
        match ended {
            WaitStatus::Exited(_, code) if is_child => return Ok(code),
            WaitStatus::Signaled(_, signal, _) if is_child => return Ok(KILLED + signal as i32),
            _ => {}
        }
    }
}
