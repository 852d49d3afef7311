//! Pairs the points of functions that were measured together, and computes their comparisons.

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::Scale;

use crate::analyze::blocks;
use crate::analyze::compare::{Pair, Ratio, RatioStatistic, WithheldReason, ratio};
use crate::analyze::crossover::{Crossover, crossovers};
use crate::analyze::moderated::{Variance, moderate};
use crate::axis::{Axis, distinct_values};
use crate::response::{Comparison, MeasuredPoint, Point, RatioAt, Run, Warning};

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
    let mut all: Vec<(&String, &String, Vec<PointPair<'_>>)> = Vec::new();
    for (index, other) in functions.iter().enumerate() {
        all.extend(functions[..index].iter().map(|baseline| (baseline, other, pairs_of(baseline, other))));
    }
    let count = all.iter().map(|(.., pairs)| pairs.len() as u32).sum();
    let comparison = |(baseline, other, pairs): (&String, &String, Vec<PointPair<'_>>)| {
        let (ratios, crossovers) = compare(&pairs, scale, count);
        Comparison { baseline: baseline.clone(), other: other.clone(), ratios, crossovers }
    };
    all.into_iter().map(comparison).collect()
}

/// The ratio at each axis value, and the crossovers between them. `pairs` are in the order of the axis. `scale`: that of
/// the axis; without one, there are no crossovers. `count`: the number of intervals that hold simultaneously, over all
/// comparisons of the request.
pub fn compare(pairs: &[PointPair<'_>], scale: Option<Scale>, count: u32) -> (Vec<RatioAt>, Vec<Crossover>) {
    let mut outcomes: Vec<(&AxisValue, Result<Ratio, WithheldReason>)> =
        pairs.iter().map(|pair| (pair.x, ratio_of(pair, count))).collect();
    if pairs.iter().any(|pair| pair.baseline.runs.len() > 1) {
        moderate_variances(&mut outcomes);
    }
    let ratios = outcomes
        .iter()
        .map(|&(x, outcome)| match outcome {
            Ok(ratio) => RatioAt {
                x: x.clone(),
                ratio: Some(ratio.estimate()),
                interval: Some(ratio.interval(count)),
                equivalence: Some(ratio.equivalence_interval(count)),
                of: Some(ratio.of),
                changed: ratio.changed,
                withheld: None,
            },
            Err(withheld) => RatioAt {
                x: x.clone(),
                ratio: None,
                interval: None,
                equivalence: None,
                of: None,
                changed: None,
                withheld: Some(withheld),
            },
        })
        .collect();
    let known: Vec<(f64, Ratio)> =
        outcomes.into_iter().filter_map(|(x, outcome)| Some((x.number()?, outcome.ok()?))).collect();
    let crossovers = scale.map_or_else(Vec::new, |scale| crossovers(&known, scale, count));
    (ratios, crossovers)
}

/// Moderates the variances between a few processes by those at the other axis values; see [`moderate`].
fn moderate_variances(outcomes: &mut [(&AxisValue, Result<Ratio, WithheldReason>)]) {
    let ratios = || outcomes.iter().filter_map(|(_, outcome)| outcome.ok());
    let variances: Vec<Variance> =
        ratios().map(|ratio| Variance { value: ratio.variance, freedom: ratio.freedom }).collect();
    let known = outcomes.iter_mut().filter_map(|(_, outcome)| outcome.as_mut().ok());
    for (ratio, Variance { value, freedom }) in known.zip(moderate(&variances)) {
        (ratio.variance, ratio.freedom) = (value, freedom);
    }
}

fn ratio_of(PointPair { baseline, other, .. }: &PointPair<'_>, comparisons: u32) -> Result<Ratio, WithheldReason> {
    let [baseline_times, other_times] =
        [baseline, other].map(|measured| measured.runs.iter().map(Run::times).collect::<Vec<Vec<f64>>>());
    let [baseline_runs, other_runs] = [(baseline, &baseline_times), (other, &other_times)].map(|(measured, times)| {
        let bases = measured.runs.iter().zip(times).map(|(run, times)| run.robust_run_times(times));
        bases.collect::<Vec<blocks::RunTimes<'_>>>()
    });
    let is_only_timer = |one: &MeasuredPoint| one.slow_setup().is_some() && one.upper_bound().is_some();
    if [baseline, other].into_iter().any(|one| is_only_timer(one)) {
        return Err(WithheldReason::NotAboveZero);
    }
    let are_medians_withheld = [baseline, other].iter().any(|one| one.summary.median.is_none());
    let is_measured_alone = [baseline, other].iter().any(|one| one.warnings.contains(&Warning::Alone));
    let outputs = baseline.outputs.as_ref().zip(other.outputs.as_ref());
    ratio(&Pair {
        baseline: &baseline_runs,
        other: &other_runs,
        of: if are_medians_withheld { RatioStatistic::Means } else { RatioStatistic::Medians },
        together: !is_measured_alone,
        same_outputs: outputs.filter(|(one, other)| one.work == other.work).map(|(one, other)| one.hash == other.hash),
        comparisons,
    })
}
