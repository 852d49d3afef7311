//! The twins of suites, which count what functions execute.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, ensure};
use benchbook_build::progress::BuildStep;
use benchbook_build::suite_target::SuiteTarget;
use benchbook_build::wasm_library::{self, RUSTUP_ARGUMENTS};
use benchbook_count::{Counter, LIMIT, count_points};
use benchbook_host::request::Plan;
use benchbook_host::response::{Outcome, Point, WasmCounts};

use crate::project::Project;
use crate::project::build::suite_build;

/// The twin of each suite of a project; or the reason why a suite has none.
pub(crate) struct Twins(BTreeMap<SuiteTarget, Result<Counter, String>>);

impl Twins {
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
        let mut twins = BTreeMap::new();
        for part in &project.parts {
            for suites in &part.packages {
                let build = suite_build(project, part.metadata.workspace_root.as_std_path(), suites, true, None);
                for (suite, twin) in build.twins(suites)? {
                    let bytes = twin
                        .and_then(|path| fs::read(&path).with_context(|| format!("failed to read {}", path.display())));
                    twins.insert(suite, bytes.map(Counter::new).map_err(|error| format!("{error:#}")));
                }
            }
        }
        Ok(Self(twins))
    }

    /// Adds the counts to the measured points of a plan, and shows the progress.
    ///
    /// # Errors
    /// If the process that counts fails.
    pub(crate) fn count(&mut self, suite: &SuiteTarget, plan: &Plan, points: &mut [Point]) -> Result<()> {
        let counter = match self.0.get_mut(suite) {
            Some(Ok(counter)) => counter,
            other => {
                let reason = other.and_then(|twin| twin.as_ref().err());
                add_reason(points, reason.map_or("the suite has no twin that counts", String::as_str));
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

fn add_reason(points: &mut [Point], reason: &str) {
    for point in points {
        if let Outcome::Measured(measured) = &mut point.outcome {
            measured.wasm = Some(WasmCounts::Absent(reason.to_owned()));
        }
    }
}
