//! The process group of a child: the child and its descendants, so that all of them can be killed at once.

use std::process::{Child, Command};

/// Makes the child lead its own process group, so that signals from the host's terminal do not reach it.
#[cfg(unix)]
pub(super) fn lead(command: &mut Command) {
    use std::os::unix::process::CommandExt;

    command.process_group(0);
}

/// Kills the group of a child that has not been waited for, in one signal that even a fork bomb cannot outrun.
/// Processes that left the group on purpose escape.
#[cfg(unix)]
pub(super) fn kill(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};

    // The child may already have exited while its descendants still run.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

/// Kills groups whose leaders are gone or are not children of this process.
#[cfg(unix)]
pub(super) fn kill_all(groups: impl IntoIterator<Item = u32>) {
    use rustix::process::{Pid, Signal, kill_process_group};

    for group in groups.into_iter().filter_map(|group| Pid::from_raw(group.try_into().ok()?)) {
        // The whole group may already have exited.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// Does nothing: other systems have no process groups.
#[cfg(not(unix))]
pub(super) fn lead(_command: &mut Command) {}

/// Kills only the child.
#[cfg(not(unix))]
pub(super) fn kill(child: &mut Child) {
    // It may already have exited.
    let _ = child.kill();
}

/// Does nothing: other systems have no process groups.
#[cfg(not(unix))]
pub(super) fn kill_all(_groups: impl IntoIterator<Item = u32>) {}
