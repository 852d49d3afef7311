//! Comparisons: ratios of the times of functions that were measured together.

use serde::{Deserialize, Serialize};

use benchbook_contract::parameter::number;

use crate::analyze::compare::{RatioStatistic, WithheldReason};
use crate::analyze::crossover::Crossover;
use crate::analyze::interval::Interval;

/// Two functions compared at all axis values of a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The path of the baseline: the first function of the request.
    pub baseline: String,
    /// The path of the other function.
    pub other: String,
    /// At each axis value, in ascending order.
    pub ratios: Vec<RatioAt>,
    /// The axis values where one overtakes the other, in ascending order.
    pub crossovers: Vec<Crossover>,
}

/// The ratio at an axis value, or the reason for its absence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatioAt {
    /// The axis value.
    #[serde(serialize_with = "number")]
    pub x: f64,
    /// The other function's time divided by the baseline's: 2 is twice as long. Absent if it is withheld.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// Its interval. All intervals of the request contain their ratios simultaneously in 95 % of cases. Absent if the
    /// ratio is withheld.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// The statistic of the blocks that the ratio is computed from. Absent if the ratio is withheld.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<RatioStatistic>,
    /// The reason why the ratio is withheld.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withheld: Option<WithheldReason>,
}
