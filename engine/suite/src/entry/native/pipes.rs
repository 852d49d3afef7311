//! The two pipes of the protocol, kept apart from what a measured function reads and prints.

use std::fs::File;
use std::io::{self, Write};
use std::sync::OnceLock;

/// Where answers go.
static ANSWERS: OnceLock<File> = OnceLock::new();

/// Where messages come from, and where answers go.
pub(super) struct Pipes {
    /// What was standard input.
    pub(super) messages: File,
    /// What was standard output.
    pub(super) answers: &'static File,
}

/// Takes standard input and output away from the program: descriptor 0 then reads nothing, descriptor 1 is standard
/// error. Processes that a measured function starts inherit neither pipe.
#[cfg(unix)]
pub(super) fn take() -> io::Result<Pipes> {
    use rustix::{io as raw, stdio};

    // Above the three standard ones.
    const FROM: i32 = 3;
    let messages = File::from(raw::fcntl_dupfd_cloexec(stdio::stdin(), FROM)?);
    let answers = File::from(raw::fcntl_dupfd_cloexec(stdio::stdout(), FROM)?);
    stdio::dup2_stdin(File::open("/dev/null")?)?;
    stdio::dup2_stdout(stdio::stderr())?;
    Ok(Pipes { messages, answers: ANSWERS.get_or_init(|| answers) })
}

/// Elsewhere they stay shared with whatever the program reads and prints.
#[cfg(windows)]
pub(super) fn take() -> io::Result<Pipes> {
    use std::os::windows::io::AsHandle;

    let messages = File::from(io::stdin().as_handle().try_clone_to_owned()?);
    let answers = File::from(io::stdout().as_handle().try_clone_to_owned()?);
    Ok(Pipes { messages, answers: ANSWERS.get_or_init(|| answers) })
}

/// Sends a line from inside the allocator: without allocating and without a lock.
pub(crate) fn send_from_allocator(line: &[u8]) {
    if let Some(mut answers) = ANSWERS.get() {
        // Nothing can be done about a host that is gone.
        let _ = answers.write_all(line).and_then(|()| answers.write_all(b"\n"));
    }
}
