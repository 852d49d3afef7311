//! The two pipes of the protocol, separated from the standard streams that the program uses.

use std::fs::File;
use std::io::{self, Write};
use std::sync::OnceLock;

/// The pipes of this process; also for [`send_at_once`].
static PIPES: OnceLock<Pipes> = OnceLock::new();

/// The pipes to the host.
pub(super) struct Pipes {
    /// The original standard input.
    pub(super) messages: File,
    /// The original standard output.
    pub(super) replies: File,
}

/// The pipes, which this process takes once.
///
/// # Errors
/// Returns an error if a standard stream is closed or cannot be duplicated.
pub(super) fn take() -> io::Result<&'static Pipes> {
    if let Some(pipes) = PIPES.get() {
        return Ok(pipes);
    }
    let pipes = duplicate()?;
    Ok(PIPES.get_or_init(|| pipes))
}

/// Takes the pipes of a process that a host has started before its `main` runs: a bench's `main` may print or read before it calls its
/// harness. If this fails, the suite tries again, and reports the error.
#[cfg(any(target_vendor = "apple", all(target_os = "linux", target_env = "gnu")))]
extern "C" fn take_before_main() {
    use benchbook_contract::environment::HOST_VARIABLE;
    use std::env;

    // Hosts start suites without arguments. A program with some may only launch the suite, with its own streams.
    if env::var_os(HOST_VARIABLE).is_some() && env::args_os().len() < 2 {
        let _ = take();
    }
}

// SAFETY: the platform calls the functions in this section once, on the only thread, before `main`. Rust's standard library documents
// no guarantee for this time, but on these systems its arguments, environment, files and locks work then: elsewhere, it knows the
// arguments only in `main`. A panic aborts the process, since the function is `extern "C"`.
#[cfg(any(target_vendor = "apple", all(target_os = "linux", target_env = "gnu")))]
#[used]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static BEFORE_MAIN: extern "C" fn() = take_before_main;

/// Moves standard input and output to new descriptors. Afterwards descriptor 0 reads from `/dev/null`, and descriptor 1
/// is standard error. Child processes of a measured function do not inherit the new descriptors.
#[cfg(unix)]
fn duplicate() -> io::Result<Pipes> {
    use rustix::{io as raw, stdio};

    /// The first descriptor after the three standard ones.
    const MIN_DESCRIPTOR: i32 = 3;
    let messages = File::from(raw::fcntl_dupfd_cloexec(stdio::stdin(), MIN_DESCRIPTOR)?);
    let replies = File::from(raw::fcntl_dupfd_cloexec(stdio::stdout(), MIN_DESCRIPTOR)?);
    stdio::dup2_stdin(File::open("/dev/null")?)?;
    stdio::dup2_stdout(stdio::stderr())?;
    Ok(Pipes { messages, replies })
}

/// Duplicates the handles of standard input and output. On Windows, measured functions still share both streams.
#[cfg(windows)]
fn duplicate() -> io::Result<Pipes> {
    use std::os::windows::io::AsHandle;

    let messages = File::from(io::stdin().as_handle().try_clone_to_owned()?);
    let replies = File::from(io::stdout().as_handle().try_clone_to_owned()?);
    Ok(Pipes { messages, replies })
}

/// Sends a line without allocating and without a lock, for the allocator and for a process that is about to abort.
pub(crate) fn send_at_once(line: &[u8]) {
    if let Some(mut replies) = PIPES.get().map(|pipes| &pipes.replies) {
        // If the host is gone, the main loop reports it.
        let _ = replies.write_all(line).and_then(|()| replies.write_all(b"\n"));
    }
}
