//! Measures functions on this machine.

use anyhow::{Context, Error, Result};
use benchbook_accepted::machine::current_card;
use benchbook_host::child::NativeSuite;
use benchbook_host::history::MachineClass;
use benchbook_host::request::{Plan, Problem, Request};
use benchbook_notebook::id::Id;
use benchbook_terminal::measurement::{NativeMeasurement, host_name};

use super::Measurer;
use super::measured::Measurements;
use crate::check::plan::PlannedCheck;
use crate::project::OpenedSuite;

/// This machine, with the suites that it measures.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThisMachine<'s> {
    pub(crate) suites: &'s [OpenedSuite],
}

impl ThisMachine<'_> {
    /// The suite of a check.
    ///
    /// # Errors
    /// If it is not one of those opened, which is a bug.
    pub(super) fn suite(&self, check: &PlannedCheck) -> Result<&NativeSuite> {
        let is_its = |opened: &&OpenedSuite| opened.suite.suite().name == check.request.suite;
        let opened = self.suites.iter().find(is_its).context("the suite of the check is not open (this is a bug)")?;
        Ok(&opened.suite)
    }
}

impl Measurer for ThisMachine<'_> {
    fn measure(&mut self, check: &PlannedCheck) -> Result<Measurements> {
        let suite = self.suite(check)?;
        check.measured(&class(check), |request, quality| {
            let plan = planned(suite, request)?;
            let generator = suite.suite().generator(&plan.request().generator);
            let generator = generator.context("the catalog lacks the generator of a function (this is a bug)")?;
            let measurement = NativeMeasurement { suite, generator, plan };
            let (response, _) = measurement.run_with(quality, &host_name(), Id::from_random(check.number as u64))?;
            Ok(response.points)
        })
    }
}

/// The class of this machine, for the suite of a check.
pub(super) fn class(check: &PlannedCheck) -> MachineClass {
    MachineClass::of(&current_card(&host_name(), None), &check.target, false)
}

/// The plan of a request to a suite.
///
/// # Errors
/// If the request is invalid: those of a plan are valid for the current build, but another one may lack a parameter.
pub(super) fn planned(suite: &NativeSuite, request: Request) -> Result<Plan> {
    Plan::new(suite.suite(), request).map_err(problems)
}

/// The problems of a request as an error.
pub(super) fn problems(problems: Vec<Problem>) -> Error {
    Error::msg(problems.into_iter().map(|problem| problem.message).collect::<Vec<_>>().join("; "))
}
