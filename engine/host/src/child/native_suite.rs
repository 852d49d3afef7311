//! A native suite, and the loop that drives its measurements.

use std::collections::BTreeSet;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::child_settings::ChildSettings;
use super::copy::PrivateCopy;
use super::measurement_task::{MeasurementEvent, MeasurementTask};
use super::process::{Process, StepResult};
use super::process_counts::ProcessCounts;
use super::running_suite::RunningSuite;
use super::stop_handle::StopHandle;
use super::suite_error::SuiteError;
use super::suite_program::SuiteProgram;
use crate::compare::pairing::comparisons;
use crate::fingerprint::fingerprint;
use crate::response::{
    ClockCard, CountedEvent, CounterAbsence, FirstCalls, METHOD, Machine, MachineKind, Point, Response, SuiteCard,
};
use crate::sample::ending::shortened;
use crate::sample::first_call_series::FirstCallSeries;
use crate::sample::measurement::MeasurementSettings;
use crate::sample::series::MeasurementSeries;
use benchbook_contract::catalog::Suite;
use benchbook_contract::protocol::{HostMessage, PROTOCOL, SuiteMessage};

/// The minimum interval between two progress reports: faster updates are not perceptible.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Why points are rejected, before the limit that did not apply.
const VIOLATION: &str = "The process evaded the limits of its host, so its figures cannot be trusted";

/// A native suite that has described itself. It keeps the executable as it was when opened, even if the file changes
/// later.
#[derive(Debug)]
pub struct NativeSuite {
    program: SuiteProgram,
    unenforced: Vec<String>,
    suite: Suite,
    card: SuiteCard,
    clock: ClockCard,
    counters: Result<Vec<CountedEvent>, CounterAbsence>,
    started: AtomicU64,
    failed: AtomicU64,
    /// The functions of each measurement whose processes have started threads of their own.
    threaded: Mutex<BTreeSet<Vec<String>>>,
}

/// How the measurement of a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ProcessOutcome {
    /// All points are complete.
    Done,
    /// It should pause.
    Paused,
    /// It turned out to start threads, although it was pinned to a core.
    NeedsAllCores,
}

impl NativeSuite {
    /// Copies the executable and starts it once for its catalog and its clock card. Its processes run without limits.
    ///
    /// # Errors
    /// Returns an error if it cannot be started, is not a suite, or speaks another version of the protocol.
    pub fn open(path: &Path) -> Result<Self, SuiteError> {
        Self::open_with(path, ChildSettings::default())
    }

    /// Opens a suite whose processes have limits, as far as the system enforces them: see [`Self::unenforced`].
    ///
    /// # Errors
    /// Returns an error if it cannot be started, is not a suite, or speaks another version of the protocol.
    pub fn open_with(path: &Path, settings: ChildSettings) -> Result<Self, SuiteError> {
        let contract = |reason: String| contract_error(path, reason);
        let start = |source| SuiteError::Start { path: path.to_owned(), source };
        let binary = std::fs::read(path).map_err(start)?;
        let copy = PrivateCopy::new(path, &binary).map_err(start)?;
        let program = SuiteProgram { path: path.to_owned(), copy, settings };
        let (mut process, suite) = describe(&program)?;
        suite.check().map_err(|reason| contract(format!("invalid catalog: {reason}")))?;
        let clock = match process.request(&HostMessage::Collect(ClockCard::request())).map_err(contract)? {
            SuiteMessage::Samples(samples) => ClockCard::from_steps(&samples),
            _ => None,
        };
        let clock = clock.ok_or_else(|| contract("it has no usable clock".to_owned()))?;
        let unenforced = process.violations(&program.settings).unwrap_or_else(|error| vec![error.to_string()]);
        let counters = process.open_counters().map(|counters| counters.events());
        let card = SuiteCard::new(&suite, fingerprint(&binary));
        let (started, failed) = (AtomicU64::new(0), AtomicU64::new(0));
        let threaded = Mutex::default();
        Ok(Self { program, unenforced, suite, card, clock, counters, started, failed, threaded })
    }

    /// The suite's own description.
    pub fn suite(&self) -> &Suite {
        &self.suite
    }

    /// The limits that this system does not enforce, as a check from outside found when the suite was opened.
    pub fn unenforced(&self) -> &[String] {
        &self.unenforced
    }

