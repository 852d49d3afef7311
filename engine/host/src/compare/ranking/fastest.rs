//! Which function is the fastest, and over which axis values.

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::Numeric;

use super::compared::{ComparedFunctions, RankedCurve, RankedPair, RankedRatio, TypicalTime};
use super::stated_crossover::StatedCrossover;
use crate::analyze::interval::Interval;
use crate::response::RatioAt;

/// The ranking of some functions.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    compared: ComparedFunctions,
    /// The fastest function at each axis value.
    fastest: Vec<Option<Fastest>>,
    /// The functions with results at each axis value, in the order of [`Self::ranked_at`].
    order: Vec<Vec<usize>>,
}

/// The fastest function at an axis value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fastest {
    /// Every other function that was compared is significantly slower than another one.
    Decided(usize),
    /// No other function is significantly faster than one of these. In ascending order.
    Undecided(Vec<usize>),
}

/// Neighbouring axis values, by the indices of the first and the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueRange {
    /// The index of the first value.
    pub first: usize,
    /// The index of the last value.
    pub last: usize,
}

/// The axis values at which a function is the fastest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FastestRanges {
    /// Ranges of neighbouring values, in the order of the axis.
    pub ranges: Vec<ValueRange>,
    /// Ranges of neighbouring values at which it may be the fastest: no function is significantly faster.
    pub undecided: Vec<ValueRange>,
    /// Whether the function was compared with another one at some value.
    pub is_compared: bool,
}

impl Ranking {
    /// Compares all pairs of some functions. `values`: the axis values at which some function has figures, in the order of the
    /// axis. `axis`: the parameter of an axis of numbers; without one, there are no crossovers.
    pub fn new(curves: &[RankedCurve<'_>], values: Vec<AxisValue>, axis: Option<&Numeric>) -> Self {
        Self::of(ComparedFunctions::new(curves, values, axis))
    }

    /// Ranks functions whose pairs were compared before, when their samples were available. Otherwise as [`Self::new`].
    pub fn with_pairs(
        curves: &[RankedCurve<'_>],
        values: Vec<AxisValue>,
        axis: Option<&Numeric>,
        pairs: Vec<RankedPair>,
    ) -> Self {
        Self::of(ComparedFunctions::with_pairs(curves, values, axis, pairs))
    }

    fn of(compared: ComparedFunctions) -> Self {
        let values = 0..compared.values.len();
        let fastest: Vec<_> = values.clone().map(|value| fastest(&compared, value)).collect();
        let order = values.map(|value| order(&compared, value, fastest[value].as_ref())).collect();
        Self { compared, fastest, order }
    }

    /// The axis values at which some function has figures, in the order of the axis.
    pub fn values(&self) -> &[AxisValue] {
        &self.compared.values
    }

    /// All pairs of functions.
    pub fn pairs(&self) -> &[RankedPair] {
        &self.compared.pairs
    }

    /// The crossovers of one of the pairs in measured axis values, without those that say nothing about where they are.
    pub fn stated_crossovers(&self, pair: &RankedPair) -> Vec<StatedCrossover> {
        self.compared.stated_crossovers(pair)
    }

    /// The number of functions.
    pub fn functions(&self) -> usize {
        self.compared.functions()
    }

    /// The typical time of a function at an axis value; `None` without figures. `value`: the index of the axis value.
    pub fn time(&self, function: usize, value: usize) -> Option<TypicalTime> {
        self.compared.time(function, value)
    }

    /// The 95% interval of that time, in nanoseconds; `None` without one.
    pub fn time_interval(&self, function: usize, value: usize) -> Option<Interval> {
        self.compared.time_interval(function, value)
    }

    /// How many times as long `slower` takes as `faster` at an axis value; `None` if they have no ratio there.
    pub fn ratio(&self, slower: usize, faster: usize, value: usize) -> Option<RankedRatio> {
        self.compared.ratio(slower, faster, value)
    }

    /// The ratio of two functions in either order, or the reason why it is unavailable; `None` if they have no comparable figures.
    pub fn ratio_at(&self, one: usize, other: usize, value: usize) -> Option<&RatioAt> {
        self.compared.ratio_at(one, other, value)
    }

    /// The functions with results at an axis value: the fastest, then the others by their ratios to it. Without a decision, the first one is that to
    /// which no other has a ratio below 1: there is one, unless the ratios contradict each other. Functions that were not compared are placed by
    /// their typical time, but never first.
    pub fn ranked_at(&self, value: usize) -> &[usize] {
        &self.order[value]
    }

    /// The fastest function at an axis value; `None` if no two functions were compared there.
    pub fn fastest_at(&self, value: usize) -> Option<&Fastest> {
        self.fastest[value].as_ref()
    }

    /// Whether a function was compared with another one at an axis value.
    pub fn is_compared(&self, function: usize, value: usize) -> bool {
        self.compared.is_compared(function, value)
    }

    /// The axis values at which a function is the fastest.
    pub fn fastest_ranges(&self, function: usize) -> FastestRanges {
        let (mut ranges, mut undecided) = (Vec::new(), Vec::new());
        for (value, fastest) in self.fastest.iter().enumerate() {
            let ranges: &mut Vec<ValueRange> = match fastest {
                Some(Fastest::Decided(fastest)) if *fastest == function => &mut ranges,
                Some(Fastest::Undecided(candidates)) if candidates.contains(&function) => &mut undecided,
                _ => continue,
            };
            match ranges.last_mut() {
                Some(range) if range.last + 1 == value => range.last = value,
                _ => ranges.push(ValueRange { first: value, last: value }),
            }
        }
        let is_compared = (0..self.values().len()).any(|value| self.is_compared(function, value));
        FastestRanges { ranges, undecided, is_compared }
    }
}

/// The fastest of the functions that were compared with another one.
fn fastest(compared: &ComparedFunctions, value: usize) -> Option<Fastest> {
    let present = compared.present(value);
    let is_beaten = |one: usize| present.iter().any(|&other| other != one && compared.is_slower(one, other, value));
    let is_candidate = |&one: &usize| compared.is_compared(one, value) && !is_beaten(one);
    let candidates: Vec<usize> = present.iter().copied().filter(is_candidate).collect();
    match candidates[..] {
        [] => None,
        [fastest] => Some(Fastest::Decided(fastest)),
        _ => Some(Fastest::Undecided(candidates)),
    }
}

/// The functions with results at an axis value, in the order of [`Ranking::ranked_at`].
fn order(compared: &ComparedFunctions, value: usize, fastest: Option<&Fastest>) -> Vec<usize> {
    let mut ranked = compared.present(value);
    let time = |function: usize| compared.time(function, value).map_or(f64::INFINITY, TypicalTime::order);
    let is_least: Vec<bool> = (0..compared.functions())
        .map(|function| {
            ranked.iter().filter_map(|&other| compared.ratio(other, function, value)).all(|it| it.ratio >= 1.0)
        })
        .collect();
    let rank = |function: usize| {
        let is_decided = fastest == Some(&Fastest::Decided(function));
        (!is_decided, !compared.is_compared(function, value), !is_least[function])
    };
    ranked.sort_by(|&one, &other| rank(one).cmp(&rank(other)).then(time(one).total_cmp(&time(other))));
    if let Some((first, others)) = ranked.split_first_mut() {
        let to_first = |function: usize| {
            compared.ratio(function, *first, value).map_or(time(function) / time(*first), |it| it.ratio)
        };
        others.sort_by(|&one, &other| to_first(one).total_cmp(&to_first(other)));
    }
    ranked
}
