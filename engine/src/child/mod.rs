//! The driver of child processes: a native suite at the other end of two pipes.

mod process;
mod scratch;

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::catalog::Suite;
use crate::comparison::comparisons;
use crate::fingerprint::fingerprint;
use crate::protocol::{HostMessage, PROTOCOL, SuiteMessage};
use crate::quality::Qualities;
use crate::request::{Plan, Problem, Request};
use crate::response::{Machine, MachineKind, Point, Response, SuiteCard};
use crate::sample::clock_card::ClockCard;
use crate::sample::measurement::Measurement;
use crate::sample::processes::Processes;
use crate::sample::sentinel::Sentinel;
use process::{Process, Step};

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
        suite.check().map_err(|reason| contract(format!("its catalog cannot be: {reason}")))?;
        let clock = match process.ask(&HostMessage::Collect(ClockCard::order())).map_err(contract)? {
            SuiteMessage::Samples(samples) => ClockCard::from_steps(&samples),
            _ => None,
        };
        let clock = clock.ok_or_else(|| contract("it has no clock".to_owned()))?;
        let card = SuiteCard::new(&suite, fingerprint(&binary));
        Ok(Self { path: path.to_owned(), suite, card, clock })
    }

    /// What it says of itself.
    pub fn suite(&self) -> &Suite {
        &self.suite
    }

    /// Measures a request, in as many fresh child processes as the quality says one after the other, or more where one
    /// ends; `see` gets each point when its figures are there.
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
        let quality = plan.quality(qualities);
        let mut processes = Processes::new(quality.clone(), self.clock);
        let mut sentinel = Sentinel::new(self.clock);
        for _ in 0..quality.processes {
            let measurement = Measurement::new(plan.clone(), processes.share(), self.clock)
                .with_sentinel(sentinel.of_new_process())
                .after(processes.last());
            let measurement = self.run(measurement, |point| {
                if let Some(point) = processes.take(point) {
                    see(point);
                }
            })?;
            sentinel = measurement.sentinel().clone();
            processes.end();
        }
        let points = processes.into_points();
        Ok(Response {
            comparisons: comparisons(&request.functions, plan.numeric().scale, &points),
            priority: request.priority,
            request,
            suite: self.card.clone(),
            quality,
            machine: Machine { kind: MachineKind::Native, name: machine.to_owned(), clock: self.clock },
            points,
        })
    }

    /// Drives a measurement to its end.
    fn run(&self, mut measurement: Measurement, mut see: impl FnMut(&Point)) -> Result<Measurement, SuiteError> {
        let start = |source| SuiteError::Start { path: self.path.clone(), source };
        let mut process = None;
        let mut seen = 0;
        while !measurement.is_done() {
            let running = match &mut process {
                Some(running) => running,
                None => process.insert(Process::start(&self.path).map_err(start)?),
            };
            if let Step::Ended(ending) = running.step(&mut measurement) {
                measurement.ended(&ending);
                process = None;
            }
            measurement.points()[seen..].iter().for_each(&mut see);
            seen = measurement.points().len();
        }
        if let Some(running) = process {
            running.finish();
        }
        Ok(measurement)
    }
}
