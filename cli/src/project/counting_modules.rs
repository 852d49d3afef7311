//! The counting modules of suites, which count what functions execute.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use benchbook_build::progress::BuildStep;
use benchbook_build::suite_target::SuiteTarget;
use benchbook_build::wasm_library::{self, RUSTUP_ARGUMENTS};
use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::protocol::Open;
use benchbook_count::{Counter, PlanCounter, PointCounts, Rounds};
use benchbook_host::child::{NativeSuite, StopHandle};
use benchbook_host::request::{Plan, Request};
use benchbook_host::response::{Point, WasmCounts};
use benchbook_host::units::axis_value;
use benchbook_instrument::{CodeMap, ContextCounts};
use benchbook_terminal::child_settings::child_settings;

use crate::project::Project;
use crate::project::build::suite_build;
use crate::project::native_functions::{NativeFunctions, only_native};

/// The counting module of each suite of a project; or the reason why a suite has none.
#[derive(Debug)]
pub(crate) struct CountingModules(BTreeMap<SuiteTarget, Result<CountingModule, String>>);

#[derive(Debug)]
struct CountingModule {
    counter: Counter,
    /// The functions of the suite's executable, and the names of those of the module; `None` if they cannot be compared.
    compared: OnceCell<Option<(NativeFunctions, BTreeSet<String>)>>,
}

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
                    let counter = |module| CountingModule {
                        counter: Counter::new(module, child_settings(), StopHandle::default()),
                        compared: OnceCell::new(),
                    };
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

    /// Counts the calls of the only function of a plan by context, at these axis values in ascending order, up to one that takes too long. Returns the map of the module, and the counts.
    ///
    /// # Errors
    /// If nothing can be counted.
    pub(crate) fn count_contexts(
        &mut self,
        suite: &SuiteTarget,
        plan: &Plan,
        xs: &[AxisValue],
        rounds: Rounds,
    ) -> Result<(CodeMap, Vec<(AxisValue, ContextCounts)>)> {
        let counter = match self.0.get_mut(suite) {
            Some(Ok(module)) => &mut module.counter,
            Some(Err(reason)) => bail!("can't count the wasm instructions of `{suite}`: {reason}"),
            None => bail!("the suite has no counting module (this is a bug)"),
        };
        let functions = &plan.request().functions;
        let step = BuildStep::start(format!("Counting {}", functions.join(", ")));
        let mut all = Vec::new();
        for (done, x) in xs.iter().enumerate() {
            match counter.count_contexts(&plan.open(0, functions.clone(), x), rounds) {
                Ok(counts) => all.push((x.clone(), counts)),
                Err(error) if all.is_empty() => return Err(error),
                Err(error) => {
                    anstream::eprintln!(
                        "note: left out {} {} and all after it: {error:#}",
                        plan.axis_name(),
                        axis_value(x)
                    );
                    break;
                }
            }
            step.set_text(format!("Counting {}: {} of {} points", functions.join(", "), done + 1, xs.len()));
        }
        Ok((counter.map()?, all))
    }

    /// Whether native code of a function differs from what is counted, since it calls functions that the wasm module does not have: a sentence without its full stop.
    pub(crate) fn native_difference(&self, suite: &SuiteTarget, native: &NativeSuite, plan: &Plan) -> Option<String> {
        let module = self.0.get(suite)?.as_ref().ok()?;
        let compare = || NativeFunctions::read(&native.read_program().ok()?).zip(module.counter.names().ok());
        let (native, in_wasm) = module.compared.get_or_init(compare).as_ref()?;
        let Request { functions, generator, .. } = plan.request();
        functions.iter().find_map(|function| {
            let reached = native.reached(function, generator)?;
            let example = *only_native(&reached, in_wasm).first()?;
            Some(format!(
                "`{function}`: native code differs from what was counted, since it calls functions that the wasm module does not have, such as `{example}`"
            ))
        })
    }

    /// Counts the calls of a workload; `None` if that takes too long.
    fn count_calls(&mut self, suite: &SuiteTarget, open: &Open) -> Option<WasmCounts> {
        match self.0.get_mut(suite) {
            Some(Ok(module)) => module.counter.count(open),
            Some(Err(reason)) => Some(WasmCounts::Uncountable(reason.clone())),
            None => Some(WasmCounts::Uncountable("the suite has no counting module".to_owned())),
        }
    }
}
