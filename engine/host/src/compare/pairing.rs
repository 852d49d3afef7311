//! Pairs the points of functions that were measured together, and computes their comparisons.

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::Scale;

use crate::analyze::blocks;
use crate::analyze::compare::{Pair, Ratio, RatioByRuns, RatioStatistic, WithheldReason, ratio_by_runs};
use crate::analyze::correlated_points::PointDependence;
use crate::analyze::crossover::{Crossover, Winner, crossovers};
use crate::analyze::moderated::{Variance, moderate};
use crate::axis::{Axis, distinct_values};
use crate::response::{Comparison, MeansRatio, MeasuredPoint, Point, RatioAt, Run, Warning};

/// Two functions at an axis value, measured in one request at one priority.
#[derive(Clone, Copy, Debug)]
pub struct PointPair<'a> {
    /// The axis value.
    pub x: &'a AxisValue,
    /// The baseline function.
    pub baseline: &'a MeasuredPoint,
    /// The other function.
    pub other: &'a MeasuredPoint,
}

/// Medians, unless one of them is unavailable.
fn best_statistic(PointPair { baseline, other, .. }: &PointPair<'_>) -> RatioStatistic {
    let has_medians = [baseline, other].iter().all(|one| one.summary.median.is_some());
    if has_medians { RatioStatistic::Medians } else { RatioStatistic::Means }
}

/// Compares all pairs of functions of a request, at the axis values where both have figures: a reader compares each function with the fastest one,
/// which is known only afterwards. `axis`: that of the request, which determines the order; `None` if the request has none.
pub fn comparisons(functions: &[String], axis: Option<&Axis>, points: &[Point]) -> Vec<Comparison> {
    let measured_at = |path: &'_ String, x: &AxisValue| {
        let point = points.iter().find(|point| point.function == *path && point.x == *x);
        point.and_then(Point::measured)
    };
    let mut xs = distinct_values(points.iter().map(|point| &point.x));
    if let Some(axis) = axis {
        xs.sort_by(|one, other| axis.compare(one, other));
    }
    let scale = axis.and_then(Axis::scale);
    let pairs_of = |baseline: &String, other: &String| -> Vec<PointPair<'_>> {
        let at = |x| Some(PointPair { x, baseline: measured_at(baseline, x)?, other: measured_at(other, x)? });
        xs.iter().copied().filter_map(at).collect()
    };
    let of_index = |(index, other)| functions[..index].iter().map(move |baseline| (baseline, other));
    let names: Vec<(&String, &String)> = functions.iter().enumerate().flat_map(of_index).collect();
    let pairs: Vec<Vec<PointPair<'_>>> = names.iter().map(|(baseline, other)| pairs_of(baseline, other)).collect();
    let comparison = |((baseline, other), (ratios, crossovers)): ((&String, &String), _)| Comparison {
        baseline: baseline.clone(),
        other: other.clone(),
        ratios,
        crossovers,
    };
    names.into_iter().zip(compare(&pairs, scale)).map(comparison).collect()
}

/// The ratios of each pair of functions, at each axis value, and the crossovers between them. The intervals of all of them hold
/// simultaneously in 95% of cases.
///
/// `pairs`: for each pair of functions, their points in the order of the axis. `scale`: that of the axis; without one, there are no
/// crossovers.
///
/// With several processes, the variances of a pair at its axis values are moderated by each other. How far that makes
/// them better known, and how many intervals count, depends on how much the points vary together from process to process.
pub fn compare(pairs: &[Vec<PointPair<'_>>], scale: Option<Scale>) -> Vec<(Vec<RatioAt>, Vec<Crossover>)> {
    let best = RatioSet::new(pairs, best_statistic);
    let means = RatioSet::new(pairs, |_| RatioStatistic::Means);
    let compared = |(curve, curve_of_means): (&RatioCurve<'_>, &RatioCurve<'_>)| {
        let mut ratios = curve.ratios(best.intervals);
        for (index, at) in ratios.iter_mut().enumerate() {
            let is_contradiction = curve.contradicts(curve_of_means, index, CONTRADICTION_FACTOR * best.intervals);
            let mean = curve_of_means.ratio(index).filter(|_| is_contradiction);
            at.contradicting_means =
                mean.map(|mean| MeansRatio { ratio: mean.estimate(), interval: mean.interval(means.intervals) });
        }
        (ratios, curve.crossovers(scale, best.intervals))
    };
    best.curves.iter().zip(&means.curves).map(compared).collect()
}

/// Ten times as many intervals count for a contradiction, so that one is rarely found by chance.
const CONTRADICTION_FACTOR: u32 = 10;

/// The ratios of all pairs, computed from one statistic.
struct RatioSet<'a> {
    curves: Vec<RatioCurve<'a>>,
    /// The number of intervals that hold simultaneously, or fewer if they depend on each other.
    intervals: u32,
}

impl<'a> RatioSet<'a> {
    fn new(pairs: &[Vec<PointPair<'a>>], of: fn(&PointPair<'_>) -> RatioStatistic) -> Self {
        let tests = pairs.iter().map(Vec::len).sum::<usize>() as u32;
        let mut curves: Vec<RatioCurve<'a>> = pairs.iter().map(|pair| RatioCurve::new(pair, of, tests)).collect();
        let runs: Vec<Vec<Vec<f64>>> = curves.iter().map(RatioCurve::runs).collect();
        if !runs.iter().flatten().any(|runs| runs.len() > 1) {
            return Self { curves, intervals: tests };
        }
        let dependence = PointDependence::estimate(&runs);
        curves.iter_mut().for_each(|curve| curve.moderate(dependence));
        let intervals = runs.iter().map(|points| dependence.independent_tests(points.len())).sum::<f64>();
        Self { curves, intervals: intervals.ceil() as u32 }
    }
}

