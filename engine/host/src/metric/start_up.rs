//! The start-up: the first call in a fresh process, and the compilation before it.

use crate::metric::definition::{BetterValue, Metric, MetricCollection, MetricValue, NoisyValue};
use crate::metric::unit::MetricUnit;
use crate::response::{MeasuredPoint, StartUpTimes};

/// The time of the first call in a fresh process or worker.
pub const FIRST_CALL: Metric = Metric {
    name: "first_call",
    title: "First call",
    unit: MetricUnit::Nanoseconds,
    collection: MetricCollection::Timed,
    better: BetterValue::Lower,
    value: |measured| first_call(measured).map(value),
    of_sample: None,
    own_samples: Some(first_call),
};

/// The time in which a browser compiles and instantiates the suite in a fresh worker.
pub const COMPILATION: Metric = Metric {
    name: "compilation",
    title: "Compilation",
    unit: MetricUnit::Nanoseconds,
    collection: MetricCollection::Timed,
    better: BetterValue::Lower,
    value: |measured| compilation(measured).map(value),
    of_sample: None,
    own_samples: Some(compilation),
};

fn first_call(measured: &MeasuredPoint) -> Option<&StartUpTimes> {
    measured.first_calls.as_ref()?.call.as_ref()
}

fn compilation(measured: &MeasuredPoint) -> Option<&StartUpTimes> {
    measured.first_calls.as_ref()?.compilation.as_ref()
}

fn value(times: &StartUpTimes) -> MetricValue {
    let summary = &times.summary;
    let quartiles = summary.q1.zip(summary.median).zip(summary.q3).map(|((q1, median), q3)| [q1, median, q3]);
    let estimate = NoisyValue { mean: summary.mean, sd: summary.sd, interval: summary.mean_interval, quartiles };
    // Few noisy times have an interval that reaches below 0, too, but a more informative mean.
    match summary.mean_interval.filter(|interval| interval.low <= 0.0 && summary.min <= 0.0) {
        Some(interval) => MetricValue::UpperBound { bound: interval.high, estimate },
        None => MetricValue::Noisy(estimate),
    }
}
