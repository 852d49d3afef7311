//! Ranks functions that were measured together: which is the fastest at each axis value, and by what factor.

mod compared;
#[cfg(test)]
pub(crate) mod examples;
mod fastest;
mod spans;
mod stated_crossover;
#[cfg(test)]
mod tests;

pub use compared::{RankedCurve, RankedPair, RankedPoint, RankedRatio, TypicalTime};
pub use fastest::{Fastest, FastestRanges, Ranking, ValueRange};
pub use spans::FastestSpan;
pub(crate) use stated_crossover::CONFIRMED_WITHIN;
pub use stated_crossover::StatedCrossover;
