//! The counts of exact metrics in the two builds of a pair.

use benchbook_host::child::NativeSuite;
use benchbook_host::history::CheckedMetric;

use super::paired::{PairedFigures, PairedMeasurement};
use crate::check::measure::counts::paired;
use crate::check::measure::results::{failures, points};

impl PairedMeasurement<'_> {
    /// Counts once in each of two builds, the earlier one and the current one, with the same inputs.
    pub(super) fn count(
        &self,
        builds: [&NativeSuite; 2],
        metrics: &[CheckedMetric],
    ) -> Vec<(CheckedMetric, PairedFigures)> {
        let [earlier, current] = builds.map(|build| self.measure(build, self.request.clone()));
        let (earlier, current) = match (earlier, current) {
            (Ok(earlier), Ok(current)) => (earlier, current),
            (Err(error), _) | (_, Err(error)) => {
                let failures = vec![error];
                return metrics
                    .iter()
                    .take(1)
                    .map(|&metric| (metric, PairedFigures::failed(failures.clone())))
                    .collect();
            }
        };
        let figures = |&metric: &CheckedMetric| {
            let before = points(&earlier.points, metric);
            let mut figures = PairedFigures::failed([failures(&earlier.points), failures(&current.points)].concat());
            figures.points = paired(&before, &points(&current.points, metric));
            (metric, figures)
        };
        metrics.iter().map(figures).collect()
    }
}
