//! The running processes of a measurement: one of the suite, or one for each build that is compared.

use std::time::Duration;

use super::build_router::BuildRouter;
use super::process::{Process, ProcessEvent, StepResult};
use crate::sample::measurement::Measurement;

/// How often a comparison of builds checks whether it was stopped: its handle wakes only the process that was started last.
const STOP_CHECK: Duration = Duration::from_millis(100);

/// The processes that carry out a measurement. Dropping it kills them.
pub(super) enum RunningSuite {
    /// The process of the suite.
    One(Box<Process>),
    /// The processes of several builds, which take turns.
    Builds(Box<BuildProcesses>),
}

/// A process for each build that is compared.
pub(super) struct BuildProcesses {
    processes: Vec<Process>,
    router: BuildRouter,
    is_stopped: Box<dyn Fn() -> bool>,
}

impl RunningSuite {
    /// Processes of several builds; `builds` identifies them, and is `None` for the current one. `is_stopped`: whether the measurement
    /// was stopped.
    pub(super) fn of_builds(
        processes: Vec<Process>,
        builds: Vec<Option<String>>,
        is_stopped: impl Fn() -> bool + 'static,
    ) -> Self {
        let router = BuildRouter::new(builds);
        Self::Builds(Box::new(BuildProcesses { processes, router, is_stopped: Box::new(is_stopped) }))
    }

    /// Sends the pending messages and processes one response.
    pub(super) fn step(&mut self, measurement: &mut Measurement) -> StepResult {
        match self {
            Self::One(process) => process.step(measurement),
            Self::Builds(builds) => builds.step(measurement),
        }
    }

    /// The processes, in the order of the builds.
    pub(super) fn processes(&mut self) -> &mut [Process] {
        match self {
            Self::One(process) => std::slice::from_mut(process),
            Self::Builds(builds) => &mut builds.processes,
        }
    }

    /// Closes the input of the processes and lets them exit.
    pub(super) fn finish(self) {
        match self {
            Self::One(process) => process.finish(),
            Self::Builds(builds) => builds.processes.into_iter().for_each(Process::finish),
        }
    }
}

impl BuildProcesses {
    fn step(&mut self, measurement: &mut Measurement) -> StepResult {
        measurement.messages().into_iter().for_each(|message| self.router.add(message));
        if measurement.is_done() {
            return StepResult::Continue;
        }
        if (self.is_stopped)() {
            return StepResult::Stopped;
        }
        if let Some((process, message)) = self.router.next_part() {
            self.processes[process].restart_timeout();
            self.processes[process].send(&message);
        }
        // A measurement that is not done always has a message without a reply.
        let working = self.router.working().unwrap_or_default();
        let process = &mut self.processes[working];
        match process.wait(measurement.timeout_ms(), STOP_CHECK) {
            ProcessEvent::Message(message) => {
                if let Some(joined) = self.router.handle_reply(*message) {
                    measurement.handle_reply(joined);
                }
                StepResult::Continue
            }
            ProcessEvent::Nothing => StepResult::Continue,
            ProcessEvent::Stopped => StepResult::Stopped,
            ProcessEvent::Ended(ending) => {
                measurement.handle_exit_with_stderr(&ending, &process.stderr_tail());
                StepResult::Exited
            }
        }
    }
}
