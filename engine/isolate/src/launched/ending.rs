//! How the processes of a launch end.

use std::io;

/// The exit code if the child could not be started; shells use it for programs that cannot be executed.
pub(super) const FAILED: i32 = 126;

/// Adds what was attempted to an error.
#[cfg(target_os = "linux")]
pub(super) fn context(attempt: impl std::fmt::Display) -> impl FnOnce(nix::errno::Errno) -> io::Error {
    move |error| io::Error::other(format!("{attempt}: {}", error.desc()))
}

/// Requests that the kernel kills this process when the host ends. A program that replaces this one inherits the
/// request, but not after a change of the user.
#[cfg(target_os = "linux")]
pub(super) fn end_with_host(host: u32) -> io::Result<()> {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};

    set_parent_process_death_signal(Some(Signal::KILL))?;
    // The host may have ended before the request.
    if getppid().is_none_or(|parent| u32::try_from(parent.as_raw_nonzero().get()) != Ok(host)) {
        return Err(io::Error::other("its host has ended"));
    }
    Ok(())
}

/// Other systems have no such request.
#[cfg(not(target_os = "linux"))]
pub(super) fn end_with_host(_host: u32) -> io::Result<()> {
    Ok(())
}
