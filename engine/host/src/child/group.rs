//! A child's process group: it and all that it starts, so that all of it can be ended at once.

use std::process::{Child, Command};

/// Makes the child lead a group of its own. What is typed at the host's terminal does not reach it there.
#[cfg(unix)]
pub(super) fn lead(command: &mut Command) {
    use std::os::unix::process::CommandExt;

    command.process_group(0);
}

/// Ends the group of a child that was not waited for yet, all at once: a bomb of forks gets no further. What left the
/// group on purpose escapes.
#[cfg(unix)]
pub(super) fn kill(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};

    // It may have ended by itself; what it started may be there still.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

/// The same of groups whose leaders are gone, or children of nobody here.
#[cfg(unix)]
pub(super) fn kill_all(groups: impl IntoIterator<Item = u32>) {
    use rustix::process::{Pid, Signal, kill_process_group};

    for group in groups.into_iter().filter_map(|group| Pid::from_raw(group.try_into().ok()?)) {
        // All of it may have ended by itself.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// Elsewhere there are no groups.
#[cfg(not(unix))]
pub(super) fn lead(_command: &mut Command) {}

/// Ends the child alone.
#[cfg(not(unix))]
pub(super) fn kill(child: &mut Child) {
    // It may have ended by itself.
    let _ = child.kill();
}

/// There are none.
#[cfg(not(unix))]
pub(super) fn kill_all(_groups: impl IntoIterator<Item = u32>) {}
