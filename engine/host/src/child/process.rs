//! A child process, and the conversation with it.

use std::io;
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use super::copy::PrivateCopy;
use super::group;
use super::pipes::{KEPT_LINES, PipeEvent, StderrTail, read_answers, write_lines};
use super::reaper::Reaper;
use super::scratch::Scratch;
use super::stop_handle::StopHandle;
use crate::sample::ending::Ending;
use crate::sample::measurement::Measurement;
use benchbook_contract::guard::{GUARD_VARIABLE, Guard, Orders, SCRATCH_VARIABLE};
use benchbook_contract::protocol::{HostMessage, SuiteMessage};

/// How long a suite may take to describe itself and to show its clock.
const GREETING: Duration = Duration::from_secs(10);

/// How long a suite may take to end once its input has: its slots are closed by then.
const LEAVING: Duration = Duration::from_secs(2);

/// What glibc's allocator is told: to keep what is given back to it. By itself it returns memory to the system between
/// batches and asks for it again in the next, and when it begins to depends on how much a batch holds: see
/// `docs/method.md`. The second is the most that it takes; it has to be said, since saying the first stops its own rising.
const KEEP_MEMORY: [(&str, &str); 2] =
    [("MALLOC_TRIM_THRESHOLD_", "2147483647"), ("MALLOC_MMAP_THRESHOLD_", "33554432")];

/// What came of a step.
pub(super) enum Step {
    /// An answer was taken, or there is nothing left to do.
    Taken,
    /// The suite ended, and the measurement knows.
    Ended,
    /// Somebody wants the measurement to end.
    Stopped,
}

/// How the names of variables begin that are for programs of Benchbook.
const OURS: &str = "BENCHBOOK_";

/// A running suite. Dropping it kills it, with all that it started.
pub(super) struct Process {
    child: Child,
    reaper: Option<Reaper>,
    /// How it ended, once it did.
    ended: Option<String>,
    /// Lines on their way to it; absent once it was told all.
    messages: Option<Sender<String>>,
    heard: Receiver<PipeEvent>,
    last_words: StderrTail,
    /// When it last brought a measurement on, or began.
    moved: Instant,
    stop: StopHandle,
    /// Goes after the process has ended.
    _scratch: Scratch,
}

