//! A child process and its message exchange.

use std::io;
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use super::copy::PrivateCopy;
use super::group;
use super::pipes::{PipeEvent, QUEUE_CAPACITY, StderrTail, read_lines, write_lines};
use super::reaper::Reaper;
use super::scratch::ScratchFolder;
use super::stop_handle::StopHandle;
use crate::sample::ending::Ending;
use crate::sample::measurement::Measurement;
use benchbook_contract::guard::{GUARD_VARIABLE, Guard, GuardSettings, SCRATCH_VARIABLE};
use benchbook_contract::protocol::{HostMessage, SuiteMessage};

/// The timeout for a suite's description and clock card.
const STARTUP_TIMEOUT: Duration = Duration::from_secs(10);

/// The time in which a suite must exit after its input is closed; its slots are closed by then.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);

/// Environment variables that make glibc's allocator retain freed memory. By default it returns memory to the system
/// between batches and requests it again in the next one, from a batch size on that varies: see `docs/method.md`. The
/// second value is the maximum that it accepts. It must be set, because setting the first one disables its dynamic
/// adjustment.
const ALLOCATOR_SETTINGS: [(&str, &str); 2] =
    [("MALLOC_TRIM_THRESHOLD_", "2147483647"), ("MALLOC_MMAP_THRESHOLD_", "33554432")];

/// The result of a step.
pub(super) enum StepResult {
    /// A response was processed, or there is nothing left to do.
    Continue,
    /// The suite exited, and the measurement was notified.
    Exited,
    /// The measurement was stopped by its handle.
    Stopped,
}

/// The prefix of the environment variables that configure Benchbook's programs.
const VARIABLE_PREFIX: &str = "BENCHBOOK_";

/// A running suite. Dropping it kills it with its descendants.
pub(super) struct Process {
    child: Child,
    reaper: Option<Reaper>,
    /// The exit reason, after it has ended.
    exit_reason: Option<String>,
    /// Lines to be written to its input; absent once the input is closed.
    messages: Option<Sender<String>>,
    events: Receiver<PipeEvent>,
    stderr_tail: StderrTail,
    /// When the measurement last advanced, or when the process started.
    last_progress: Instant,
    stop: StopHandle,
    /// Declared last so that it is deleted after the process has ended.
    _scratch: ScratchFolder,
}

