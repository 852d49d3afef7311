//! Fair comparison: how many times as long the other functions of a measurement take as its first, on one machine.

use benchbook_contract::parameter::Scale;
use benchbook_host::analyze::crossover::Crossover;
use benchbook_host::comparison::RatioAt;
use benchbook_host::pairing::{PointPair, compare};

use super::compare::Shown;
use super::curve::Reading;

/// A function beside the first of its measurement.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Versus {
    /// Which of all that is shown.
    pub(crate) ordinal: usize,
    /// Which of them it is compared with.
    pub(crate) baseline: usize,
    /// At each axis value where both have figures of the same priority, or why there is none.
    pub(crate) ratios: Vec<RatioAt>,
    /// Where one overtakes the other.
    pub(crate) crossovers: Vec<Crossover>,
}

impl Versus {
    /// Every function that was measured together with another before it. Their intervals all hold together.
    pub(crate) fn all(shown: &[Shown]) -> Vec<Self> {
        let baseline = |other: &Shown| shown.iter().position(|one| one.trace.is_paired_with(&other.trace)).unwrap_or(0);
        let others = shown.iter().enumerate().filter(|(_, other)| !other.unpaired);
        let places = others.map(|(ordinal, other)| (ordinal, baseline(other)));
        let compared = places.filter(|(ordinal, baseline)| ordinal != baseline);
        let pairs: Vec<_> = compared
            .map(|(ordinal, baseline)| (ordinal, baseline, paired(&shown[baseline], &shown[ordinal])))
            .collect();
        let count = pairs.iter().map(|(.., pairs)| pairs.len() as u32).sum();
        let numeric = shown.first().and_then(|first| first.trace.setup.axis_numeric());
        let scale = numeric.map_or(Scale::Linear, |numeric| numeric.scale);
        let versus = |(ordinal, baseline, pairs): (usize, usize, Vec<PointPair<'_>>)| {
            let (ratios, crossovers) = compare(&pairs, scale, count);
            Self { ordinal, baseline, ratios, crossovers }
        };
        pairs.into_iter().map(versus).collect()
    }

    /// What is known at an axis value.
    pub(crate) fn at(&self, x: f64) -> Option<&RatioAt> {
        self.ratios.iter().find(|ratio| ratio.x == x)
    }
}

/// Figures of two priorities are from two times: they are never paired. A stored point has no blocks before its samples
/// were looked at.
fn paired<'s>(first: &'s Shown, other: &'s Shown) -> Vec<PointPair<'s>> {
    let readings = first.trace.curve.readings().iter();
    let pair = |baseline: &'s Reading| {
        let same = |other: &&Reading| other.x == baseline.x && other.priority() == baseline.priority();
        let other = other.trace.curve.readings().iter().find(same)?;
        let with_samples = |reading: &'s Reading| reading.measured().filter(|measured| !measured.runs.is_empty());
        Some(PointPair { x: baseline.x, baseline: with_samples(baseline)?, other: with_samples(other)? })
    };
    readings.filter_map(pair).collect()
}
