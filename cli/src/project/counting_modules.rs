//! The counting modules of suites, which count what functions execute.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, ensure};
use benchbook_build::progress::BuildStep;
use benchbook_build::suite_target::SuiteTarget;
use benchbook_build::wasm_library::{self, RUSTUP_ARGUMENTS};
use benchbook_contract::axis_value::AxisValue;
use benchbook_count::{Counter, LIMIT, count_function, count_points};
use benchbook_host::request::Plan;
use benchbook_host::response::{Outcome, Point, WasmCounts};

use crate::project::Project;
use crate::project::build::suite_build;

/// The counting module of each suite of a project; or the reason why a suite has none.
#[derive(Debug)]
pub(crate) struct CountingModules(BTreeMap<SuiteTarget, Result<Counter, String>>);

impl CountingModules {
    /// Builds them.
    ///
    /// # Errors
    /// If Rust's standard library for wasm is missing, or cargo cannot be started.
    pub(crate) fn build(project: &Project) -> Result<Self> {
        ensure!(
            wasm_library::is_installed()?,
            "what functions execute is counted in wasm, and Rust's standard library for it is missing. Run `rustup {}`",
            RUSTUP_ARGUMENTS.join(" ")
        );
        let mut modules = BTreeMap::new();
        for part in &project.parts {
            for suites in &part.packages {
                let build = suite_build(project, part.metadata.workspace_root.as_std_path(), suites, true, None);
                for (suite, module) in build.counting_modules(suites)? {
                    let bytes = module
                        .and_then(|path| fs::read(&path).with_context(|| format!("failed to read {}", path.display())));
                    modules.insert(suite, bytes.map(Counter::new).map_err(|error| format!("{error:#}")));
                }
            }
        }
        Ok(Self(modules))
    }

    /// Adds the counts to the measured points of a plan, and shows the progress.
    ///
    /// # Errors
    /// If the process that counts fails.
    pub(crate) fn count(&mut self, suite: &SuiteTarget, plan: &Plan, points: &mut [Point]) -> Result<()> {
        let counter = match self.0.get_mut(suite) {
            Some(Ok(counter)) => counter,
            other => {
                let reason = other.and_then(|module| module.as_ref().err());
                add_reason(points, reason.map_or("the suite has no counting module", String::as_str));
                return Ok(());
            }
        };
        let (all, functions) = (points.len(), plan.request().functions.join(", "));
        let step = BuildStep::start(format!("Counting {functions}"));
        let progress = |done| step.set_text(format!("Counting {functions}: {done} of {all} points"));
        count_points(plan, points, |open| counter.count(open, LIMIT), progress)
            .with_context(|| format!("counting {functions}"))
    }
}

impl CountingModules {
    /// Counts the only function of a plan at these axis values, in ascending order.
    ///
    /// # Errors
    /// If the process that counts fails.
    pub(crate) fn count_at(&mut self, suite: &SuiteTarget, plan: &Plan, xs: &[AxisValue]) -> Result<Vec<WasmCounts>> {
        let function = plan.request().functions.join(", ");
        let _step = BuildStep::start(format!("Counting {function}"));
        match self.0.get_mut(suite) {
            Some(Ok(counter)) => count_function(plan, 0, xs, |open| counter.count(open, LIMIT))
                .with_context(|| format!("counting {function}")),
            other => {
                let reason = other.and_then(|module| module.as_ref().err());
                let reason = reason.map_or("the suite has no counting module", String::as_str);
                Ok(xs.iter().map(|_| WasmCounts::Absent(reason.to_owned())).collect())
            }
        }
    }
}

fn add_reason(points: &mut [Point], reason: &str) {
    for point in points {
        if let Outcome::Measured(measured) = &mut point.outcome {
            measured.wasm = Some(WasmCounts::Absent(reason.to_owned()));
        }
    }
}
