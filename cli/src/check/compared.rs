//! Compares the results of a check with accepted ones, or with those of a baseline.

use std::collections::BTreeSet;

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::analyze::history::count::CountChange;
use benchbook_host::analyze::history::difference::Difference;
use benchbook_host::analyze::history::holm::{BuildComparison, ComparisonBasis, verdicts};
use benchbook_host::analyze::history::verdict::BuildChange;
use benchbook_host::history::{AcceptedResult, BuildOrigin, CheckedPoint, CheckedResult, Mismatch};
use clap::ValueEnum;
use serde::Serialize;

/// How a build is compared with accepted results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HistoryTest {
    /// By the interval of the difference from one result, or by an analysis of variance of several
    #[default]
    Difference,
    /// Whether the mean is outside the interval of the latest result. This finds more changes, and raises more false alarms
    Interval,
}

/// How results are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ComparisonRule {
    /// The confidence of the run.
    pub(super) confidence: f64,
    pub(super) test: HistoryTest,
}

/// A result, and what it is compared with.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ResultToCompare {
    pub(super) result: CheckedResult,
    /// The baseline; absent if the result is compared with accepted ones.
    pub(super) baseline: Option<BaselineFigures>,
    /// The least relative change that counts.
    pub(super) minimum_effect: f64,
    /// The noise of a virtual machine: smaller changes are undecided. Absent unless it is greater than the least change that counts.
    pub(super) noise: Option<f64>,
}

/// The baseline of a result.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum BaselineFigures {
    /// The baseline does not contain the function.
    Absent,
    /// It cannot be compared with the current build, for this reason.
    Different(String),
    /// The native code of the function, of all functions that it calls, and of their data is the same in both builds, so neither was measured.
    SameCode,
    /// Both builds were measured, in turn if the metric is a time.
    Pairs {
        points: Vec<PairedPoint>,
        /// The build of the baseline.
        build: BuildOrigin,
    },
}

/// The figures of both builds at an axis value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PairedPoint {
    pub(super) x: AxisValue,
    /// The means of the processes of the baseline and of the current build, in the unit of the metric per call.
    pub(super) means: [Vec<f64>; 2],
    /// For each pair of builds, the natural logarithm of the ratio of their times. Empty for an exact metric.
    pub(super) ln_ratios: Vec<f64>,
    /// The number of counted calls of the baseline and of the current build; absent unless the metric is exact.
    pub(super) calls: [Option<f64>; 2],
}

/// A point of a result, and what was found about it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ComparedPoint {
    /// The number of the result.
    pub(super) index: usize,
    pub(super) x: AxisValue,
    /// The mean of the processes' means, in nanoseconds per call; absent if it was not measured.
    pub(super) mean: Option<f64>,
    pub(super) finding: PointFinding,
}

/// What was found about a point.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PointFinding {
    /// There is no accepted result of it, or the baseline does not contain it.
    New,
    /// Accepted results or a baseline exist, but cannot be compared with it, for these reasons.
    NotComparable(Vec<String>),
    /// Its native code is the same as that of the baseline.
    SameCode,
    /// The change from the accepted results, or from the baseline.
    Compared {
        change: BuildChange,
        /// The change from the latest accepted result, or from the baseline.
        difference: Difference,
        /// Whether it is a slowdown that a second measurement has not confirmed.
        is_refuted: bool,
    },
    /// A value of an exact metric was compared.
    Counted {
        change: CountChange,
        /// The latest accepted value, or that of the baseline.
        before: f64,
        /// Whether it is an increase that a second measurement has not confirmed.
        is_refuted: bool,
    },
}

/// The comparison of all points of a run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ComparedRun {
    /// The points of all results, in their order, then a point for each function with the same code.
    pub(super) points: Vec<ComparedPoint>,
    /// The confidence of each interval, chosen so that the whole run has the requested confidence.
    pub(super) confidence: f64,
    /// Why points that were compared were not compared with some of the accepted results, too.
    pub(super) rejections: BTreeSet<String>,
}

/// What a point is compared with.
enum PointBasis<'a> {
    Histories(Histories<'a>),
    Baseline(&'a BaselineFigures),
}

/// The accepted results that a point can be compared with.
struct Histories<'a> {
    means: Vec<&'a [f64]>,
    rejections: Vec<String>,
}