    /// How its processes are started.
    pub fn settings(&self) -> &ChildSettings {
        &self.program.settings
    }

    /// The executable, which a measurement of another build of the suite can include.
    pub fn program(&self) -> &SuiteProgram {
        &self.program
    }

    /// Reads the executable as it was when opened: its fingerprint is that of [`Self::card`].
    ///
    /// # Errors
    /// If the system cannot read the copy.
    pub fn read_program(&self) -> std::io::Result<Vec<u8>> {
        self.program.copy.read()
    }

    /// The exact build of the suite. The fingerprint is that of the copy that is executed.
    pub fn card(&self) -> &SuiteCard {
        &self.card
    }

    /// The clock that the suite measures with.
    pub fn clock(&self) -> ClockCard {
        self.clock
    }

    /// The events that hardware counters count in the suite's processes, or why they count none, as a trial found when the
    /// suite was opened.
    ///
    /// # Errors
    /// Returns the reason.
    pub fn counters(&self) -> Result<&[CountedEvent], &CounterAbsence> {
        self.counters.as_deref()
    }

    /// The child processes so far. The one that described the suite does not count.
    pub fn processes(&self) -> ProcessCounts {
        let [started, failed] = [&self.started, &self.failed].map(|count| count.load(Ordering::Relaxed));
        ProcessCounts { started, failed }
    }