impl Process {
    /// Starts the copy of the executable at `path`; `stop` ends its measurements.
    pub(super) fn start(
        copy: &PrivateCopy,
        path: &Path,
        guard: &Guard,
        reaper: Option<&Reaper>,
        stop: &StopHandle,
    ) -> io::Result<Self> {
        let scratch = ScratchFolder::new()?;
        let mut command = copy.command(path);
        let settings = serde_json::to_string(&GuardSettings { host: std::process::id(), guard: guard.clone() })?;
        // The suite must not see the host's configuration, above all not its token.
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with(VARIABLE_PREFIX)) {
            command.env_remove(name);
        }
        command.env(SCRATCH_VARIABLE, scratch.path()).env(GUARD_VARIABLE, settings).envs(ALLOCATOR_SETTINGS);
        group::lead(&mut command);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        // The child starts nothing before its first message.
        if let Some(reaper) = reaper {
            reaper.watch(&child, scratch.path());
        }
        let (sender, events) = sync_channel(QUEUE_CAPACITY);
        stop.wake_on_stop(sender.clone());
        let (messages, stderr_tail) = start_pipe_threads(&mut child, sender).inspect_err(|_| {
            // Without a `Process`, nothing would kill it later.
            let _ = kill(&mut child, reaper);
        })?;
        Ok(Self {
            child,
            reaper: reaper.cloned(),
            exit_reason: None,
            messages: Some(messages),
            events,
            stderr_tail,
            last_progress: Instant::now(),
            stop: stop.clone(),
            _scratch: scratch,
        })
    }

    /// Sends the pending messages and processes one response.
    pub(super) fn step(&mut self, measurement: &mut Measurement) -> StepResult {
        measurement.messages().iter().for_each(|message| self.send(message));
        if measurement.is_done() {
            return StepResult::Continue;
        }
        if self.stop.is_stopped() {
            return StepResult::Stopped;
        }
        let timeout = measurement.timeout_ms();
        let left = Duration::from_secs_f64(timeout / 1e3).checked_sub(self.last_progress.elapsed());
        // Only messages that advance the measurement extend the deadline.
        let event = left.map_or(Err(RecvTimeoutError::Timeout), |left| self.events.recv_timeout(left));
        let ending = match event {
            Ok(PipeEvent::Line(line)) => match serde_json::from_str(&line) {
                Ok(message) => {
                    if measurement.handle_reply(message) {
                        self.last_progress = Instant::now();
                    }
                    return StepResult::Continue;
                }
                Err(error) => Ending::Died(format!("it sent an invalid message: {error}")),
            },
            Ok(PipeEvent::Stopped) => return StepResult::Stopped,
            Ok(PipeEvent::End) | Err(RecvTimeoutError::Disconnected) => Ending::Died(self.kill()),
            Err(RecvTimeoutError::Timeout) => Ending::TimedOut(timeout as u32),
        };
        self.kill();
        measurement.handle_exit_with_stderr(&ending, &self.stderr_tail.take());
        StepResult::Exited
    }

    /// Sends a message without waiting until it is read. If the child is gone, its closed output reports that.
    fn send(&mut self, message: &HostMessage) {
        let line = serde_json::to_string(message).expect("messages serialize to JSON");
        if let Some(messages) = &self.messages {
            let _ = messages.send(line);
        }
    }

    /// Sends a request and waits for its response, before any measurement.
    ///
    /// # Errors
    /// Returns what the suite did instead of responding.
    pub(super) fn request(&mut self, message: &HostMessage) -> Result<SuiteMessage, String> {
        self.send(message);
        let problem = match self.events.recv_timeout(STARTUP_TIMEOUT) {
            Ok(PipeEvent::Line(line)) => match serde_json::from_str(&line) {
                Ok(message) => return Ok(message),
                Err(error) => format!("invalid response: {error}"),
            },
            Err(RecvTimeoutError::Timeout) => format!("no response within {} s", STARTUP_TIMEOUT.as_secs()),
            Ok(PipeEvent::End | PipeEvent::Stopped) | Err(RecvTimeoutError::Disconnected) => self.kill(),
        };
        self.kill();
        let stderr = self.stderr_tail.take();
        Err(if stderr.is_empty() { problem } else { format!("{problem}: {stderr}") })
    }

    /// Kills it with its descendants and returns the exit reason. A process that is already exiting retains its own
    /// status.
    fn kill(&mut self) -> String {
        let reason = self.exit_reason.get_or_insert_with(|| {
            // The process may have closed its output without exiting.
            let status = kill(&mut self.child, self.reaper.as_ref());
            format!("it ended ({})", status.map_or_else(|error| error.to_string(), |status| status.to_string()))
        });
        reason.clone()
    }

    /// Closes its input and lets it exit.
    pub(super) fn finish(mut self) {
        self.messages = None;
        let end = Instant::now() + EXIT_TIMEOUT;
        while let Some(left) = end.checked_duration_since(Instant::now())
            && let Ok(PipeEvent::Line(_)) = self.events.recv_timeout(left)
        {}
    }
}

/// Kills a child with its group.
fn kill(child: &mut Child, reaper: Option<&Reaper>) -> io::Result<ExitStatus> {
    // Before the wait: after it, the group's id can be reused.
    group::kill(child);
    if let Some(reaper) = reaper {
        reaper.forget(child);
    }
    child.wait()
}

/// Starts the threads of a child's pipes.
fn start_pipe_threads(child: &mut Child, sender: SyncSender<PipeEvent>) -> io::Result<(Sender<String>, StderrTail)> {
    read_lines(child.stdout.take().ok_or_else(|| io::Error::other("it has no standard output"))?, sender)?;
    let stderr_tail =
        StderrTail::start(child.stderr.take().ok_or_else(|| io::Error::other("it has no standard error"))?)?;
    let messages = write_lines(child.stdin.take().ok_or_else(|| io::Error::other("it has no standard input"))?)?;
    Ok((messages, stderr_tail))
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
