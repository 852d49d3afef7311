//! The fastest functions along the axis, and the crossovers between them.

use super::compared::RankedPair;
use super::fastest::{Fastest, Ranking, ValueRange};
use super::stated_crossover::StatedCrossover;

/// Axis values with the same fastest function. Values in between may be undecided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FastestSpan {
    /// The function.
    pub fastest: usize,
    /// From the first value where it is certainly the fastest to the last.
    pub range: ValueRange,
}

impl Ranking {
    /// Whether the axis has numbers.
    pub fn is_ordered(&self) -> bool {
        self.values().iter().all(|value| value.number().is_some())
    }

    /// The fastest functions along the axis. On an axis of numbers, undecided values between two of the same function belong to its span.
    pub fn fastest_spans(&self) -> Vec<FastestSpan> {
        let is_ordered = self.is_ordered();
        let mut spans: Vec<FastestSpan> = Vec::new();
        for value in 0..self.values().len() {
            let Some(Fastest::Decided(fastest)) = self.fastest_at(value) else { continue };
            let is_bridged = |from: usize| (from..value).all(|between| self.fastest_at(between).is_some());
            match spans.last_mut() {
                Some(span) if is_ordered && span.fastest == *fastest && is_bridged(span.range.last) => {
                    span.range.last = value;
                }
                _ => spans.push(FastestSpan { fastest: *fastest, range: ValueRange { first: value, last: value } }),
            }
        }
        spans
    }

    /// All crossovers: first between functions that follow each other as the fastest, then others, each in the order of the axis.
    pub fn leading_crossovers(&self) -> Vec<(&RankedPair, StatedCrossover)> {
        let spans = self.fastest_spans();
        let is_change = |pair: &RankedPair| {
            spans.windows(2).any(|two| {
                let (before, after) = (two[0].fastest, two[1].fastest);
                (pair.baseline, pair.other) == (before.min(after), before.max(after))
            })
        };
        let of_pair = |pair| self.stated_crossovers(pair).into_iter().map(move |crossover| (pair, crossover));
        let mut crossovers: Vec<(&RankedPair, StatedCrossover)> = self.pairs().iter().flat_map(of_pair).collect();
        crossovers.sort_by(|(pair, one), (other_pair, other)| {
            is_change(other_pair).cmp(&is_change(pair)).then(one.root.total_cmp(&other.root))
        });
        crossovers
    }
}
