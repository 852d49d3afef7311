//! A child process and its message exchange.

use std::io;
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use super::child_settings::ChildSettings;
use super::copy::PrivateCopy;
use super::event_counters::{EventCounters, EventSource};
use super::exit_watch;
use super::group;
use super::pipes::{PipeEvent, QUEUE_CAPACITY, StderrTail, read_lines, write_messages};
use super::reaper::Reaper;
use super::scratch::ScratchFolder;
use super::stop_handle::StopHandle;
use crate::response::CounterAbsence;
use crate::sample::ending::Ending;
use crate::sample::measurement::Measurement;
use benchbook_contract::protocol::{HostMessage, SuiteMessage};
use benchbook_isolate::{Guard, Isolation, LaunchRequest, has_several_threads, measured_process, violations};
use serde::de::DeserializeOwned;

/// The timeout for a suite's description and clock card.
const STARTUP_TIMEOUT: Duration = Duration::from_secs(10);

/// The time in which a suite must exit after its input is closed; its slots are closed by then.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);

/// The timeout for the rest of a process's output after it has exited. Processes that it started may still have its
/// pipes open, so the output may have no end.
const OUTPUT_TIMEOUT: Duration = Duration::from_millis(200);

/// The timeout for the end of the processes in a killed process's namespaces.
const NAMESPACES_TIMEOUT: Duration = Duration::from_secs(1);

/// An event of a process.
pub(super) enum ProcessEvent {
    /// It sent a message.
    Message(Box<SuiteMessage>),
    /// No event for the measurement.
    Nothing,
    /// The measurement was stopped by its handle.
    Stopped,
    /// It ended, sent something invalid, or exceeded the time limit; it was killed.
    Ended(Ending),
}

/// The result of a step.
pub(super) enum StepResult {
    /// A response was processed, or there is nothing left to do.
    Continue,
    /// The suite exited, and the measurement was notified.
    Exited,
    /// The measurement was stopped by its handle.
    Stopped,
}

/// A running suite. Dropping it kills it with its descendants.
pub(super) struct Process {
    child: Child,
    /// The limits that it was started with.
    guard: Guard,
    reaper: Option<Reaper>,
    /// The exit reason, after it has ended.
    exit_reason: Option<String>,
    /// What is to be written to its input; absent once the input is closed.
    messages: Option<Sender<Vec<u8>>>,
    events: Receiver<PipeEvent>,
    stderr_tail: StderrTail,
    /// When the measurement last advanced, or when the process started.
    last_progress: Instant,
    /// Whether it has exited by itself. Its output may not be read to the end yet.
    has_exited: bool,
    /// Whether its output was read to the end.
    has_output_ended: bool,
    /// Whether it runs in namespaces of its own.
    has_namespaces: bool,
    /// Whether it has replied to a message of a measurement. Until then, it may still be its launcher.
    has_replied: bool,
    /// Whether its limits were checked from outside.
    is_checked: bool,
    /// Which events to count.
    counted_events: EventSource,
    isolation: Isolation,
    /// The counters of its events; absent until a measurement counts.
    counters: Option<Result<EventCounters, CounterAbsence>>,
    stop: StopHandle,
    /// Declared last so that it is deleted after the process has ended.
    _scratch: Option<ScratchFolder>,
}

