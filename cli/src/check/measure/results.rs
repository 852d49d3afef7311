//! From the points of a measurement to the results of a check.

use std::time::SystemTime;

use anyhow::Result;
use benchbook_contract::axis_value::AxisValue;
use benchbook_host::analyze::history::difference::Difference;
use benchbook_host::history::{Benchmark, CheckedMetric, CheckedPoint, CheckedResult, MachineClass};
use benchbook_host::quality::Quality;
use benchbook_host::request::Request;
use benchbook_host::response::{FailureKind, MeasuredPoint, Outcome, Point};
use benchbook_host::units::axis_value;

use super::interference::Interference;
use super::measured::{BaselineFigures, MeasuredResult, Measurements};
use crate::check::plan::PlannedCheck;

/// The confidence of the intervals that state the noise of a result.
const NOISE_CONFIDENCE: f64 = 0.95;

impl MeasuredResult {
    /// Whether nothing has changed since the baseline that the function depends on.
    pub(crate) fn has_same_source(&self) -> bool {
        matches!(self.baseline, Some(BaselineFigures::Pairs { has_same_source: true, .. }))
    }

    /// The number of pairs of builds that measured a point; `None` without a baseline.
    pub(crate) fn pairs_at(&self, x: &AxisValue) -> Option<usize> {
        let Some(BaselineFigures::Pairs { points, .. }) = &self.baseline else { return None };
        points.iter().find(|point| point.x == *x).map(|point| point.ln_ratios.len())
    }

    /// Whether the noise of a point hides the changes that count: the interval of the mean is wider than the precision, or, with a baseline, that of
    /// the change is wider than the least change that counts.
    pub(super) fn is_noisy(&self, check: &PlannedCheck) -> bool {
        let is_wider = |logarithms: &[f64], limit: f64| {
            Difference::of_pairs(logarithms, NOISE_CONFIDENCE).is_none_or(|difference| difference.half_width() > limit)
        };
        match &self.baseline {
            _ if self.result.benchmark.metric.is_exact() => false,
            Some(BaselineFigures::Pairs { points, .. }) => {
                points.iter().any(|point| is_wider(&point.ln_ratios, check.minimum_effect))
            }
            Some(BaselineFigures::Absent | BaselineFigures::Different(_) | BaselineFigures::SameCode) | None => {
                let is_noisy = |point: &CheckedPoint| {
                    let average = point.means.iter().sum::<f64>() / point.means.len() as f64;
                    let logarithms: Vec<f64> = point.means.iter().map(|mean| (mean / average).ln()).collect();
                    is_wider(&logarithms, check.quality.precision)
                };
                self.result.points.iter().any(is_noisy)
            }
        }
    }
}

impl PlannedCheck {
    /// The results of all metrics.
    ///
    /// # Errors
    /// Those of `measure`.
    pub(super) fn measured(
        &self,
        machine: &MachineClass,
        measure: impl Fn(Request, &Quality) -> Result<Vec<Point>>,
    ) -> Result<Measurements> {
        let mut measured = Measurements::default();
        let measurements = [
            (self.mode.timed_metrics(), self.request.clone(), self.quality.clone()),
            (self.mode.exact_metrics(), self.counting_request(), self.counting_quality()),
        ];
        for (metrics, request, quality) in measurements.into_iter().filter(|(metrics, ..)| !metrics.is_empty()) {
            let all = measure(request, &quality)?;
            measured.add_failures(failures(&all));
            if metrics.contains(&CheckedMetric::Time) {
                measured.interference.add(Interference::of(&all));
            }
            for &metric in metrics {
                let result = self.result(metric, points(&all, metric), machine, &mut measured.failures);
                measured.results.extend(result);
            }
        }
        Ok(measured)
    }

