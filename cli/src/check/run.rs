//! The measurements of a check.

use std::collections::BTreeSet;

use super::baseline::Baseline;
use super::commit::Commit;
use super::compared::ResultToCompare;
use super::last_check::LastCheck;
use super::measured::{MeasuredCheck, MeasuredResult};
use super::planned::PlannedCheck;
use crate::project::Project;

/// The measurements of a check so far. If the check is interrupted, the completed ones can still be accepted.
pub(super) struct CheckRun<'c> {
    checks: &'c [PlannedCheck<'c>],
    baseline: Option<&'c mut Baseline>,
    commit: Commit,
    pub(super) results: Vec<ResultToCompare>,
    /// The number of the check of each result.
    origins: Vec<usize>,
    /// A sentence for each measurement that failed.
    pub(super) failures: Vec<String>,
    /// The noise of a virtual machine that measures in turn with a baseline: smaller changes do not count.
    pub(super) noise: Option<f64>,
}

impl<'c> CheckRun<'c> {
    /// Measures all functions; with a baseline, in both builds. A function whose result is too noisy is measured again, at most `repetitions` times.
    /// `confidence`: that of the run.
    pub(super) fn of(
        project: &Project,
        checks: &'c [PlannedCheck<'c>],
        baseline: Option<&'c mut Baseline>,
        repetitions: u32,
        confidence: f64,
    ) -> Self {
        let commit = Commit::in_folder(&project.root);
        let mut run = Self {
            checks,
            baseline,
            commit,
            results: Vec::new(),
            origins: Vec::new(),
            failures: Vec::new(),
            noise: None,
        };
        // The results of an earlier check are no longer the last ones.
        run.store(project);
        if let (Some(baseline), Some(first)) = (&mut run.baseline, checks.first()) {
            // If the suite cannot be built, its checks report it.
            run.noise = baseline.noise(first, confidence).unwrap_or_default();
        }
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
                let minimum_effect = check.minimum_effect.max(run.noise.unwrap_or_default());
                run.results.push(ResultToCompare { result, baseline, minimum_effect });
                run.origins.push(number);
            }
            run.store(project);
        }
        run.remove_repeated_failures();
        run
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
        let measured = match &mut self.baseline {
            Some(baseline) => baseline.measure(check, &self.commit),
            None => check.measure(self.results.len(), &self.commit),
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
