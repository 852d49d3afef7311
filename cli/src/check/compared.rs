//! Compares the results of a check with accepted ones.

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::analyze::history::difference::Difference;
use benchbook_host::analyze::history::holm::{HistoryComparison, verdicts};
use benchbook_host::analyze::history::verdict::BuildChange;
use benchbook_host::history::{AcceptedResult, CheckedResult, Mismatch};

/// A result, and the least relative change of it that counts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ResultToCompare {
    pub(super) result: CheckedResult,
    pub(super) minimum_effect: f64,
}

/// A point of a result, and what was found about it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ComparedPoint {
    /// The number of the result.
    pub(super) index: usize,
    pub(super) x: AxisValue,
    /// The mean of the processes' means, in nanoseconds per call.
    pub(super) mean: f64,
    pub(super) finding: PointFinding,
}

/// What was found about a point.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PointFinding {
    /// There is no accepted result of it.
    New,
    /// Accepted results exist, but none can be compared with it, for these reasons.
    NotComparable(Vec<String>),
    /// The change from the accepted results.
    Compared {
        change: BuildChange,
        /// The change from the latest of them.
        difference: Difference,
        /// Whether it is a slowdown that a second measurement has not confirmed.
        is_refuted: bool,
    },
}

/// The comparison of all points of a run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ComparedRun {
    /// The points of all results, in their order.
    pub(super) points: Vec<ComparedPoint>,
    /// The confidence of each interval, chosen so that the whole run has the requested confidence.
    pub(super) confidence: f64,
}

/// The accepted results that a point can be compared with.
struct Histories<'a> {
    means: Vec<&'a [f64]>,
    rejections: Vec<String>,
}

impl ComparedRun {
    /// Compares results with accepted ones, the oldest of which is the first.
    pub(super) fn of(results: &[ResultToCompare], accepted: &[&AcceptedResult], confidence: f64) -> Self {
        let points = || {
            results
                .iter()
                .enumerate()
                .flat_map(|(index, one)| one.result.points.iter().map(move |point| (index, point)))
        };
        let histories: Vec<Histories<'_>> =
            points().map(|(index, point)| Histories::of(&results[index].result, &point.x, accepted)).collect();
        let comparisons: Vec<HistoryComparison<'_>> = points()
            .zip(&histories)
            .map(|((index, point), histories)| HistoryComparison {
                histories: histories.means.clone(),
                build: &point.means,
                minimum_effect: results[index].minimum_effect,
            })
            .collect();
        let run = verdicts(confidence, &comparisons);
        let findings = histories.into_iter().zip(run.verdicts).map(|(Histories { means, mut rejections }, verdict)| {
            let latest = verdict.and_then(|verdict| Some((verdict.change, *verdict.differences.last()?)));
            match latest {
                Some((change, difference)) => PointFinding::Compared { change, difference, is_refuted: false },
                None if means.is_empty() && rejections.is_empty() => PointFinding::New,
                None => {
                    if !means.is_empty() {
                        rejections.push("fewer than two processes, or a time below the resolution".to_owned());
                    }
                    PointFinding::NotComparable(rejections)
                }
            }
        });
        let compared = points().zip(findings).map(|((index, point), finding)| {
            let mean = point.means.iter().sum::<f64>() / point.means.len() as f64;
            ComparedPoint { index, x: point.x.clone(), mean, finding }
        });
        Self { points: compared.collect(), confidence: run.confidence }
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
