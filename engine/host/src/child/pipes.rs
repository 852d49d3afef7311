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

/// The maximum length of a kept line of standard error in bytes: it becomes part of a failure's reason.
const MAX_STDERR_LINE_BYTES: usize = 2 << 10;

/// How much of standard error is read at once.
const STDERR_BUFFER_BYTES: usize = 64 << 10;

/// The pause after a full buffer of standard error: a child that writes faster than it is read must wait, so that reading
/// its output does not occupy a core of the host.
const STDERR_PAUSE: Duration = Duration::from_millis(20);

/// The timeout for the end of standard error after the process has exited: a descendant may still have it open.
const STDERR_TIMEOUT: Duration = Duration::from_secs(1);

/// An event for a host that waits for a response.
#[derive(Debug)]
pub(super) enum PipeEvent {
    /// A line of standard output.
    Line(String),
    /// Standard output has ended.
    End,
    /// The process has exited. Its output may not be read to the end yet.
    Exited,
    /// The measurement was stopped by its handle.
    Stopped,
}

/// Starts a thread that writes messages to a child, so that senders never wait until it reads them.
///
/// # Errors
/// Returns an error if the system cannot start a thread.
pub(super) fn write_messages(mut input: ChildStdin) -> io::Result<Sender<Vec<u8>>> {
    let (sender, messages) = channel::<Vec<u8>>();
    thread::Builder::new().spawn(move || {
        for message in messages {
            if input.write_all(&message).is_err() {
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
    pub(super) fn start(mut errors: ChildStderr) -> io::Result<Self> {
        let line = Arc::new(Mutex::new(String::new()));
        let (open, end) = channel::<()>();
        let last = Arc::clone(&line);
        thread::Builder::new().spawn(move || {
            let _open_until_the_end = open;
            let publish = |line| *last.lock().unwrap_or_else(PoisonError::into_inner) = line;
            follow(&mut errors, || thread::sleep(STDERR_PAUSE), publish);
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

/// The last line of a text that arrives in parts.
#[derive(Default)]
struct LastLine {
    /// The last line that is not blank, as far as it is complete.
    complete: Vec<u8>,
    /// The start of the line that has no end yet.
    partial: Vec<u8>,
}

impl LastLine {
    /// Adds the next part of the text.
    fn add(&mut self, text: &[u8]) {
        let mut lines = text.split(|byte| *byte == b'\n');
        // The first part continues a line, and the last one has no end yet.
        self.extend(lines.next().unwrap_or_default());
        for line in lines {
            self.end_line();
            self.extend(line);
        }
    }

    /// Continues the line. Bytes beyond the maximum length begin another one.
    fn extend(&mut self, mut text: &[u8]) {
        while !text.is_empty() {
            let room = MAX_STDERR_LINE_BYTES - self.partial.len();
            let (fitting, rest) = text.split_at(room.min(text.len()));
            self.partial.extend_from_slice(fitting);
            text = rest;
            if !text.is_empty() {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        if self.partial.trim_ascii().is_empty() {
            self.partial.clear();
        } else {
            self.complete = std::mem::take(&mut self.partial);
        }
    }

    /// The last line that is not blank, complete or not.
    fn line(&self) -> Option<String> {
        let lines = [&self.partial, &self.complete];
        let line = lines.into_iter().find(|line| !line.trim_ascii().is_empty())?;
        Some(String::from_utf8_lossy(line).trim_end().to_owned())
    }
}

/// Reads to the end, publishes the last line after each read, and pauses after each full buffer.
fn follow(errors: &mut impl Read, mut pause: impl FnMut(), mut publish: impl FnMut(String)) {
    let mut lines = LastLine::default();
    let mut buffer = vec![0; STDERR_BUFFER_BYTES];
    while let Ok(read @ 1..) = read_some(errors, &mut buffer) {
        lines.add(&buffer[..read]);
        lines.line().map(&mut publish);
        if read == buffer.len() {
            pause();
        }
    }
}

/// Reads the available bytes, as [`Read::read`] does, but again after an interruption by a signal.
fn read_some(errors: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match errors.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
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

#[cfg(test)]
mod tests {
    use super::{LastLine, MAX_STDERR_LINE_BYTES, STDERR_BUFFER_BYTES, follow};

    /// A child that writes faster than its host reads fills each buffer. The pauses bound the host's effort.
    #[test]
    fn a_flood_is_read_with_pauses() {
        let pauses_of = |bytes: usize| {
            let (mut pauses, mut last) = (0, String::new());
            follow(&mut "x\n".repeat(bytes / 2).as_bytes(), || pauses += 1, |line| last = line);
            (pauses, last)
        };
        assert_eq!(pauses_of(10 * STDERR_BUFFER_BYTES), (10, "x".to_owned()));
        assert_eq!(pauses_of(STDERR_BUFFER_BYTES / 2), (0, "x".to_owned()));
    }

    /// The last line after these parts.
    fn last_line(parts: &[&str]) -> Option<String> {
        let mut lines = LastLine::default();
        parts.iter().for_each(|part| lines.add(part.as_bytes()));
        lines.line()
    }

    #[test]
    fn the_last_line_that_is_not_blank_remains() {
        assert_eq!(last_line(&[]), None);
        assert_eq!(last_line(&["\n \n"]), None);
        assert_eq!(last_line(&["one\ntwo\n\n  \n"]).as_deref(), Some("two"));
        assert_eq!(last_line(&["one\nt", "w", "o\n"]).as_deref(), Some("two"));
        assert_eq!(last_line(&["one\ntw"]).as_deref(), Some("tw"), "the output may end in mid-line");
    }

    #[test]
    fn a_long_line_is_split() {
        let long = "x".repeat(MAX_STDERR_LINE_BYTES);
        assert_eq!(last_line(&[&long, "end"]).as_deref(), Some("end"));
        assert_eq!(last_line(&[&long]).as_deref(), Some(long.as_str()));
        assert_eq!(last_line(&[&long, &long, "\n"]).as_deref(), Some(long.as_str()));
    }
}