impl ComparedRun {
    /// Compares each result with its baseline, or else with accepted results, the oldest of which is the first.
    pub(super) fn of(results: &[ResultToCompare], accepted: &[&AcceptedResult], rule: ComparisonRule) -> Self {
        let points = || {
            results
                .iter()
                .enumerate()
                .flat_map(|(index, one)| one.result.points.iter().map(move |point| (index, point)))
        };
        let bases: Vec<PointBasis<'_>> =
            points().map(|(index, point)| PointBasis::of(&results[index], &point.x, accepted)).collect();
        let comparisons: Vec<BuildComparison<'_>> = points()
            .zip(&bases)
            .map(|((index, point), basis)| BuildComparison {
                basis: basis.figures(point, rule.test),
                minimum_effect: results[index].minimum_effect,
            })
            .collect();
        let run = verdicts(rule.confidence, &comparisons);
        let rejections = bases.iter().flat_map(PointBasis::reported_rejections).cloned().collect();
        let compared = points().zip(bases).zip(run.verdicts).map(|(((index, point), basis), verdict)| {
            let mean = point.means.iter().sum::<f64>() / point.means.len() as f64;
            let latest = verdict.and_then(|verdict| Some((verdict.change, *verdict.differences.last()?)));
            let finding = match (latest, basis.counted(point)) {
                (_, Some((change, before))) => PointFinding::Counted { change, before, is_refuted: false },
                (Some((change, difference)), None) => {
                    let is_noise = results[index].noise.is_some_and(|noise| difference.relative.abs() < noise);
                    let change = if is_noise && change != BuildChange::Same { BuildChange::Undecided } else { change };
                    PointFinding::Compared { change, difference, is_refuted: false }
                }
                (None, None) => basis.without_verdict(point),
            };
            ComparedPoint { index, x: point.x.clone(), mean: Some(mean), finding }
        });
        let is_same_code = |(_, one): &(usize, &ResultToCompare)| one.baseline == Some(BaselineFigures::SameCode);
        let same_code = results.iter().enumerate().filter(is_same_code).map(|(index, _)| ComparedPoint {
            index,
            x: AxisValue::Absent,
            mean: None,
            finding: PointFinding::SameCode,
        });
        Self { points: compared.chain(same_code).collect(), confidence: run.confidence, rejections }
    }

    /// Whether a comparison of a point is undecided.
    pub(super) fn has_undecided(&self) -> bool {
        let is_undecided = |point: &ComparedPoint| {
            matches!(point.finding, PointFinding::Compared { change: BuildChange::Undecided, .. })
        };
        self.points.iter().any(is_undecided)
    }

    /// The numbers of the results with a slower or faster point, in ascending order.
    pub(super) fn changes(&self) -> Vec<usize> {
        let is_change = |finding: &PointFinding| {
            matches!(finding, PointFinding::Compared { change: BuildChange::Slower | BuildChange::Faster, .. })
        };
        self.results_with(is_change)
    }

    fn results_with(&self, is_included: impl Fn(&PointFinding) -> bool) -> Vec<usize> {
        let mut results: Vec<usize> =
            self.points.iter().filter(|point| is_included(&point.finding)).map(|point| point.index).collect();
        results.dedup();
        results
    }

    /// The numbers of the results with a regression, in ascending order.
    pub(super) fn regressions(&self) -> Vec<usize> {
        self.results_with(PointFinding::is_regression)
    }

    /// As [`Self::of`], but each regression must be found again in a second measurement. `measure_again`: measures the results with these numbers
    /// again, and returns all.
    pub(super) fn confirmed(
        results: &[ResultToCompare],
        accepted: &[&AcceptedResult],
        rule: ComparisonRule,
        measure_again: impl FnOnce(&[usize]) -> Vec<ResultToCompare>,
    ) -> Self {
        let mut first = Self::of(results, accepted, rule);
        let regressions = first.regressions();
        if !regressions.is_empty() {
            anstream::eprintln!("Measuring again, to confirm the regressions.");
            first.confirm(&Self::of(&measure_again(&regressions), accepted, rule));
        }
        first
    }

    /// Withdraws each regression that the comparison of a second measurement has not found. Only the results with a regression were
    /// measured again.
    pub(super) fn confirm(&mut self, second: &Self) {
        for point in self.points.iter_mut().filter(|point| point.finding.is_regression()) {
            let again = second.points.iter().find(|again| (again.index, &again.x) == (point.index, &point.x));
            if again.is_some_and(|again| again.finding.is_regression()) {
                continue;
            }
            match &mut point.finding {
                PointFinding::Compared { change, is_refuted, .. } => {
                    (*change, *is_refuted) = (BuildChange::Undecided, true);
                }
                PointFinding::Counted { is_refuted, .. } => *is_refuted = true,
                PointFinding::New | PointFinding::NotComparable(_) | PointFinding::SameCode => {}
            }
        }
    }
}

impl PointFinding {
    /// Whether the function is slower, or has a greater count.
    fn is_regression(&self) -> bool {
        matches!(
            self,
            Self::Compared { change: BuildChange::Slower, .. }
                | Self::Counted { change: CountChange::More, is_refuted: false, .. }
        )
    }
}

