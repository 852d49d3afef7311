//! The memory use of a call, counted apart from the timed calls.

use crate::metric::definition::{BetterValue, Metric, MetricCollection, MetricValue};
use crate::metric::unit::MetricUnit;
use crate::response::{MeasuredPoint, MemoryUse};

/// Allocations and reallocations per call.
pub const ALLOCATIONS: Metric = Metric {
    name: "allocations",
    title: "Allocations per call",
    unit: MetricUnit::Count,
    collection: MetricCollection::Counted,
    better: BetterValue::Lower,
    value: |measured| per_call(measured, |memory| memory.counts.allocations),
    of_sample: None,
    own_samples: None,
};

/// Bytes of new allocations, and bytes by which reallocations grew, per call.
pub const ALLOCATED_BYTES: Metric = Metric {
    name: "allocated_bytes",
    title: "Allocated bytes per call",
    unit: MetricUnit::Count,
    collection: MetricCollection::Counted,
    better: BetterValue::Lower,
    value: |measured| per_call(measured, |memory| memory.counts.bytes),
    of_sample: None,
    own_samples: None,
};

/// The maximum number of bytes that a call holds at once, beyond those held before.
pub const PEAK_BYTES: Metric = Metric {
    name: "peak_bytes",
    title: "Peak bytes of a call",
    unit: MetricUnit::Count,
    collection: MetricCollection::Counted,
    better: BetterValue::Lower,
    value: |measured| measured.memory.map(|memory| MetricValue::Exact(memory.counts.peak as f64)),
    of_sample: None,
    own_samples: None,
};

/// The mean over the counted calls.
fn per_call(measured: &MeasuredPoint, total: fn(&MemoryUse) -> u64) -> Option<MetricValue> {
    measured.memory.map(|memory| MetricValue::Exact(total(&memory) as f64 / memory.calls.max(1) as f64))
}
