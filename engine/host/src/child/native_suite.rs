//! A native suite, and the loop that drives its measurements.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::copy::PrivateCopy;
use super::measurement_task::{MeasurementEvent, MeasurementTask};
use super::process::{Process, StepResult};
use super::process_counts::ProcessCounts;
use super::reaper::Reaper;
use super::stop_handle::StopHandle;
use super::suite_error::SuiteError;
use crate::fingerprint::fingerprint;
use crate::pairing::comparisons;
use crate::response::{METHOD, Machine, MachineKind, Point, Response, SuiteCard};
use crate::sample::clock_card::ClockCard;
use crate::sample::ending::shortened;
use crate::sample::measurement::Measurement;
use crate::sample::processes::Processes;
use crate::sample::sentinel::Sentinel;
use benchbook_contract::catalog::Suite;
use benchbook_contract::guard::Guard;
use benchbook_contract::protocol::{HostMessage, PROTOCOL, SuiteMessage};

/// The minimum interval between two progress reports: faster updates are not perceptible.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// A native suite that has described itself. It retains the executable as it was when opened, even if the file changes
/// later.
#[derive(Debug)]
pub struct NativeSuite {
    path: PathBuf,
    copy: PrivateCopy,
    guard: Guard,
    reaper: Option<Reaper>,
    unguarded: Vec<String>,
    suite: Suite,
    card: SuiteCard,
    clock: ClockCard,
    started: AtomicU64,
    failed: AtomicU64,
}

impl NativeSuite {
    /// Copies the executable and starts it once for its catalog and its clock card. Its processes run without limits.
    ///
    /// # Errors
    /// Returns an error if it cannot be started, is not a suite, or speaks another version of the protocol.
    pub fn open(path: &Path) -> Result<Self, SuiteError> {
        Self::open_guarded(path, Guard::default(), None)
    }

    /// Opens a suite under a guard, as far as the system supports it: see [`Self::unguarded`]. With a reaper,
    /// descendants of the suite's processes also end when this process does, unless they left their process groups.
    ///
    /// # Errors
    /// Returns an error if it cannot be started, is not a suite, or speaks another version of the protocol.
    pub fn open_guarded(path: &Path, guard: Guard, reaper: Option<&Reaper>) -> Result<Self, SuiteError> {
        let contract = |reason: String| SuiteError::Contract { path: path.to_owned(), reason: shortened(reason) };
        let start = |source| SuiteError::Start { path: path.to_owned(), source };
        let binary = std::fs::read(path).map_err(start)?;
        let copy = PrivateCopy::new(path, &binary).map_err(start)?;
        let mut process = Process::start(&copy, path, &guard, reaper, &StopHandle::default()).map_err(start)?;
        let (suite, unguarded) = match process
            .request(&HostMessage::Describe { protocol: PROTOCOL })
            .map_err(contract)?
        {
            SuiteMessage::Catalog { protocol: PROTOCOL, suite, unguarded } => (suite, unguarded.unwrap_or_default()),
            SuiteMessage::Catalog { protocol, .. } => {
                return Err(contract(format!("it speaks protocol {protocol}: build it with a matching benchbook")));
            }
            SuiteMessage::Failed(failed) => return Err(contract(failed.reason)),
            other => return Err(contract(format!("unexpected response: {other:?}"))),
        };
        suite.check().map_err(|reason| contract(format!("invalid catalog: {reason}")))?;
        let clock = match process.request(&HostMessage::Collect(ClockCard::request())).map_err(contract)? {
            SuiteMessage::Samples(samples) => ClockCard::from_steps(&samples),
            _ => None,
        };
        let clock = clock.ok_or_else(|| contract("it has no usable clock".to_owned()))?;
        let card = SuiteCard::new(&suite, fingerprint(&binary));
        let (path, reaper) = (path.to_owned(), reaper.cloned());
        let (started, failed) = (AtomicU64::new(0), AtomicU64::new(0));
        Ok(Self { path, copy, guard, reaper, unguarded, suite, card, clock, started, failed })
    }

