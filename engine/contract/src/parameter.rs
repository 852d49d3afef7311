//! Parameters: what a generator can be told, and the arguments that tell it.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The largest whole number that parameters and arguments may have, 2⁵³: up to here every integer has an exact `f64`,
/// which is the only number that JSON and the page's JavaScript know.
pub const MAX_INTEGER: f64 = 9_007_199_254_740_992.0;

/// One control: what a generator can be told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// The name of the generator's parameter in the source.
    pub name: String,
    /// Its doc comment: what the person who sets it reads beside the control.
    pub description: String,
    /// What values it takes.
    #[serde(flatten)]
    pub kind: Kind,
}

/// What values a parameter takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", expecting = "an object with a field `type`")]
pub enum Kind {
    /// A whole number.
    Integer(Numeric),
    /// A number with a fraction.
    Float(Numeric),
    /// One of a few named options, from an enum that derives `Choice`.
    Choice {
        /// The options, in the order of the enum's variants.
        options: Vec<ChoiceOption>,
        /// The name of the option that is set at first.
        default: String,
    },
    /// Any text.
    Text {
        /// What is set at first.
        default: String,
    },
}

/// The bounds and the looks of a numeric parameter. All values are in `unit`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Numeric {
    /// The Rust type that receives the value, such as `u32`.
    pub of: String,
    /// The least value.
    #[serde(serialize_with = "number")]
    pub min: f64,
    /// The greatest value.
    #[serde(serialize_with = "number")]
    pub max: f64,
    /// Values lie at `min + j·step`; absent where any value between the bounds will do.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "optional_number")]
    pub step: Option<f64>,
    /// What is set at first: a value, or the range that is measured where this parameter is the axis.
    pub default: NumericDefault,
    /// What is counted, such as `keys` or `bytes`; absent for a pure number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// How a slider and the axis divide the range.
    pub scale: Scale,
    /// Whether this parameter may be the axis.
    pub axis: bool,
}

/// What a numeric parameter is at first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, try_from = "Argument")]
pub enum NumericDefault {
    /// The range that is measured when this parameter is the axis; its low is the value when it is not.
    Range(Range),
    /// The value when this parameter is not the axis; the range is then all of `min` to `max`.
    Value(#[serde(serialize_with = "number")] f64),
}

/// A range of axis values, both ends within it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Range {
    /// The least axis value.
    #[serde(serialize_with = "number")]
    pub low: f64,
    /// The greatest axis value.
    #[serde(serialize_with = "number")]
    pub high: f64,
}

/// How a range is divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// Into equal differences.
    #[default]
    Linear,
    /// Into equal ratios.
    Log,
}

/// One option of a choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChoiceOption {
    /// The enum's variant.
    pub name: String,
    /// Its doc comment, empty where there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
}

/// The values given for a generator's parameters, by parameter name.
pub type Arguments = BTreeMap<String, Argument>;

/// The value given for one parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Argument {
    /// The range over which the axis is varied; a request has exactly one.
    Range(Range),
    /// For a numeric parameter that is not the axis.
    Number(#[serde(serialize_with = "number")] f64),
    /// For a text, or the name of a choice's option.
    Text(String),
}

impl Parameter {
    /// The numeric bounds, where this parameter is a number.
    pub fn numeric(&self) -> Option<&Numeric> {
        match &self.kind {
            Kind::Integer(numeric) | Kind::Float(numeric) => Some(numeric),
            Kind::Choice { .. } | Kind::Text { .. } => None,
        }
    }

    /// Whether values are whole numbers.
    pub fn is_integer(&self) -> bool {
        matches!(self.kind, Kind::Integer(_))
    }

    /// The argument that is set at first, for the parameter as the axis or not.
    pub fn default_argument(&self, as_axis: bool) -> Argument {
        match &self.kind {
            Kind::Integer(numeric) | Kind::Float(numeric) if as_axis => Argument::Range(numeric.default_range()),
            Kind::Integer(numeric) | Kind::Float(numeric) => Argument::Number(numeric.default_value()),
            Kind::Choice { default, .. } | Kind::Text { default } => Argument::Text(default.clone()),
        }
    }
}

impl Numeric {
    /// What is measured at first where this parameter is the axis.
    pub fn default_range(&self) -> Range {
        match self.default {
            NumericDefault::Range(range) => range,
            NumericDefault::Value(_) => Range { low: self.min, high: self.snap(self.max) },
        }
    }

