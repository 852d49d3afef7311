//! The two pipes of the protocol, separated from the standard streams that a measured function uses.

use std::fs::File;
use std::io::{self, Write};
use std::sync::OnceLock;

/// The pipe for replies, for [`send_at_once`].
static REPLIES: OnceLock<File> = OnceLock::new();

/// The pipes to the host.
pub(super) struct Pipes {
    /// The original standard input.
    pub(super) messages: File,
    /// The original standard output.
    pub(super) replies: &'static File,
}

/// Moves standard input and output to new descriptors. Afterwards descriptor 0 reads from `/dev/null`, and descriptor 1
/// is standard error. Child processes of a measured function do not inherit the new descriptors.
///
/// # Errors
/// Returns an error if a descriptor is closed or cannot be duplicated.
#[cfg(unix)]
pub(super) fn take() -> io::Result<Pipes> {
    use rustix::{io as raw, stdio};

    /// The first descriptor after the three standard ones.
    const MIN_DESCRIPTOR: i32 = 3;
    let messages = File::from(raw::fcntl_dupfd_cloexec(stdio::stdin(), MIN_DESCRIPTOR)?);
    let replies = File::from(raw::fcntl_dupfd_cloexec(stdio::stdout(), MIN_DESCRIPTOR)?);
    stdio::dup2_stdin(File::open("/dev/null")?)?;
    stdio::dup2_stdout(stdio::stderr())?;
    Ok(Pipes { messages, replies: REPLIES.get_or_init(|| replies) })
}

/// Duplicates the handles of standard input and output. On Windows, measured functions still share both streams.
#[cfg(windows)]
pub(super) fn take() -> io::Result<Pipes> {
    use std::os::windows::io::AsHandle;

    let messages = File::from(io::stdin().as_handle().try_clone_to_owned()?);
    let replies = File::from(io::stdout().as_handle().try_clone_to_owned()?);
    Ok(Pipes { messages, replies: REPLIES.get_or_init(|| replies) })
}

/// Sends a line without allocating and without a lock, for the allocator and for a process that is about to abort.
pub(crate) fn send_at_once(line: &[u8]) {
    if let Some(mut replies) = REPLIES.get() {
        // If the host is gone, the main loop reports it.
        let _ = replies.write_all(line).and_then(|()| replies.write_all(b"\n"));
    }
}