    /// The suite's own description.
    pub fn suite(&self) -> &Suite {
        &self.suite
    }

    /// The limits of its guard that this system cannot enforce, with one reason each, as reported by the suite.
    pub fn unguarded(&self) -> &[String] {
        &self.unguarded
    }

    /// The exact build of the suite. The fingerprint is that of the copy that is executed.
    pub fn card(&self) -> &SuiteCard {
        &self.card
    }

    /// The clock that the suite measures with.
    pub fn clock(&self) -> ClockCard {
        self.clock
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
        mut report: impl FnMut(MeasurementEvent<'_>),
    ) -> Result<Response, SuiteError> {
        let MeasurementTask { plan, quality, only, stop, .. } = task;
        let mut processes = Processes::new((*quality).clone(), self.clock);
        let mut sentinel = Sentinel::new(self.clock);
        for _ in 0..quality.processes {
            let mut measurement = Measurement::new((*plan).clone(), processes.share(), self.clock)
                .with_sentinel(sentinel.of_new_process())
                .with_first_input_set(processes.first_input_set())
                .skipping_timeouts_of(processes.last());
            if let Some(values) = only {
                measurement = measurement.at_values(values);
            }
            measurement = measurement.in_random_order(random_seed());
            let measurement = self.run(measurement, stop, |event| match event {
                MeasurementEvent::Progress(progress) => {
                    report(MeasurementEvent::Progress(processes.progress(progress)));
                }
                MeasurementEvent::Point(point) => {
                    if let Some(point) = processes.add(point) {
                        report(MeasurementEvent::Point(point));
                    }
                }
            })?;
            sentinel = measurement.sentinel().clone();
            processes.end();
        }
        Ok(self.response(task, processes.into_points()))
    }

    /// The response to a task, from all of its points or those measured so far.
    pub fn response(&self, task: &MeasurementTask<'_>, points: Vec<Point>) -> Response {
        let MeasurementTask { plan, quality, machine, .. } = task;
        let request = plan.request().clone();
        Response {
            comparisons: comparisons(&request.functions, plan.numeric().scale, &points),
            priority: request.priority,
            request,
            suite: self.card.clone(),
            method: METHOD,
            quality: (*quality).clone(),
            machine: Machine { kind: MachineKind::Native, name: (*machine).to_owned(), clock: self.clock },
            points,
        }
    }

    /// Starts a fresh process.
    fn start(&self, stop: &StopHandle) -> Result<Process, SuiteError> {
        let process = Process::start(&self.copy, &self.path, &self.guard, self.reaper.as_ref(), stop)
            .map_err(|source| SuiteError::Start { path: self.path.clone(), source })?;
        self.started.fetch_add(1, Ordering::Relaxed);
        Ok(process)
    }

    /// Drives a measurement until it is done.
    fn run(
        &self,
        mut measurement: Measurement,
        stop: &StopHandle,
        mut report: impl FnMut(MeasurementEvent<'_>),
    ) -> Result<Measurement, SuiteError> {
        let mut process = None;
        let mut reported = 0;
        let mut last_report: Option<Instant> = None;
        while !measurement.is_done() {
            let running = match &mut process {
                Some(running) => running,
                None => process.insert(self.start(stop)?),
            };
            match running.step(&mut measurement) {
                StepResult::Continue => {}
                StepResult::Exited => {
                    self.failed.fetch_add(1, Ordering::Relaxed);
                    process = None;
                }
                StepResult::Stopped => return Err(SuiteError::Stopped),
            }
            let points = &measurement.points()[reported..];
            if !points.is_empty() || last_report.is_none_or(|report| report.elapsed() >= PROGRESS_INTERVAL) {
                points.iter().for_each(|point| report(MeasurementEvent::Point(point)));
                report(MeasurementEvent::Progress(measurement.progress()));
                last_report = Some(Instant::now());
            }
            reported = measurement.points().len();
        }
        if let Some(running) = process {
            running.finish();
        }
        Ok(measurement)
    }
}

/// A seed that differs from call to call: the standard library seeds its hash maps from the system.
fn random_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}
