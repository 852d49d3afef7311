//! Intervals in nanoseconds.

use serde::{Deserialize, Serialize};

/// An interval, both ends within it, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Whether `value` is within the interval, ends included.
    pub fn holds(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Half the width as a part of `mean`'s magnitude: 0.02 is ±2 %; absent where the interval holds 0, since not even
    /// the sign is known then.
    pub fn relative_half_width(&self, mean: f64) -> Option<f64> {
        (!self.holds(0.0)).then(|| (self.high - self.low) / 2.0 / mean.abs())
    }
}
