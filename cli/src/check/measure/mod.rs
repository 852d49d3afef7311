//! The second stage of a check: it measures what was planned.

mod baseline;
mod figures;
mod local;
mod measured;
mod on_runner;

use anyhow::Result;
use benchbook_host::history::CheckedMetric;

pub(crate) use self::baseline::{BaselineRevision, BothBuilds, clean_up};
pub(crate) use self::local::ThisMachine;
#[cfg(test)]
pub(crate) use self::measured::PairedPoint;
pub(crate) use self::measured::{BaselineFigures, Measured, MeasuredBaseline, MeasuredResult};
pub(crate) use self::on_runner::{OnRunner, RunnerSession};
use super::plan::{CheckPlan, PlannedCheck};

/// Measures the functions of a check: on this machine, on a runner, or in turn with those of another commit.
pub(crate) trait Measurer {
    /// Measures a function.
    ///
    /// # Errors
    /// If all of the measurement failed. The failures of some points are part of the results.
    fn measure(&mut self, check: &PlannedCheck) -> Result<Measured>;

    /// Makes the next measurements independent of those before.
    fn begin_again(&mut self) {}

    /// The greatest change of a function that is measured against itself, at this confidence; `None` where every change counts.
    ///
    /// # Errors
    /// If the measurement fails.
    fn noise(&mut self, _check: &PlannedCheck, _metric: CheckedMetric, _confidence: f64) -> Result<Option<f64>> {
        Ok(None)
    }

    /// The commit that is measured, too.
    fn baseline(&self) -> Option<MeasuredBaseline> {
        None
    }
}

impl Measured {
    /// Measures all functions of a plan. A function whose result is too noisy is measured again. `store` receives the results so far.
    pub(crate) fn of(plan: &CheckPlan, measurer: &mut dyn Measurer, store: &dyn Fn(&Self)) -> Self {
        let mut measured = Self::default();
        // The results of an earlier check are no longer the last ones.
        store(&measured);
        for check in &plan.checks {
            let mut one = measure(check, measurer);
            for _ in 0..plan.re_measure {
                if !one.results.iter().any(|one| one.is_noisy(check)) {
                    break;
                }
                anstream::eprintln!("Measuring {} again: the result is too noisy.", check.function());
                measurer.begin_again();
                one = measure(check, measurer);
            }
            measured.add(one);
            store(&measured);
        }
        measured.baseline = measurer.baseline();
        measured
    }

    /// Measures the noise with the functions of some results, and raises the least changes that count to match.
    pub(crate) fn with_noise(
        mut self,
        plan: &CheckPlan,
        measurer: &mut dyn Measurer,
        results: &[usize],
        confidence: f64,
    ) -> Self {
        for &index in results {
            let one = &mut self.results[index];
            match measurer.noise(&plan.checks[one.check], one.result.benchmark.metric, confidence) {
                Ok(noise) => one.noise = noise.filter(|noise| *noise > one.minimum_effect),
                Err(error) => {
                    self.add_failures(vec![format!("the noise of this virtual machine is unknown: {error:#}")]);
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
        measurer.begin_again();
        for number in checks {
            let of_check = again.results.iter_mut().filter(|one| one.check == number);
            of_check.for_each(|one| one.result.points.clear());
            again.replace(measure(&plan.checks[number], measurer));
        }
        again
    }
}

fn measure(check: &PlannedCheck, measurer: &mut dyn Measurer) -> Measured {
    let failed = |error| Measured { failures: vec![format!("{error:#}")], ..Measured::default() };
    measurer.measure(check).unwrap_or_else(failed)
}
