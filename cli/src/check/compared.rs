//! Compares the results of a check with accepted ones, or with those of a baseline.

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::analyze::history::difference::Difference;
use benchbook_host::analyze::history::holm::{BuildComparison, ComparisonBasis, verdicts};
use benchbook_host::analyze::history::verdict::BuildChange;
use benchbook_host::history::{AcceptedResult, BuildOrigin, CheckedPoint, CheckedResult, Mismatch};

/// A result, and what it is compared with.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ResultToCompare {
    pub(super) result: CheckedResult,
    /// The baseline; absent if the result is compared with accepted ones.
    pub(super) baseline: Option<BaselineFigures>,
    /// The least relative change that counts.
    pub(super) minimum_effect: f64,
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
    /// Both builds were measured in turn.
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
    /// The means of the processes of the baseline and of the current build, in nanoseconds per call.
    pub(super) means: [Vec<f64>; 2],
    /// For each pair of builds, the natural logarithm of the ratio of their times.
    pub(super) ln_ratios: Vec<f64>,
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
}

/// The comparison of all points of a run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ComparedRun {
    /// The points of all results, in their order, then a point for each function with the same code.
    pub(super) points: Vec<ComparedPoint>,
    /// The confidence of each interval, chosen so that the whole run has the requested confidence.
    pub(super) confidence: f64,
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
    pub(super) fn of(results: &[ResultToCompare], accepted: &[&AcceptedResult], confidence: f64) -> Self {
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
                basis: basis.figures(point),
                minimum_effect: results[index].minimum_effect,
            })
            .collect();
        let run = verdicts(confidence, &comparisons);
        let compared = points().zip(bases).zip(run.verdicts).map(|(((index, point), basis), verdict)| {
            let mean = point.means.iter().sum::<f64>() / point.means.len() as f64;
            let latest = verdict.and_then(|verdict| Some((verdict.change, *verdict.differences.last()?)));
            let finding = latest.map_or_else(
                || basis.without_verdict(),
                |(change, difference)| PointFinding::Compared { change, difference, is_refuted: false },
            );
            ComparedPoint { index, x: point.x.clone(), mean: Some(mean), finding }
        });
        let is_same_code = |(_, one): &(usize, &ResultToCompare)| one.baseline == Some(BaselineFigures::SameCode);
        let same_code = results.iter().enumerate().filter(is_same_code).map(|(index, _)| ComparedPoint {
            index,
            x: AxisValue::Absent,
            mean: None,
            finding: PointFinding::SameCode,
        });
        Self { points: compared.chain(same_code).collect(), confidence: run.confidence }
    }

    /// Whether a comparison of a point is undecided.
    pub(super) fn has_undecided(&self) -> bool {
        let is_undecided = |point: &ComparedPoint| {
            matches!(point.finding, PointFinding::Compared { change: BuildChange::Undecided, .. })
        };
        self.points.iter().any(is_undecided)
    }

    /// Whether a point is slower.
    pub(super) fn has_slower(&self) -> bool {
        self.points.iter().any(|point| point.finding.is_slower())
    }

    /// The numbers of the results with a slower point, in ascending order.
    pub(super) fn slower(&self) -> Vec<usize> {
        let mut slower: Vec<usize> =
            self.points.iter().filter(|point| point.finding.is_slower()).map(|point| point.index).collect();
        slower.dedup();
        slower
    }

    /// Withdraws each slowdown that the comparison of a second measurement has not found. Only the results with a slower point were
    /// measured again.
    pub(super) fn confirm(&mut self, second: &Self) {
        for point in self.points.iter_mut().filter(|point| point.finding.is_slower()) {
            let again = second.points.iter().find(|again| (again.index, &again.x) == (point.index, &point.x));
            let is_confirmed = again.is_some_and(|again| again.finding.is_slower());
            if let PointFinding::Compared { change, is_refuted, .. } = &mut point.finding
                && !is_confirmed
            {
                (*change, *is_refuted) = (BuildChange::Undecided, true);
            }
        }
    }
}

impl PointFinding {
    fn is_slower(&self) -> bool {
        matches!(self, Self::Compared { change: BuildChange::Slower, .. })
    }
}

impl<'a> PointBasis<'a> {
    fn of(result: &'a ResultToCompare, x: &AxisValue, accepted: &[&'a AcceptedResult]) -> Self {
        match &result.baseline {
            Some(baseline) => Self::Baseline(baseline),
            None => Self::Histories(Histories::of(&result.result, x, accepted)),
        }
    }

    fn figures<'f>(&'f self, point: &'f CheckedPoint) -> ComparisonBasis<'f> {
        match self {
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

    fn without_verdict(self) -> PointFinding {
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
            Self::Baseline(BaselineFigures::Pairs { .. }) => PointFinding::NotComparable(vec![too_few()]),
        }
    }
}

impl<'a> Histories<'a> {
    fn of(result: &CheckedResult, x: &AxisValue, accepted: &[&'a AcceptedResult]) -> Self {
        let mut histories = Self { means: Vec::new(), rejections: Vec::new() };
        for one in accepted {
            match one.check_comparable(&result.benchmark, &result.machine) {
                // Of a single process, the variation is unknown.
                Ok(()) => histories.means.extend(one.result.means_at(x).filter(|means| means.len() >= 2)),
                // Results of other functions or metrics need no explanation.
                Err(Mismatch::OtherFunction | Mismatch::OtherMetric) => {}
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
}
