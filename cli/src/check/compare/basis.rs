//! What a point is compared with.

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::analyze::history::days::{AcrossDays, Occasion};
use benchbook_host::analyze::history::holm::ComparisonBasis;
use benchbook_host::history::{AcceptedResult, CheckedMetric, CheckedPoint, CheckedResult, Mismatch};
use benchbook_host::units::percent;

use super::PointFinding;
use super::counts::EarlierCounts;
use crate::accepted::noise::noise;
use crate::check::measure::{BaselineFigures, MeasuredResult};
use crate::check::plan::HistoryTest;

/// What a point is compared with.
pub(super) enum PointBasis<'a> {
    Histories(Histories<'a>),
    Baseline(&'a BaselineFigures),
}

/// The accepted results that a point can be compared with.
pub(super) struct Histories<'a> {
    results: Vec<Occasion<'a>>,
    /// The fingerprint of the build of the latest one; empty without any.
    latest_build: &'a str,
    rejections: Vec<String>,
}

impl<'a> PointBasis<'a> {
    pub(super) fn of(result: &'a MeasuredResult, x: &AxisValue, accepted: &[&'a AcceptedResult]) -> Self {
        match &result.baseline {
            Some(baseline) => Self::Baseline(baseline),
            None => Self::Histories(Histories::of(&result.result, x, accepted)),
        }
    }

    /// Why the point is not compared with some of the accepted results, if it is compared with others.
    /// Results of other arguments need no explanation then: a history may contain several measurements of a function.
    pub(super) fn reported_rejections(&self) -> impl Iterator<Item = &String> {
        let rejections = match self {
            Self::Histories(Histories { results, rejections, .. }) if !results.is_empty() => rejections.as_slice(),
            Self::Histories(_) | Self::Baseline(_) => &[],
        };
        let other_arguments = Mismatch::OtherArguments.to_string();
        rejections.iter().filter(move |reason| **reason != other_arguments)
    }

    /// The counts before, for an exact metric; `None` for other metrics, and without a value to compare with.
    pub(super) fn counted(&self, point: &CheckedPoint) -> Option<EarlierCounts<'_>> {
        point.calls?;
        let (counts, build): (Vec<&[f64]>, &str) = match self {
            Self::Histories(Histories { results, latest_build, .. }) => {
                (results.iter().map(|result| result.means).collect(), latest_build)
            }
            Self::Baseline(BaselineFigures::Pairs { points, build, .. }) => {
                let at_x = points.iter().filter(|paired| paired.x == point.x && paired.calls[0] == paired.calls[1]);
                (at_x.map(|paired| paired.means[0].as_slice()).collect(), &build.fingerprint)
            }
            Self::Baseline(_) => (Vec::new(), ""),
        };
        let latest = *counts.last()?.first()?;
        Some(EarlierCounts { counts, latest, build })
    }

    /// The accepted results, for a comparison across days; empty for an exact metric, and with a baseline.
    pub(super) fn occasions(&self, point: &CheckedPoint) -> &[Occasion<'a>] {
        match self {
            Self::Histories(Histories { results, .. }) if point.calls.is_none() => results,
            Self::Histories(_) | Self::Baseline(_) => &[],
        }
    }

    /// The figures for a statistical comparison; empty for an exact metric. `days`: the comparison of the point across days.
    pub(super) fn figures<'f>(
        &'f self,
        point: &'f CheckedPoint,
        test: HistoryTest,
        days: AcrossDays,
    ) -> ComparisonBasis<'f> {
        match self {
            _ if point.calls.is_some() => ComparisonBasis::Pairs(&[]),
            Self::Histories(histories) if test == HistoryTest::Interval => ComparisonBasis::LatestInterval {
                latest: histories.results.last().map(|latest| latest.means),
                build: &point.means,
            },
            Self::Histories(histories) => {
                let means = histories.results.iter().map(|result| result.means);
                ComparisonBasis::Histories { histories: means.collect(), build: &point.means, days }
            }
            Self::Baseline(BaselineFigures::Pairs { points, .. }) => {
                let at_x = points.iter().find(|paired| paired.x == point.x);
                ComparisonBasis::Pairs(at_x.map_or(&[][..], |paired| &paired.ln_ratios))
            }
            Self::Baseline(_) => ComparisonBasis::Pairs(&[]),
        }
    }

    pub(super) fn without_verdict(self, point: &CheckedPoint, metric: CheckedMetric) -> PointFinding {
        let too_few = || "fewer than two processes, or a time below the resolution".to_owned();
        match self {
            Self::Histories(Histories { results, rejections, .. }) if results.is_empty() && rejections.is_empty() => {
                PointFinding::New
            }
            Self::Histories(Histories { results, mut rejections, .. }) => {
                rejections.extend((!results.is_empty()).then(too_few));
                PointFinding::NotComparable(rejections)
            }
            Self::Baseline(BaselineFigures::Absent) => PointFinding::New,
            // Without points.
            Self::Baseline(BaselineFigures::SameCode) => PointFinding::SameCode,
            Self::Baseline(BaselineFigures::Different(reason)) => PointFinding::NotComparable(vec![reason.clone()]),
            Self::Baseline(BaselineFigures::Pairs { points, .. }) => {
                let calls = points.iter().find(|paired| paired.x == point.x).map_or([None; 2], |paired| paired.calls);
                let reason = match calls {
                    [Some(there), Some(here)] => other_calls("the baseline", there, here, metric),
                    [None, Some(_)] => "the baseline could not be counted".to_owned(),
                    [_, None] => too_few(),
                };
                PointFinding::NotComparable(vec![reason])
            }
        }
    }
}

