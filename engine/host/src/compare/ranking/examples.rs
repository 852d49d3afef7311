//! Rankings of functions with chosen times, for tests.

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::{Numeric, NumericDefault, Scale};

use super::compared::{RankedCurve, RankedPoint};
use super::fastest::Ranking;
use crate::analyze::blocks::RunTimes;
use crate::analyze::stability::Stability;
use crate::analyze::statistics::{Basis, summarize};
use crate::quality::Priority;
use crate::response::{MeasuredPoint, Run, Sample};

/// Blocks of two samples.
const BLOCKS: u32 = 24;

/// A point whose samples scatter around a time by 1%; the scatter depends on `seed`.
pub(crate) fn point(time: f64, seed: u32) -> MeasuredPoint {
    // A sequence without a period among the samples: multiples of the golden ratio, modulo 1.
    let scatter = |index: u32| (f64::from(index + 1) * 0.618_034 * f64::from(2 * seed + 1)).fract() - 0.5;
    let times: Vec<f64> = (0..2 * BLOCKS).map(|index| time * (1.0 + 0.02 * scatter(index))).collect();
    let blocks = vec![2; BLOCKS as usize];
    let runs = [RunTimes::without_overhead(&times, &blocks)];
    let summary = summarize(&Basis::of(&runs, u64::from(2 * BLOCKS))).expect("there are samples");
    let samples = times.iter().map(|&elapsed| Sample { elapsed, ..Sample::default() }).collect();
    MeasuredPoint::new(summary, vec![Run::of_single_calls(samples, blocks, Stability::Settled)])
}

/// The ranking of functions with these times at each axis value, on a logarithmic axis if the values are numbers.
/// Functions with an infinite time have no figures there.
pub(crate) fn ranking(values: &[AxisValue], times: &[&[f64]]) -> Ranking {
    let is_numeric = values.iter().all(|value| value.number().is_some());
    ranking_on(is_numeric.then(integers).as_ref(), values, times)
}

/// The same on the axis of a parameter, if it is one of numbers.
pub(crate) fn ranking_on(axis: Option<&Numeric>, values: &[AxisValue], times: &[&[f64]]) -> Ranking {
    let points: Vec<Vec<Option<MeasuredPoint>>> = times
        .iter()
        .zip(1..)
        .map(|(times, seed)| times.iter().map(|&time| time.is_finite().then(|| point(time, seed))).collect())
        .collect();
    let ranked = |points| RankedCurve { points: ranked_points(values, points) };
    let curves: Vec<RankedCurve<'_>> = points.iter().map(|points| ranked(points)).collect();
    Ranking::new(&curves, values.to_vec(), axis)
}

/// A parameter with any integer as its value, on a logarithmic axis.
pub(crate) fn integers() -> Numeric {
    Numeric {
        of: "u32".to_owned(),
        min: 1.0,
        max: 1e6,
        step: Some(1.0),
        values: Vec::new(),
        default: NumericDefault::Value(1.0),
        unit: None,
        scale: Scale::Log,
        axis: true,
    }
}

fn ranked_points<'a>(values: &'a [AxisValue], points: &'a [Option<MeasuredPoint>]) -> Vec<RankedPoint<'a>> {
    let ranked = |(x, point): (&'a AxisValue, &'a Option<MeasuredPoint>)| {
        Some(RankedPoint { x, priority: Priority::LAST, measured: point.as_ref()? })
    };
    values.iter().zip(points).filter_map(ranked).collect()
}

/// Numbers as axis values.
pub(crate) fn sizes(values: &[f64]) -> Vec<AxisValue> {
    values.iter().copied().map(AxisValue::Number).collect()
}