    /// The result with the points that can be compared, which is not compared with a baseline; `None` without any. The other points are
    /// failures.
    pub(super) fn result(
        &self,
        metric: CheckedMetric,
        points: Vec<CheckedPoint>,
        machine: &MachineClass,
        failures: &mut Vec<String>,
    ) -> Option<MeasuredResult> {
        let (points, doubtful): (Vec<CheckedPoint>, Vec<CheckedPoint>) =
            points.into_iter().partition(|point| is_comparable(metric, point));
        if !doubtful.is_empty() {
            let names: Vec<String> =
                doubtful.iter().map(|point| axis_value(&point.x)).filter(|name| !name.is_empty()).collect();
            let at = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
            let function = self.function();
            failures.push(match metric.is_exact() {
                true => format!(
                    "the {metric} of `{function}` could not be counted, since a call takes too long, or the suite has an allocator of its own{at}"
                ),
                false => format!(
                    "the {metric} of `{function}` is below the resolution, or fewer than two processes measured it{at}"
                ),
            });
        }
        (!points.is_empty()).then(|| self.described(metric, points, machine))
    }

    /// A result with these points, which is not compared with a baseline.
    pub(super) fn described(
        &self,
        metric: CheckedMetric,
        points: Vec<CheckedPoint>,
        machine: &MachineClass,
    ) -> MeasuredResult {
        let Request { suite, generator, arguments, .. } = self.request.clone();
        let measured = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        let result = CheckedResult {
            benchmark: Benchmark {
                suite,
                function: self.function(),
                generator,
                arguments,
                inputs: self.inputs.clone(),
                metric,
                harness: None,
            },
            machine: machine.clone(),
            build: self.build.clone(),
            measured,
            points,
        };
        let (check, minimum_effect, has_time) =
            (self.number, self.minimum_effect, !self.mode.timed_metrics().is_empty());
        MeasuredResult { check, result, baseline: None, minimum_effect, has_time, noise: None }
    }
}

/// Whether the means of its processes can be compared.
fn is_comparable(metric: CheckedMetric, CheckedPoint { means, .. }: &CheckedPoint) -> bool {
    if metric.is_exact() { !means.is_empty() } else { means.len() >= 2 && means.iter().sum::<f64>() > 0.0 }
}

/// The points that were measured, in the order of the axis.
pub(super) fn points(points: &[Point], metric: CheckedMetric) -> Vec<CheckedPoint> {
    let measured = points.iter().filter_map(|point| Some((&point.x, point.measured()?)));
    let point = |(x, measured): (&AxisValue, &MeasuredPoint)| CheckedPoint {
        x: x.clone(),
        means: metric.means(measured),
        calls: measured.memory.filter(|_| metric.is_exact()).map(|memory| memory.calls as f64),
        kernel: measured.runs.iter().filter_map(|run| run.reference).filter(|_| !metric.is_exact()).collect(),
    };
    let mut points: Vec<CheckedPoint> = measured.map(point).collect();
    points.sort_by(|one, other| one.x.total_cmp(&other.x));
    points
}

/// A sentence for each point that failed. Those that were skipped, by the function itself or after one that timed out, are not failures of their own.
pub(super) fn failures(points: &[Point]) -> Vec<String> {
    let failed = points.iter().filter_map(|point| match &point.outcome {
        Outcome::Failed(failure) if failure.kind == FailureKind::Skipped => None,
        Outcome::Failed(failure) => Some(format!("`{}` failed: {}", point.function, failure.reason)),
        Outcome::Measured(_) => None,
    });
    failed.collect()
}

#[cfg(test)]
mod tests {
    use benchbook_host::response::Failure;

    use super::*;

    #[test]
    fn a_skipped_point_is_not_a_failure() {
        let point = |kind| {
            let failure = Failure { kind, reason: "no file".to_owned() };
            Point { function: "read".to_owned(), x: AxisValue::Absent, outcome: Outcome::Failed(failure) }
        };
        let points = [FailureKind::Skipped, FailureKind::Panic].map(point);
        assert_eq!(failures(&points), ["`read` failed: no file"]);
    }
}
