//! The third stage of a check: it compares the results with accepted ones, or with those of a baseline.

mod basis;
mod counts;
mod days;

use std::collections::BTreeSet;

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::analyze::history::count::CountChange;
use benchbook_host::analyze::history::difference::Difference;
use benchbook_host::analyze::history::holm::{BuildComparison, ComparisonBasis, verdicts};
use benchbook_host::analyze::history::verdict::{BuildChange, DayDoubt, Verdict};
use benchbook_host::history::{AcceptedResult, CheckedMetric};
use serde::Serialize;

use self::basis::PointBasis;
use self::days::DayComparisons;
use super::measure::{BaselineFigures, MeasuredResult};
use super::plan::{ComparisonRule, HistoryTest};

/// A point of a result, and what was found about it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ComparedPoint {
    /// The number of the result.
    pub(crate) index: usize,
    pub(crate) x: AxisValue,
    /// The mean of the processes' means, in nanoseconds per call; absent if it was not measured.
    pub(crate) mean: Option<f64>,
    pub(crate) finding: PointFinding,
    /// Whether the comparison could have found a slowdown: how much days differ is known, or does not matter.
    pub(crate) is_decisive: bool,
}

/// What was found about a point.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PointFinding {
    /// There is no accepted result of it, or the baseline does not contain it.
    New,
    /// Accepted results or a baseline exist, but cannot be compared with it, for these reasons.
    NotComparable(Vec<String>),
    /// Its native code is the same as that of the baseline.
    SameCode,
    /// The change from the accepted results, or from the baseline.
    Compared {
        change: BuildChange,
        /// The change from the days of the accepted results, or else from the latest one, or from the baseline.
        difference: Difference,
        /// Why a change that was found does not count.
        doubt: Option<Doubt>,
    },
    /// A value of an exact metric was compared.
    Counted {
        change: CountChange,
        /// The latest accepted value, or that of the baseline.
        before: f64,
        /// Why the comparison does not count.
        doubt: Option<CountDoubt>,
    },
}

/// Why a comparison of an exact metric does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CountDoubt {
    /// It is an increase that a second measurement has not confirmed.
    NotConfirmed,
    /// The function was counted twice, with different results, now or before.
    Varying,
    /// The wasm code does as much as before, or nearly; but times are those of the native code, and that is another one.
    OtherNativeCode,
}

/// Why a change that was found does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// A second measurement has not confirmed it.
    NotConfirmed,
    /// It may be a difference between days.
    Days(DayDoubt),
    /// The source of the function and of all that it calls is the same, so the compiler has made other code of it.
    SameSource,
}

/// What the accepted results show about the differences between days.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum KnownDays {
    /// They are of one day.
    Single,
    /// They are of several days, but nothing shows whether the machine has changed.
    WithoutReference,
    /// They are of several days.
    Several,
}

/// The change of all functions together, relative to the reference kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CommonChange {
    pub(crate) metric: CheckedMetric,
    pub(crate) change: BuildChange,
    pub(crate) difference: Difference,
}

/// The comparison of all points of a check.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Comparisons {
    /// The points of all results, in their order, then a point for each function with the same code.
    pub(crate) points: Vec<ComparedPoint>,
    /// Whether the accepted results show how much days differ; absent if nothing is compared across days.
    pub(crate) days: Option<KnownDays>,
    /// The change of all functions together, for each metric for which it is known.
    pub(crate) all_functions: Vec<CommonChange>,
    /// How they were compared.
    pub(crate) rule: ComparisonRule,
    /// The confidence of each interval, chosen so that the whole check has that of the rule.
    pub(crate) interval_confidence: f64,
    /// Why points that were compared were not compared with some of the accepted results, too.
    pub(crate) rejections: BTreeSet<String>,
    /// What functions with undecided times execute.
    pub(crate) executed: Vec<ExecutedPoint>,
}

/// What a function executes at an axis value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ExecutedPoint {
    /// The number of the check.
    check: usize,
    x: AxisValue,
    /// The wasm instructions of a call before and now.
    pub(crate) counts: [f64; 2],
}

