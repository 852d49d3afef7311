//! The second stage of a check: it measures what was planned.

mod baseline;
mod counts;
mod interference;
mod local;
mod measured;
mod on_runner;
mod requests;
mod results;
mod turn;

use anyhow::Result;
use benchbook_host::history::CheckedMetric;

pub(crate) use self::baseline::{BaselineRevision, BothBuilds, clean_up};
pub(crate) use self::counts::BuildCounter;
pub(crate) use self::interference::Interference;
pub(crate) use self::local::ThisMachine;
pub(crate) use self::measured::{
    BaselineFigures, ChangedInputs, MeasuredBaseline, MeasuredResult, Measurements, PairedPoint,
};
pub(crate) use self::on_runner::{OnRunner, RunnerSession};
pub(crate) use self::turn::take as take_turn;
use super::plan::{CheckPlan, PlannedCheck};

/// Measures the functions of a check: on this machine, on a runner, or in turn with those of another commit.
pub(crate) trait Measurer {
    /// Measures a function.
    ///
    /// # Errors
    /// If all of the measurement failed. The failures of some points are part of the results.
    fn measure(&mut self, check: &PlannedCheck) -> Result<Measurements>;

    /// Called before a repeated measurement, so that it doesn't share conditions such as the layout of the code with the earlier one.
    fn vary_conditions(&mut self) {}

    /// Half the width of the interval of the change if a build is measured against itself: the largest over all points, at this confidence. `None` if
    /// the machine adds no such noise.
    ///
    /// # Errors
    /// If the measurement fails.
    fn noise(&mut self, _check: &PlannedCheck, _metric: CheckedMetric, _confidence: f64) -> Result<Option<f64>> {
        Ok(None)
    }

    /// The commit that is measured alongside, if any.
    fn baseline(&self) -> Option<MeasuredBaseline> {
        None
    }
}

impl Measurements {
    /// Measures all functions of a plan. A function whose result is too noisy is measured again. `store` receives the results so far.
    pub(crate) fn take(plan: &CheckPlan, measurer: &mut dyn Measurer, store: &dyn Fn(&Self)) -> Self {
        let mut measured = Self::default();
        // The results of an earlier check are no longer the last ones.
        store(&measured);
        for check in &plan.checks {
            let mut outcome = measure(check, measurer);
            for _ in 0..plan.re_measure {
                if !outcome.results.iter().any(|result| result.is_noisy(check)) {
                    break;
                }
                anstream::eprintln!("Measuring {} again: the result is too noisy.", check.function());
                measurer.vary_conditions();
                outcome = measure(check, measurer);
            }
            measured.add(outcome);
            store(&measured);
        }
        measured.baseline = measurer.baseline();
        measured
    }

    /// Measures the noise with the functions of some results: smaller changes then count as undecided. A single noisy measurement does not hide a change.
    pub(crate) fn with_noise(
        mut self,
        plan: &CheckPlan,
        measurer: &mut dyn Measurer,
        results: &[usize],
        confidence: f64,
    ) -> Self {
        for &index in results {
            let one = &mut self.results[index];
            match confirmed_noise(&plan.checks[one.check], one, measurer, confidence) {
                Ok(noise) => one.noise = noise,
                Err(error) => {
                    self.add_failures(vec![format!("could not measure the noise of this virtual machine: {error:#}")]);
                }
            }
        }
        self
    }

    /// Measures the functions of some results again. A result that cannot be measured again has no points, so that the first measurement does
    /// not confirm itself.
    pub(crate) fn again(&self, plan: &CheckPlan, measurer: &mut dyn Measurer, results: &[usize]) -> Self {
        let mut again = self.clone();
        let mut checks: Vec<usize> = results.iter().map(|&index| self.results[index].check).collect();
        checks.dedup();
        measurer.vary_conditions();
        for number in checks {
            let of_check = again.results.iter_mut().filter(|one| one.check == number);
            of_check.for_each(|one| one.result.points.clear());
            again.replace(measure(&plan.checks[number], measurer));
        }
        again
    }
}

/// The noise of a machine that is greater than the least change that counts, in two measurements: the lesser one. `None` unless there is such noise.
fn confirmed_noise(
    check: &PlannedCheck,
    result: &MeasuredResult,
    measurer: &mut dyn Measurer,
    confidence: f64,
) -> Result<Option<f64>> {
    let mut measured = || -> Result<Option<f64>> {
        let noise = measurer.noise(check, result.result.benchmark.metric, confidence)?;
        Ok(noise.filter(|noise| *noise > result.minimum_effect))
    };
    let Some(first) = measured()? else { return Ok(None) };
    Ok(measured()?.map(|second| second.min(first)))
}

fn measure(check: &PlannedCheck, measurer: &mut dyn Measurer) -> Measurements {
    let failed = |error| Measurements { failures: vec![format!("{error:#}")], ..Measurements::default() };
    measurer.measure(check).unwrap_or_else(failed)
}
