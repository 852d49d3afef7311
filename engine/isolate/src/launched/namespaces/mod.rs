//! The first process of an isolated launch: creates the namespaces, and waits for their init process.

mod init;
mod root;

use std::fs::{self, File};
use std::io;

use fork::{Fork, fork};
use nix::sched::{CloneFlags, unshare};
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{Signal, raise};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{Pid, dup2_stdin, dup2_stdout, getegid, geteuid};

use crate::isolation::UserIds;
use crate::launch::Launch;
use crate::launched::ending::{FAILED, context};

/// The exit code of init is this plus the number of the signal that killed the child, as in shells.
const KILLED: i32 = 128;

/// Creates the namespaces and their init process, and ends as it does.
pub(super) fn run(launch: &Launch) -> io::Result<i32> {
    create(launch.isolation.user)?;
    match fork()? {
        Fork::Child => init::run(launch),
        Fork::Parent(init) => {
            release_streams()?;
            Ok(end_as(waitpid(Pid::from_raw(init), None).map_err(context("failed to wait for the init process"))?))
        }
    }
}

/// Creates namespaces for mounts, processes, the network, IPC and the host name. Only root may do this without a user
/// namespace, in which the child could not become `other_user`.
fn create(other_user: Option<UserIds>) -> io::Result<()> {
    let (user, group) = (geteuid(), getegid());
    let as_root = |namespaces| unshare(namespaces).map_err(context("failed to create namespaces as root"));
    let namespaces = CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWPID
        | CloneFlags::CLONE_NEWNET
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWUTS;
    if other_user.is_some() {
        return as_root(namespaces);
    }
    match unshare(namespaces | CloneFlags::CLONE_NEWUSER) {
        Ok(()) => {
            // Until its mappings are written, this process has no identity in the namespace.
            fs::write("/proc/self/setgroups", "deny")?;
            fs::write("/proc/self/uid_map", format!("0 {user} 1"))?;
            fs::write("/proc/self/gid_map", format!("0 {group} 1"))
        }
        Err(_) if user.is_root() => as_root(namespaces),
        Err(error) => Err(context("failed to create a user namespace")(error)),
    }
}

/// Ends this process as another one did: with its exit code or, if init reports that a signal killed the child, by the
/// same signal.
fn end_as(status: WaitStatus) -> i32 {
    let (code, signal) = match status {
        WaitStatus::Exited(_, code) => (code, Signal::try_from(code - KILLED).ok()),
        WaitStatus::Signaled(_, signal, _) => (FAILED, Some(signal)),
        _ => (FAILED, None),
    };
    if let Some(signal) = signal {
        // Otherwise, the system would write a core dump of the launcher.
        let _ = setrlimit(Resource::RLIMIT_CORE, 0, 0);
        // The first time, Rust's handlers of some signals only restore the default action. If this process ignores the
        // signal, the exit code still reports it.
        for _ in 0..2 {
            let _ = raise(signal);
        }
    }
    code
}

/// Closes this process's standard input and output, which belong to the child: it may close them while it runs.
fn release_streams() -> io::Result<()> {
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&nothing).map_err(context("failed to close standard input"))?;
    dup2_stdout(&nothing).map_err(context("failed to close standard output"))
}