    /// Carries out a task in fresh child processes, one after another: as many as the quality demands, plus one for
    /// each that ends early. `report` receives each point as soon as its figures are complete. No child outlives this
    /// call or the calling thread: children die with the thread that started them, so the caller must not run it on a
    /// thread that may end early.
    ///
    /// # Errors
    /// Returns an error if the measurement was stopped or the executable can no longer be started.
    pub fn measure(
        &self,
        task: &MeasurementTask<'_>,
        report: impl FnMut(MeasurementEvent<'_>),
    ) -> Result<Response, SuiteError> {
        let mut series = self.begin(task);
        self.resume(task, &mut series, || false, report)?;
        Ok(self.response(task, series.into_points()))
    }

    /// A measurement before its first point, for [`Self::resume`].
    pub fn begin(&self, task: &MeasurementTask<'_>) -> MeasurementSeries {
        // The counters of one process do not see those of other builds.
        let counters = task.builds.is_empty().then(|| self.counters.as_ref().map(|_| ()).map_err(Clone::clone));
        MeasurementSeries::new(MeasurementSettings {
            counters,
            only: task.only.map(<[_]>::to_vec),
            seed: Some(random_seed()),
            past: task.past.clone(),
            ..MeasurementSettings::new(task.plan.clone(), task.quality.clone(), self.clock)
        })
    }

    /// As [`Self::measure`], but calls `should_pause` after each point. A series that paused continues in a fresh process. Returns whether
    /// the measurement is complete.
    ///
    /// # Errors
    /// Returns an error if the measurement was stopped or the executable can no longer be started.
    pub fn resume(
        &self,
        task: &MeasurementTask<'_>,
        series: &mut MeasurementSeries,
        mut should_pause: impl FnMut() -> bool,
        mut report: impl FnMut(MeasurementEvent<'_>),
    ) -> Result<bool, SuiteError> {
        loop {
            if self.starts_threads(task) {
                series.note_threads();
            }
            match self.run(series, task, &mut should_pause, &mut report)? {
                ProcessOutcome::Done if series.begin_next() => {}
                ProcessOutcome::Done => return Ok(true),
                ProcessOutcome::Paused => return Ok(false),
                ProcessOutcome::NeedsAllCores => *series = self.begin(task),
            }
        }
    }

    /// The response to a task, from all of its points or those measured so far.
    pub fn response(&self, task: &MeasurementTask<'_>, points: Vec<Point>) -> Response {
        let MeasurementTask { plan, quality, machine, .. } = task;
        let request = plan.request().clone();
        Response {
            comparisons: comparisons(&request.functions, plan.axis(), &points),
            priority: request.priority,
            request,
            suite: self.card.clone(),
            method: METHOD,
            quality: (*quality).clone(),
            machine: Machine {
                kind: MachineKind::Native,
                name: (*machine).to_owned(),
                id: None,
                processor: None,
                clock: self.clock,
            },
            points,
        }
    }

    /// Measures first calls in fresh processes, one after another. The process of the measurement waits meanwhile.
    fn first_calls(&self, task: &MeasurementTask<'_>, mut series: FirstCallSeries) -> Result<FirstCalls, SuiteError> {
        let wake = task.stop.wake();
        while !series.is_done() {
            let start = Instant::now();
            let mut process = self.start(task)?;
            let outcome = self.run_first_call(&mut process, &mut series, &task.stop);
            if series.is_failed() {
                self.failed.fetch_add(1, Ordering::Relaxed);
            }
            outcome?;
            process.finish();
            series.add_elapsed(1e3 * start.elapsed().as_secs_f64());
        }
        // Later stops concern the process of the measurement again.
        task.stop.restore_wake(wake);
        Ok(series.into_first_calls())
    }

    /// Carries out a repetition of first calls in a fresh process.
    fn run_first_call(
        &self,
        process: &mut Process,
        series: &mut FirstCallSeries,
        stop: &StopHandle,
    ) -> Result<(), SuiteError> {
        let timeout = Duration::from_secs_f64(series.timeout_ms() / 1e3);
        let mut deadline = Instant::now() + timeout;
        let mut message = Some(series.begin());
        while !series.is_between_processes() {
            message.iter().for_each(|message| process.send(message));
            if stop.is_stopped() {
                return Err(SuiteError::Stopped);
            }
            message = match process.reply(deadline, timeout) {
                Ok(reply) => series.handle_reply(reply),
                Err(_) if stop.is_stopped() => return Err(SuiteError::Stopped),
                Err((ending, stderr_tail)) => {
                    series.handle_exit(&ending, &stderr_tail);
                    None
                }
            };
            // Only replies that advance the series extend the deadline.
            if message.is_some() {
                deadline = Instant::now() + timeout;
            }
            // After the timed call, so that the check does not affect it.
            if matches!(message, Some(HostMessage::Close { .. })) {
                if let Some(violation) = self.new_violation(process) {
                    series.reject_last(&format!("{VIOLATION}: {violation}"));
                }
            }
        }
        Ok(())
    }

    /// Starts a fresh process.
    fn start(&self, task: &MeasurementTask<'_>) -> Result<Process, SuiteError> {
        let process = self.program.start(self.has_threads(task), &task.stop)?;
        self.started.fetch_add(1, Ordering::Relaxed);
        Ok(process)
    }

    /// Starts a fresh process, and one of each build that the task compares.
    fn start_all(&self, task: &MeasurementTask<'_>) -> Result<RunningSuite, SuiteError> {
        let process = self.start(task)?;
        if task.builds.is_empty() {
            return Ok(RunningSuite::One(Box::new(process)));
        }
        let (mut processes, mut builds) = (vec![process], vec![None]);
        for (build, program) in &task.builds {
            processes.push(program.start(self.has_threads(task), &task.stop)?);
            builds.push(Some((*build).to_owned()));
        }
        let stop = task.stop.clone();
        Ok(RunningSuite::of_builds(processes, builds, move || stop.is_stopped()))
    }

    /// Checks a process from outside. Returns how it deviates from its limits although it did not when the suite was opened.
    fn new_violation(&self, process: &mut Process) -> Option<String> {
        // On an error, it has probably ended. Otherwise, opening the suite has reported that checks are impossible.
        process
            .violations(&self.program.settings)
            .unwrap_or_default()
            .into_iter()
            .find(|violation| !self.unenforced.contains(violation))
    }

    /// Whether a task needs all cores.
    fn has_threads(&self, task: &MeasurementTask<'_>) -> bool {
        task.plan.is_contended() || self.starts_threads(task)
    }

    /// Whether the processes of a measurement of only some or all of its functions have started threads that the suite does not declare.
    fn starts_threads(&self, task: &MeasurementTask<'_>) -> bool {
        let threaded = self.threaded.lock().unwrap_or_else(PoisonError::into_inner);
        let functions = &task.plan.request().functions;
        threaded.iter().any(|known| known.iter().all(|function| functions.contains(function)))
    }

    /// Drives the measurement of a process until it is done, should pause, or must be repeated on all cores.
    fn run(
        &self,
        series: &mut MeasurementSeries,
        task: &MeasurementTask<'_>,
        should_pause: &mut impl FnMut() -> bool,
        report: &mut impl FnMut(MeasurementEvent<'_>),
    ) -> Result<ProcessOutcome, SuiteError> {
        let mut process = None;
        let mut last_report: Option<Instant> = None;
        while !series.measurement().is_done() {
            let running = match &mut process {
                Some(running) => running,
                None => process.insert(self.start_all(task)?),
            };
            let finished = series.measurement().points().len();
            let step = running.step(series.measurement_mut());
            let has_new_points = series.measurement().points().len() > finished;
            match step {
                StepResult::Continue => {
                    let violation = running.processes().iter_mut().find_map(|process| {
                        let is_due = !process.is_checked() || has_new_points;
                        if process.has_replied() && is_due { self.new_violation(process) } else { None }
                    });
                    if let Some(violation) = violation {
                        series.measurement_mut().reject_points(finished, &format!("{VIOLATION}: {violation}"));
                        // The next points are measured in a new process.
                        self.failed.fetch_add(1, Ordering::Relaxed);
                        process = None;
                    } else if has_new_points
                        && !self.has_threads(task)
                        && running.processes().iter().any(Process::has_several_threads)
                    {
                        let functions = task.plan.request().functions.clone();
                        self.threaded.lock().unwrap_or_else(PoisonError::into_inner).insert(functions);
                        if self.program.settings.guard.core.is_some() {
                            return Ok(ProcessOutcome::NeedsAllCores);
                        }
                        series.note_threads();
                    }
                }
                StepResult::Exited => {
                    self.failed.fetch_add(1, Ordering::Relaxed);
                    process = None;
                }
                StepResult::Stopped => return Err(SuiteError::Stopped),
            }
            let has_new_points = series.measurement().points().len() > finished;
            if has_new_points || last_report.is_none_or(|report| report.elapsed() >= PROGRESS_INTERVAL) {
                for mut point in series.new_points() {
                    if let Some(first_calls) = series.first_calls(&point) {
                        point = series.add_first_calls(point, self.first_calls(task, first_calls)?);
                    }
                    report(MeasurementEvent::Point(&point));
                }
                report(MeasurementEvent::Progress(series.progress()));
                // The report may take as long as the first calls of the new points, which the suite has no part in.
                if let Some(running) = process.as_mut().filter(|_| has_new_points) {
                    running.processes().iter_mut().for_each(Process::restart_timeout);
                }
                last_report = Some(Instant::now());
            }
            let measurement = series.measurement_mut();
            if has_new_points && !measurement.is_done() && measurement.is_between_points() && should_pause() {
                measurement.handle_pause();
                break;
            }
        }
        if let Some(running) = process {
            running.finish();
        }
        Ok(if series.measurement().is_done() { ProcessOutcome::Done } else { ProcessOutcome::Paused })
    }
}

/// Starts a program, and returns the process with its catalog. After a part of the program has failed,
/// starts it again and requests the catalog without that part.
fn describe(program: &SuiteProgram) -> Result<(Process, Suite), SuiteError> {
    let contract = |reason: String| contract_error(&program.path, reason);
    let mut without = Vec::new();
    loop {
        let mut process = program.start(false, &StopHandle::default())?;
        match process.request(&HostMessage::describe(&without)).map_err(contract)? {
            SuiteMessage::Catalog { protocol: PROTOCOL, suite } => return Ok((process, suite)),
            SuiteMessage::Catalog { protocol, .. } => {
                return Err(contract(format!(
                    "it uses version {protocol} of the suite contract instead of {PROTOCOL}. Build it with a matching version of benchbook"
                )));
            }
            SuiteMessage::Failed(failed) if failed.omit(&mut without) => {}
            SuiteMessage::Failed(failed) => return Err(contract(failed.reason)),
            other => return Err(contract(format!("unexpected response: {other:?}"))),
        }
    }
}

fn contract_error(path: &Path, reason: String) -> SuiteError {
    SuiteError::Contract { path: path.to_owned(), reason: shortened(reason) }
}

/// A seed that differs from call to call: the standard library seeds its hash maps from the system.
fn random_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}
