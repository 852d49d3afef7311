//! Qualities: the points, time, counts and precision of each priority.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::analyze::stopping::MIN_BLOCKS;
use crate::analyze::student::{TAIL, t_quantile};

/// The requested accuracy, 1 to 4. The [`Qualities`] of the measuring host define each priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(extend("minimum" = 1, "maximum" = 4)))]
#[serde(into = "u8")]
pub struct Priority(u8);

impl Priority {
    /// A first curve within moments.
    pub const FIRST: Self = Self(1);
    /// The first priority that also measures around what earlier ones show; see
    /// [`refined_values`](crate::refinement::refined_values).
    pub const REFINED: Self = Self(3);
    /// The most accurate figures.
    pub const LAST: Self = Self(4);

    /// The next better priority; absent after the last.
    pub fn next(self) -> Option<Self> {
        (self < Self::LAST).then_some(Self(self.0 + 1))
    }

    /// All four in ascending order.
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
            _ => Err(format!("expected a priority from 1 to 4, not {number}")),
        }
    }
}

impl<'de> Deserialize<'de> for Priority {
    /// Accepts `2.0`, which is an integer in JSON Schema.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        let priority = Self::all().find(|priority| f64::from(priority.0) == number);
        priority.ok_or_else(|| D::Error::custom(format!("expected a priority from 1 to 4, not {number}")))
    }
}

impl From<Priority> for u8 {
    fn from(priority: Priority) -> Self {
        priority.0
    }
}

/// The definition of a priority: points, time, counts and precision.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Quality {
    /// The maximum number of points of a curve. Halving the range k times yields 2^k + 1 points.
    #[cfg_attr(feature = "schema", schemars(range(min = 2, max = 1_025)))]
    pub points: u32,
    /// The target for the half-width of the mean's 95% interval, relative to the mean: `0.05` is ±5%. Sampling stops
    /// when a point reaches it.
    #[cfg_attr(feature = "schema", schemars(extend("exclusiveMinimum" = 0, "maximum" = 1)))]
    pub precision: f64,
    /// The time for one point in milliseconds, including preparation and warm-up.
    #[cfg_attr(feature = "schema", schemars(extend("exclusiveMinimum" = 0, "maximum" = 3_600_000)))]
    pub point_ms: f64,
    /// Bounds on the warm-up.
    pub warm_up: BatchBounds,
    /// Bounds on the number of counted samples. Their time is the rest of `point_ms`.
    pub samples: BatchCounts,
    /// The number of fresh processes that a point is measured in: child processes of a runner, or workers of a browser.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 100)))]
    pub processes: u32,
    /// The timeout in milliseconds: a point fails if nothing finishes for this long. Absent: 10 s or five times
    /// `point_ms`, whichever is greater.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("exclusiveMinimum" = 0, "maximum" = 3_600_000)))]
    pub timeout_ms: Option<f64>,
}

/// Bounds on a number of batches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BatchCounts {
    /// The minimum. Sampling stops earlier if it takes twice the point's time.
    #[cfg_attr(feature = "schema", schemars(range(max = 100_000)))]
    pub at_least: u32,
    /// The maximum.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 100_000)))]
    pub at_most: u32,
}

/// Bounds on a number of batches and on their total time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BatchBounds {
    /// The minimum number of batches. The warm-up stops earlier if it reaches the maximum time.
    pub at_least: u32,
    /// The maximum number of batches.
    pub at_most: u32,
    /// The maximum time in milliseconds.
    #[cfg_attr(feature = "schema", schemars(extend("exclusiveMinimum" = 0, "maximum" = 3_600_000)))]
    pub ms: f64,
}

/// The maximum of every time in a quality, in milliseconds: an hour.
const MAX_TIME_MS: f64 = 3_600_000.0;

impl Quality {
    /// Checks every number.
    fn check(&self) -> Result<(), String> {
        let table = [
            ((2..=1_025).contains(&self.points), "points: expected 2 to 1025"),
            (is_precision(self.precision), "precision: expected above 0 to 1, such as 0.05 for ±5%"),
            (is_time(self.point_ms), "point_ms: expected above 0 to an hour"),
            (is_time(self.warm_up.ms), "warm_up.ms: expected above 0 to an hour"),
            (self.warm_up.at_least <= self.warm_up.at_most, "warm_up: at_least is above at_most"),
            (self.samples.at_least <= self.samples.at_most, "samples: at_least is above at_most"),
            ((1..=100_000).contains(&self.samples.at_most), "samples.at_most: expected 1 to 100000"),
            ((1..=100).contains(&self.processes), "processes: expected 1 to 100"),
            (self.timeout_ms.is_none_or(is_time), "timeout_ms: expected above 0 to an hour"),
        ];
        match table.iter().find(|(is_valid, _)| !is_valid) {
            Some((_, expected)) => Err((*expected).to_owned()),
            None => Ok(()),
        }
    }

