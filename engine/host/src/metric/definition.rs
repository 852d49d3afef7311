//! The definition of a metric.

use std::fmt;

use crate::analyze::interval::Interval;
use crate::metric::unit::MetricUnit;
use crate::response::{MeasuredPoint, StartUpTimes};

/// A quantity of a measured point.
pub struct Metric {
    /// The name in links and in JSON. Sentences about a counted metric use it with spaces for underscores, so it is a plural:
    /// `allocated_bytes`.
    pub name: &'static str,
    /// The quantity, as the heading of an axis or a column.
    pub title: &'static str,
    /// The unit of its values.
    pub unit: MetricUnit,
    /// How its values are collected.
    pub collection: MetricCollection,
    /// Which of two values is better.
    pub better: BetterValue,
    /// Returns the value at a point; `None` if the point does not have it.
    pub value: fn(&MeasuredPoint) -> Option<MetricValue>,
    /// Returns the value that corresponds to the time per call of one sample, in nanoseconds. `None` if samples of this
    /// metric do not exist, or are its own.
    pub of_sample: Option<fn(&MeasuredPoint, f64) -> Option<f64>>,
    /// Returns the samples of a metric that has samples of its own, apart from the timed calls.
    pub own_samples: Option<fn(&MeasuredPoint) -> Option<&StartUpTimes>>,
}

/// How the values of a metric are collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricCollection {
    /// From timed calls. Values are noisy, and have an interval.
    Timed,
    /// From calls that are counted, apart from the timed ones. Values are exact.
    Counted,
    /// By the processor, as differences between the counts of calls that are apart from the timed ones. Values are noisy, and
    /// have an interval.
    Estimated,
}

impl MetricCollection {
    /// Whether values are noisy, and have an interval.
    pub fn is_noisy(self) -> bool {
        self != Self::Counted
    }
}

/// Which of two values is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BetterValue {
    /// The lower one.
    Lower,
    /// The higher one.
    Higher,
}

/// The value of a metric at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MetricValue {
    /// An estimate.
    Noisy(NoisyValue),
    /// The interval of the estimate contains 0, so only its upper end is known.
    UpperBound {
        /// The upper end.
        bound: f64,
        /// The estimate, which is not meaningful.
        estimate: NoisyValue,
    },
    /// An exact value: the mean over the counted calls, or their maximum.
    Exact(f64),
}

/// An estimate of a noisy metric, in the metric's unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoisyValue {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub sd: f64,
    /// The 95% interval of the mean; absent if it is unknown.
    pub interval: Option<Interval>,
    /// The first quartile, the median and the third quartile; absent if they are unavailable.
    pub quartiles: Option<[f64; 3]>,
}

impl MetricValue {
    /// The exact value or the mean; `None` if only an upper bound is known.
    pub fn centre(&self) -> Option<f64> {
        match self {
            Self::Noisy(value) => Some(value.mean),
            Self::UpperBound { .. } => None,
            Self::Exact(value) => Some(*value),
        }
    }

    /// The 95% interval, which begins at 0 if only an upper bound is known; `None` if it is unknown, or if the value is exact.
    pub fn interval(&self) -> Option<Interval> {
        match self {
            Self::Noisy(value) => value.interval,
            Self::UpperBound { bound, .. } => Some(Interval { low: 0.0, high: *bound }),
            Self::Exact(_) => None,
        }
    }
}

impl Metric {
    /// The title with the unit, if there is one: `Allocations per call`, `Throughput in bytes [bytes/s]`.
    pub fn heading(&self) -> String {
        match self.unit.symbol() {
            "" => self.title.to_owned(),
            symbol => format!("{} [{symbol}]", self.title),
        }
    }

    /// The values of the counted samples at a point; empty if samples of this metric do not exist.
    pub fn samples(&self, measured: &MeasuredPoint) -> Vec<f64> {
        match (self.own_samples, self.of_sample) {
            (Some(own_samples), _) => own_samples(measured).into_iter().flat_map(StartUpTimes::counted).collect(),
            (None, Some(of_sample)) => measured.counted().filter_map(|time| of_sample(measured, time)).collect(),
            (None, None) => Vec::new(),
        }
    }
}

impl fmt::Debug for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Metric {
    /// Metrics are equal if they have the same name.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Metric {}