impl Process {
    /// Starts the copy of the executable at `path`, within the limits of `guard` rather than those of `settings`; `stop` ends its
    /// measurements.
    pub(super) fn start(
        copy: &PrivateCopy,
        path: &Path,
        settings: &ChildSettings,
        guard: Guard,
        stop: &StopHandle,
    ) -> io::Result<Self> {
        let parent = settings.scratch.as_deref();
        let needs_scratch = settings.isolation.needs_scratch_folder();
        let scratch = needs_scratch.then(|| ScratchFolder::new(parent, settings.isolation.user)).transpose()?;
        let folder = scratch.as_ref().map(ScratchFolder::path);
        // Until the launcher has started.
        let inheritable = settings.launcher.as_ref().map(|_| copy.inheritable()).transpose()?;
        let mut command = match &settings.launcher {
            Some(launcher) => launcher.command(&LaunchRequest {
                executable: Some(copy.executable()),
                name: path.into(),
                guard: guard.clone(),
                isolation: settings.isolation.clone(),
                scratch: folder.map(Path::to_owned),
            })?,
            None => copy.command(path),
        };
        settings.set_environment(&mut command, folder);
        group::lead(&mut command);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        drop(inheritable);
        let reaper = settings.reaper.as_ref();
        // The child starts nothing before its first message.
        if let Some(reaper) = reaper {
            reaper.watch(&child, folder);
        }
        let (sender, events) = sync_channel(QUEUE_CAPACITY);
        stop.wake_on_stop(sender.clone());
        exit_watch::start(&child, sender.clone());
        let (messages, stderr_tail) = start_pipe_threads(&mut child, sender).inspect_err(|_| {
            // Without a `Process`, nothing would kill it later.
            let _ = kill(&mut child, reaper);
        })?;
        Ok(Self {
            child,
            guard,
            reaper: reaper.cloned(),
            exit_reason: None,
            messages: Some(messages),
            events,
            stderr_tail,
            last_progress: Instant::now(),
            has_exited: false,
            has_output_ended: false,
            has_namespaces: settings.isolation.namespaces,
            has_replied: false,
            is_checked: false,
            counted_events: settings.counted_events,
            isolation: settings.isolation.clone(),
            counters: None,
            stop: stop.clone(),
            _scratch: scratch,
        })
    }

    /// Sends the pending messages and processes one response.
    pub(super) fn step(&mut self, measurement: &mut Measurement) -> StepResult {
        let messages = measurement.messages();
        if measurement.is_counting_events() {
            if !messages.is_empty() {
                self.start_counting();
            }
        } else {
            // Counters would lengthen the timed batches.
            self.counters = None;
        }
        messages.iter().for_each(|message| self.send(message));
        if measurement.is_done() {
            return StepResult::Continue;
        }
        if self.stop.is_stopped() {
            return StepResult::Stopped;
        }
        match self.wait(measurement.timeout_ms(), Duration::MAX) {
            ProcessEvent::Message(message) => {
                if let Some(counters) = self.counters.as_mut().filter(|_| measurement.is_counting_events()) {
                    measurement.handle_reading(
                        counters.as_mut().map_err(|absence| absence.clone()).and_then(EventCounters::read),
                    );
                }
                if measurement.handle_reply(*message) {
                    self.last_progress = Instant::now();
                }
                StepResult::Continue
            }
            ProcessEvent::Nothing => StepResult::Continue,
            ProcessEvent::Stopped => StepResult::Stopped,
            ProcessEvent::Ended(ending) => {
                measurement.handle_exit_with_stderr(&ending, &self.stderr_tail());
                StepResult::Exited
            }
        }
    }

    /// Waits for a message until `timeout_ms` have passed since the measurement last advanced, or for `at_most`. Only messages that
    /// advance the measurement extend the deadline: see [`Self::restart_timeout`].
    pub(super) fn wait(&mut self, timeout_ms: f64, at_most: Duration) -> ProcessEvent {
        let left = Duration::from_secs_f64(timeout_ms / 1e3).checked_sub(self.last_progress.elapsed());
        let left = left.map(|left| if self.has_exited { left.min(OUTPUT_TIMEOUT) } else { left });
        let is_last = left.is_none_or(|left| left <= at_most);
        let event = left.map_or(Err(RecvTimeoutError::Timeout), |left| self.receive(left.min(at_most)));
        let ending = match event {
            Ok(PipeEvent::Line(line)) => match serde_json::from_str(&line) {
                Ok(message) => {
                    self.has_replied = true;
                    return ProcessEvent::Message(message);
                }
                Err(error) => Ending::Died(format!("it sent an invalid message: {error}")),
            },
            Ok(PipeEvent::Stopped) => return ProcessEvent::Stopped,
            Ok(PipeEvent::Exited) => return ProcessEvent::Nothing,
            Err(RecvTimeoutError::Timeout) if !is_last => return ProcessEvent::Nothing,
            Ok(PipeEvent::End) | Err(RecvTimeoutError::Disconnected) => Ending::Died(self.kill()),
            Err(RecvTimeoutError::Timeout) if self.has_exited => Ending::Died(self.kill()),
            Err(RecvTimeoutError::Timeout) => Ending::TimedOut(timeout_ms as u32),
        };
        self.kill();
        ProcessEvent::Ended(ending)
    }