/// The ratios of two functions over the axis.
struct RatioCurve<'a> {
    /// The ratio at each axis value.
    points: Vec<(&'a AxisValue, Result<RatioByRuns, WithheldReason>)>,
}

impl<'a> RatioCurve<'a> {
    fn new(pairs: &[PointPair<'a>], of: fn(&PointPair<'_>) -> RatioStatistic, tests: u32) -> Self {
        Self { points: pairs.iter().map(|pair| (pair.x, ratio_of(pair, of(pair), tests))).collect() }
    }

    fn ratio(&self, index: usize) -> Option<&Ratio> {
        self.points[index].1.as_ref().ok().map(|by_runs| &by_runs.ratio)
    }

    /// Whether both curves disagree about the faster function at this axis value, and each ratio is outside the other's interval.
    fn contradicts(&self, other: &Self, index: usize, intervals: u32) -> bool {
        let Some((one, other)) = self.ratio(index).zip(other.ratio(index)) else { return false };
        let is_outside = |one: &Ratio, other: &Ratio| !other.interval(intervals).contains(one.estimate());
        let winner = |ratio: &Ratio| Winner::of(ratio.interval(intervals));
        winner(one) != winner(other) && is_outside(one, other) && is_outside(other, one)
    }

    /// The logarithms of the ratios of each run, at each axis value that has a ratio.
    fn runs(&self) -> Vec<Vec<f64>> {
        self.points.iter().filter_map(|(_, outcome)| Some(outcome.as_ref().ok()?.runs.clone())).collect()
    }

    /// Moderates the variances between processes by those at the other axis values.
    fn moderate(&mut self, dependence: PointDependence) {
        let known = self.points.iter_mut().filter_map(|(_, outcome)| outcome.as_mut().ok());
        let mut ratios: Vec<&mut Ratio> = known.map(|by_runs| &mut by_runs.ratio).collect();
        let variance = |ratio: &&mut Ratio| Variance { value: ratio.variance, freedom: ratio.freedom };
        let variances: Vec<Variance> = ratios.iter().map(variance).collect();
        let moderated = moderate(&variances, dependence.independent_variances(variances.len()));
        for (ratio, Variance { value, freedom }) in ratios.iter_mut().zip(moderated) {
            (ratio.variance, ratio.freedom) = (value, freedom);
        }
    }

    fn ratios(&self, intervals: u32) -> Vec<RatioAt> {
        let at = |(x, outcome): &(&AxisValue, Result<RatioByRuns, WithheldReason>)| {
            let ratio = outcome.as_ref().ok().map(|by_runs| by_runs.ratio);
            RatioAt {
                x: (*x).clone(),
                ratio: ratio.map(|ratio| ratio.estimate()),
                interval: ratio.map(|ratio| ratio.interval(intervals)),
                equivalence: ratio.map(|ratio| ratio.equivalence_interval(intervals)),
                of: ratio.map(|ratio| ratio.of),
                contradicting_means: None,
                changed: ratio.and_then(|ratio| ratio.changed),
                withheld: outcome.as_ref().err().copied(),
            }
        };
        self.points.iter().map(at).collect()
    }

    fn crossovers(&self, scale: Option<Scale>, intervals: u32) -> Vec<Crossover> {
        let Some(scale) = scale else { return Vec::new() };
        let known =
            |(x, outcome): &(&AxisValue, Result<RatioByRuns, _>)| Some((x.number()?, outcome.as_ref().ok()?.ratio));
        let known: Vec<(f64, Ratio)> = self.points.iter().filter_map(known).collect();
        crossovers(&known, scale, intervals)
    }
}

fn ratio_of(
    PointPair { baseline, other, .. }: &PointPair<'_>,
    of: RatioStatistic,
    comparisons: u32,
) -> Result<RatioByRuns, WithheldReason> {
    let [baseline_times, other_times] =
        [baseline, other].map(|measured| measured.runs.iter().map(Run::times).collect::<Vec<Vec<f64>>>());
    let [baseline_runs, other_runs] = [(baseline, &baseline_times), (other, &other_times)].map(|(measured, times)| {
        let bases = measured.runs.iter().zip(times).map(|(run, times)| run.run_times(times));
        bases.collect::<Vec<blocks::RunTimes<'_>>>()
    });
    let is_only_timer = |one: &MeasuredPoint| one.slow_setup().is_some() && one.upper_bound().is_some();
    if [baseline, other].into_iter().any(|one| is_only_timer(one)) {
        return Err(WithheldReason::NotAboveZero);
    }
    let is_measured_alone = [baseline, other].iter().any(|one| one.warnings.contains(&Warning::Alone));
    let outputs = baseline.outputs.as_ref().zip(other.outputs.as_ref());
    ratio_by_runs(&Pair {
        baseline: &baseline_runs,
        other: &other_runs,
        of,
        together: !is_measured_alone,
        same_outputs: outputs.filter(|(one, other)| one.work == other.work).map(|(one, other)| one.hash == other.hash),
        comparisons,
    })
}
