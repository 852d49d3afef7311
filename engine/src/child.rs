//! The driver of child processes: a native suite at the other end of two pipes.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::catalog::Suite;
use crate::entry::native::SCRATCH_VARIABLE;
use crate::protocol::{HostMessage, PROTOCOL, SuiteMessage};
use crate::quality::Qualities;
use crate::request::{Plan, Problem, Request};
use crate::response::{Machine, MachineKind, Point, Response, SuiteCard};
use crate::sample::clock_card::ClockCard;
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

/// What is wrong with a native suite.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// The file is not there, or no program.
    #[error("{path} cannot be started: {source}")]
    Start {
        /// The executable.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It answers something that is not of the contract.
    #[error("{path} is no Benchbook suite of protocol {PROTOCOL}: {reason}")]
    Contract {
        /// The executable.
        path: PathBuf,
        /// What it did.
        reason: String,
    },
    /// The request does not fit the suite.
    #[error("the request does not fit: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Request(Vec<Problem>),
}

/// A native suite that described itself.
#[derive(Debug)]
pub struct NativeSuite {
    path: PathBuf,
    suite: Suite,
    card: SuiteCard,
    clock: ClockCard,
}

impl NativeSuite {
    /// Starts the executable once, for its catalog and its clock card.
    ///
    /// # Errors
    /// Where it cannot be started, is no suite, or speaks another version of the protocol.
    pub fn open(path: &Path) -> Result<Self, SuiteError> {
        let contract = |reason: String| SuiteError::Contract { path: path.to_owned(), reason };
        let start = |source| SuiteError::Start { path: path.to_owned(), source };
        let binary = std::fs::read(path).map_err(start)?;
        let mut process = Process::start(path).map_err(start)?;
        let suite = match process.ask(&HostMessage::Describe { protocol: PROTOCOL }).map_err(contract)? {
            SuiteMessage::Catalog { protocol: PROTOCOL, suite } => suite,
            SuiteMessage::Catalog { protocol, .. } => {
                return Err(contract(format!("it speaks protocol {protocol}: build it with a matching benchbook")));
            }
            SuiteMessage::Failed(failed) => return Err(contract(failed.reason)),
            other => return Err(contract(format!("it answered {other:?}"))),
        };
        let clock = match process.ask(&HostMessage::Collect(ClockCard::order())).map_err(contract)? {
            SuiteMessage::Samples(samples) => ClockCard::from_steps(&samples),
            _ => None,
        };
        let clock = clock.ok_or_else(|| contract("it has no clock".to_owned()))?;
        let card = SuiteCard::new(&suite, &binary);
        Ok(Self { path: path.to_owned(), suite, card, clock })
    }

    /// What it says of itself.
    pub fn suite(&self) -> &Suite {
        &self.suite
    }

    /// Measures a request in one child process, or more where one ends; `see` gets each point as it is done.
    ///
    /// # Errors
    /// Where the request does not fit, or the executable can no longer be started.
    pub fn measure(
        &self,
        request: Request,
        qualities: &Qualities,
        machine: &str,
        mut see: impl FnMut(&Point),
    ) -> Result<Response, SuiteError> {
        let plan = Plan::new(&self.suite, request.clone()).map_err(SuiteError::Request)?;
        let quality = qualities.of(request.priority).clone();
        let priority = request.priority;
        let mut measurement = Measurement::new(plan, quality, self.clock);
        let start = |source| SuiteError::Start { path: self.path.clone(), source };
        let mut process = Process::start(&self.path).map_err(start)?;
        let mut seen = 0;
        loop {
            let step = process.step(&mut measurement);
            measurement.points()[seen..].iter().for_each(&mut see);
            seen = measurement.points().len();
            match step {
                Step::Answered => {}
                Step::Ended(ending) => {
                    measurement.ended(&ending);
                    process = Process::start(&self.path).map_err(start)?;
                }
                Step::Done => break,
            }
        }
        process.finish();
        Ok(Response {
            request,
            priority,
            suite: self.card.clone(),
            machine: Machine { kind: MachineKind::Native, name: machine.to_owned(), clock: self.clock },
            points: measurement.into_points(),
        })
    }
}

enum Step {
    Answered,
    Ended(Ending),
    Done,
}

/// A running suite. Dropping it kills it.
struct Process {
    child: Child,
    input: Option<ChildStdin>,
    answers: Receiver<String>,
    /// The last line of standard error, once that has ended.
    last_words: Receiver<String>,
    /// When it last brought a measurement on, or began.
    moved: Instant,
    /// Goes after the process has ended.
    _scratch: Scratch,
}

/// A folder for the files of one process, deleted with what a killed one left in it.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let parent = std::env::var_os(SCRATCH_VARIABLE).map_or_else(std::env::temp_dir, PathBuf::from);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = parent.join(format!("benchbook-host-{}-{number}", std::process::id()));
        // One that is there already is that of a host which died, and had the same number.
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be deleted harms nobody.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Process {
    fn start(path: &Path) -> io::Result<Self> {
        let scratch = Scratch::new()?;
        let mut command = Command::new(path);
        command.env(SCRATCH_VARIABLE, &scratch.0);
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
        let input = child.stdin.take();
        Ok(Self { child, input, answers, last_words, moved: Instant::now(), _scratch: scratch })
    }

    /// Sends what there is to send, and takes one answer.
    fn step(&mut self, measurement: &mut Measurement) -> Step {
        for message in measurement.messages() {
            // Where the child is gone already, its end is told by its output.
            let _ = self.send(&message);
        }
        if measurement.is_done() {
            return Step::Done;
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
                    Step::Answered
                }
                Err(error) => Step::Ended(Ending::Died(format!("it answered what is no message: {error}"))),
            },
            Err(RecvTimeoutError::Timeout) => Step::Ended(Ending::TimedOut(timeout as u32)),
            Err(RecvTimeoutError::Disconnected) => Step::Ended(Ending::Died(self.epitaph())),
        }
    }

    fn send(&mut self, message: &HostMessage) -> io::Result<()> {
        let line = serde_json::to_string(message).expect("messages have a JSON form");
        match &mut self.input {
            Some(input) => input.write_all(format!("{line}\n").as_bytes()),
            None => Err(io::Error::other("it was told all")),
        }
    }

    fn ask(&mut self, message: &HostMessage) -> Result<SuiteMessage, String> {
        // Where it takes no message it has ended, which its output tells with its last words.
        let _ = self.send(message);
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
    fn finish(mut self) {
        self.input = None;
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

/// The next line, shortened to what is read at most; absent at the end.
fn read_line(lines: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    match lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(String::from_utf8_lossy(&line).trim_end().to_owned()),
    }
}
