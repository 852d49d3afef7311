//! The memory use of a call, counted apart from the timed calls.

use crate::metric::definition::{BetterValue, Metric, MetricCollection, MetricValue};
use crate::metric::unit::MetricUnit;
use crate::response::{CountedCalls, MeasuredPoint};

/// Allocations and reallocations per call.
pub const ALLOCATIONS: Metric = Metric {
    name: "allocations",
    title: "Allocations per call",
    unit: MetricUnit::Count,
    collection: MetricCollection::Counted,
    better: BetterValue::Lower,
    value: |measured| per_call(measured, |counted| counted.counts.allocations),
    of_sample: None,
};

/// Bytes of new allocations, and bytes by which reallocations grew, per call.
pub const ALLOCATED_BYTES: Metric = Metric {
    name: "allocated_bytes",
    title: "Allocated bytes per call",
    unit: MetricUnit::Count,
    collection: MetricCollection::Counted,
    better: BetterValue::Lower,
    value: |measured| per_call(measured, |counted| counted.counts.bytes),
    of_sample: None,
};

/// The maximum number of bytes that a call holds at once, beyond those held before.
pub const PEAK_BYTES: Metric = Metric {
    name: "peak_bytes",
    title: "Peak bytes of a call",
    unit: MetricUnit::Count,
    collection: MetricCollection::Counted,
    better: BetterValue::Lower,
    value: |measured| measured.counted.map(|counted| MetricValue::Exact(counted.counts.peak as f64)),
    of_sample: None,
};

/// The mean over the counted calls.
fn per_call(measured: &MeasuredPoint, total: fn(&CountedCalls) -> u64) -> Option<MetricValue> {
    measured.counted.map(|counted| MetricValue::Exact(total(&counted) as f64 / counted.calls.max(1) as f64))
}
