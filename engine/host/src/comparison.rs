//! Comparisons: how many times as long one function takes as another that was measured together with it.

use serde::{Deserialize, Serialize};

use benchbook_contract::parameter::number;

use crate::analyze::compare::{Of, Withheld};
use crate::analyze::crossover::Crossover;
use crate::analyze::interval::Interval;

/// A function beside another, at all axis values of a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The path of the function that is compared with: the first of the request.
    pub baseline: String,
    /// The path of the other.
    pub other: String,
    /// At each axis value, in ascending order.
    pub ratios: Vec<RatioAt>,
    /// Where one overtakes the other, in ascending order.
    pub crossovers: Vec<Crossover>,
}

/// The ratio at an axis value, or why there is none.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatioAt {
    /// The axis value.
    #[serde(serialize_with = "number")]
    pub x: f64,
    /// How many times as long the other takes: 2 is twice as long. Absent where it is withheld.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// Its interval: all those of the request together hold their ratios in 95 % of cases. Absent as the ratio.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// Which statistic of the blocks it is the ratio of. Absent as the ratio.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<Of>,
    /// Why there is no ratio.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withheld: Option<Withheld>,
}
