//! Time per call.

use crate::metric::definition::{BetterValue, Metric, MetricCollection, MetricValue, NoisyValue};
use crate::metric::unit::MetricUnit;
use crate::response::MeasuredPoint;

/// The time of a call in nanoseconds, without the overhead of the loop.
pub const TIME: Metric = Metric {
    name: "time",
    title: "Time per call",
    unit: MetricUnit::Nanoseconds,
    collection: MetricCollection::Timed,
    better: BetterValue::Lower,
    value,
    of_sample: Some(|_, nanos| Some(nanos)),
    own_samples: None,
};

fn value(measured: &MeasuredPoint) -> Option<MetricValue> {
    let summary = &measured.summary;
    let quartiles = summary.q1.zip(summary.median).zip(summary.q3).map(|((q1, median), q3)| [q1, median, q3]);
    let estimate = NoisyValue { mean: summary.mean, sd: summary.sd, interval: summary.mean_interval, quartiles };
    Some(match measured.upper_bound() {
        Some(bound) => MetricValue::UpperBound { bound, estimate },
        None => MetricValue::Noisy(estimate),
    })
}
