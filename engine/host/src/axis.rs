//! The axis of a plan: the varied parameter and its values.

use std::cmp::Ordering;

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::{Argument, Parameter, Range, Scale};

use crate::points::{axis_values, with_values};

/// The varied parameter of a request and how the request varies it.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    parameter: Parameter,
    variation: Variation,
}

/// The axis values of some points, each once. Numbers are in ascending order, texts in the order in which they occur first.
pub fn distinct_values<'a>(values: impl IntoIterator<Item = &'a AxisValue>) -> Vec<&'a AxisValue> {
    let mut distinct: Vec<&AxisValue> = Vec::new();
    for value in values {
        if !distinct.contains(&value) {
            distinct.push(value);
        }
    }
    if distinct.iter().all(|value| value.number().is_some()) {
        distinct.sort_by(|one, other| one.total_cmp(other));
    }
    distinct
}

/// How a request varies a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Variation {
    /// Over a range; the quality determines the number of points.
    Range(Range),
    /// At these values, at every priority. Numbers are in ascending order, texts in that of the request.
    Values(Vec<AxisValue>),
}

impl Variation {
    /// Returns how an argument varies its parameter; `None` if it is a single value.
    pub fn of(argument: &Argument) -> Option<Self> {
        match argument {
            Argument::Range(range) => Some(Self::Range(*range)),
            Argument::Values(values) => {
                let mut values = values.clone();
                if values.iter().all(|value| value.number().is_some()) {
                    values.sort_by(AxisValue::total_cmp);
                }
                Some(Self::Values(values))
            }
            Argument::Number(_) | Argument::Text(_) => None,
        }
    }
}

impl Axis {
    /// Creates an axis. The caller has checked that the parameter accepts the values, and that a range is one of numbers.
    pub fn new(parameter: Parameter, variation: Variation) -> Self {
        Self { parameter, variation }
    }

    /// The varied parameter.
    pub fn parameter(&self) -> &Parameter {
        &self.parameter
    }

    /// How the request varies it.
    pub fn variation(&self) -> &Variation {
        &self.variation
    }

    /// The range; `None` if the axis has a list of values.
    pub fn range(&self) -> Option<Range> {
        match self.variation {
            Variation::Range(range) => Some(range),
            Variation::Values(_) => None,
        }
    }

    /// The values to measure at, in the order of the axis: at most `count` of a range and the valid values `also_at`, each once,
    /// or all values of a list.
    pub fn values(&self, count: u32, also_at: &[f64]) -> Vec<AxisValue> {
        match (&self.variation, self.parameter.numeric()) {
            (Variation::Range(range), Some(numeric)) => {
                let values = with_values(numeric, axis_values(numeric, *range, count), also_at);
                values.into_iter().map(AxisValue::Number).collect()
            }
            (Variation::Range(_), None) => unreachable!("a range is one of numbers"),
            (Variation::Values(values), _) => values.clone(),
        }
    }

    /// The scale of the axis; `None` if its values are not numbers.
    pub fn scale(&self) -> Option<Scale> {
        self.parameter.numeric().map(|numeric| numeric.scale)
    }

    /// Compares two values by their order on the axis.
    pub fn compare(&self, one: &AxisValue, other: &AxisValue) -> Ordering {
        match &self.variation {
            Variation::Values(values) if self.parameter.numeric().is_none() => {
                let index = |value: &AxisValue| values.iter().position(|listed| listed == value);
                index(one).cmp(&index(other))
            }
            Variation::Range(_) | Variation::Values(_) => one.total_cmp(other),
        }
    }
}
