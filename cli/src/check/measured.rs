//! Measures the functions of a check.

use std::time::SystemTime;

use anyhow::Result;
use benchbook_accepted::machine::current_card;
use benchbook_contract::axis_value::AxisValue;
use benchbook_host::analyze::history::difference::Difference;
use benchbook_host::history::{Benchmark, BuildOrigin, CheckedMetric, CheckedPoint, CheckedResult, MachineClass};
use benchbook_host::quality::Quality;
use benchbook_host::response::{FailureKind, MeasuredPoint, Outcome, Point};
use benchbook_host::units::axis_value;
use benchbook_notebook::id::Id;
use benchbook_terminal::measurement::{NativeMeasurement, host_name};
use serde_json::json;

use super::check_runner::CheckRunner;
use super::compared::BaselineFigures;
use super::planned::PlannedCheck;
use crate::commit::Commit;

/// The results of a check, one for each metric, and the points that failed.
#[derive(Debug, Default)]
pub(super) struct MeasuredCheck {
    pub(super) results: Vec<MeasuredResult>,
    /// A sentence for each.
    pub(super) failures: Vec<String>,
}

/// A result, and that of the baseline.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MeasuredResult {
    pub(super) result: CheckedResult,
    /// Absent if the result is compared with accepted ones.
    pub(super) baseline: Option<BaselineFigures>,
}

/// The machine that measured a result, and the commit of the build.
#[derive(Clone, Debug)]
pub(super) struct MeasurementOrigin<'c> {
    pub(super) machine: MachineClass,
    pub(super) commit: &'c Commit,
}

/// The confidence of the intervals that state the noise of a result.
const NOISE_CONFIDENCE: f64 = 0.95;

impl MeasuredResult {
    /// Whether the noise of a point hides the changes that count: the interval of the mean is wider than the precision, or, with a baseline, that of
    /// the change is wider than the least change that counts.
    pub(super) fn is_noisy(&self, check: &PlannedCheck<'_>) -> bool {
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
                    let logarithms: Vec<f64> = point.means.iter().map(|mean| mean.ln()).collect();
                    is_wider(&logarithms, check.quality.precision)
                };
                self.result.points.iter().any(is_noisy)
            }
        }
    }
}

impl PlannedCheck<'_> {
    /// How the function is measured, as JSON.
    pub(super) fn debug_text(&self) -> String {
        json!({ "request": self.measurement.plan.request(), "quality": self.quality, "minimum_effect": self.minimum_effect })
            .to_string()
    }

    /// The path of the function.
    pub(super) fn function(&self) -> String {
        self.measurement.plan.request().functions.concat()
    }

    /// Measures.
    ///
    /// # Errors
    /// If the suite can no longer be started.
    pub(super) fn measure(&self, number: usize, commit: &Commit) -> Result<MeasuredCheck> {
        self.measured(&self.local_origin(commit), |measurement, quality| {
            let (response, _) = measurement.run_with(quality, &host_name(), Id::from_random(number as u64))?;
            Ok(response.points)
        })
    }

    /// Measures on a runner.
    ///
    /// # Errors
    /// If it cannot measure this build.
    pub(super) fn measure_on(&self, runner: &CheckRunner, commit: &Commit) -> Result<MeasuredCheck> {
        let machine = runner.machine_class(&self.measurement.suite.card().build.target);
        self.measured(&MeasurementOrigin { machine, commit }, |measurement, quality| {
            runner.measure(measurement, quality)
        })
    }

    /// The origin of a result that this machine measures.
    pub(super) fn local_origin<'c>(&self, commit: &'c Commit) -> MeasurementOrigin<'c> {
        let target = &self.measurement.suite.card().build.target;
        MeasurementOrigin { machine: MachineClass::of(&current_card(&host_name(), None), target, false), commit }
    }

    /// The results of all metrics.
    fn measured(
        &self,
        origin: &MeasurementOrigin<'_>,
        measure: impl Fn(&NativeMeasurement<'_>, &Quality) -> Result<Vec<Point>>,
    ) -> Result<MeasuredCheck> {
        let mut measured = MeasuredCheck::default();
        let measurements = [
            (self.mode.timed_metrics(), &self.measurement, self.quality.clone()),
            (self.mode.exact_metrics(), &self.counting, self.counting_quality()),
        ];
        for (metrics, measurement, quality) in measurements.iter().filter(|(metrics, ..)| !metrics.is_empty()) {
            let all = measure(measurement, quality)?;
            measured.failures.extend(failures(&all));
            for &metric in *metrics {
                measured.results.extend(self.result(metric, points(&all, metric), origin, &mut measured.failures));
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
        origin: &MeasurementOrigin<'_>,
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
        (!points.is_empty()).then(|| self.described(metric, points, origin))
    }

    /// A result with these points, which is not compared with a baseline.
    pub(super) fn described(
        &self,
        metric: CheckedMetric,
        points: Vec<CheckedPoint>,
        origin: &MeasurementOrigin<'_>,
    ) -> MeasuredResult {
        let request = self.measurement.plan.request();
        let card = self.measurement.suite.card();
        let measured = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        let result = CheckedResult {
            benchmark: Benchmark {
                suite: request.suite.clone(),
                function: request.functions.concat(),
                generator: request.generator.clone(),
                arguments: request.arguments.clone(),
                inputs: self.measurement.generator.source_hash.clone(),
                metric,
                harness: None,
            },
            machine: origin.machine.clone(),
            build: BuildOrigin {
                fingerprint: card.fingerprint.clone(),
                commit: origin.commit.hash.clone(),
                dirty: origin.commit.dirty,
                compiler: card.build.compiler().to_owned(),
            },
            measured,
            points,
        };
        MeasuredResult { result, baseline: None }
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