    /// What is set at first where this parameter is not the axis.
    pub fn default_value(&self) -> f64 {
        match self.default {
            NumericDefault::Range(range) => range.low,
            NumericDefault::Value(value) => value,
        }
    }

    /// Whether the default names a range: the parameter that is the axis at first has one.
    pub fn has_default_range(&self) -> bool {
        matches!(self.default, NumericDefault::Range(_))
    }

    /// The value on the grid `min + j·step` within the bounds that is nearest to `value`.
    ///
    /// Where `min` and `step` are decimal fractions, it is the decimal fraction: 0.3, where 0.1 + 2 · 0.1 comes to
    /// 0.30000000000000004.
    pub fn snap(&self, value: f64) -> f64 {
        let bounded = self.bound(value);
        let Some(step) = self.step.filter(|step| *step > 0.0) else { return bounded };
        // Counted in units that make whole numbers of `min` and `step`, and from the grid point next to 0: then whole
        // numbers up to 2⁵³ are exact, however far away `min` is.
        let unit = decimal_units(self.min, step);
        let (first, step) =
            if unit > 1.0 { ((self.min * unit).round(), (step * unit).round()) } else { (self.min, step) };
        let phase = first.rem_euclid(step);
        let end = (self.max * unit - phase) / step;
        let last = (end + f64::max(GRID_TOLERANCE, ROUNDING * end.abs())).floor();
        let index = ((bounded * unit - phase) / step).round().min(last);
        self.bound((phase + index * step) / unit)
    }

    /// Whether `value` is within the bounds and on the grid.
    ///
    /// On a fractional grid a value that differs from its grid point by rounding alone is on it.
    pub fn holds(&self, value: f64) -> bool {
        let slack = self.step.map_or(0.0, |step| step * GRID_TOLERANCE + ROUNDING * value.abs());
        value.is_finite() && value >= self.min && value <= self.max && (self.snap(value) - value).abs() <= slack
    }

    /// The value between the bounds that is nearest to `value`, whatever a suite says that its bounds are.
    fn bound(&self, value: f64) -> f64 {
        value.max(self.min).min(self.max)
    }
}

/// The part of a step by which a value may miss its grid point: people type decimal fractions.
const GRID_TOLERANCE: f64 = 1e-9;

/// What a few operations in `f64` may be off, relative to their result.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// As numbers, since what `powi` gives may differ from machine to machine.
const POWERS_OF_TEN: [f64; 10] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

/// The least power of ten that makes whole numbers of both values; 1 where none up to 10⁹ does.
fn decimal_units(one: f64, other: f64) -> f64 {
    let is_whole = |value: f64| (value - value.round()).abs() <= ROUNDING * value.abs() && value.abs() < MAX_INTEGER;
    POWERS_OF_TEN.into_iter().find(|power| is_whole(one * power) && is_whole(other * power)).unwrap_or(1.0)
}

/// Writes a whole number without a fraction, as people do: `1000`, not `1000.0`.
pub fn number<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if value.fract() == 0.0 && value.abs() <= MAX_INTEGER {
        serializer.serialize_i64(*value as i64)
    } else {
        serializer.serialize_f64(*value)
    }
}

fn optional_number<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => number(value, serializer),
        None => serializer.serialize_none(),
    }
}

impl TryFrom<Argument> for NumericDefault {
    type Error = &'static str;

    fn try_from(argument: Argument) -> Result<Self, Self::Error> {
        match argument {
            Argument::Range(range) => Ok(Self::Range(range)),
            Argument::Number(value) => Ok(Self::Value(value)),
            Argument::Text(_) => Err("a default is a number or a range, not a text"),
        }
    }
}

impl<'de> Deserialize<'de> for Argument {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ArgumentVisitor)
    }
}

struct ArgumentVisitor;

impl<'de> Visitor<'de> for ArgumentVisitor {
    type Value = Argument;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, a text or a range from low to high")
    }

    fn visit_f64<E>(self, value: f64) -> Result<Argument, E> {
        Ok(Argument::Number(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Argument, E> {
        Ok(Argument::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Argument, E> {
        Ok(Argument::Number(value as f64))
    }

    fn visit_str<E>(self, text: &str) -> Result<Argument, E> {
        Ok(Argument::Text(text.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Argument, A::Error> {
        Range::deserialize(MapAccessDeserializer::new(map)).map(Argument::Range)
    }
}
