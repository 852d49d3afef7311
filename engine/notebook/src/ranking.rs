//! The ranking of the functions of a result, and what to measure next for it.

use benchbook_host::analyze::growth::{GrowthBreak, growth};
use benchbook_host::axis::distinct_values;
use benchbook_host::compare::ranking::{RankedCurve, RankedPair, RankedPoint, Ranking};
use benchbook_host::refinement::refined_values;
use benchbook_host::response::Comparison;

use crate::curve::MeasuredCurve;
use crate::result::CellResult;
use crate::trace::Trace;

/// Ranks functions that were measured together. The pairs are compared by their raw samples, or if a curve lacks some, by the stored
/// comparisons.
pub fn ranking(traces: &[&Trace]) -> Ranking {
    let curves: Vec<RankedCurve<'_>> = traces.iter().map(|trace| ranked_curve(trace)).collect();
    let axis = traces.first().and_then(|first| first.setup.axis.as_ref());
    let mut values = distinct_values(curves.iter().flat_map(|curve| &curve.points).map(|point| point.x));
    if let Some(axis) = axis {
        values.sort_by(|one, other| axis.compare(one, other));
    }
    let values = values.into_iter().cloned().collect();
    let axis = axis.and_then(|axis| axis.parameter().numeric());
    let stored: Vec<RankedPair> = traces
        .first()
        .into_iter()
        .flat_map(|first| first.comparisons.iter())
        .filter_map(|pair| ranked_pair(pair, traces))
        .collect();
    if !stored.is_empty() && traces.iter().any(|trace| trace.curve.lacks_samples()) {
        return Ranking::with_pairs(&curves, values, axis, stored);
    }
    Ranking::new(&curves, values, axis)
}

fn ranked_curve(trace: &Trace) -> RankedCurve<'_> {
    let points = trace.curve.readings().iter().filter_map(|reading| {
        Some(RankedPoint { x: &reading.x, priority: reading.priority(), measured: reading.measured()? })
    });
    RankedCurve { points: points.collect() }
}

/// A stored comparison with the indices of its functions; `None` unless the baseline comes first.
fn ranked_pair(comparison: &Comparison, traces: &[&Trace]) -> Option<RankedPair> {
    let index = |path: &String| traces.iter().position(|trace| trace.path == *path);
    let (baseline, other) = (index(&comparison.baseline)?, index(&comparison.other)?);
    let (ratios, crossovers) = (comparison.ratios.clone(), comparison.crossovers.clone());
    (baseline < other).then_some(RankedPair { baseline, other, ratios, crossovers })
}

/// The jump of a curve, if it has one.
fn jump(curve: &MeasuredCurve) -> Option<GrowthBreak> {
    growth(&curve.growth_points()).ok()?.verdict.curve()?.break_at
}

impl CellResult {
    /// The values at which the next priority measures in addition to `count` values of a range; see [`refined_values`]. `also_at`: those
    /// that were added before.
    pub fn refined_values(&self, count: u32, also_at: &[f64]) -> Vec<f64> {
        let Some(axis) = &self.setup.axis else { return also_at.to_vec() };
        let traces: Vec<Trace> = self.traces().collect();
        let breaks: Vec<GrowthBreak> = traces.iter().filter_map(|trace| jump(&trace.curve)).collect();
        refined_values(&ranking(&traces.iter().collect::<Vec<_>>()), &breaks, axis, count, also_at)
    }

    /// The ratios of all pairs of its functions.
    pub(crate) fn compared(&self) -> Vec<Comparison> {
        let traces: Vec<Trace> = self.traces().collect();
        let ranking = ranking(&traces.iter().collect::<Vec<_>>());
        let comparison = |pair: &RankedPair| Comparison {
            baseline: traces[pair.baseline].path.clone(),
            other: traces[pair.other].path.clone(),
            ratios: pair.ratios.clone(),
            crossovers: pair.crossovers.clone(),
        };
        ranking.pairs().iter().map(comparison).collect()
    }
}
