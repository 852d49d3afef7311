//! Fair comparison: how many times as long the other functions of a measurement take as its first, on one machine.

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::analyze::crossover::Crossover;
use benchbook_host::axis::Axis;
use benchbook_host::comparison::RatioAt;
use benchbook_host::pairing::{PointPair, compare};

use super::curve::Reading;
use super::shown_trace::ShownTrace;

/// A function compared with the first of its measurement.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FunctionComparison {
    /// The function's index among the shown traces.
    pub(crate) ordinal: usize,
    /// The index of the first function.
    pub(crate) baseline: usize,
    /// The ratio, or why there is none, at each axis value for which both have figures of the same priority.
    pub(crate) ratios: Vec<RatioAt>,
    /// The axis values at which one becomes faster than the other.
    pub(crate) crossovers: Vec<Crossover>,
}

impl FunctionComparison {
    /// Compares each function with the first of its measurement. The intervals hold simultaneously.
    pub(crate) fn all(shown: &[ShownTrace]) -> Vec<Self> {
        let baseline =
            |other: &ShownTrace| shown.iter().position(|one| one.trace.is_paired_with(&other.trace)).unwrap_or(0);
        let others = shown.iter().enumerate().filter(|(_, other)| !other.unpaired);
        let indices = others.map(|(ordinal, other)| (ordinal, baseline(other)));
        let pairs: Vec<_> = indices
            .filter(|(ordinal, baseline)| ordinal != baseline)
            .map(|(ordinal, baseline)| (ordinal, baseline, paired(&shown[baseline], &shown[ordinal])))
            .collect();
        let count = pairs.iter().map(|(.., pairs)| pairs.len() as u32).sum();
        let axis = shown.first().and_then(|first| first.trace.setup.axis.as_ref());
        let scale = axis.and_then(Axis::scale);
        let comparison = |(ordinal, baseline, pairs): (usize, usize, Vec<PointPair<'_>>)| {
            let (ratios, crossovers) = compare(&pairs, scale, count);
            Self { ordinal, baseline, ratios, crossovers }
        };
        pairs.into_iter().map(comparison).collect()
    }

    /// The ratio at an axis value.
    pub(crate) fn at(&self, x: &AxisValue) -> Option<&RatioAt> {
        self.ratios.iter().find(|ratio| ratio.x == *x)
    }
}

/// The axis values at which both have figures of one priority: figures of two priorities were measured at different times.
/// A stored point has no blocks until its samples are loaded.
fn paired<'s>(first: &'s ShownTrace, other: &'s ShownTrace) -> Vec<PointPair<'s>> {
    let readings = first.trace.curve.readings().iter();
    let pair = |baseline: &'s Reading| {
        let matches = |other: &&Reading| other.x == baseline.x && other.priority() == baseline.priority();
        let other = other.trace.curve.readings().iter().find(matches)?;
        let with_samples = |reading: &'s Reading| reading.measured().filter(|measured| !measured.runs.is_empty());
        Some(PointPair { x: &baseline.x, baseline: with_samples(baseline)?, other: with_samples(other)? })
    };
    readings.filter_map(pair).collect()
}
