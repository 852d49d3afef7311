//! Measures functions on this machine.

use anyhow::{Context, Result};
use benchbook_accepted::machine::current_card;
use benchbook_host::child::NativeSuite;
use benchbook_host::history::MachineClass;
use benchbook_notebook::id::Id;
use benchbook_terminal::measurement::{NativeMeasurement, host_name};

use super::Measurer;
use super::counts::{BuildCounter, FunctionCounts};
use super::measured::Measurements;
use super::requests::planned;
use crate::check::plan::PlannedCheck;
use crate::project::OpenedSuite;

/// This machine, with the suites that it measures.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThisMachine<'s> {
    pub(crate) suites: &'s [OpenedSuite],
    /// Counts what they execute.
    pub(crate) counter: &'s BuildCounter,
}

impl ThisMachine<'_> {
    /// The suite of a check.
    ///
    /// # Errors
    /// If it is not one of those opened, which is a bug.
    pub(super) fn suite(&self, check: &PlannedCheck) -> Result<&NativeSuite> {
        self.opened(check).map(|opened| &opened.suite)
    }

    fn opened(&self, check: &PlannedCheck) -> Result<&OpenedSuite> {
        let is_its = |opened: &&OpenedSuite| opened.suite.suite().name == check.request.suite;
        self.suites.iter().find(is_its).context("the suite of the check is not open (this is a bug)")
    }

    /// Adds the counts of what the function of a check executes, if its mode demands them: they don't depend on the machine.
    ///
    /// # Errors
    /// As for [`BuildCounter::count`].
    pub(super) fn add_counts(&self, check: &PlannedCheck, measured: &mut Measurements) -> Result<()> {
        if let Some(FunctionCounts { points, failures }) = self.count(check)? {
            measured.add_failures(failures);
            measured.results.extend(check.counted(points));
        }
        Ok(())
    }

    /// Counts what the function of a check executes; `None` if its mode does not.
    pub(super) fn count(&self, check: &PlannedCheck) -> Result<Option<FunctionCounts>> {
        if !check.mode.counts_instructions() {
            return Ok(None);
        }
        let opened = self.opened(check)?;
        self.counter.count(&opened.target, &opened.suite, check, "").map(Some)
    }
}

impl Measurer for ThisMachine<'_> {
    fn measure(&mut self, check: &PlannedCheck) -> Result<Measurements> {
        let suite = self.suite(check)?;
        let mut measured = check.measured(&class(check), |request, quality| {
            let plan = planned(suite, request)?;
            let generator = suite.suite().generator(&plan.request().generator);
            let generator = generator.context("the catalog lacks the generator of a function (this is a bug)")?;
            let measurement = NativeMeasurement { suite, generator, plan };
            let (response, _) = measurement.run_with(quality, &host_name(), Id::from_random(check.number as u64))?;
            Ok(response.points)
        })?;
        self.add_counts(check, &mut measured)?;
        Ok(measured)
    }
}

/// The class of this machine, for the suite of a check.
pub(super) fn class(check: &PlannedCheck) -> MachineClass {
    MachineClass::of(&current_card(&host_name(), None), &check.target, false)
}
