//! What goes through the pipes of a child process: a thread at each, since a child that reads nothing, or writes without
//! end, must not stop its host.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Answers that are kept while nobody reads them; a suite that says more waits. It owes two at most.
pub(super) const KEPT_LINES: usize = 4;

/// The longest answer that is read, in bytes: a hundred thousand batches and a large catalog fit.
const LONGEST_LINE: u64 = 16 << 20;

/// The most that is kept of a line of standard error, in bytes: it ends up in a reason that a person reads.
const LONGEST_WORDS: u64 = 2 << 10;

/// How long the end of standard error is waited for once the process has ended: a grandchild may hold it open.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// What a host that waits for an answer hears.
#[derive(Debug)]
pub(super) enum PipeEvent {
    /// A line of standard output.
    Line(String),
    /// Standard output has ended.
    End,
    /// Somebody wants the measurement to end.
    Stopped,
}

/// Lines to a child, without waiting until it reads them.
///
/// # Errors
/// Where the system gives no thread.
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

/// Hands over a child's answers, until nobody wants them.
///
/// # Errors
/// Where the system gives no thread.
pub(super) fn read_answers(output: ChildStdout, hearer: SyncSender<PipeEvent>) -> io::Result<()> {
    thread::Builder::new().spawn(move || {
        let mut lines = BufReader::new(output);
        while let Some(line) = read_line(&mut lines, LONGEST_LINE) {
            if hearer.send(PipeEvent::Line(line)).is_err() {
                return;
            }
        }
        // Nobody may wait for it any more.
        let _ = hearer.send(PipeEvent::End);
    })?;
    Ok(())
}

/// The last line that a child wrote to its standard error.
pub(super) struct StderrTail {
    line: Arc<Mutex<String>>,
    /// Has no sender any more once standard error has ended.
    end: Receiver<()>,
}

impl StderrTail {
    /// # Errors
    /// Where the system gives no thread.
    pub(super) fn listen(errors: ChildStderr) -> io::Result<Self> {
        let line = Arc::new(Mutex::new(String::new()));
        let (speaker, end) = channel::<()>();
        let last = Arc::clone(&line);
        thread::Builder::new().spawn(move || {
            let _until_the_end = speaker;
            let mut lines = BufReader::new(errors);
            while let Some(line) = read_line(&mut lines, LONGEST_WORDS) {
                if !line.trim().is_empty() {
                    *last.lock().unwrap_or_else(PoisonError::into_inner) = line;
                }
            }
        })?;
        Ok(Self { line, end })
    }

    /// What it was, after the child's end.
    pub(super) fn take(&self) -> String {
        // Either way there is no more to come that could be waited for.
        let _ = self.end.recv_timeout(LAST_WORDS);
        std::mem::take(&mut *self.line.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The next line, or as much of it as is read at once; absent at the end.
fn read_line(lines: &mut impl BufRead, longest: u64) -> Option<String> {
    let mut line = Vec::new();
    match lines.by_ref().take(longest).read_until(b'\n', &mut line) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(String::from_utf8_lossy(&line).trim_end().to_owned()),
    }
}