    /// The last line of its standard error.
    pub(super) fn stderr_tail(&self) -> String {
        self.stderr_tail.take()
    }

    /// Opens counters of its events. Call it after its first reply.
    ///
    /// # Errors
    /// Returns why its events cannot be counted.
    pub(super) fn open_counters(&self) -> Result<EventCounters, CounterAbsence> {
        let process = measured_process(self.child.id(), &self.isolation)
            .map_err(|error| CounterAbsence::Failed(error.to_string()))?;
        EventCounters::open(process, self.counted_events)
    }

    /// Counts events from now on.
    fn start_counting(&mut self) {
        let counters = self.counters.take().unwrap_or_else(|| self.open_counters());
        self.counters = Some(counters.and_then(|mut open| open.start().map(|()| open)));
    }

    /// Waits for a reply outside of a [`Measurement`] until `deadline`, which is the end of a time limit of `timeout`.
    ///
    /// # Errors
    /// Returns how the process ended, with the last line of its standard error. It is killed if it has not exited.
    pub(super) fn reply<T: DeserializeOwned>(
        &mut self,
        deadline: Instant,
        timeout: Duration,
    ) -> Result<T, (Ending, String)> {
        let ending = loop {
            // Even a flood of messages does not extend the deadline.
            let Some(left) = deadline.checked_duration_since(Instant::now()) else {
                break Ending::TimedOut(timeout.as_millis() as u32);
            };
            let left = if self.has_exited { left.min(OUTPUT_TIMEOUT) } else { left };
            match self.receive(left) {
                Ok(PipeEvent::Line(line)) => match serde_json::from_str(&line) {
                    Ok(message) => {
                        self.has_replied = true;
                        return Ok(message);
                    }
                    Err(error) => break Ending::Died(format!("it sent an invalid message: {error}")),
                },
                Ok(PipeEvent::Exited) => {}
                Err(RecvTimeoutError::Timeout) if !self.has_exited => {
                    break Ending::TimedOut(timeout.as_millis() as u32);
                }
                Ok(PipeEvent::End | PipeEvent::Stopped) | Err(_) => break Ending::Died(self.kill()),
            }
        };
        self.kill();
        Err((ending, self.stderr_tail.take()))
    }

    /// Restarts the time limit of the next reply.
    pub(super) fn restart_timeout(&mut self) {
        self.last_progress = Instant::now();
    }

    /// Sends a message without waiting until it is read. If the child is gone, its closed output reports that.
    pub(super) fn send(&mut self, message: &HostMessage) {
        let mut line = serde_json::to_vec(message).expect("messages serialize to JSON");
        line.push(b'\n');
        self.send_bytes(line);
    }

    /// Sends what is not a message.
    pub(super) fn send_bytes(&mut self, bytes: Vec<u8>) {
        if let Some(messages) = &self.messages {
            let _ = messages.send(bytes);
        }
    }

    /// Sends a request and waits for its response, before any measurement.
    ///
    /// # Errors
    /// Returns what the suite did instead of responding.
    pub(super) fn request(&mut self, message: &HostMessage) -> Result<SuiteMessage, String> {
        self.send(message);
        self.response()
    }