impl<'a> PointBasis<'a> {
    fn of(result: &'a ResultToCompare, x: &AxisValue, accepted: &[&'a AcceptedResult]) -> Self {
        match &result.baseline {
            Some(baseline) => Self::Baseline(baseline),
            None => Self::Histories(Histories::of(&result.result, x, accepted)),
        }
    }

    /// Why the point is not compared with some of the accepted results, if it is compared with others.
    /// Results of other arguments need no explanation then: a history may contain several measurements of a function.
    fn reported_rejections(&self) -> impl Iterator<Item = &String> {
        let rejections = match self {
            Self::Histories(Histories { means, rejections }) if !means.is_empty() => rejections.as_slice(),
            Self::Histories(_) | Self::Baseline(_) => &[],
        };
        let other_arguments = Mismatch::OtherArguments.to_string();
        rejections.iter().filter(move |reason| **reason != other_arguments)
    }

    /// The comparison of an exact metric, and the latest value before it; `None` for other metrics, and without a value to compare with.
    fn counted(&self, point: &CheckedPoint) -> Option<(CountChange, f64)> {
        point.calls?;
        let before: Vec<f64> = match self {
            Self::Histories(Histories { means, .. }) => {
                means.iter().filter_map(|means| means.first().copied()).collect()
            }
            Self::Baseline(BaselineFigures::Pairs { points, .. }) => {
                let at_x = points.iter().filter(|paired| paired.x == point.x && paired.calls[0] == paired.calls[1]);
                at_x.filter_map(|paired| paired.means[0].first().copied()).collect()
            }
            Self::Baseline(_) => Vec::new(),
        };
        Some((CountChange::of(&before, *point.means.first()?)?, *before.last()?))
    }

    /// The figures for a statistical comparison; empty for an exact metric.
    fn figures<'f>(&'f self, point: &'f CheckedPoint, test: HistoryTest) -> ComparisonBasis<'f> {
        match self {
            _ if point.calls.is_some() => ComparisonBasis::Pairs(&[]),
            Self::Histories(histories) if test == HistoryTest::Interval => {
                ComparisonBasis::LatestInterval { latest: histories.means.last().copied(), build: &point.means }
            }
            Self::Histories(histories) => {
                ComparisonBasis::Histories { histories: histories.means.clone(), build: &point.means }
            }
            Self::Baseline(BaselineFigures::Pairs { points, .. }) => {
                let at_x = points.iter().find(|paired| paired.x == point.x);
                ComparisonBasis::Pairs(at_x.map_or(&[][..], |paired| &paired.ln_ratios))
            }
            Self::Baseline(_) => ComparisonBasis::Pairs(&[]),
        }
    }

    fn without_verdict(self, point: &CheckedPoint) -> PointFinding {
        let too_few = || "fewer than two processes, or a time below the resolution".to_owned();
        match self {
            Self::Histories(Histories { means, rejections }) if means.is_empty() && rejections.is_empty() => {
                PointFinding::New
            }
            Self::Histories(Histories { means, mut rejections }) => {
                rejections.extend((!means.is_empty()).then(too_few));
                PointFinding::NotComparable(rejections)
            }
            Self::Baseline(BaselineFigures::Absent) => PointFinding::New,
            // Without points.
            Self::Baseline(BaselineFigures::SameCode) => PointFinding::SameCode,
            Self::Baseline(BaselineFigures::Different(reason)) => PointFinding::NotComparable(vec![reason.clone()]),
            Self::Baseline(BaselineFigures::Pairs { points, .. }) => {
                let calls = points.iter().find(|paired| paired.x == point.x).map_or([None; 2], |paired| paired.calls);
                let reason = match calls {
                    [Some(there), Some(here)] => other_calls("the baseline", there, here),
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
        let mut histories = Self { means: Vec::new(), rejections: Vec::new() };
        let calls = result.point_at(x).and_then(|point| point.calls);
        for one in accepted {
            match one.check_comparable(&result.benchmark, &result.machine) {
                Ok(()) => {
                    if let Some(point) = one.result.point_at(x) {
                        histories.add(point, calls);
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
        histories
    }

    /// Adds an accepted point if it can be compared with one of this number of counted calls.
    fn add(&mut self, point: &'a CheckedPoint, calls: Option<f64>) {
        match (point.calls, calls) {
            (Some(there), Some(here)) if there != here => {
                let reason = other_calls("an accepted result", there, here);
                if !self.rejections.contains(&reason) {
                    self.rejections.push(reason);
                }
            }
            (Some(_), _) => self.means.push(&point.means),
            // Of a single process, the variation is unknown.
            (None, _) => self.means.extend((point.means.len() >= 2).then_some(&point.means[..])),
        }
    }
}

/// Why counts over different numbers of calls are not compared.
fn other_calls(origin: &str, there: f64, here: f64) -> String {
    format!("{origin} was counted over {there} calls, and this build over {here}. Choose the same --time-out")
}
