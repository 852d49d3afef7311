//! A child process and its three pipes.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::scratch::Scratch;
use crate::entry::native::SCRATCH_VARIABLE;
use crate::protocol::{HostMessage, SuiteMessage};
use crate::sample::ending::Ending;
use crate::sample::measurement::Measurement;

/// How long a suite may take to describe itself and to show its clock.
const GREETING: Duration = Duration::from_secs(10);

/// How long the end of standard error is waited for once standard output has ended: a grandchild may hold it open.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Lines of answers that are kept while nobody reads them; a suite that says more waits.
const KEPT_LINES: usize = 64;

/// The longest answer that is read, in bytes: a hundred thousand batches and a large catalog fit.
const LONGEST_LINE: u64 = 16 << 20;

/// What came of a step.
pub(super) enum Step {
    /// An answer was taken, or there is nothing left to do.
    Taken,
    /// The suite ended.
    Ended(Ending),
}

/// A running suite. Dropping it kills it.
pub(super) struct Process {
    child: Child,
    /// Lines on their way to it; absent once it was told all.
    messages: Option<Sender<String>>,
    answers: Receiver<String>,
    /// The last line of standard error, once that has ended.
    last_words: Receiver<String>,
    /// When it last brought a measurement on, or began.
    moved: Instant,
    /// Goes after the process has ended.
    _scratch: Scratch,
}

impl Process {
    pub(super) fn start(path: &Path) -> io::Result<Self> {
        let scratch = Scratch::new()?;
        let mut command = Command::new(path);
        command.env(SCRATCH_VARIABLE, scratch.path());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (sender, answers) = sync_channel(KEPT_LINES);
        let output = child.stdout.take().ok_or_else(|| io::Error::other("it has no output"))?;
        thread::spawn(move || {
            let mut lines = BufReader::new(output);
            while let Some(line) = read_line(&mut lines) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let errors = child.stderr.take().ok_or_else(|| io::Error::other("it has no errors"))?;
        let (teller, last_words) = channel();
        thread::spawn(move || {
            let mut lines = BufReader::new(errors);
            let mut last = String::new();
            while let Some(line) = read_line(&mut lines) {
                if !line.trim().is_empty() {
                    last = line;
                }
            }
            // Nobody asks for the last words of a suite that ended well.
            let _ = teller.send(last);
        });
        let input = child.stdin.take().ok_or_else(|| io::Error::other("it has no input"))?;
        Ok(Self {
            child,
            messages: Some(write_lines(input)),
            answers,
            last_words,
            moved: Instant::now(),
            _scratch: scratch,
        })
    }

    /// Sends what there is to send, and takes one answer.
    pub(super) fn step(&mut self, measurement: &mut Measurement) -> Step {
        measurement.messages().iter().for_each(|message| self.send(message));
        if measurement.is_done() {
            return Step::Taken;
        }
        let timeout = measurement.timeout_ms();
        let left = Duration::from_secs_f64(timeout / 1e3).checked_sub(self.moved.elapsed());
        // One that talks without end, and never to the point, is as late as one that is silent.
        let Some(left) = left else { return Step::Ended(Ending::TimedOut(timeout as u32)) };
        match self.answers.recv_timeout(left) {
            Ok(line) => match serde_json::from_str(&line) {
                Ok(message) => {
                    if measurement.answer(message) {
                        self.moved = Instant::now();
                    }
                    Step::Taken
                }
                Err(error) => Step::Ended(Ending::Died(format!("it answered what is no message: {error}"))),
            },
            Err(RecvTimeoutError::Timeout) => Step::Ended(Ending::TimedOut(timeout as u32)),
            Err(RecvTimeoutError::Disconnected) => Step::Ended(Ending::Died(self.epitaph())),
        }
    }

    /// Sends a message, without waiting until it is read. Where the child is gone, its end is told by its output.
    fn send(&mut self, message: &HostMessage) {
        let line = serde_json::to_string(message).expect("messages have a JSON form");
        if let Some(messages) = &self.messages {
            let _ = messages.send(line);
        }
    }

    pub(super) fn ask(&mut self, message: &HostMessage) -> Result<SuiteMessage, String> {
        self.send(message);
        match self.answers.recv_timeout(GREETING) {
            Ok(line) => serde_json::from_str(&line).map_err(|error| format!("{error} in its answer")),
            Err(RecvTimeoutError::Timeout) => Err(format!("no answer within {} s", GREETING.as_secs())),
            Err(RecvTimeoutError::Disconnected) => Err(self.epitaph()),
        }
    }

    /// How the process ended, and its last words.
    fn epitaph(&mut self) -> String {
        // Its output has ended, so it is ending, unless it closed that and lives on: then nothing else would end it.
        // One that is ending keeps its own status.
        let _ = self.child.kill();
        let ended = self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        let words = self.last_words.recv_timeout(LAST_WORDS).unwrap_or_default();
        if words.is_empty() { format!("it ended ({ended})") } else { format!("it ended ({ended}): {words}") }
    }

    /// Lets it run its last hooks.
    pub(super) fn finish(mut self) {
        self.messages = None;
        let end = Instant::now() + GREETING;
        let left = || end.saturating_duration_since(Instant::now());
        while !left().is_zero() && self.answers.recv_timeout(left()).is_ok() {}
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Writes lines in a thread of their own: a child that reads none of them must not stop its host.
fn write_lines(mut input: ChildStdin) -> Sender<String> {
    let (sender, lines) = channel::<String>();
    thread::spawn(move || {
        for line in lines {
            if input.write_all(format!("{line}\n").as_bytes()).is_err() {
                break;
            }
        }
    });
    sender
}

/// The next line, shortened to what is read at most; absent at the end.
fn read_line(lines: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    match lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(String::from_utf8_lossy(&line).trim_end().to_owned()),
    }
}
