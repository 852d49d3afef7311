//! Throughput: the declared work of a call divided by its time.

use crate::analyze::interval::Interval;
use crate::metric::definition::{BetterValue, Metric, MetricCollection, MetricValue, NoisyValue};
use crate::metric::unit::MetricUnit;
use crate::response::MeasuredPoint;

/// The elements of a call divided by its time, if the generator declares elements.
pub const ELEMENTS_PER_SECOND: Metric = Metric {
    name: "elements_per_second",
    title: "Throughput in elements",
    unit: MetricUnit::ElementsPerSecond,
    collection: MetricCollection::Timed,
    better: BetterValue::Higher,
    value: |measured| throughput(measured.work.elements?, measured),
    of_sample: Some(|measured, nanos| rate(measured.work.elements?, nanos)),
    own_samples: None,
};

/// The bytes of a call divided by its time, if the generator declares bytes.
pub const BYTES_PER_SECOND: Metric = Metric {
    name: "bytes_per_second",
    title: "Throughput in bytes",
    unit: MetricUnit::BytesPerSecond,
    collection: MetricCollection::Timed,
    better: BetterValue::Higher,
    value: |measured| throughput(measured.work.bytes?, measured),
    of_sample: Some(|measured, nanos| rate(measured.work.bytes?, nanos)),
    own_samples: None,
};

/// Nanoseconds per second.
const SECOND: f64 = 1e9;

/// Returns `amount` per second in a call of this time; `None` unless the time is above zero.
fn rate(amount: u64, nanos: f64) -> Option<f64> {
    (nanos > 0.0).then(|| amount as f64 * SECOND / nanos)
}

/// Returns `amount` per second at a point. The mean is the amount of all calls divided by their time, which is what criterion states. The
/// interval and the quartiles are those of the time, inverted; the standard deviation has the same relative size, which is
/// a first-order approximation. `None` if the time is indistinguishable from zero.
fn throughput(amount: u64, measured: &MeasuredPoint) -> Option<MetricValue> {
    let summary = &measured.summary;
    if measured.upper_bound().is_some() {
        return None;
    }
    let rate = |nanos: f64| rate(amount, nanos);
    let mean = rate(summary.mean)?;
    let interval =
        summary.mean_interval.and_then(|time| Some(Interval { low: rate(time.high)?, high: rate(time.low)? }));
    let quartiles = summary.q1.zip(summary.median).zip(summary.q3);
    let quartiles = quartiles.and_then(|((q1, median), q3)| Some([rate(q3)?, rate(median)?, rate(q1)?]));
    Some(MetricValue::Noisy(NoisyValue { mean, sd: mean * summary.sd / summary.mean, interval, quartiles }))
}