impl<'a> Histories<'a> {
    fn of(result: &CheckedResult, x: &AxisValue, accepted: &[&'a AcceptedResult]) -> Self {
        let mut histories = Self { results: Vec::new(), latest_build: "", rejections: Vec::new() };
        let calls = result.point_at(x).and_then(|point| point.calls);
        for one in accepted {
            match one.check_comparable(&result.benchmark, &result.machine) {
                Ok(()) => {
                    if let Some(point) = one.result.point_at(x)
                        && histories.add(one.result.measured, point, calls, result.benchmark.metric)
                    {
                        histories.latest_build = &one.result.build.fingerprint;
                    }
                }
                // Results of other functions, metrics or harnesses need no explanation.
                Err(Mismatch::OtherFunction | Mismatch::OtherMetric | Mismatch::OtherHarness) => {}
                Err(mismatch) => {
                    let reason = mismatch.to_string();
                    if !histories.rejections.contains(&reason) {
                        histories.rejections.push(reason);
                    }
                }
            }
        }
        if !result.benchmark.metric.is_exact() {
            histories.forget_noisy();
            histories.forget_earlier_levels(result.benchmark.metric);
        }
        histories
    }

    /// Ignores results whose processes differ so much that nothing would be slower than them, if there are others: more results must not find less.
    fn forget_noisy(&mut self) {
        let (noisy, others): (Vec<_>, Vec<_>) =
            self.results.drain(..).partition(|result| noise(result.means).is_some());
        if others.is_empty() {
            self.results = noisy;
            return;
        }
        self.results = others;
        let of = noisy.iter().filter_map(|result| noise(result.means)).reduce(f64::max);
        self.rejections.extend(
            of.map(|noise| format!("the processes differ by up to \u{b1}{}, too much to judge by", percent(noise))),
        );
    }

    /// Keeps the results since the last step: an accepted change of the level is the new normal.
    fn forget_earlier_levels(&mut self, metric: CheckedMetric) {
        let means: Vec<f64> =
            self.results.iter().map(|result| result.means.iter().sum::<f64>() / result.means.len() as f64).collect();
        if let Some(step) = metric.steps(&means).last() {
            self.results.drain(..step.index);
        }
    }

    /// Adds an accepted point if it can be compared with one of this number of counted calls. Returns whether it was added. `measured`: when it was
    /// measured.
    fn add(&mut self, measured: f64, point: &'a CheckedPoint, calls: Option<f64>, metric: CheckedMetric) -> bool {
        let known = self.results.len();
        let result = Occasion { measured, means: &point.means, kernel: &point.kernel };
        match (point.calls, calls) {
            (Some(there), Some(here)) if there != here => {
                let reason = other_calls("an accepted result", there, here, metric);
                if !self.rejections.contains(&reason) {
                    self.rejections.push(reason);
                }
            }
            (Some(_), _) => self.results.push(result),
            // Of a single process, the variation is unknown.
            (None, _) => self.results.extend((point.means.len() >= 2).then_some(result)),
        }
        self.results.len() > known
    }
}

/// Why counts over different numbers of calls are not compared.
fn other_calls(origin: &str, there: f64, here: f64, metric: CheckedMetric) -> String {
    let advice = match metric {
        CheckedMetric::WasmInstructions => "The generator prepares other calls together, so accept new results",
        _ => "Choose the same --time-out",
    };
    format!("{origin} was counted over {there} calls, and this build over {here}. {advice}")
}
