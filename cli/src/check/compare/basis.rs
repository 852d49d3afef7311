//! What a point is compared with.

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::analyze::history::count::CountChange;
use benchbook_host::analyze::history::holm::ComparisonBasis;
use benchbook_host::history::{AcceptedResult, CheckedPoint, CheckedResult, Mismatch};

use super::PointFinding;
use crate::check::measure::{BaselineFigures, MeasuredResult};
use crate::check::plan::HistoryTest;

/// What a point is compared with.
pub(super) enum PointBasis<'a> {
    Histories(Histories<'a>),
    Baseline(&'a BaselineFigures),
}

/// The accepted results that a point can be compared with.
pub(super) struct Histories<'a> {
    means: Vec<&'a [f64]>,
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
            Self::Histories(Histories { means, rejections }) if !means.is_empty() => rejections.as_slice(),
            Self::Histories(_) | Self::Baseline(_) => &[],
        };
        let other_arguments = Mismatch::OtherArguments.to_string();
        rejections.iter().filter(move |reason| **reason != other_arguments)
    }

    /// The comparison of an exact metric, and the latest value before it; `None` for other metrics, and without a value to compare with.
    pub(super) fn counted(&self, point: &CheckedPoint) -> Option<(CountChange, f64)> {
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
    pub(super) fn figures<'f>(&'f self, point: &'f CheckedPoint, test: HistoryTest) -> ComparisonBasis<'f> {
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

    pub(super) fn without_verdict(self, point: &CheckedPoint) -> PointFinding {
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
