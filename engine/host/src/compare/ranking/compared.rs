//! The ratios of all pairs of functions that were measured together.

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::Numeric;

use super::stated_crossover::StatedCrossover;
use crate::analyze::compare::WithheldReason;
use crate::analyze::crossover::Crossover;
use crate::analyze::interval::Interval;
use crate::compare::pairing::{PointPair, compare};
use crate::quality::Priority;
use crate::response::{MeasuredPoint, RatioAt};

/// A function to rank: its points with figures.
#[derive(Clone, Debug, Default)]
pub struct RankedCurve<'a> {
    /// The points, in the order of the axis.
    pub points: Vec<RankedPoint<'a>>,
}

/// A point with figures.
#[derive(Clone, Copy, Debug)]
pub struct RankedPoint<'a> {
    /// The axis value.
    pub x: &'a AxisValue,
    /// The priority of the figures. Only figures of the same priority are compared: others were measured at another time.
    pub priority: Priority,
    /// The figures. Without samples, they are not compared.
    pub measured: &'a MeasuredPoint,
}

/// Two of the functions, compared at all axis values where both have comparable figures.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedPair {
    /// The index of the function that the ratios refer to; less than [`Self::other`].
    pub baseline: usize,
    /// The index of the other function.
    pub other: usize,
    /// The ratios, in the order of the axis.
    pub ratios: Vec<RatioAt>,
    /// The axis values at which one becomes faster than the other.
    pub crossovers: Vec<Crossover>,
}

/// The typical time of a function at an axis value, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TypicalTime {
    /// The median.
    Median(f64),
    /// The mean; the median is unavailable.
    Mean(f64),
    /// The time is indistinguishable from zero; it is certainly below this.
    Below(f64),
}

/// The ratio of two functions' times, and its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedRatio {
    /// The ratio.
    pub ratio: f64,
    /// Its interval. The intervals of all pairs and axis values hold simultaneously in 95% of cases.
    pub interval: Interval,
}

/// The comparison of all pairs of some functions.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedFunctions {
    /// The axis values at which some function has figures, in the order of the axis.
    pub(super) values: Vec<AxisValue>,
    /// For each function, the times at each of these values.
    times: Vec<Vec<Option<RankedTime>>>,
    /// All pairs of functions.
    pub(super) pairs: Vec<RankedPair>,
    /// The parameter of an axis of numbers.
    axis: Option<Numeric>,
}

/// A typical time with its interval, and the lower end of the mean's interval, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
struct RankedTime {
    typical: TypicalTime,
    interval: Option<Interval>,
    low: Option<f64>,
}

