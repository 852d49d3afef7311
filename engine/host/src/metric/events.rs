//! Events that hardware counters count: instructions, cycles and misses per call.

use crate::metric::definition::{BetterValue, Metric, MetricCollection, MetricValue, NoisyValue};
use crate::metric::unit::MetricUnit;
use crate::response::{EventCounts, EventEstimate, EventsPerCall, MeasuredPoint};

/// Executed instructions per call.
pub const INSTRUCTIONS: Metric = Metric {
    name: "instructions",
    title: "Instructions per call",
    unit: MetricUnit::Count,
    collection: MetricCollection::Estimated,
    better: BetterValue::Lower,
    value: |measured| value(measured, |events| Some(events.instructions)),
    of_sample: None,
    own_samples: None,
};

/// Clock cycles of the core per call.
pub const CYCLES: Metric = Metric {
    name: "cycles",
    title: "Cycles per call",
    unit: MetricUnit::Count,
    collection: MetricCollection::Estimated,
    better: BetterValue::Lower,
    value: |measured| value(measured, |events| events.cycles),
    of_sample: None,
    own_samples: None,
};

/// Mispredicted branches per call.
pub const BRANCH_MISSES: Metric = Metric {
    name: "branch_misses",
    title: "Branch misses per call",
    unit: MetricUnit::Count,
    collection: MetricCollection::Estimated,
    better: BetterValue::Lower,
    value: |measured| value(measured, |events| events.branch_misses),
    of_sample: None,
    own_samples: None,
};

/// Misses of the last level of cache per call.
pub const CACHE_MISSES: Metric = Metric {
    name: "cache_misses",
    title: "Cache misses per call",
    unit: MetricUnit::Count,
    collection: MetricCollection::Estimated,
    better: BetterValue::Lower,
    value: |measured| value(measured, |events| events.cache_misses),
    of_sample: None,
    own_samples: None,
};

/// The estimate; only its upper end if its interval contains 0, unless every reading was 0.
fn value(measured: &MeasuredPoint, event: fn(&EventsPerCall) -> Option<EventEstimate>) -> Option<MetricValue> {
    let Some(EventCounts::Counted(events)) = &measured.events else { return None };
    let EventEstimate { mean, sd, interval } = event(events)?;
    let estimate = NoisyValue { mean, sd, interval: Some(interval), quartiles: None };
    let is_zero = interval.low == 0.0 && interval.high == 0.0;
    if interval.low > 0.0 || is_zero {
        return Some(MetricValue::Noisy(estimate));
    }
    // As for times, an interval below 0 is wrong by at least its distance from 0.
    Some(MetricValue::UpperBound { bound: interval.high.max(-interval.low), estimate })
}
