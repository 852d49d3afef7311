//! The wasm instructions of a call, counted apart from the timed calls.

use crate::metric::definition::{BetterValue, Metric, MetricCollection, MetricValue};
use crate::metric::unit::MetricUnit;
use crate::response::WasmCounts;

/// Executed wasm instructions per call. A point whose two counts differ has none.
pub const WASM_INSTRUCTIONS: Metric = Metric {
    name: "wasm_instructions",
    title: "Wasm instructions per call",
    unit: MetricUnit::Count,
    collection: MetricCollection::Counted,
    better: BetterValue::Lower,
    value: |measured| match &measured.wasm_instructions {
        Some(WasmCounts::Counted(instructions)) => Some(MetricValue::Exact(instructions.per_call().max(0.0))),
        _ => None,
    },
    of_sample: None,
    own_samples: None,
};
