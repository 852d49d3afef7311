//! Qualities: what a priority means.

use serde::{Deserialize, Serialize};

/// How accurate results should be, 1 to 4. The measuring side decides what each means by its [`Qualities`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Priority(u8);

impl Priority {
    /// A first curve, at once.
    pub const FIRST: Self = Self(1);
    /// The best figures.
    pub const LAST: Self = Self(4);

    /// The next better priority; absent after the last.
    pub fn next(self) -> Option<Self> {
        (self < Self::LAST).then_some(Self(self.0 + 1))
    }

    /// All four, from the first to the last.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=4).map(Self)
    }

    /// 1 to 4.
    pub fn number(self) -> u8 {
        self.0
    }
}

impl TryFrom<u8> for Priority {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        match number {
            1..=4 => Ok(Self(number)),
            _ => Err(format!("priority {number} is none of 1, 2, 3, 4")),
        }
    }
}

impl From<Priority> for u8 {
    fn from(priority: Priority) -> Self {
        priority.0
    }
}

/// What a priority means, in points, time, counts and precision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quality {
    /// The most points of a curve: 2^k + 1 divide the range in halves k times.
    pub points: u32,
    /// The half-width of the mean's 95 % interval, relative to the mean, at which a point has enough: `0.05` is ±5 %.
    pub precision: f64,
    /// The time for one point in milliseconds, preparing and warming up included.
    pub point_ms: f64,
    /// Bounds on warming up.
    pub warm_up: Bounds,
    /// Bounds on the samples that count.
    pub samples: Bounds,
    /// In how many fresh processes a native point is measured.
    pub processes: u32,
    /// How long nothing may finish before the point fails, in milliseconds; absent: the greater of 10 s and five times
    /// `point_ms`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<f64>,
}

/// Bounds on a number of batches, and on the time that they take.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// The fewest batches.
    pub at_least: u32,
    /// The most batches.
    pub at_most: u32,
    /// The most time in milliseconds; the fewest batches are taken all the same.
    pub ms: f64,
}

impl Quality {
    /// How long nothing may finish before the point fails, in milliseconds.
    pub fn timeout_ms(&self) -> f64 {
        self.timeout_ms.unwrap_or_else(|| f64::max(10_000.0, 5.0 * self.point_ms))
    }
}

/// The four qualities, first priority first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Qualities(pub [Quality; 4]);

impl Qualities {
    /// What `priority` means here.
    pub fn of(&self, priority: Priority) -> &Quality {
        &self.0[usize::from(priority.0 - 1)]
    }
}

impl Default for Qualities {
    fn default() -> Self {
        let quality = |points, precision, point_ms, warm_up_ms, warm_up, at_least, processes| Quality {
            points,
            precision,
            point_ms,
            warm_up: Bounds { at_least: warm_up, at_most: 500, ms: warm_up_ms },
            samples: Bounds { at_least, at_most: 5_000, ms: point_ms },
            processes,
            timeout_ms: None,
        };
        Self([
            quality(5, 0.20, 40.0, 15.0, 5, 5, 1),
            quality(9, 0.05, 150.0, 50.0, 10, 10, 1),
            quality(17, 0.02, 500.0, 150.0, 10, 20, 1),
            quality(33, 0.01, 1_500.0, 300.0, 10, 30, 5),
        ])
    }
}