impl ExecutedPoint {
    /// Those of the results of a check that counted wasm instructions, if it could compare them.
    pub(crate) fn of(
        check: usize,
        results: &[MeasuredResult],
        accepted: &[&AcceptedResult],
        rule: ComparisonRule,
    ) -> Vec<Self> {
        let points = Comparisons::of(results, accepted, rule).points.into_iter();
        let executed = points.filter_map(|point| match point.finding {
            PointFinding::Counted { before, doubt, .. } if doubt != Some(CountDoubt::Varying) => {
                Some(Self { check, x: point.x, counts: [before, point.mean?] })
            }
            _ => None,
        });
        executed.collect()
    }
}

impl Comparisons {
    /// Compares each result with its baseline, or else with accepted results, the oldest of which is the first.
    pub(crate) fn of(results: &[MeasuredResult], accepted: &[&AcceptedResult], rule: ComparisonRule) -> Self {
        let points = || {
            results
                .iter()
                .enumerate()
                .flat_map(|(index, one)| one.result.points.iter().map(move |point| (index, point)))
        };
        let bases: Vec<PointBasis<'_>> =
            points().map(|(index, point)| PointBasis::of(&results[index], &point.x, accepted)).collect();
        let with_bases: Vec<_> =
            points().zip(&bases).map(|((index, point), basis)| (&results[index].result, point, basis)).collect();
        let days = DayComparisons::of(&with_bases);
        let of_points =
            points().zip(&bases).zip(days.of_points()).map(|(((index, point), basis), days)| BuildComparison {
                basis: basis.figures(point, rule.test, days),
                minimum_effect: results[index].minimum_effect,
            });
        let least_effect = results.iter().map(|one| one.minimum_effect).fold(f64::INFINITY, f64::min);
        let common = days.all_functions.iter().filter(|_| rule.test == HistoryTest::Difference);
        let of_all = common.clone().map(|(_, change)| BuildComparison {
            basis: ComparisonBasis::AllFunctions(*change),
            minimum_effect: least_effect,
        });
        let comparisons: Vec<BuildComparison<'_>> = of_points.chain(of_all).collect();
        let mut run = verdicts(rule.confidence, &comparisons);
        let of_all = run.verdicts.split_off(bases.len());
        let all_functions = common.zip(of_all).filter_map(|((metric, _), verdict)| {
            let Verdict { change, across_days, .. } = verdict?;
            Some(CommonChange { metric: *metric, change, difference: across_days? })
        });
        let all_functions = all_functions.collect();
        let days = days.known().filter(|_| rule.test == HistoryTest::Difference);
        let rejections = bases.iter().flat_map(PointBasis::reported_rejections).cloned().collect();
        let compared = points().zip(bases).zip(run.verdicts).map(|(((index, point), basis), verdict)| {
            let mean = point.means.iter().sum::<f64>() / point.means.len() as f64;
            let is_decisive = rule.test == HistoryTest::Interval
                || results[index].baseline.is_some()
                || verdict.as_ref().is_none_or(|verdict| verdict.across_days.is_some());
            let compared = verdict.and_then(|verdict| {
                let difference = verdict.across_days.or(verdict.differences.last().copied())?;
                Some((verdict.change, difference, verdict.doubt.map(Doubt::Days)))
            });
            let finding = match (compared, basis.counted(point)) {
                (_, Some(counted)) => counted.finding(&results[index], point),
                (Some((change, difference, doubt)), None) => {
                    let is_noise = results[index].noise.is_some_and(|noise| difference.relative.abs() < noise);
                    let change = if is_noise && change != BuildChange::Same { BuildChange::Undecided } else { change };
                    let is_change = matches!(change, BuildChange::Slower | BuildChange::Faster);
                    let doubt = doubt.or((is_change && results[index].has_same_source()).then_some(Doubt::SameSource));
                    PointFinding::Compared { change, difference, doubt }
                }
                (None, None) => basis.without_verdict(point, results[index].result.benchmark.metric),
            };
            ComparedPoint { index, x: point.x.clone(), mean: Some(mean), finding, is_decisive }
        });
        let is_same_code = |(_, one): &(usize, &MeasuredResult)| one.baseline == Some(BaselineFigures::SameCode);
        let same_code = results.iter().enumerate().filter(is_same_code).map(|(index, _)| ComparedPoint {
            index,
            x: AxisValue::Absent,
            mean: None,
            finding: PointFinding::SameCode,
            is_decisive: true,
        });
        Self {
            points: compared.chain(same_code).collect(),
            days,
            all_functions,
            rule,
            interval_confidence: run.confidence,
            rejections,
            executed: Vec::new(),
        }
    }