impl Process {
    /// Starts the copy of what is at `path`; `stop` ends its measurements.
    pub(super) fn start(
        copy: &PrivateCopy,
        path: &Path,
        guard: &Guard,
        reaper: Option<&Reaper>,
        stop: &StopHandle,
    ) -> io::Result<Self> {
        let scratch = Scratch::new()?;
        let mut command = copy.command(path);
        let orders = serde_json::to_string(&Orders { host: std::process::id(), guard: guard.clone() })?;
        // What configures the host is not its suites' business, its token least of all.
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with(OURS)) {
            command.env_remove(name);
        }
        command.env(SCRATCH_VARIABLE, scratch.path()).env(GUARD_VARIABLE, orders).envs(KEEP_MEMORY);
        group::lead(&mut command);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        // Before it is told anything, it starts nothing.
        if let Some(reaper) = reaper {
            reaper.begins(&child, scratch.path());
        }
        let (hearer, heard) = sync_channel(KEPT_LINES);
        stop.wakes(hearer.clone());
        let (messages, last_words) = listen(&mut child, hearer).inspect_err(|_| {
            // Nobody could end it later.
            let _ = end(&mut child, reaper);
        })?;
        Ok(Self {
            child,
            reaper: reaper.cloned(),
            ended: None,
            messages: Some(messages),
            heard,
            last_words,
            moved: Instant::now(),
            stop: stop.clone(),
            _scratch: scratch,
        })
    }

    /// Sends what there is to send, and takes one answer.
    pub(super) fn step(&mut self, measurement: &mut Measurement) -> Step {
        measurement.messages().iter().for_each(|message| self.send(message));
        if measurement.is_done() {
            return Step::Taken;
        }
        if self.stop.is_stopped() {
            return Step::Stopped;
        }
        let timeout = measurement.timeout_ms();
        let left = Duration::from_secs_f64(timeout / 1e3).checked_sub(self.moved.elapsed());
        // One that talks without end, and never to the point, is as late as one that is silent.
        let heard = left.map_or(Err(RecvTimeoutError::Timeout), |left| self.heard.recv_timeout(left));
        let ending = match heard {
            Ok(PipeEvent::Line(line)) => match serde_json::from_str(&line) {
                Ok(message) => {
                    if measurement.answer(message) {
                        self.moved = Instant::now();
                    }
                    return Step::Taken;
                }
                Err(error) => Ending::Died(format!("it answered what is no message: {error}")),
            },
            Ok(PipeEvent::Stopped) => return Step::Stopped,
            Ok(PipeEvent::End) | Err(RecvTimeoutError::Disconnected) => Ending::Died(self.end()),
            Err(RecvTimeoutError::Timeout) => Ending::TimedOut(timeout as u32),
        };
        self.end();
        measurement.ended_saying(&ending, &self.last_words.take());
        Step::Ended
    }

    /// Sends a message, without waiting until it is read. Where the child is gone, its end is told by its output.
    fn send(&mut self, message: &HostMessage) {
        let line = serde_json::to_string(message).expect("messages have a JSON form");
        if let Some(messages) = &self.messages {
            let _ = messages.send(line);
        }
    }

    /// Asks for what a suite says before it is measured.
    ///
    /// # Errors
    /// What it did instead of answering.
    pub(super) fn ask(&mut self, message: &HostMessage) -> Result<SuiteMessage, String> {
        self.send(message);
        let what = match self.heard.recv_timeout(GREETING) {
            Ok(PipeEvent::Line(line)) => match serde_json::from_str(&line) {
                Ok(message) => return Ok(message),
                Err(error) => format!("{error} in its answer"),
            },
            Err(RecvTimeoutError::Timeout) => format!("no answer within {} s", GREETING.as_secs()),
            Ok(PipeEvent::End | PipeEvent::Stopped) | Err(RecvTimeoutError::Disconnected) => self.end(),
        };
        self.end();
        let words = self.last_words.take();
        Err(if words.is_empty() { what } else { format!("{what}: {words}") })
    }

    /// Ends it with all that it started, and says how it ended: one that is ending keeps its own status.
    fn end(&mut self) -> String {
        let ended = self.ended.get_or_insert_with(|| {
            // Its output may have ended because it closed that, and lives on: then nothing else would end it.
            let ended = end(&mut self.child, self.reaper.as_ref());
            format!("it ended ({})", ended.map_or_else(|error| error.to_string(), |status| status.to_string()))
        });
        ended.clone()
    }

    /// Lets it end by itself.
    pub(super) fn finish(mut self) {
        self.messages = None;
        let end = Instant::now() + LEAVING;
        while let Some(left) = end.checked_duration_since(Instant::now())
            && let Ok(PipeEvent::Line(_)) = self.heard.recv_timeout(left)
        {}
    }
}

/// Ends a child with its group.
fn end(child: &mut Child, reaper: Option<&Reaper>) -> io::Result<ExitStatus> {
    // Before it is waited for, since then the group's number is free for others.
    group::kill(child);
    if let Some(reaper) = reaper {
        reaper.ended(child);
    }
    child.wait()
}

/// Takes a child's pipes in hand.
fn listen(child: &mut Child, hearer: SyncSender<PipeEvent>) -> io::Result<(Sender<String>, StderrTail)> {
    read_answers(child.stdout.take().ok_or_else(|| io::Error::other("it has no output"))?, hearer)?;
    let last_words = StderrTail::listen(child.stderr.take().ok_or_else(|| io::Error::other("it has no errors"))?)?;
    let messages = write_lines(child.stdin.take().ok_or_else(|| io::Error::other("it has no input"))?)?;
    Ok((messages, last_words))
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}