impl ComparedFunctions {
    pub(super) fn new(curves: &[RankedCurve<'_>], values: Vec<AxisValue>, axis: Option<&Numeric>) -> Self {
        let indices = || (0..curves.len()).flat_map(|other| (0..other).map(move |baseline| (baseline, other)));
        let points: Vec<Vec<PointPair<'_>>> =
            indices().map(|(baseline, other)| point_pairs(&curves[baseline], &curves[other])).collect();
        let ranked = |((baseline, other), (ratios, crossovers))| RankedPair { baseline, other, ratios, crossovers };
        let pairs = indices().zip(compare(&points, axis.map(|axis| axis.scale))).map(ranked).collect();
        Self::with_pairs(curves, values, axis, pairs)
    }

    /// Of pairs that were compared before, when the samples were available.
    pub(super) fn with_pairs(
        curves: &[RankedCurve<'_>],
        values: Vec<AxisValue>,
        axis: Option<&Numeric>,
        pairs: Vec<RankedPair>,
    ) -> Self {
        let times = curves.iter().map(|curve| values.iter().map(|x| curve.time_at(x)).collect()).collect();
        Self { values, times, pairs, axis: axis.cloned() }
    }

    /// The crossovers of a pair in measured axis values.
    pub(super) fn stated_crossovers(&self, pair: &RankedPair) -> Vec<StatedCrossover> {
        let state = |crossover| StatedCrossover::new(crossover, &pair.ratios, self.axis.as_ref()?);
        pair.crossovers.iter().filter_map(state).collect()
    }

    /// The number of functions.
    pub(super) fn functions(&self) -> usize {
        self.times.len()
    }

    /// The typical time of a function at an axis value; `None` without figures.
    pub(super) fn time(&self, function: usize, value: usize) -> Option<TypicalTime> {
        self.times[function][value].map(|time| time.typical)
    }

    /// The 95% interval of that time; `None` without one.
    pub(super) fn time_interval(&self, function: usize, value: usize) -> Option<Interval> {
        self.times[function][value]?.interval
    }

    /// The ratio of two functions in either order, or the reason why it is unavailable; `None` if they have no comparable figures.
    pub(super) fn ratio_at(&self, one: usize, other: usize, value: usize) -> Option<&RatioAt> {
        let (baseline, other) = (one.min(other), one.max(other));
        let pair = self.pairs.iter().find(|pair| pair.baseline == baseline && pair.other == other)?;
        pair.ratios.iter().find(|ratio| ratio.x == self.values[value])
    }

    /// How many times as long `slower` takes as `faster`; `None` if they have no ratio.
    pub(super) fn ratio(&self, slower: usize, faster: usize, value: usize) -> Option<RankedRatio> {
        let at = self.ratio_at(slower, faster, value)?;
        let (ratio, interval) = (at.ratio?, at.interval?);
        if faster < slower {
            return Some(RankedRatio { ratio, interval });
        }
        let Interval { low, high } = interval;
        Some(RankedRatio { ratio: 1.0 / ratio, interval: Interval { low: 1.0 / high, high: 1.0 / low } })
    }

    /// The functions with results at an axis value.
    pub(super) fn present(&self, value: usize) -> Vec<usize> {
        (0..self.functions()).filter(|&function| self.time(function, value).is_some()).collect()
    }

    /// Whether a function was compared with another one at an axis value.
    pub(super) fn is_compared(&self, function: usize, value: usize) -> bool {
        (0..self.functions()).any(|other| other != function && self.are_comparable(function, other, value))
    }

    /// Whether two functions have a ratio, or a time that bounds it.
    fn are_comparable(&self, one: usize, other: usize, value: usize) -> bool {
        self.ratio(one, other, value).is_some()
            || self.exceeds_bound(one, other, value)
            || self.exceeds_bound(other, one, value)
    }

    /// Whether `one` is significantly slower than `other`.
    pub(super) fn is_slower(&self, one: usize, other: usize, value: usize) -> bool {
        let by_ratio = self.ratio(one, other, value).is_some_and(|ratio| ratio.interval.low > 1.0);
        by_ratio || self.exceeds_bound(one, other, value)
    }

    /// Whether `other` has only an upper bound, which the interval of `one` exceeds. Such functions have no ratio, unless their
    /// outputs differ or they were measured apart: then nothing is compared.
    fn exceeds_bound(&self, one: usize, other: usize, value: usize) -> bool {
        let is_below = |at: &RatioAt| at.withheld == Some(WithheldReason::NotAboveZero);
        let (Some(slow), Some(fast)) = (self.times[one][value], self.times[other][value]) else { return false };
        let TypicalTime::Below(bound) = fast.typical else { return false };
        self.ratio_at(one, other, value).is_some_and(is_below) && slow.low.is_some_and(|low| low > bound)
    }
}

impl TypicalTime {
    /// The time by which functions are ordered: a bound counts as the time.
    pub fn order(self) -> f64 {
        match self {
            Self::Median(time) | Self::Mean(time) | Self::Below(time) => time,
        }
    }
}

impl RankedCurve<'_> {
    fn time_at(&self, x: &AxisValue) -> Option<RankedTime> {
        let measured = self.points.iter().find(|point| point.x == x)?.measured;
        let summary = &measured.summary;
        let (typical, interval) = match (measured.upper_bound(), summary.median) {
            (Some(bound), _) => (TypicalTime::Below(bound), None),
            (None, Some(median)) => (TypicalTime::Median(median), summary.median_interval),
            (None, None) => (TypicalTime::Mean(summary.mean), summary.mean_interval),
        };
        Some(RankedTime { typical, interval, low: summary.mean_interval.map(|interval| interval.low) })
    }
}

/// The axis values at which both functions have comparable figures.
fn point_pairs<'a>(baseline: &RankedCurve<'a>, other: &RankedCurve<'a>) -> Vec<PointPair<'a>> {
    let has_samples = |point: &&RankedPoint<'_>| !point.measured.runs.is_empty();
    let pair = |one: &RankedPoint<'a>| {
        let matches = |point: &&RankedPoint<'_>| point.x == one.x && point.priority == one.priority;
        let other = other.points.iter().filter(has_samples).find(matches)?;
        Some(PointPair { x: one.x, baseline: one.measured, other: other.measured })
    };
    baseline.points.iter().filter(has_samples).filter_map(pair).collect()
}