    /// The numbers of the results of times with an undecided point, in ascending order.
    pub(crate) fn undecided_times(&self, results: &[MeasuredResult]) -> Vec<usize> {
        let mut undecided = self
            .results_with(|finding| matches!(finding, PointFinding::Compared { change: BuildChange::Undecided, .. }));
        undecided.retain(|&index| results[index].result.benchmark.metric == CheckedMetric::Time);
        undecided
    }

    /// The wasm instructions of a point before and now, if they were counted since its time is undecided.
    pub(crate) fn executed_at(&self, check: usize, x: &AxisValue) -> Option<[f64; 2]> {
        let executed = self.executed.iter().find(|executed| executed.check == check && executed.x == *x)?;
        Some(executed.counts)
    }

    /// As [`Self::of`], but the confidence is lowered in steps of 1% while comparisons are undecided, down to the least one.
    pub(crate) fn at_reached_confidence(
        results: &[MeasuredResult],
        accepted: &[&AcceptedResult],
        mut rule: ComparisonRule,
        least: Option<f64>,
    ) -> Self {
        const STEP: f64 = 0.01;
        loop {
            let compared = Self::of(results, accepted, rule);
            match least.filter(|least| *least < rule.confidence && compared.is_undecided_by_noise()) {
                Some(least) => rule.confidence = (rule.confidence - STEP).max(least),
                None => return compared,
            }
        }
    }

    /// Whether a comparison of a point is undecided, and a lower confidence may decide it.
    fn is_undecided_by_noise(&self) -> bool {
        const UNKNOWN: [Option<Doubt>; 2] =
            [Some(Doubt::Days(DayDoubt::SingleDay)), Some(Doubt::Days(DayDoubt::NoReference))];
        let is_undecided = |point: &ComparedPoint| match point.finding {
            PointFinding::Compared { change, doubt, .. } => {
                change == BuildChange::Undecided && !UNKNOWN.contains(&doubt)
            }
            _ => false,
        };
        self.points.iter().any(is_undecided)
    }

    /// The numbers of the results with a slower or faster point, in ascending order.
    pub(crate) fn changes(&self) -> Vec<usize> {
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

    /// The numbers of the results with a regression, in ascending order: of all results whose functions are slower together.
    pub(crate) fn regressions(&self, results: &[MeasuredResult]) -> Vec<usize> {
        let mut regressions = self.results_with(PointFinding::is_regression);
        let is_slower = |one: &MeasuredResult| {
            self.slower_together().any(|together| together.metric == one.result.benchmark.metric)
        };
        regressions.extend(results.iter().enumerate().filter(|(_, one)| is_slower(one)).map(|(index, _)| index));
        regressions.sort_unstable();
        regressions.dedup();
        regressions
    }

    /// The changes by which all functions together are slower.
    fn slower_together(&self) -> impl Iterator<Item = &CommonChange> {
        self.all_functions.iter().filter(|together| together.change == BuildChange::Slower)
    }

    /// Withdraws each regression that the comparison of a second measurement has not found. Only the results with a regression were
    /// measured again.
    pub(crate) fn confirm(&mut self, second: &Self) {
        let is_confirmed =
            |together: &CommonChange| second.slower_together().any(|again| again.metric == together.metric);
        let refuted = |together: &&mut CommonChange| together.change == BuildChange::Slower && !is_confirmed(together);
        self.all_functions.iter_mut().filter(refuted).for_each(|together| together.change = BuildChange::Undecided);
        for point in self.points.iter_mut().filter(|point| point.finding.is_regression()) {
            let again = second.points.iter().find(|again| (again.index, &again.x) == (point.index, &point.x));
            if again.is_some_and(|again| again.finding.is_regression()) {
                continue;
            }
            match &mut point.finding {
                PointFinding::Compared { change, doubt, .. } => {
                    (*change, *doubt) = (BuildChange::Undecided, Some(Doubt::NotConfirmed));
                }
                PointFinding::Counted { doubt, .. } => *doubt = Some(CountDoubt::NotConfirmed),
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
            Self::Compared { change: BuildChange::Slower, doubt: None, .. }
                | Self::Counted { change: CountChange::More, doubt: None, .. }
        )
    }
}
