//! Fair comparison: how many times as long the other functions of a measurement take as its first, on one machine.

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::comparison::RatioAt;
use benchbook_host::messages::verdicts::ComparedPair;
use benchbook_host::quality::Priority;
use benchbook_host::ranking::{RankedPair, StatedCrossover};
use benchbook_notebook::curve::Reading;

use super::ranking::MachineRanking;
use super::shown_trace::ShownTrace;

/// A function compared with the first of its measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionComparison {
    /// The function's index among the shown traces.
    pub ordinal: usize,
    /// The index of the first function.
    pub baseline: usize,
    /// The ratio, or why there is none, at each axis value for which both have figures of the same priority.
    pub ratios: Vec<RatioAt>,
    /// Where one becomes faster than the other: the measured axis values around each crossover.
    pub crossovers: Vec<StatedCrossover>,
}

impl FunctionComparison {
    /// Each function compared with the first of its measurement, in the order of the shown traces. The intervals of a machine hold
    /// simultaneously for all pairs of functions.
    pub fn all(rankings: &[MachineRanking]) -> Vec<Self> {
        let with_baseline = |ranking: &MachineRanking| {
            let (baseline, ordinals) = (ranking.ordinals[0], ranking.ordinals.clone());
            let pairs = ranking.ranking.pairs().iter().filter(|pair| pair.baseline == 0);
            let comparison = move |pair: &RankedPair| Self {
                ordinal: ordinals[pair.other],
                baseline,
                ratios: pair.ratios.clone(),
                crossovers: ranking.ranking.stated_crossovers(pair),
            };
            pairs.map(comparison).collect::<Vec<Self>>()
        };
        let mut all: Vec<Self> = rankings.iter().flat_map(with_baseline).collect();
        all.sort_by_key(|comparison| comparison.ordinal);
        all
    }

    /// The ratio at an axis value.
    pub fn at(&self, x: &AxisValue) -> Option<&RatioAt> {
        self.ratios.iter().find(|ratio| ratio.x == *x)
    }
}

/// The comparisons with the names of their functions.
pub fn compared_pairs<'a>(shown: &'a [ShownTrace], comparisons: &'a [FunctionComparison]) -> Vec<ComparedPair<'a>> {
    let pair = |one: &'a FunctionComparison| {
        let (baseline, other) = (&shown.get(one.baseline)?.label, &shown.get(one.ordinal)?.label);
        Some(ComparedPair { baseline, other, ratios: &one.ratios, crossovers: &one.crossovers })
    };
    comparisons.iter().filter_map(pair).collect()
}

/// A note on ratios that come from a single process; `None` if there are none, and during a measurement, whose later priorities may add
/// processes.
pub fn one_process_note(
    shown: &[ShownTrace],
    comparisons: &[FunctionComparison],
    is_measuring: bool,
) -> Option<&'static str> {
    let of_one_process = |comparison: &FunctionComparison| {
        let has_ratio = |reading: &Reading| comparison.at(&reading.x).is_some_and(|at| at.ratio.is_some());
        let is_one = |reading: &Reading| reading.measured().is_some_and(|measured| measured.summary.runs == 1);
        let readings = shown.get(comparison.ordinal).map(|other| other.trace.curve.readings()).unwrap_or_default();
        let priorities = readings.iter().filter(|reading| has_ratio(reading) && is_one(reading)).map(Reading::priority);
        priorities.min()
    };
    let lowest = comparisons.iter().filter_map(of_one_process).min().filter(|_| !is_measuring)?;
    Some(match lowest == Priority::LAST {
        true => "Some ratios come from one process; another process may give different ratios.",
        false => {
            "Some ratios come from one process; another process may give different ratios. Measure to the final precision."
        }
    })
}
