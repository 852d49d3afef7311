//! The counting modules of suites, which count what functions execute.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use benchbook_build::progress::BuildStep;
use benchbook_build::suite_target::SuiteTarget;
use benchbook_build::wasm_library::{self, RUSTUP_ARGUMENTS};
use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::protocol::Open;
use benchbook_count::{Counter, PlanCounter, PointCounts};
use benchbook_host::child::StopHandle;
use benchbook_host::request::Plan;
use benchbook_host::response::{Point, WasmCounts};
use benchbook_terminal::child_settings::child_settings;

use crate::project::Project;
use crate::project::build::suite_build;

/// The counting module of each suite of a project; or the reason why a suite has none.
#[derive(Debug)]
pub(crate) struct CountingModules(BTreeMap<SuiteTarget, Result<Counter, String>>);

impl CountingModules {
    /// Builds them. A suite that cannot be built for wasm is reported once.
    ///
    /// # Errors
    /// If Rust's standard library for wasm is missing, or cargo cannot be started.
    pub(crate) fn build(project: &Project) -> Result<Self> {
        ensure!(
            wasm_library::is_installed()?,
            "counting wasm instructions needs Rust's standard library for wasm. Run `rustup {}`",
            RUSTUP_ARGUMENTS.join(" ")
        );
        let mut modules = BTreeMap::new();
        for part in &project.parts {
            for suites in &part.packages {
                let build = suite_build(project, part.metadata.workspace_root.as_std_path(), suites, true, None);
                for (suite, module) in build.counting_modules(suites)? {
                    let read =
                        |path: PathBuf| fs::read(&path).with_context(|| format!("failed to read {}", path.display()));
                    let counter = |module| Counter::new(module, child_settings(), StopHandle::default());
                    let counter = module.and_then(read).map(counter).map_err(|error| {
                        anstream::eprintln!("warning: the wasm instructions of `{suite}` cannot be counted: {error:#}");
                        let reason = format!("{error:#}");
                        reason.lines().next().unwrap_or_default().to_owned()
                    });
                    modules.insert(suite, counter);
                }
            }
        }
        Ok(Self(modules))
    }

    /// Adds the counts to the measured points of a plan, and shows the progress.
    pub(crate) fn count(&mut self, suite: &SuiteTarget, plan: &Plan, points: &mut [Point]) {
        let functions = plan.request().functions.join(", ");
        let counter = PlanCounter::of_measured(plan.clone(), points);
        let (mut done, all) = (0, counter.remaining());
        let step = BuildStep::start(format!("Counting {functions}"));
        let on_counted = |counts: PointCounts| {
            counts.add_to(points);
            done += 1;
            step.set_text(format!("Counting {functions}: {done} of {all} points"));
        };
        counter.run(|open| self.count_calls(suite, open), on_counted);
    }

    /// Counts the only function of a plan at these axis values, in ascending order.
    pub(crate) fn count_at(&mut self, suite: &SuiteTarget, plan: &Plan, xs: &[AxisValue]) -> Vec<WasmCounts> {
        let _step = BuildStep::start(format!("Counting {}", plan.request().functions.join(", ")));
        let mut all = Vec::new();
        let counter = PlanCounter::new(plan.clone(), [(0, xs.to_vec())]);
        counter.run(|open| self.count_calls(suite, open), |counts| all.push(counts.counts));
        all
    }

    /// Counts the calls of a workload; `None` if that takes too long.
    fn count_calls(&mut self, suite: &SuiteTarget, open: &Open) -> Option<WasmCounts> {
        match self.0.get_mut(suite) {
            Some(Ok(counter)) => counter.count(open),
            Some(Err(reason)) => Some(WasmCounts::Uncountable(reason.clone())),
            None => Some(WasmCounts::Uncountable("the suite has no counting module".to_owned())),
        }
    }
}
