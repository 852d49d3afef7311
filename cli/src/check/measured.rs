//! Measures the functions of a check.

use std::time::SystemTime;

use anyhow::Result;
use benchbook_host::analyze::history::difference::Difference;
use benchbook_host::history::{Benchmark, BuildOrigin, CheckedMetric, CheckedPoint, CheckedResult, MachineClass};
use benchbook_host::response::{MeasuredPoint, Outcome, Response};
use benchbook_host::units::axis_value;
use benchbook_notebook::id::Id;
use benchbook_server::machine::current_card;
use benchbook_terminal::measurement::host_name;
use serde_json::json;

use super::commit::Commit;
use super::compared::BaselineFigures;
use super::planned::PlannedCheck;

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
        let (response, _) = self.measurement.run_with(&self.quality, &host_name(), Id::from_random(number as u64))?;
        let mut measured = MeasuredCheck { results: Vec::new(), failures: failures(&response) };
        for &metric in self.mode.metrics() {
            let points = points(&response, |point| metric.means(point));
            measured.results.extend(self.result(metric, points, commit, &mut measured.failures));
        }
        Ok(measured)
    }

    /// The result with the points that can be compared, which is not compared with a baseline; `None` without any. The other points are
    /// failures.
    pub(super) fn result(
        &self,
        metric: CheckedMetric,
        points: Vec<CheckedPoint>,
        commit: &Commit,
        failures: &mut Vec<String>,
    ) -> Option<MeasuredResult> {
        let (points, doubtful): (Vec<CheckedPoint>, Vec<CheckedPoint>) = points.into_iter().partition(is_comparable);
        if !doubtful.is_empty() {
            let names = doubtful.iter().map(|point| axis_value(&point.x)).collect::<Vec<_>>().join(", ");
            let function = self.function();
            failures.push(format!(
                "the {metric} of `{function}` is below the resolution, or fewer than two processes measured it: {names}"
            ));
        }
        (!points.is_empty()).then(|| self.described(metric, points, commit))
    }

    /// A result with these points, which is not compared with a baseline.
    pub(super) fn described(
        &self,
        metric: CheckedMetric,
        points: Vec<CheckedPoint>,
        commit: &Commit,
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
            },
            machine: MachineClass::of(&current_card(&host_name(), None), &card.build.target, false),
            build: BuildOrigin {
                fingerprint: card.fingerprint.clone(),
                commit: commit.hash.clone(),
                dirty: commit.dirty,
                compiler: card.build.compiler().to_owned(),
            },
            measured,
            points,
        };
        MeasuredResult { result, baseline: None }
    }
}

/// Whether the means of its processes can be compared.
fn is_comparable(point: &CheckedPoint) -> bool {
    point.means.len() >= 2 && point.means.iter().sum::<f64>() > 0.0
}

/// The points that were measured, in the order of the axis.
fn points(response: &Response, means: impl Fn(&MeasuredPoint) -> Vec<f64>) -> Vec<CheckedPoint> {
    let measured = response.points.iter().filter_map(|point| Some((&point.x, means(point.measured()?))));
    let mut points: Vec<CheckedPoint> = measured.map(|(x, means)| CheckedPoint { x: x.clone(), means }).collect();
    points.sort_by(|one, other| one.x.total_cmp(&other.x));
    points
}

/// A sentence for each point that failed.
pub(super) fn failures(response: &Response) -> Vec<String> {
    let failed = response.points.iter().filter_map(|point| match &point.outcome {
        Outcome::Failed(failure) => Some(format!("`{}` failed: {}", point.function, failure.reason)),
        Outcome::Measured(_) => None,
    });
    failed.collect()
}
