//! Fair comparison: how many times as long the other functions of a measurement take as its first.

use benchbook::analyze::crossover::Crossover;
use benchbook::comparison::{Paired, RatioAt, compare};
use benchbook::parameter::Scale;

use super::compare::Shown;
use super::curve::Reading;

/// A function beside the first of its measurement.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Versus {
    /// Which of all that is shown.
    pub(crate) ordinal: usize,
    /// At each axis value where both have figures of the same priority, or why there is none.
    pub(crate) ratios: Vec<RatioAt>,
    /// Where one overtakes the other.
    pub(crate) crossovers: Vec<Crossover>,
}

impl Versus {
    /// Every function that was measured together with the first of `shown`. Their intervals all hold together.
    pub(crate) fn all(shown: &[Shown]) -> Vec<Self> {
        let Some((first, others)) = shown.split_first() else { return Vec::new() };
        let others = others.iter().enumerate().filter(|(_, other)| !other.unpaired);
        let pairs: Vec<_> = others.map(|(index, other)| (index + 1, paired(first, other))).collect();
        let count = pairs.iter().map(|(_, pairs)| pairs.len() as u32).sum();
        let scale = first.trace.setup.axis_numeric().map_or(Scale::Linear, |numeric| numeric.scale);
        let versus = |(ordinal, pairs): (usize, Vec<Paired<'_>>)| {
            let (ratios, crossovers) = compare(&pairs, scale, count);
            Self { ordinal, ratios, crossovers }
        };
        pairs.into_iter().map(versus).collect()
    }

    /// What is known at an axis value.
    pub(crate) fn at(&self, x: f64) -> Option<&RatioAt> {
        self.ratios.iter().find(|ratio| ratio.x == x)
    }
}

/// Figures of two priorities are from two times: they are never paired.
fn paired<'s>(first: &'s Shown, other: &'s Shown) -> Vec<Paired<'s>> {
    let readings = first.trace.curve.readings().iter();
    let pair = |baseline: &'s Reading| {
        let same = |other: &&Reading| other.x == baseline.x && other.priority() == baseline.priority();
        let other = other.trace.curve.readings().iter().find(same)?;
        Some(Paired { x: baseline.x, baseline: baseline.measured()?, other: other.measured()? })
    };
    readings.filter_map(pair).collect()
}
