//! What another measurement on the same machine would find on another day.

use serde::{Deserialize, Serialize};

use crate::analyze::interval::Interval;

/// What another measurement of a point on this machine would find on another day, by its history. The interval of the mean holds for the
/// minute in which it was measured; this one contains the changes of the machine, too. Ratios of functions that are measured together need neither.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnotherDay {
    /// The interval of a later mean, in nanoseconds: simulated, it contains that of an hour later in 90% of cases or more, in 88% if the point was
    /// measured for the first time.
    pub mean: Interval,
    /// How often this machine measured the point, more than five minutes apart; this time included.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub occasions: u32,
    /// The hours since the first measurement in the history of this machine. Measurements of the same day do not show how much days differ.
    #[serde(default)]
    pub hours: f64,
    /// The mean as it would be at the usual speed of the machine. Absent unless the reference kernel explains how the point varied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_usual_speed: Option<UsualSpeed>,
}

/// A mean, normalised by the reference kernel: its time divided by that of the kernel, times the kernel's median time over the history.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UsualSpeed {
    /// The mean in nanoseconds.
    pub mean: f64,
    /// The interval of a later mean that is normalised, too.
    pub interval: Interval,
}
