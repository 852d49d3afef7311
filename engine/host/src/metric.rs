//! Metrics: the quantities that a measured point has.
//!
//! The page, the runner's API and exports list [`METRICS`] and know no metric by name, except that time is the default. To
//! add one, write a file with its definition and add it to the list.

mod definition;
mod events;
mod memory;
mod start_up;
mod throughput;
mod time;
mod unit;
mod wasm;

pub use definition::{BetterValue, Metric, MetricCollection, MetricValue, NoisyValue};
pub use events::{BRANCH_MISSES, CACHE_MISSES, CYCLES, INSTRUCTIONS};
pub use memory::{ALLOCATED_BYTES, ALLOCATIONS, PEAK_BYTES};
pub use start_up::{COMPILATION, FIRST_CALL};
pub use throughput::{BYTES_PER_SECOND, ELEMENTS_PER_SECOND};
pub use time::TIME;
pub use unit::{MetricUnit, bytes};
pub use wasm::WASM_INSTRUCTIONS;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// All metrics, in the order in which they are listed.
pub const METRICS: [&Metric; 13] = [
    &TIME,
    &ELEMENTS_PER_SECOND,
    &BYTES_PER_SECOND,
    &ALLOCATIONS,
    &ALLOCATED_BYTES,
    &PEAK_BYTES,
    &WASM_INSTRUCTIONS,
    &INSTRUCTIONS,
    &CYCLES,
    &BRANCH_MISSES,
    &CACHE_MISSES,
    &FIRST_CALL,
    &COMPILATION,
];

impl Serialize for Metric {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

impl<'de> Deserialize<'de> for &'static Metric {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        metric(&name).ok_or_else(|| de::Error::custom(format_args!("there is no metric `{name}`")))
    }
}

/// Returns the metric with this name.
pub fn metric(name: &str) -> Option<&'static Metric> {
    METRICS.into_iter().find(|metric| metric.name == name)
}
