//! Intervals in nanoseconds.

use serde::{Deserialize, Serialize};

/// A closed interval in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Whether the interval contains `value`, ends included.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Half the width relative to the magnitude of `mean`: 0.02 is ±2%. Absent if the interval contains 0, since even
    /// the sign is unknown then.
    pub fn relative_half_width(&self, mean: f64) -> Option<f64> {
        (!self.contains(0.0)).then(|| (self.high - self.low) / 2.0 / mean.abs())
    }
}
