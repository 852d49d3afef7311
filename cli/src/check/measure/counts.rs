//! Counts of wasm instructions in a check: of the current build, and of the baseline.

use std::cell::RefCell;
use std::collections::BTreeSet;

use anyhow::{Context, Result};
use benchbook_build::suite_target::SuiteTarget;
use benchbook_contract::axis_value::AxisValue;
use benchbook_host::child::NativeSuite;
use benchbook_host::history::{CheckedMetric, CheckedPoint, MachineClass};
use benchbook_host::response::WasmCounts;
use benchbook_host::units::axis_value;
use benchbook_report::wasm_counts::native_difference;

use super::measured::{MeasuredResult, PairedPoint};
use super::requests::planned;
use crate::check::plan::PlannedCheck;
use crate::project::Project;
use crate::project::counting_modules::CountingModules;

/// The counts of a function in a build.
#[derive(Debug, Default)]
pub(super) struct FunctionCounts {
    /// The points that were counted, in the order of the axis.
    pub(super) points: Vec<CheckedPoint>,
    /// A sentence for each reason why others failed. Points that cannot be counted are notes, which are printed.
    pub(super) failures: Vec<String>,
}

/// Counts what the functions of a build execute. Its modules are built when they are needed.
#[derive(Debug)]
pub(crate) struct BuildCounter {
    project: Project,
    modules: RefCell<Option<CountingModules>>,
}

impl BuildCounter {
    /// Counts those of the suites of a project.
    pub(crate) fn new(project: Project) -> Self {
        Self { project, modules: RefCell::default() }
    }

    /// Builds the modules, unless they are built already.
    ///
    /// # Errors
    /// As for [`CountingModules::build`].
    pub(crate) fn build(&self) -> Result<()> {
        let mut modules = self.modules.borrow_mut();
        if modules.is_none() {
            *modules = Some(CountingModules::build(&self.project)?);
        }
        Ok(())
    }

    /// Counts the function of a check in its suite. `of_build`: added to failures, such as “ in the baseline”.
    ///
    /// # Errors
    /// If the request is invalid for this build, or as for [`Self::build`].
    pub(super) fn count(
        &self,
        target: &SuiteTarget,
        suite: &NativeSuite,
        check: &PlannedCheck,
        of_build: &str,
    ) -> Result<FunctionCounts> {
        let plan = planned(suite, check.counting_request())?;
        self.build()?;
        let mut modules = self.modules.borrow_mut();
        let modules = modules.as_mut().context("the counting modules were not built (this is a bug)")?;
        let mut xs = plan.axis_values(check.quality.points);
        xs.sort_by(AxisValue::total_cmp);
        let all = modules.count_at(target, &plan, &xs);
        let mut counts = FunctionCounts::default();
        let (mut notes, mut difference) = (BTreeSet::new(), None);
        for (x, of_point) in xs.into_iter().zip(all) {
            let at = if x.is_absent() { String::new() } else { format!(" at {}", axis_value(&x)) };
            let function = check.function();
            let (calls, means) = match of_point {
                WasmCounts::Counted(counted) => {
                    if counted.conditional > 0 {
                        difference.get_or_insert_with(|| native_difference(&format!("`{function}`"), &at, &counted));
                    }
                    (counted.calls, vec![counted.per_call()])
                }
                WasmCounts::Varying { first, second } => (first.calls, vec![first.per_call(), second.per_call()]),
                WasmCounts::Uncountable(reason) => {
                    notes.insert(format!("note: `{function}` was not counted: {reason}"));
                    continue;
                }
                WasmCounts::Failed(reason) => {
                    counts.failures.push(format!("counting `{function}`{at} failed{of_build}: {reason}"));
                    continue;
                }
            };
            // The loop may need an instruction less with a call that does nothing.
            let means = means.into_iter().map(|mean| mean.max(0.0)).collect();
            counts.points.push(CheckedPoint { x, means, calls: Some(calls as f64), ..CheckedPoint::default() });
        }
        // What only native code has is the same in the baseline, or its code differs.
        if difference.is_none() && !counts.points.is_empty() && of_build.is_empty() {
            difference = modules.native_difference(target, suite, &plan);
        }
        notes.extend(difference.map(|difference| format!("note: {difference}")));
        notes.iter().for_each(|note| anstream::eprintln!("{note}"));
        Ok(counts)
    }
}

impl PlannedCheck {
    /// The result with these counts, which is not compared with a baseline; `None` without any.
    pub(super) fn counted(&self, points: Vec<CheckedPoint>) -> Option<MeasuredResult> {
        let machine = MachineClass::of_wasm(&self.build.compiler);
        (!points.is_empty()).then(|| self.described(CheckedMetric::WasmInstructions, points, &machine))
    }
}

/// The counts of both builds at each point of the current one.
pub(super) fn paired(before: &[CheckedPoint], current: &[CheckedPoint]) -> Vec<PairedPoint> {
    let pair = |point: &CheckedPoint| {
        let earlier = before.iter().find(|earlier| earlier.x == point.x);
        PairedPoint {
            x: point.x.clone(),
            means: [earlier.map(|earlier| earlier.means.clone()).unwrap_or_default(), point.means.clone()],
            ln_ratios: Vec::new(),
            calls: [earlier.and_then(|earlier| earlier.calls), point.calls],
        }
    };
    current.iter().map(pair).collect()
}
