//! Comparisons: ratios of the times of functions that were measured together.

use serde::{Deserialize, Serialize};

use benchbook_contract::axis_value::AxisValue;

use crate::analyze::compare::{RatioStatistic, WithheldReason};
use crate::analyze::crossover::Crossover;
use crate::analyze::equivalence::{Decision, RatioIntervals};
use crate::analyze::interval::Interval;

/// Two functions compared at all axis values of a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Comparison {
    /// The path of the baseline, which precedes the other function in the request.
    pub baseline: String,
    /// The path of the other function.
    pub other: String,
    /// At each axis value, in the order of the axis.
    pub ratios: Vec<RatioAt>,
    /// The axis values where one overtakes the other, in ascending order. None unless they are numbers.
    pub crossovers: Vec<Crossover>,
}

/// The ratio at an axis value, or the reason for its absence.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RatioAt {
    /// The axis value; absent if the request has no axis.
    #[serde(default, skip_serializing_if = "AxisValue::is_absent")]
    pub x: AxisValue,
    /// The other function's time divided by the baseline's: 2 is twice as long. Absent if it is unavailable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// Its interval. All intervals of the request contain their ratios simultaneously in 95% of cases. Absent if the
    /// ratio is unavailable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// The interval of two one-sided tests, which decides whether the times are the same; see [`RatioIntervals`]. Absent
    /// if the ratio is unavailable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equivalence: Option<Interval>,
    /// The statistic of the blocks that the ratio is computed from. Absent if the ratio is unavailable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<RatioStatistic>,
    /// The ratio of the means, if it contradicts that of the medians: they disagree about the faster function, and each is outside the
    /// interval of the other. Then the times of the functions are not distributed alike, and which one is faster depends on the
    /// question. Absent otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contradicting_means: Option<MeansRatio>,
    /// How much it changed during sampling, relative to the lower level: 0 if no change was detected. Absent if the ratio is unavailable or there are too
    /// few blocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<f64>,
    /// The reason why the ratio is unavailable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withheld: Option<WithheldReason>,
}

/// The ratio of the means of two functions, for a ratio of medians that it contradicts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MeansRatio {
    /// The other function's mean time divided by the baseline's: of blocks, without a tenth of them on either side.
    pub ratio: f64,
    /// Its interval. All such intervals of the request contain their ratios simultaneously in 95% of cases.
    pub interval: Interval,
}

impl RatioAt {
    /// Decides whether the times are the same within `margin`; `None` if the ratio is unavailable. 0.01 is ±1%.
    pub fn decide(&self, margin: f64) -> Option<Decision> {
        let interval = self.interval?;
        // The wider interval decides less often.
        Some(RatioIntervals { interval, equivalence: self.equivalence.unwrap_or(interval) }.decide(margin))
    }
}
