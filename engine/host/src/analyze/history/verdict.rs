//! The verdict about a build, by the accepted histories of earlier ones, or by an earlier build measured in turn with it.

use statrs::statistics::Statistics;

use super::days::{AcrossDays, DayChange};
use super::difference::Difference;
use super::tukey::{PairDifference, pair_differences};
use super::variance::AnalysisOfVariance;
use crate::analyze::interval::Interval;

/// When a change counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangeRule {
    /// The confidence of the intervals, such as 0.99. If nothing has changed, at most 1 − confidence of the checks are false alarms.
    pub confidence: f64,
    /// The least relative change, such as 0.01: smaller ones are no change, however certain they are.
    pub minimum_effect: f64,
}

/// How a build compares with the accepted histories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BuildChange {
    /// It is slower than all of them.
    Slower,
    /// It is faster than all of them.
    Faster,
    /// The interval of the change from one of them is within ± the minimum effect.
    Same,
    /// None of these is certain.
    #[default]
    Undecided,
}

/// The verdict about a build and its reasons.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// The verdict.
    pub change: BuildChange,
    /// The change relative to each history, in their order, or relative to the other build of the pairs, with intervals that all hold simultaneously with the confidence of the rule.
    pub differences: Vec<Difference>,
    /// The analysis of variance, if there are several histories.
    pub variance: Option<AnalysisOfVariance>,
    /// The change from the days of the histories. Its interval is at least as wide as each of those between processes.
    pub across_days: Option<Difference>,
    /// Why a change from the histories is not certain across days.
    pub doubt: Option<DayDoubt>,
}

/// Why a change that is certain between processes is not certain across days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DayDoubt {
    /// The machine may differ as much from day to day.
    WithinDays,
    /// All accepted results are of one day.
    SingleDay,
    /// Nothing shows whether the machine has changed.
    NoReference,
}

impl ChangeRule {
    /// Compares the means of a build's processes with accepted histories. `None` without a history, if one of them or the build has
    /// fewer than two processes, or unless all means are above zero.
    ///
    /// One history: the interval of the difference, see [`Difference::of`]. Several: an analysis of variance. If it finds no
    /// difference at the level 1 − confidence, the build is not slower and not faster. If it does, Tukey's test decides for each
    /// history whether the build differs from it. A change must be in the same direction from all histories, since each of them
    /// was accepted.
    pub fn verdict(&self, histories: &[&[f64]], build: &[f64]) -> Option<Verdict> {
        let is_usable = |means: &[f64]| means.len() >= 2 && means.mean() > 0.0;
        if !is_usable(build) || !histories.iter().all(|history| is_usable(history)) {
            return None;
        }
        match histories {
            [] => None,
            [history] => {
                let difference = Difference::of(history, build, self.confidence)?;
                Some(Verdict { change: self.change(&difference), differences: vec![difference], ..Verdict::default() })
            }
            several => self.verdict_of_several(several, build),
        }
    }

    /// The verdict about a build whose accepted histories are of several days: a change between processes counts only if it is also one across days,
    /// in the same direction. A build that is the same between processes is undecided if it changed across days: then the machine did, too.
    pub fn verdict_across_days(&self, histories: &[&[f64]], build: &[f64], days: &AcrossDays) -> Option<Verdict> {
        let verdict = self.verdict(histories, build)?;
        let (across_days, doubt) = match days {
            AcrossDays::SingleDay => (None, Some(DayDoubt::SingleDay)),
            AcrossDays::NoReference => (None, Some(DayDoubt::NoReference)),
            AcrossDays::Change(change) => {
                let between_processes = verdict.differences.iter().map(Difference::half_width).fold(0.0, f64::max);
                let difference = change.difference(self.confidence).at_least_as_wide_as(between_processes);
                let agrees = match verdict.change {
                    BuildChange::Same => difference.interval.contains(0.0),
                    change => self.change(&difference) == change,
                };
                (Some(difference), (!agrees).then_some(DayDoubt::WithinDays))
            }
        };
        let is_doubtful = match verdict.change {
            BuildChange::Slower | BuildChange::Faster => true,
            // The machine may have changed by as much as the build, in the other direction.
            BuildChange::Same => doubt == Some(DayDoubt::WithinDays),
            BuildChange::Undecided => false,
        };
        let doubt = doubt.filter(|_| is_doubtful);
        let change = if doubt.is_some() { BuildChange::Undecided } else { verdict.change };
        // What decides is shown.
        let across_days = across_days.filter(|_| change != BuildChange::Same);
        Some(Verdict { change, across_days, doubt, ..verdict })
    }

    /// The verdict about the change of all functions together.
    pub fn day_verdict(&self, change: &DayChange) -> Verdict {
        let difference = change.difference(self.confidence);
        Verdict { change: self.change(&difference), across_days: Some(difference), ..Verdict::default() }
    }

    /// Compares a build with another one, by pairs of builds with different layouts of the code: see [`Difference::of_pairs`]. `None` for
    /// fewer than two pairs.
    pub fn paired_verdict(&self, ln_ratios: &[f64]) -> Option<Verdict> {
        let difference = Difference::of_pairs(ln_ratios, self.confidence)?;
        Some(Verdict { change: self.change(&difference), differences: vec![difference], ..Verdict::default() })
    }

    /// Compares the mean of a build's processes with the interval of the latest accepted history alone: see [`Difference::from_interval`]. `None` if
    /// the history has fewer than two processes, the build has none, or the history's mean is not above zero.
    pub fn interval_verdict(&self, latest: &[f64], build: &[f64]) -> Option<Verdict> {
        let difference = Difference::from_interval(latest, build, self.confidence)?;
        Some(Verdict { change: self.change(&difference), differences: vec![difference], ..Verdict::default() })
    }

    fn verdict_of_several(&self, histories: &[&[f64]], build: &[f64]) -> Option<Verdict> {
        let all: Vec<&[f64]> = histories.iter().copied().chain([build]).collect();
        let variance = AnalysisOfVariance::of(&all)?;
        let pairs = pair_differences(&all, self.confidence)?;
        let relative = |pair: &PairDifference| {
            let base = all[pair.pair.0].mean();
            let Interval { low, high } = pair.interval;
            Difference { relative: pair.difference / base, interval: Interval { low: low / base, high: high / base } }
        };
        let differences: Vec<Difference> =
            pairs.iter().filter(|pair| pair.pair.1 == histories.len()).map(relative).collect();
        let changes: Vec<BuildChange> = differences.iter().map(|difference| self.change(difference)).collect();
        let are_all = |change| changes.iter().all(|one| *one == change);
        let differs = variance.p < 1.0 - self.confidence;
        let change = match () {
            () if differs && are_all(BuildChange::Slower) => BuildChange::Slower,
            () if differs && are_all(BuildChange::Faster) => BuildChange::Faster,
            () if changes.contains(&BuildChange::Same) => BuildChange::Same,
            () => BuildChange::Undecided,
        };
        Some(Verdict { change, differences, variance: Some(variance), ..Verdict::default() })
    }

    /// The change from one history.
    fn change(&self, Difference { relative, interval }: &Difference) -> BuildChange {
        let is_within = interval.low > -self.minimum_effect && interval.high < self.minimum_effect;
        match () {
            () if interval.low > 0.0 && *relative >= self.minimum_effect => BuildChange::Slower,
            () if interval.high < 0.0 && *relative <= -self.minimum_effect => BuildChange::Faster,
            () if is_within => BuildChange::Same,
            () => BuildChange::Undecided,
        }
    }
}