    /// Checks a value of [`Self::precision`].
    pub(crate) fn check_precision(precision: f64) -> Result<(), &'static str> {
        if is_precision(precision) { Ok(()) } else { Err("expected above 0 to 1, such as 0.005 for ±0.5%") }
    }

    /// Checks a value of [`Self::point_ms`].
    pub(crate) fn check_point_ms(ms: f64) -> Result<(), &'static str> {
        if is_time(ms) { Ok(()) } else { Err("expected above 0 to an hour, in milliseconds") }
    }

    /// The time for one point in nanoseconds.
    pub(crate) fn point_nanos(&self) -> f64 {
        self.point_ms * 1e6
    }

    /// A first look at the same points, in a third of the time and hardly warmed up: its figures are replaced as soon as there are those of this
    /// quality.
    pub fn first_look(&self) -> Self {
        let warm_up = BatchBounds { at_least: self.warm_up.at_least.min(1), ms: self.warm_up.ms / 4.0, ..self.warm_up };
        Self { point_ms: self.point_ms / 3.0, timeout_ms: Some(self.timeout_ms()), warm_up, ..self.clone() }
    }

    /// The quality of each process: its share of the time, and a precision reduced accordingly. The interval over a few processes is
    /// wider than that over the blocks of one, by the ratio of Student's quantiles.
    pub fn of_process(&self) -> Self {
        let processes = f64::from(self.processes);
        let wider = match self.processes {
            1 => 1.0,
            several => t_quantile(several - 1, TAIL) / t_quantile(MIN_BLOCKS - 1, TAIL),
        };
        Self {
            point_ms: self.point_ms / processes,
            precision: (self.precision * processes.sqrt() / wider).min(1.0),
            timeout_ms: Some(self.timeout_ms()),
            warm_up: BatchBounds { ms: self.warm_up.ms / processes, ..self.warm_up },
            processes: 1,
            ..self.clone()
        }
    }

    /// The timeout in milliseconds: a point fails if nothing finishes for this long.
    pub fn timeout_ms(&self) -> f64 {
        self.timeout_ms.unwrap_or_else(|| f64::max(10_000.0, 5.0 * self.point_ms))
    }
}

fn is_precision(precision: f64) -> bool {
    precision > 0.0 && precision <= 1.0
}

fn is_time(ms: f64) -> bool {
    ms > 0.0 && ms <= MAX_TIME_MS
}

/// A quality before validation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, remote = "Quality")]
struct UncheckedQuality {
    points: u32,
    precision: f64,
    point_ms: f64,
    warm_up: BatchBounds,
    samples: BatchCounts,
    processes: u32,
    #[serde(default)]
    timeout_ms: Option<f64>,
}

impl<'de> Deserialize<'de> for Quality {
    /// Validates while the deserializer is still at this object, so that an error contains the object's line number.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(QualityVisitor)
    }
}

struct QualityVisitor;

impl<'de> Visitor<'de> for QualityVisitor {
    type Value = Quality;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the fields of a quality")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Quality, A::Error> {
        let quality = UncheckedQuality::deserialize(MapAccessDeserializer::new(map))?;
        quality.check().map_err(A::Error::custom)?;
        Ok(quality)
    }
}

/// The validated qualities of the four priorities, in ascending order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "[Quality; 4]", into = "[Quality; 4]")]
pub struct Qualities([Quality; 4]);

impl TryFrom<[Quality; 4]> for Qualities {
    type Error = String;

    /// # Errors
    /// Returns the first invalid number: its priority, its name, and the expected values.
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
    /// The quality of `priority`.
    pub fn of(&self, priority: Priority) -> &Quality {
        &self.0[usize::from(priority.0 - 1)]
    }
}

impl Default for Qualities {
    fn default() -> Self {
        Self([
            quality((5, 0.20), (60.0, 20.0), (5, 5), 1),
            quality((9, 0.05), (150.0, 50.0), (10, 16), 1),
            quality((17, 0.02), (500.0, 150.0), (10, 20), 1),
            quality((33, 0.01), (1_500.0, 300.0), (10, 30), 5),
        ])
    }
}

impl Qualities {
    /// The qualities in a browser, where users wait for the result: the last priority takes about a minute for four functions. A browser's
    /// clock and scheduling limit the precision, more than the time does.
    pub fn in_browser() -> Self {
        Self([
            quality((5, 0.20), (60.0, 20.0), (5, 5), 1),
            quality((9, 0.05), (120.0, 40.0), (10, 16), 1),
            quality((17, 0.03), (300.0, 100.0), (10, 20), 1),
            quality((33, 0.02), (350.0, 80.0), (10, 30), 5),
        ])
    }
}

/// A quality with a number of points and the precision of their means, the times of a point and of its warm-up in milliseconds, and the minimum
/// numbers of warm-up and counted batches.
fn quality(
    (points, precision): (u32, f64),
    (point_ms, warm_up_ms): (f64, f64),
    (warm_up, at_least): (u32, u32),
    processes: u32,
) -> Quality {
    Quality {
        points,
        precision,
        point_ms,
        warm_up: BatchBounds { at_least: warm_up, at_most: 500, ms: warm_up_ms },
        samples: BatchCounts { at_least, at_most: 5_000 },
        processes,
        timeout_ms: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_look_is_short_and_valid() {
        let all = [Qualities::default(), Qualities::in_browser()];
        for quality in all.iter().flat_map(|all| Priority::all().map(|priority| all.of(priority))) {
            let look = quality.first_look();
            assert_eq!(look.check(), Ok(()));
            assert!(look.points == quality.points && look.timeout_ms() == quality.timeout_ms(), "{look:?}");
            assert!(look.point_ms + look.warm_up.ms < 0.5 * quality.point_ms, "{look:?}");
        }
    }
}
