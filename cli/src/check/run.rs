//! The measurements of a check.

use std::collections::BTreeSet;

use super::baseline::Baseline;
use super::check_runner::CheckRunner;
use super::compared::ResultToCompare;
use super::last_check::LastCheck;
use super::measured::{MeasuredCheck, MeasuredResult};
use super::planned::PlannedCheck;
use crate::commit::Commit;
use crate::project::Project;

/// The measurements of a check so far. If the check is interrupted, the completed ones can still be accepted.
pub(super) struct CheckRun<'c> {
    checks: &'c [PlannedCheck<'c>],
    baseline: Option<&'c mut Baseline>,
    /// Absent if this machine measures.
    runner: Option<&'c CheckRunner>,
    commit: Commit,
    pub(super) results: Vec<ResultToCompare>,
    /// The number of the check of each result.
    origins: Vec<usize>,
    /// A sentence for each measurement that failed.
    pub(super) failures: Vec<String>,
}

impl<'c> CheckRun<'c> {
    /// Measures all functions, here or on a runner; with a baseline, in both builds. A function whose result is too
    /// noisy is measured again, at most `repetitions` times.
    pub(super) fn of(
        project: &Project,
        checks: &'c [PlannedCheck<'c>],
        baseline: Option<&'c mut Baseline>,
        runner: Option<&'c CheckRunner>,
        repetitions: u32,
    ) -> Self {
        let commit = project.commit.clone();
        let mut run =
            Self { checks, baseline, runner, commit, results: Vec::new(), origins: Vec::new(), failures: Vec::new() };
        // The results of an earlier check are no longer the last ones.
        run.store(project);
        for (number, check) in checks.iter().enumerate() {
            let mut measured = run.measure(number);
            for _ in 0..repetitions {
                if !measured.results.iter().any(|one| one.is_noisy(check)) {
                    break;
                }
                anstream::eprintln!("Measuring {} again: the result is too noisy.", check.function());
                if let Some(baseline) = &mut run.baseline {
                    baseline.use_other_layouts();
                }
                measured = run.measure(number);
            }
            run.failures.append(&mut measured.failures);
            for MeasuredResult { result, baseline } in measured.results {
                let minimum_effect = check.minimum_effect;
                run.results.push(ResultToCompare { result, baseline, minimum_effect, noise: None });
                run.origins.push(number);
            }
            run.store(project);
        }
        run.remove_repeated_failures();
        run
    }

    /// Measures the noise of a virtual machine with the functions of some results, and raises the least changes that count to match. Nothing
    /// changes on other machines, and without a baseline. `confidence`: that of the noise.
    pub(super) fn measure_noise(&mut self, results: &[usize], confidence: f64) {
        let Some(baseline) = &mut self.baseline else { return };
        for &index in results {
            let one = &mut self.results[index];
            let check = &self.checks[self.origins[index]];
            match baseline.noise(check, one.result.benchmark.metric, confidence) {
                Ok(noise) => one.noise = noise.filter(|noise| *noise > one.minimum_effect),
                Err(error) => self.failures.push(format!("the noise of this virtual machine is unknown: {error:#}")),
            }
        }
    }

    /// Measures the functions of some results again, and replaces their results. A result that cannot be measured again loses its points,
    /// so that the first measurement does not confirm itself. The first results remain those that can be accepted.
    pub(super) fn measure_again(&mut self, results: &[usize]) {
        let mut numbers: Vec<usize> = results.iter().map(|&index| self.origins[index]).collect();
        numbers.dedup();
        if let Some(baseline) = &mut self.baseline {
            baseline.use_other_layouts();
        }
        for number in numbers {
            for (one, _) in self.results.iter_mut().zip(&self.origins).filter(|(_, origin)| **origin == number) {
                one.result.points.clear();
            }
            let mut measured = self.measure(number);
            self.failures.append(&mut measured.failures);
            for MeasuredResult { result, baseline } in measured.results {
                let is_same = |other: &&mut ResultToCompare| other.result.benchmark == result.benchmark;
                if let Some(other) = self.results.iter_mut().find(is_same) {
                    (other.result, other.baseline) = (result, baseline);
                }
            }
        }
        self.remove_repeated_failures();
    }

    /// A suite that cannot be built is the same failure of each of its functions.
    fn remove_repeated_failures(&mut self) {
        let mut known = BTreeSet::new();
        self.failures.retain(|failure| known.insert(failure.clone()));
    }

    fn measure(&mut self, number: usize) -> MeasuredCheck {
        let check = &self.checks[number];
        let measured = match (&mut self.baseline, self.runner) {
            (Some(baseline), _) => baseline.measure(check, &self.commit),
            (None, Some(runner)) => check.measure_on(runner, &self.commit),
            (None, None) => check.measure(self.results.len(), &self.commit),
        };
        measured.unwrap_or_else(|error| MeasuredCheck { results: Vec::new(), failures: vec![format!("{error:#}")] })
    }

    /// Stores the results, so that they can be accepted.
    fn store(&self, project: &Project) {
        let measured = self.results.iter().filter(|one| !one.result.points.is_empty());
        let results = measured.map(|one| one.result.clone()).collect();
        if let Err(error) = LastCheck::new(project, results).write(project) {
            anstream::eprintln!("warning: {error:#}");
        }
    }
}