    /// Waits for the response to a request.
    fn response(&mut self) -> Result<SuiteMessage, String> {
        let timeout = if self.has_exited { OUTPUT_TIMEOUT } else { STARTUP_TIMEOUT };
        let problem = match self.receive(timeout) {
            Ok(PipeEvent::Line(line)) => match serde_json::from_str(&line) {
                Ok(message) => return Ok(message),
                Err(error) => format!("invalid response: {error}"),
            },
            Ok(PipeEvent::Exited) => return self.response(),
            Err(RecvTimeoutError::Timeout) if !self.has_exited => {
                format!("no response within {} s", STARTUP_TIMEOUT.as_secs())
            }
            Ok(PipeEvent::End | PipeEvent::Stopped) | Err(_) => self.kill(),
        };
        self.kill();
        let stderr = self.stderr_tail.take();
        Err(if stderr.is_empty() { problem } else { format!("{problem}: {stderr}") })
    }

    /// Whether its limits can be checked.
    pub(super) fn has_replied(&self) -> bool {
        self.has_replied
    }

    /// Whether its limits were checked.
    pub(super) fn is_checked(&self) -> bool {
        self.is_checked
    }

    /// Checks from outside how it deviates from its limits.
    ///
    /// # Errors
    /// Returns an error if the system does not report the state of other processes.
    pub(super) fn violations(&mut self, settings: &ChildSettings) -> io::Result<Vec<String>> {
        self.is_checked = true;
        match &settings.launcher {
            Some(_) => violations(self.child.id(), &self.guard, &settings.isolation),
            None => Ok(Vec::new()),
        }
    }

    /// Whether it has started threads, as far as the system reports it.
    pub(super) fn has_several_threads(&self) -> bool {
        measured_process(self.child.id(), &self.isolation).and_then(has_several_threads).unwrap_or(false)
    }

    /// Kills it with its descendants and returns the exit reason. A process that is already exiting keeps its own
    /// status.
    fn kill(&mut self) -> String {
        if let Some(reason) = &self.exit_reason {
            return reason.clone();
        }
        // The output ends a moment before the launcher, which ends with the same status as the process in its namespaces.
        while self.has_namespaces && self.has_output_ended && !self.has_exited && self.receive(OUTPUT_TIMEOUT).is_ok() {
        }
        // The process may have closed its output without exiting.
        let status = kill(&mut self.child, self.reaper.as_ref());
        // The launcher ends a moment before the processes in its namespaces, whose memory must be free again before the next
        // process starts. They close the output after that.
        while self.has_namespaces && !self.has_output_ended && self.receive(NAMESPACES_TIMEOUT).is_ok() {}
        let reason =
            format!("it ended ({})", status.map_or_else(|error| error.to_string(), |status| status.to_string()));
        self.exit_reason.insert(reason).clone()
    }

    /// Waits for the next event.
    fn receive(&mut self, timeout: Duration) -> Result<PipeEvent, RecvTimeoutError> {
        let event = self.events.recv_timeout(timeout);
        match event {
            Ok(PipeEvent::End) => self.has_output_ended = true,
            Ok(PipeEvent::Exited) => self.has_exited = true,
            _ => {}
        }
        event
    }

    /// Closes its input and lets it exit.
    pub(super) fn finish(mut self) {
        self.messages = None;
        let end = Instant::now() + EXIT_TIMEOUT;
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            if !matches!(self.receive(left), Ok(PipeEvent::Line(_))) {
                break;
            }
        }
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
fn start_pipe_threads(child: &mut Child, sender: SyncSender<PipeEvent>) -> io::Result<(Sender<Vec<u8>>, StderrTail)> {
    read_lines(child.stdout.take().ok_or_else(|| io::Error::other("it has no standard output"))?, sender)?;
    let stderr_tail =
        StderrTail::start(child.stderr.take().ok_or_else(|| io::Error::other("it has no standard error"))?)?;
    let messages = write_messages(child.stdin.take().ok_or_else(|| io::Error::other("it has no standard input"))?)?;
    Ok((messages, stderr_tail))
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
