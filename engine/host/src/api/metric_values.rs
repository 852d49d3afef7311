//! Metrics in the runner's API.

use benchbook_contract::axis_value::AxisValue;
use serde::{Deserialize, Serialize};

use crate::metric::{BetterValue, METRICS, Metric, MetricCollection};
use crate::response::Point;

/// A metric that a runner knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct MetricCard {
    /// The name, as in [`MetricCurve::metric`].
    pub name: String,
    /// The quantity.
    pub title: String,
    /// The unit of the values: `ns`, `elements/s`, `bytes/s`, or empty for a count.
    pub unit: String,
    /// How the values are collected.
    #[serde(with = "CollectionName")]
    pub collection: MetricCollection,
    /// Which of two values is better.
    #[serde(with = "BetterName")]
    pub better: BetterValue,
}

/// How the values of a metric are collected.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "MetricCollection", rename_all = "snake_case")]
enum CollectionName {
    Timed,
    Counted,
    Estimated,
}

/// Which of two values is better.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "BetterValue", rename_all = "snake_case")]
enum BetterName {
    Lower,
    Higher,
}

/// The values of a metric of one function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct MetricCurve {
    /// The metric's name.
    pub metric: String,
    /// The function's path.
    pub function: String,
    /// The points that have the metric, in the order of the axis.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub values: Vec<MetricPoint>,
}

/// The value of a metric at a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct MetricPoint {
    /// The axis value; absent if the request has no axis.
    #[serde(default, skip_serializing_if = "AxisValue::is_absent")]
    pub x: AxisValue,
    /// The mean, or the exact value; absent if only an upper bound is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// The ends of the 95% interval, or 0 and the upper bound; absent if it is unknown, or if the value is exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
}

impl MetricCard {
    /// The cards of all metrics.
    pub fn all() -> Vec<Self> {
        let card = |metric: &Metric| Self {
            name: metric.name.to_owned(),
            title: metric.title.to_owned(),
            unit: metric.unit.symbol().to_owned(),
            collection: metric.collection,
            better: metric.better,
        };
        METRICS.into_iter().map(card).collect()
    }
}

impl MetricCurve {
    /// The values of all metrics that some point has, by metric and function.
    pub fn all(functions: &[String], points: &[Point]) -> Vec<Self> {
        let curve = |metric: &Metric, function: &String| {
            let own = points.iter().filter(|point| point.function == *function);
            let value = |point: &Point| {
                let value = (metric.value)(point.measured()?)?;
                let interval = value.interval().map(|interval| [interval.low, interval.high]);
                Some(MetricPoint { x: point.x.clone(), value: value.centre(), interval })
            };
            let values: Vec<MetricPoint> = own.filter_map(value).collect();
            let metric = metric.name.to_owned();
            (!values.is_empty()).then(|| Self { metric, function: function.clone(), values })
        };
        let of_metric = |metric: &'static Metric| functions.iter().filter_map(move |function| curve(metric, function));
        METRICS.into_iter().flat_map(of_metric).collect()
    }
}
