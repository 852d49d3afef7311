//! A check: whether functions have become slower, or use more memory. Its stages are values: a plan, what was measured, how that compares,
//! and the report.

pub(crate) mod compare;
#[cfg(test)]
mod fixtures;
pub(crate) mod measure;
pub(crate) mod plan;
pub(crate) mod report;
#[cfg(test)]
mod tests;

use benchbook_host::history::{AcceptedResult, CheckedMetric};

use self::compare::{Comparisons, ExecutedPoint};
use self::measure::{Measurements, Measurer};
use self::plan::{CheckPlan, PlannedCheck};
use crate::project::benchbook_toml::CheckMode;

/// Measures the plan, then compares the results with the measurer's baseline or, without one, with accepted results (oldest first). A regression
/// counts only if a second measurement confirms it. Returns the results of the first measurement, with the failures
/// of both. `store` receives the results so far, so that those of an interrupted check can be accepted.
pub(crate) fn check(
    plan: &CheckPlan,
    accepted: &[&AcceptedResult],
    measurer: &mut dyn Measurer,
    store: &dyn Fn(&Measurements),
) -> (Measurements, Comparisons) {
    let measured = Measurements::take(plan, measurer, store);
    let first = Comparisons::at_reached_confidence(&measured.results, accepted, plan.rule, plan.least_confidence);
    let mut measured = measured.with_noise(plan, measurer, &first.changes(), first.interval_confidence);
    let mut compared = Comparisons::of(&measured.results, accepted, first.rule);
    compared.executed = executed(plan, &measured, &compared, accepted, measurer);
    let regressions = compared.regressions(&measured.results);
    if !regressions.is_empty() {
        anstream::eprintln!("Measuring again, to confirm the regressions.");
        let again = measured.again(plan, measurer, &regressions);
        compared.confirm(&Comparisons::of(&again.results, accepted, first.rule));
        (measured.failures, measured.interference) = (again.failures, again.interference);
    }
    (measured, compared)
}

/// What the functions with undecided times execute, now and before, if that is or can be known.
fn executed(
    plan: &CheckPlan,
    measured: &Measurements,
    compared: &Comparisons,
    accepted: &[&AcceptedResult],
    measurer: &mut dyn Measurer,
) -> Vec<ExecutedPoint> {
    let mut checks: Vec<usize> =
        compared.undecided_times(&measured.results).iter().map(|&index| measured.results[index].check).collect();
    checks.dedup();
    let has_baseline = measurer.baseline().is_some();
    let is_counted = |check: &PlannedCheck| {
        let is_its = |one: &&&AcceptedResult| {
            one.result.benchmark.metric == CheckedMetric::WasmInstructions
                && one.result.benchmark.function == check.function()
        };
        has_baseline || accepted.iter().any(|one| is_its(&one))
    };
    let mut executed = Vec::new();
    for check in checks.iter().map(|&number| &plan.checks[number]) {
        if check.mode.counts_instructions() || !is_counted(check) {
            continue;
        }
        match measurer.measure(&PlannedCheck { mode: CheckMode::Counts, ..check.clone() }) {
            Ok(counts) => executed.extend(ExecutedPoint::of(check.number, &counts.results, accepted, compared.rule)),
            Err(error) => {
                // It is the same for all functions.
                anstream::eprintln!("note: undecided times have no counts next to them: {error:#}");
                break;
            }
        }
    }
    executed
}
