//! Counts of wasm instructions in a check: of the current build, and of the baseline.

use std::cell::RefCell;

use anyhow::Result;
use benchbook_build::suite_target::SuiteTarget;
use benchbook_contract::axis_value::AxisValue;
use benchbook_host::child::NativeSuite;
use benchbook_host::history::{CheckedMetric, CheckedPoint, MachineClass};
use benchbook_host::response::WasmCounts;
use benchbook_host::units::axis_value;

use super::measured::{MeasuredResult, PairedPoint};
use super::requests::planned;
use crate::check::plan::PlannedCheck;
use crate::project::counting_modules::CountingModules;

/// The counts of a function in a build.
#[derive(Debug, Default)]
pub(super) struct FunctionCounts {
    /// The points that were counted, in the order of the axis.
    pub(super) points: Vec<CheckedPoint>,
    /// A sentence for each reason why others were not.
    pub(super) failures: Vec<String>,
}

/// A build whose functions are counted. The commands build them only if a check needs them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CountedBuild<'t>(pub(crate) &'t RefCell<CountingModules>);

impl CountedBuild<'_> {
    /// Counts the function of a check in its suite.
    ///
    /// # Errors
    /// If the request is invalid for this build, or if the process that counts fails.
    pub(super) fn count(
        self,
        target: &SuiteTarget,
        suite: &NativeSuite,
        check: &PlannedCheck,
    ) -> Result<FunctionCounts> {
        let plan = planned(suite, check.counting_request())?;
        let mut xs = plan.axis_values(check.quality.points);
        xs.sort_by(AxisValue::total_cmp);
        let all = self.0.borrow_mut().count_at(target, &plan, &xs)?;
        let mut counts = FunctionCounts::default();
        for (x, of_point) in xs.into_iter().zip(all) {
            let (calls, means) = match of_point {
                WasmCounts::Counted(operators) => (operators.calls, vec![operators.per_call()]),
                WasmCounts::Varying { one, other } => (one.calls, vec![one.per_call(), other.per_call()]),
                WasmCounts::Absent(reason) => {
                    let at = if x.is_absent() { String::new() } else { format!(" at {}", axis_value(&x)) };
                    counts.failures.push(format!("`{}` was not counted{at}: {reason}", check.function()));
                    continue;
                }
            };
            // A loop may need an operator less with a call that does nothing.
            let means = means.into_iter().map(|mean| mean.max(0.0)).collect();
            counts.points.push(CheckedPoint { x, means, calls: Some(calls as f64), ..CheckedPoint::default() });
        }
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
