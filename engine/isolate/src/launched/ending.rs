//! How the processes of a launch end.

#[cfg(target_os = "linux")]
use std::{fs::File, io};

#[cfg(target_os = "linux")]
use nix::unistd::{dup2_stdin, dup2_stdout};

/// The exit code if the child could not be started; shells use it for programs that cannot be executed.
pub(super) const FAILED: i32 = 126;

/// The exit code of init is this plus the number of the signal that killed the child, as in shells.
#[cfg(target_os = "linux")]
pub(super) const KILLED: i32 = 128;

/// Closes this process's standard input and output, which belong to the child: it may close them while it runs.
#[cfg(target_os = "linux")]
pub(super) fn release_streams() -> io::Result<()> {
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&nothing).map_err(context("closing standard input"))?;
    dup2_stdout(&nothing).map_err(context("closing standard output"))
}

/// Adds what was attempted to an error.
#[cfg(target_os = "linux")]
pub(super) fn context(attempt: impl std::fmt::Display) -> impl FnOnce(nix::errno::Errno) -> io::Error {
    move |error| io::Error::other(format!("{attempt}: {}", error.desc()))
}
