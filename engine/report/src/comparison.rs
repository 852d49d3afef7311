//! Fair comparison: how many times as long the functions of a measurement take as the fastest of them, on one machine.

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::analyze::compare::{RatioStatistic, WithheldReason};
use benchbook_host::analyze::interval::Interval;
use benchbook_host::compare::ranking::{RankedPair, RankedRatio};
use benchbook_host::messages::verdicts::{ComparedPair, ratio_and_interval};
use benchbook_host::quality::Priority;
use benchbook_host::response::RatioAt;
use benchbook_notebook::curve::Reading;

use super::ranking::MachineRanking;
use super::shown_trace::ShownTrace;

/// How many times as long a function takes as the fastest one at an axis value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RatioToFastest {
    /// It is the fastest, or the first of those that may be.
    Fastest,
    /// The ratio, the statistic behind it, and the simultaneous interval of all functions of the machine.
    Known(RankedRatio, RatioStatistic),
    /// There is no ratio, for this reason.
    Unavailable(WithheldReason),
}

impl RatioToFastest {
    /// Of the shown trace with this index; `None` if it was not compared at the axis value.
    pub fn of(rankings: &[MachineRanking], ordinal: usize, x: &AxisValue) -> Option<Self> {
        let (ranking, function) = rankings.iter().find_map(|one| Some((one, one.function(ordinal)?)))?;
        let value = ranking.ranking.values().iter().position(|value| value == x)?;
        Self::at(ranking, function, value)
    }

    /// Of a function of a ranking at the axis value with this index.
    pub fn at(ranking: &MachineRanking, function: usize, value: usize) -> Option<Self> {
        let ranking = &ranking.ranking;
        let fastest = *ranking.ranked_at(value).first()?;
        if function == fastest {
            let reason =
                || (0..ranking.functions()).find_map(|other| ranking.ratio_at(function, other, value)?.withheld);
            return if ranking.is_compared(function, value) {
                Some(Self::Fastest)
            } else {
                reason().map(Self::Unavailable)
            };
        }
        let RatioAt { of, withheld: reason, .. } = ranking.ratio_at(function, fastest, value)?;
        let known = ranking.ratio(function, fastest, value).zip(*of);
        known.map(|(ratio, of)| Self::Known(ratio, of)).or(reason.map(Self::Unavailable))
    }

    /// The statistic of the ratio; `None` without a ratio to another function.
    pub fn statistic(self) -> Option<RatioStatistic> {
        match self {
            Self::Known(_, statistic) => Some(statistic),
            Self::Fastest | Self::Unavailable(_) => None,
        }
    }

    /// The ratio in words: `1 ×`, or `2.43 × (2.36 to 2.51)` with its interval; `None` without a ratio.
    pub fn text(self) -> Option<String> {
        match self {
            Self::Fastest => Some("1 ×".to_owned()),
            Self::Known(RankedRatio { ratio, interval }, _) => {
                let (ratio, interval) = ratio_and_interval(ratio, interval);
                Some(format!("{ratio} × ({interval})"))
            }
            Self::Unavailable(_) => None,
        }
    }

    /// The ratio and its interval; `None` if there is no ratio. The fastest function has no interval.
    pub fn ratio(self) -> Option<(f64, Option<Interval>)> {
        match self {
            Self::Fastest => Some((1.0, None)),
            Self::Known(RankedRatio { ratio, interval }, _) => Some((ratio, Some(interval))),
            Self::Unavailable(_) => None,
        }
    }
}

/// All pairs of functions that were measured together, one machine after the other.
pub fn compared_pairs<'a>(shown: &'a [ShownTrace], rankings: &'a [MachineRanking]) -> Vec<ComparedPair<'a>> {
    let of_machine = |ranking: &'a MachineRanking| {
        let label = |function: usize| shown[ranking.ordinals[function]].label.as_str();
        let pair = move |pair: &'a RankedPair| ComparedPair {
            baseline: label(pair.baseline),
            other: label(pair.other),
            ratios: &pair.ratios,
            crossovers: ranking.ranking.stated_crossovers(pair),
        };
        ranking.ranking.pairs().iter().map(pair)
    };
    rankings.iter().flat_map(of_machine).collect()
}

/// A note on ratios that come from a single process; `None` if there are none, and during a measurement, whose later priorities may add
/// processes.
pub fn one_process_note(shown: &[ShownTrace], rankings: &[MachineRanking], is_measuring: bool) -> Option<&'static str> {
    let of_one_process = |ordinal: usize| {
        let ratio = |reading: &Reading| RatioToFastest::of(rankings, ordinal, &reading.x);
        let is_one = |reading: &&Reading| {
            matches!(ratio(reading), Some(RatioToFastest::Known(..)))
                && reading.measured().is_some_and(|measured| measured.summary.runs == 1)
        };
        shown[ordinal].trace.curve.readings().iter().filter(is_one).map(Reading::priority).min()
    };
    let lowest = (0..shown.len()).filter_map(of_one_process).min().filter(|_| !is_measuring)?;
    Some(match lowest == Priority::LAST {
        true => "Some ratios come from one process; another process may give different ratios.",
        false => {
            "Some ratios come from one process; another process may give different ratios. Measure to the final precision."
        }
    })
}
