//! The driver of child processes: a native suite at the other end of two pipes.

mod copy;
mod group;
mod measurement_order;
mod pipes;
mod process;
mod reaper;
mod scratch;
mod stop_handle;

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::fingerprint::fingerprint;
use crate::pairing::comparisons;
use crate::request::Problem;
use crate::response::{Machine, MachineKind, Point, Response, SuiteCard};
use crate::sample::clock_card::ClockCard;
use crate::sample::ending::shortened;
use crate::sample::measurement::Measurement;
use crate::sample::processes::Processes;
use crate::sample::sentinel::Sentinel;
use benchbook_contract::catalog::Suite;
use benchbook_contract::protocol::{HostMessage, PROTOCOL, SuiteMessage};
use copy::PrivateCopy;
use process::{Process, Step};

use benchbook_contract::guard::Guard;
pub use measurement_order::{MeasurementEvent, MeasurementOrder};
pub use reaper::{Reaper, run_reaper_if_requested};
pub use stop_handle::StopHandle;

/// How often it is told how far a measurement is, at most: as often as an eye can follow.
const TELLING: Duration = Duration::from_millis(100);

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
    /// Somebody ended the measurement by its [`StopHandle`].
    #[error("the measurement was stopped")]
    Stopped,
}

/// A native suite that described itself: the executable as it was then, whatever becomes of the file.
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
}

impl NativeSuite {
    /// Copies the executable and starts it once, for its catalog and its clock card; its processes live under no limits.
    ///
    /// # Errors
    /// Where it cannot be started, is no suite, or speaks another version of the protocol.
    pub fn open(path: &Path) -> Result<Self, SuiteError> {
        Self::open_guarded(path, Guard::default(), None)
    }

    /// The same under a guard, as far as that can be had: see [`Self::unguarded`]. With a reaper, what its processes start ends
    /// with this one too, unless it left their groups.
    ///
    /// # Errors
    /// Where it cannot be started, is no suite, or speaks another version of the protocol.
    pub fn open_guarded(path: &Path, guard: Guard, reaper: Option<&Reaper>) -> Result<Self, SuiteError> {
        let contract = |reason: String| SuiteError::Contract { path: path.to_owned(), reason: shortened(reason) };
        let start = |source| SuiteError::Start { path: path.to_owned(), source };
        let binary = std::fs::read(path).map_err(start)?;
        let copy = PrivateCopy::new(path, &binary).map_err(start)?;
        let mut process = Process::start(&copy, path, &guard, reaper, &StopHandle::default()).map_err(start)?;
        let (suite, unguarded) = match process.ask(&HostMessage::Describe { protocol: PROTOCOL }).map_err(contract)? {
            SuiteMessage::Catalog { protocol: PROTOCOL, suite, unguarded } => (suite, unguarded.unwrap_or_default()),
            SuiteMessage::Catalog { protocol, .. } => {
                return Err(contract(format!("it speaks protocol {protocol}: build it with a matching benchbook")));
            }
            SuiteMessage::Failed(failed) => return Err(contract(failed.reason)),
            other => return Err(contract(format!("it answered {other:?}"))),
        };
        suite.check().map_err(|reason| contract(format!("invalid catalog: {reason}")))?;
        let clock = match process.ask(&HostMessage::Collect(ClockCard::order())).map_err(contract)? {
            SuiteMessage::Samples(samples) => ClockCard::from_steps(&samples),
            _ => None,
        };
        let clock = clock.ok_or_else(|| contract("it has no clock".to_owned()))?;
        let card = SuiteCard::new(&suite, fingerprint(&binary));
        Ok(Self { path: path.to_owned(), copy, guard, reaper: reaper.cloned(), unguarded, suite, card, clock })
    }

    /// What it says of itself.
    pub fn suite(&self) -> &Suite {
        &self.suite
    }

    /// What of its guard cannot be had on this system, one reason each: its processes tell.
    pub fn unguarded(&self) -> &[String] {
        &self.unguarded
    }

    /// Which suite it is, exactly: the fingerprint is that of the copy which is started.
    pub fn card(&self) -> &SuiteCard {
        &self.card
    }

    /// The clock that it measures with.
    pub fn clock(&self) -> ClockCard {
        self.clock
    }

    /// Carries out an order, in as many fresh child processes as its quality says one after the other, or more where one
    /// ends; `tell` gets each point when its figures are there. No process outlives the call, nor the thread that calls: they
    /// die with it, so it must be one that nobody ends in the middle.
    ///
    /// # Errors
    /// Where it was stopped, or the executable can no longer be started.
    pub fn measure(
        &self,
        order: &MeasurementOrder<'_>,
        mut tell: impl FnMut(MeasurementEvent<'_>),
    ) -> Result<Response, SuiteError> {
        let MeasurementOrder { plan, quality, only, stop, .. } = order;
        let mut processes = Processes::new((*quality).clone(), self.clock);
        let mut sentinel = Sentinel::new(self.clock);
        for _ in 0..quality.processes {
            let mut measurement = Measurement::new((*plan).clone(), processes.share(), self.clock)
                .with_sentinel(sentinel.of_new_process())
                .after(processes.last());
            if let Some(values) = only {
                measurement = measurement.only(values);
            }
            let measurement = self.run(measurement, stop, |told| match told {
                MeasurementEvent::Progress(progress) => tell(MeasurementEvent::Progress(processes.progress(progress))),
                MeasurementEvent::Point(point) => {
                    if let Some(point) = processes.take(point) {
                        tell(MeasurementEvent::Point(point));
                    }
                }
            })?;
            sentinel = measurement.sentinel().clone();
            processes.end();
        }
        Ok(self.response(order, processes.into_points()))
    }

    /// The points that an order came to, all of them or those so far, with what they are of.
    pub fn response(&self, order: &MeasurementOrder<'_>, points: Vec<Point>) -> Response {
        let MeasurementOrder { plan, quality, machine, .. } = order;
        let request = plan.request().clone();
        Response {
            comparisons: comparisons(&request.functions, plan.numeric().scale, &points),
            priority: request.priority,
            request,
            suite: self.card.clone(),
            quality: (*quality).clone(),
            machine: Machine { kind: MachineKind::Native, name: (*machine).to_owned(), clock: self.clock },
            points,
        }
    }

    /// A fresh process.
    fn start(&self, stop: &StopHandle) -> Result<Process, SuiteError> {
        Process::start(&self.copy, &self.path, &self.guard, self.reaper.as_ref(), stop)
            .map_err(|source| SuiteError::Start { path: self.path.clone(), source })
    }

    /// Drives a measurement to its end.
    fn run(
        &self,
        mut measurement: Measurement,
        stop: &StopHandle,
        mut tell: impl FnMut(MeasurementEvent<'_>),
    ) -> Result<Measurement, SuiteError> {
        let mut process = None;
        let mut seen = 0;
        let mut told: Option<Instant> = None;
        while !measurement.is_done() {
            let running = match &mut process {
                Some(running) => running,
                None => process.insert(self.start(stop)?),
            };
            match running.step(&mut measurement) {
                Step::Taken => {}
                Step::Ended => process = None,
                Step::Stopped => return Err(SuiteError::Stopped),
            }
            let points = &measurement.points()[seen..];
            if !points.is_empty() || told.is_none_or(|told| told.elapsed() >= TELLING) {
                points.iter().for_each(|point| tell(MeasurementEvent::Point(point)));
                tell(MeasurementEvent::Progress(measurement.progress()));
                told = Some(Instant::now());
            }
            seen = measurement.points().len();
        }
        if let Some(running) = process {
            running.finish();
        }
        Ok(measurement)
    }
}
