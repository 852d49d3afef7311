//! The axis values of points.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::number::number;

/// The axis value of a point: the value of the parameter that a request varies.
///
/// In JSON, a number or a text; absent if the request has no axis.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = number_or_text))]
#[serde(untagged)]
pub enum AxisValue {
    /// The value of a numeric parameter.
    Number(#[serde(serialize_with = "number")] f64),
    /// A text, or the name of a choice's option.
    Text(String),
    /// The request has no axis, so each function has a single point.
    #[default]
    Absent,
}

/// The maximum length of a text in characters, as in a request.
#[cfg(feature = "schema")]
const MAX_TEXT: usize = 500;

/// An absent value is an absent field.
#[cfg(feature = "schema")]
fn number_or_text(schema: &mut schemars::Schema) {
    schema.remove("anyOf");
    schema.insert("type".to_owned(), serde_json::json!(["number", "string"]));
    schema.insert("maxLength".to_owned(), serde_json::json!(MAX_TEXT));
}

impl AxisValue {
    /// Returns the number; `None` if the value is a text or absent.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(value) => Some(*value),
            Self::Text(_) | Self::Absent => None,
        }
    }

    /// Whether the request has no axis.
    pub fn is_absent(&self) -> bool {
        *self == Self::Absent
    }

    /// Orders an absent value before numbers, and numbers before texts: numbers by size, texts by their bytes.
    pub fn total_cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Number(one), Self::Number(other)) => one.total_cmp(other),
            (Self::Text(one), Self::Text(other)) => one.cmp(other),
            _ => self.kind().cmp(&other.kind()),
        }
    }

    fn kind(&self) -> u8 {
        match self {
            Self::Absent => 0,
            Self::Number(_) => 1,
            Self::Text(_) => 2,
        }
    }
}

impl From<f64> for AxisValue {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<&str> for AxisValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl PartialEq<f64> for AxisValue {
    fn eq(&self, other: &f64) -> bool {
        self.number() == Some(*other)
    }
}

/// The number or the text as it is; empty if the value is absent.
impl fmt::Display for AxisValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(value) => value.fmt(f),
            Self::Text(text) => text.fmt(f),
            Self::Absent => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::AxisValue;

    #[test]
    fn is_a_number_a_text_or_null_in_json() {
        for (value, json) in [
            (AxisValue::from(1_000.0), "1000"),
            (0.5.into(), "0.5"),
            ("1000".into(), r#""1000""#),
            (AxisValue::Absent, "null"),
        ] {
            assert_eq!(serde_json::to_string(&value).unwrap(), json);
            assert_eq!(serde_json::from_str::<AxisValue>(json).unwrap(), value);
        }
        assert!(serde_json::from_str::<AxisValue>("[1]").is_err());
    }

    #[test]
    fn orders_numbers_by_size() {
        let mut values: Vec<AxisValue> = vec!["b".into(), 10.0.into(), "a".into(), 9.0.into()];
        values.sort_by(AxisValue::total_cmp);
        let expected: [AxisValue; 4] = [9.0.into(), 10.0.into(), "a".into(), "b".into()];
        assert_eq!(values, expected);
    }
}
