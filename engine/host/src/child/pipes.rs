//! The pipes of a child process. Each has its own thread, since a child that reads nothing, or writes without end, must
//! not block its host.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The number of unread responses that are queued; a suite that sends more blocks. The protocol requires at most two.
pub(super) const QUEUE_CAPACITY: usize = 4;

/// The maximum length of a response in bytes: enough for a hundred thousand batches or a large catalog.
const MAX_LINE_BYTES: u64 = 16 << 20;

/// The maximum length of a retained line of standard error in bytes: it becomes part of a failure's reason.
const MAX_STDERR_LINE_BYTES: u64 = 2 << 10;

/// The timeout for the end of standard error after the process has exited: a descendant may still have it open.
const STDERR_TIMEOUT: Duration = Duration::from_secs(1);

/// An event for a host that waits for a response.
#[derive(Debug)]
pub(super) enum PipeEvent {
    /// A line of standard output.
    Line(String),
    /// Standard output has ended.
    End,
    /// The measurement was stopped by its handle.
    Stopped,
}

/// Starts a thread that writes lines to a child, so that senders never wait until it reads them.
///
/// # Errors
/// Returns an error if the system cannot start a thread.
pub(super) fn write_lines(mut input: ChildStdin) -> io::Result<Sender<String>> {
    let (sender, lines) = channel::<String>();
    thread::Builder::new().spawn(move || {
        for line in lines {
            if input.write_all(format!("{line}\n").as_bytes()).is_err() {
                break;
            }
        }
    })?;
    Ok(sender)
}

/// Starts a thread that sends a child's lines to `events` until the receiver is dropped.
///
/// # Errors
/// Returns an error if the system cannot start a thread.
pub(super) fn read_lines(output: ChildStdout, events: SyncSender<PipeEvent>) -> io::Result<()> {
    thread::Builder::new().spawn(move || {
        let mut lines = BufReader::new(output);
        while let Some(line) = read_line(&mut lines, MAX_LINE_BYTES) {
            if events.send(PipeEvent::Line(line)).is_err() {
                return;
            }
        }
        // The receiver may be gone.
        let _ = events.send(PipeEvent::End);
    })?;
    Ok(())
}

/// The last line that a child wrote to its standard error.
pub(super) struct StderrTail {
    line: Arc<Mutex<String>>,
    /// Disconnected once standard error has ended.
    end: Receiver<()>,
}

impl StderrTail {
    /// # Errors
    /// Returns an error if the system cannot start a thread.
    pub(super) fn start(errors: ChildStderr) -> io::Result<Self> {
        let line = Arc::new(Mutex::new(String::new()));
        let (open, end) = channel::<()>();
        let last = Arc::clone(&line);
        thread::Builder::new().spawn(move || {
            let _open_until_the_end = open;
            let mut lines = BufReader::new(errors);
            while let Some(line) = read_line(&mut lines, MAX_STDERR_LINE_BYTES) {
                if !line.trim().is_empty() {
                    *last.lock().unwrap_or_else(PoisonError::into_inner) = line;
                }
            }
        })?;
        Ok(Self { line, end })
    }

    /// Takes the line, after the child's exit.
    pub(super) fn take(&self) -> String {
        // Both the end and a timeout mean that no more output is expected.
        let _ = self.end.recv_timeout(STDERR_TIMEOUT);
        std::mem::take(&mut *self.line.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The next line, split after `max_bytes` bytes; absent at the end.
fn read_line(lines: &mut impl BufRead, max_bytes: u64) -> Option<String> {
    let mut line = Vec::new();
    match lines.by_ref().take(max_bytes).read_until(b'\n', &mut line) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(String::from_utf8_lossy(&line).trim_end().to_owned()),
    }
}
