//! Qualities: what a priority means.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

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
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Quality {
    /// The most points of a curve: 2^k + 1 divide the range in halves k times.
    pub points: u32,
    /// The half-width of the mean's 95 % interval, relative to the mean, at which a point has enough: `0.05` is ±5 %.
    pub precision: f64,
    /// The time for one point in milliseconds, preparing and warming up included.
    pub point_ms: f64,
    /// Bounds on warming up.
    pub warm_up: Bounds,
    /// Bounds on the number of samples that count; their time is what `point_ms` leaves.
    pub samples: Counts,
    /// In how many fresh processes a runner measures a native point; a browser has one, and so has
    /// [`crate::child::NativeSuite`].
    pub processes: u32,
    /// How long nothing may finish before the point fails, in milliseconds; absent: the greater of 10 s and five times
    /// `point_ms`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<f64>,
}

/// Bounds on a number of batches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// The fewest, unless twice the point's time is spent.
    pub at_least: u32,
    /// The most.
    pub at_most: u32,
}

/// Bounds on a number of batches, and on the time that they take.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// The fewest batches, where there is time for them.
    pub at_least: u32,
    /// The most batches.
    pub at_most: u32,
    /// The most time in milliseconds.
    pub ms: f64,
}

/// The longest that a time of a quality may be, in milliseconds: an hour.
const LONGEST_MS: f64 = 3_600_000.0;

impl Quality {
    /// Whether every number will do.
    fn check(&self) -> Result<(), String> {
        let table = [
            ((2..=1_025).contains(&self.points), "points: expected 2 to 1025"),
            (is_precision(self.precision), "precision: expected above 0 to 1, such as 0.05 for ±5 %"),
            (is_time(self.point_ms), "point_ms: expected above 0 to an hour"),
            (is_time(self.warm_up.ms), "warm_up.ms: expected above 0 to an hour"),
            (self.warm_up.at_least <= self.warm_up.at_most, "warm_up: at_least is above at_most"),
            (self.samples.at_least <= self.samples.at_most, "samples: at_least is above at_most"),
            ((1..=100_000).contains(&self.samples.at_most), "samples.at_most: expected 1 to 100000"),
            ((1..=100).contains(&self.processes), "processes: expected 1 to 100"),
            (self.timeout_ms.is_none_or(is_time), "timeout_ms: expected above 0 to an hour"),
        ];
        match table.iter().find(|(will_do, _)| !will_do) {
            Some((_, expected)) => Err((*expected).to_owned()),
            None => Ok(()),
        }
    }

    /// Whether a number will do as [`Self::precision`].
    pub(crate) fn check_precision(precision: f64) -> Result<(), &'static str> {
        if is_precision(precision) { Ok(()) } else { Err("expected above 0 to 1, such as 0.005 for ±0.5 %") }
    }

    /// Whether a number will do as [`Self::point_ms`].
    pub(crate) fn check_point_ms(ms: f64) -> Result<(), &'static str> {
        if is_time(ms) { Ok(()) } else { Err("expected above 0 to an hour, in milliseconds") }
    }

    /// The time for one point in nanoseconds.
    pub(crate) fn point_nanos(&self) -> f64 {
        self.point_ms * 1e6
    }

    /// How long nothing may finish before the point fails, in milliseconds.
    pub fn timeout_ms(&self) -> f64 {
        self.timeout_ms.unwrap_or_else(|| f64::max(10_000.0, 5.0 * self.point_ms))
    }
}

fn is_precision(precision: f64) -> bool {
    precision > 0.0 && precision <= 1.0
}

fn is_time(ms: f64) -> bool {
    ms > 0.0 && ms <= LONGEST_MS
}

/// A quality as it is read: its numbers may be any.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, remote = "Quality")]
struct AnyQuality {
    points: u32,
    precision: f64,
    point_ms: f64,
    warm_up: Bounds,
    samples: Counts,
    processes: u32,
    #[serde(default)]
    timeout_ms: Option<f64>,
}

impl<'de> Deserialize<'de> for Quality {
    /// Looks at the numbers while the reader is still at the object that they are from: an error then has its line.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(QualityVisitor)
    }
}

struct QualityVisitor;

impl<'de> Visitor<'de> for QualityVisitor {
    type Value = Quality;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object that says what a priority means")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Quality, A::Error> {
        let quality = AnyQuality::deserialize(MapAccessDeserializer::new(map))?;
        quality.check().map_err(A::Error::custom)?;
        Ok(quality)
    }
}

/// The four qualities, first priority first. Whoever holds them need not look again at their numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "[Quality; 4]", into = "[Quality; 4]")]
pub struct Qualities([Quality; 4]);

impl TryFrom<[Quality; 4]> for Qualities {
    type Error = String;

    /// # Errors
    /// The first number that will not do, with its priority, its name and what is expected.
    fn try_from(qualities: [Quality; 4]) -> Result<Self, String> {
        for (index, quality) in qualities.iter().enumerate() {
            quality.check().map_err(|expected| format!("priority {}: {expected}", index + 1))?;
        }
        Ok(Self(qualities))
    }
}

impl From<Qualities> for [Quality; 4] {
    fn from(qualities: Qualities) -> Self {
        qualities.0
    }
}

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
            samples: Counts { at_least, at_most: 5_000 },
            processes,
            timeout_ms: None,
        };
        Self([
            quality(5, 0.20, 40.0, 20.0, 5, 5, 1),
            quality(9, 0.05, 150.0, 50.0, 10, 10, 1),
            quality(17, 0.02, 500.0, 150.0, 10, 20, 1),
            quality(33, 0.01, 1_500.0, 300.0, 10, 30, 5),
        ])
    }
}
