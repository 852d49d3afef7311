//! Parameters of generators, and the arguments given for them.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::axis_value::AxisValue;
use crate::number::{MAX_INTEGER, number, numbers, optional_number};
use crate::number_error::NumberError;

/// A parameter of a generator. The page shows a control for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Parameter {
    /// The parameter's name in the source.
    pub name: String,
    /// The doc comment, shown next to the control.
    pub description: String,
    /// The type, bounds and default of the values.
    #[serde(flatten)]
    pub kind: Kind,
}

/// The type of a parameter's values, with their bounds and default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case", expecting = "an object with a field `type`")]
pub enum Kind {
    /// An integer.
    Integer(Numeric),
    /// A floating-point number.
    Float(Numeric),
    /// One of a few named options, from an enum that derives `Choice`.
    Choice {
        /// The options, in the order of the enum's variants.
        options: Vec<ChoiceOption>,
        /// The name of the default option.
        default: String,
        /// Whether all options are measured by default, if no number varies by default.
        #[serde(default, skip_serializing_if = "is_false")]
        varied: bool,
    },
    /// Any text.
    Text {
        /// The default text.
        default: String,
    },
}

/// The bounds, default and scale of a numeric parameter. All values are in `unit`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Numeric {
    /// The Rust type that receives the value, such as `u32`.
    pub of: String,
    /// The smallest value.
    #[serde(serialize_with = "number")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    pub min: f64,
    /// The largest value.
    #[serde(serialize_with = "number")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    pub max: f64,
    /// The distance between valid values, which are `min + j·step`. Absent if any value within the bounds is valid.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "optional_number")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub step: Option<f64>,
    /// The only valid values, from `min` to `max` in ascending order. Empty if every value on the grid is valid.
    #[serde(default, skip_serializing_if = "Vec::is_empty", serialize_with = "numbers")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<f64>"))]
    pub values: Vec<f64>,
    /// The default value or range.
    pub default: NumericDefault,
    /// The unit, such as `keys` or `bytes`; absent for a dimensionless number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// How a slider and the axis divide the range.
    pub scale: Scale,
    /// Whether this parameter may be the axis.
    pub axis: bool,
}

/// The default of a numeric parameter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged, try_from = "Argument")]
pub enum NumericDefault {
    /// The default range if this parameter is the axis. If it is not, `low` is the default value.
    Range(Range),
    /// The default value if this parameter is not the axis. If it is, the default range is `min` to `max`.
    Value(
        #[serde(serialize_with = "number")]
        #[cfg_attr(feature = "schema", schemars(with = "f64"))]
        f64,
    ),
}

/// An inclusive range of axis values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Range {
    /// The smallest axis value.
    #[serde(serialize_with = "number")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    pub low: f64,
    /// The largest axis value.
    #[serde(serialize_with = "number")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    pub high: f64,
}

/// How a range is divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChoiceOption {
    /// The enum's variant.
    pub name: String,
    /// Its doc comment; empty if there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
}

/// The arguments for a generator, by parameter name.
pub type Arguments = BTreeMap<String, Argument>;

/// The argument for one parameter. In a request, at most one is a range or a list of values: that of the axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Argument {
    /// The axis varies over a range.
    Range(Range),
    /// The axis has these values; none of them is absent.
    Values(#[cfg_attr(feature = "schema", schemars(length(min = 1, max = 1_000)))] Vec<AxisValue>),
    /// The value of a numeric parameter.
    Number(
        #[serde(serialize_with = "number")]
        #[cfg_attr(feature = "schema", schemars(with = "f64"))]
        f64,
    ),
    /// A text, or the name of a choice's option.
    Text(#[cfg_attr(feature = "schema", schemars(length(max = 10_000)))] String),
}

/// The number or the text as it is, a range as `low..=high`, and a list as `[one, other]`.
impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(value) => value.fmt(f),
            Self::Text(text) => text.fmt(f),
            Self::Range(Range { low, high }) => write!(f, "{low}..={high}"),
            Self::Values(values) => {
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", values.join(", "))
            }
        }
    }
}

impl Argument {
    /// Returns the argument for the varied parameter at a point; `None` if the request has no axis.
    pub fn at(x: &AxisValue) -> Option<Self> {
        match x {
            AxisValue::Number(value) => Some(Self::Number(*value)),
            AxisValue::Text(text) => Some(Self::Text(text.clone())),
            AxisValue::Absent => None,
        }
    }

    /// Whether it varies its parameter over a range or a list, so that this is the axis.
    pub fn is_varied(&self) -> bool {
        matches!(self, Self::Range(_) | Self::Values(_))
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

impl Parameter {
    /// Returns the bounds, default and scale if the parameter is numeric.
    pub fn numeric(&self) -> Option<&Numeric> {
        match &self.kind {
            Kind::Integer(numeric) | Kind::Float(numeric) => Some(numeric),
            Kind::Choice { .. } | Kind::Text { .. } => None,
        }
    }

    /// Whether all values are whole numbers: integers, or floating-point numbers in whole steps.
    pub fn has_whole_values(&self) -> bool {
        self.is_integer() || self.numeric().is_some_and(Numeric::has_whole_values)
    }

    /// Whether values are integers.
    pub fn is_integer(&self) -> bool {
        matches!(self.kind, Kind::Integer(_))
    }

    /// Returns the default argument. `as_axis`: whether the parameter is the axis; ignored for a text.
    pub fn default_argument(&self, as_axis: bool) -> Argument {
        match &self.kind {
            Kind::Integer(numeric) | Kind::Float(numeric) if as_axis => Argument::Range(numeric.default_range()),
            Kind::Integer(numeric) | Kind::Float(numeric) => Argument::Number(numeric.default_value()),
            Kind::Choice { options, .. } if as_axis => {
                Argument::Values(options.iter().map(|option| AxisValue::Text(option.name.clone())).collect())
            }
            Kind::Choice { default, .. } | Kind::Text { default } => Argument::Text(default.clone()),
        }
    }
}

impl Numeric {
    /// Returns the default range if this parameter is the axis.
    pub fn default_range(&self) -> Range {
        match self.default {
            NumericDefault::Range(range) => range,
            NumericDefault::Value(_) => Range { low: self.min, high: self.snap(self.max) },
        }
    }

    /// Returns the default value if this parameter is not the axis.
    pub fn default_value(&self) -> f64 {
        match self.default {
            NumericDefault::Range(range) => range.low,
            NumericDefault::Value(value) => value,
        }
    }

    /// Whether the default is a range. The first such parameter of a generator is its default axis.
    pub fn has_default_range(&self) -> bool {
        matches!(self.default, NumericDefault::Range(_))
    }

    /// Returns the valid value that is nearest to `value`: the lower one of two, on the list if there is one, otherwise on the grid
    /// `min + j·step` within the bounds.
    ///
    /// If `min` and `step` are decimal fractions, so is the result: 0.3, although 0.1 + 2 · 0.1 is
    /// 0.30000000000000004.
    pub fn snap(&self, value: f64) -> f64 {
        let bounded = self.clamp(value);
        if !self.values.is_empty() {
            let distance = |listed: &f64| (listed - bounded).abs();
            let nearest = self.values.iter().copied().min_by(|one, other| distance(one).total_cmp(&distance(other)));
            return nearest.unwrap_or(bounded);
        }
        let Some(step) = self.step.filter(|step| *step > 0.0) else { return bounded };
        // Computes in units in which `min` and `step` are integers. Counts steps from the grid point next to 0, so that
        // integers up to 2⁵³ are exact even if `min` is far from 0.
        let unit = decimal_units(self.min, step);
        let (first, step) =
            if unit > 1.0 { ((self.min * unit).round(), (step * unit).round()) } else { (self.min, step) };
        let phase = first.rem_euclid(step);
        let end = (self.max * unit - phase) / step;
        let last = (end + f64::max(GRID_TOLERANCE, ROUNDING * end.abs())).floor();
        let index = ((bounded * unit - phase) / step).round().min(last);
        self.clamp((phase + index * step) / unit)
    }

    /// Whether all valid values are whole numbers.
    fn has_whole_values(&self) -> bool {
        let is_whole = |value: &f64| value.fract() == 0.0;
        match self.values.is_empty() {
            true => is_whole(&self.min) && self.step.as_ref().is_some_and(is_whole),
            false => self.values.iter().all(is_whole),
        }
    }

    /// Returns the closest valid value above `value`, or below it if `is_above` is false. At the end of the range, or if every value is
    /// valid, returns `value` itself.
    pub fn next(&self, value: f64, is_above: bool) -> f64 {
        if self.values.is_empty() {
            let step = self.step.unwrap_or(0.0);
            return self.snap(if is_above { value + step } else { value - step });
        }
        let mut values = self.values.iter().copied();
        let next =
            if is_above { values.find(|listed| *listed > value) } else { values.rfind(|listed| *listed < value) };
        next.unwrap_or(value)
    }

    /// Whether `value` is within the bounds, and on the list or on the grid.
    ///
    /// A value counts as on the grid if it differs from a grid point only by rounding.
    pub fn contains(&self, value: f64) -> bool {
        let grid = if self.values.is_empty() { self.step } else { Some(0.0) };
        let tolerance = grid.map_or(0.0, |step| step * GRID_TOLERANCE + ROUNDING * value.abs());
        value.is_finite() && value >= self.min && value <= self.max && (self.snap(value) - value).abs() <= tolerance
    }

    /// Checks that a value is within the bounds, and on the list or on the grid.
    ///
    /// # Errors
    /// Returns the expected values.
    pub fn check(&self, value: f64) -> Result<(), NumberError> {
        let Self { min, max, .. } = *self;
        if !value.is_finite() || value < min || value > max {
            return Err(NumberError::OutsideBounds { value, min, max });
        }
        match self.step {
            _ if self.contains(value) => Ok(()),
            _ if !self.values.is_empty() => Err(NumberError::NotListed { value, values: self.values.clone() }),
            Some(step) => Err(NumberError::OffGrid { value, nearest: self.snap(value), min, step }),
            None => Ok(()),
        }
    }

    /// Returns the nearest value within the bounds. Unlike [`f64::clamp`], it does not panic if a suite reports invalid
    /// bounds.
    fn clamp(&self, value: f64) -> f64 {
        value.max(self.min).min(self.max)
    }
}

/// The maximum distance of a valid value from its grid point, in steps: users type rounded decimal fractions.
const GRID_TOLERANCE: f64 = 1e-9;

/// The relative error of a few `f64` operations.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// The powers of ten as literals, since the result of `powi` depends on the platform.
const POWERS_OF_TEN: [f64; 10] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

/// Returns the smallest power of ten by which both values become integers; 1 if none up to 10⁹ does.
fn decimal_units(one: f64, other: f64) -> f64 {
    let is_whole = |value: f64| (value - value.round()).abs() <= ROUNDING * value.abs() && value.abs() < MAX_INTEGER;
    POWERS_OF_TEN.into_iter().find(|power| is_whole(one * power) && is_whole(other * power)).unwrap_or(1.0)
}

impl TryFrom<Argument> for NumericDefault {
    type Error = &'static str;

    fn try_from(argument: Argument) -> Result<Self, Self::Error> {
        match argument {
            Argument::Range(range) => Ok(Self::Range(range)),
            Argument::Number(value) => Ok(Self::Value(value)),
            Argument::Text(_) | Argument::Values(_) => Err("a default is a number or a range"),
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
        f.write_str("a number, a text, a range from low to high, or a list of numbers or texts")
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

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Argument, A::Error> {
        let mut values = Vec::new();
        while let Some(argument) = list.next_element()? {
            values.push(match argument {
                Argument::Number(value) => AxisValue::Number(value),
                Argument::Text(text) => AxisValue::Text(text),
                Argument::Range(_) | Argument::Values(_) => {
                    return Err(A::Error::custom("expected only numbers or texts in a list of values"));
                }
            });
        }
        Ok(Argument::Values(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Argument, A::Error> {
        Range::deserialize(MapAccessDeserializer::new(map)).map(Argument::Range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(values: &[f64]) -> Numeric {
        Numeric {
            of: "u32".to_owned(),
            min: values[0],
            max: values[values.len() - 1],
            step: Some(1.0),
            values: values.to_vec(),
            default: NumericDefault::Value(values[0]),
            unit: None,
            scale: Scale::Linear,
            axis: true,
        }
    }

    #[test]
    fn only_listed_values_are_valid() {
        let sizes = sizes(&[10.0, 100.0, 1_000.0]);
        assert_eq!(
            [-5.0, 10.0, 55.0, 56.0, 2_000.0].map(|value| sizes.snap(value)),
            [10.0, 10.0, 10.0, 100.0, 1_000.0]
        );
        assert_eq!([10.0, 11.0, 100.0, 10_000.0].map(|value| sizes.contains(value)), [true, false, true, false]);
        assert_eq!(sizes.check(100.0), Ok(()));
        for (value, expected) in
            [(300.0, "expected one of 10, 100, 1000, not 300"), (3_000.0, "expected 10 to 1000, not 3000")]
        {
            assert_eq!(sizes.check(value).expect_err(expected).to_string(), expected);
        }
        assert_eq!(sizes.default_range(), Range { low: 10.0, high: 1_000.0 });
    }

    #[test]
    fn a_long_list_is_abbreviated_in_an_error() {
        let squares: Vec<f64> = (1..=20).map(|root| f64::from(root * root)).collect();
        let expected = "expected one of 20 listed values from 1 to 400, not 50";
        assert_eq!(sizes(&squares).check(50.0).expect_err(expected).to_string(), expected);
    }

    #[test]
    fn the_next_value_is_on_the_list_or_on_the_grid() {
        let listed = sizes(&[10.0, 100.0, 1_000.0]);
        assert_eq!([10.0, 100.0, 1_000.0].map(|value| listed.next(value, true)), [100.0, 1_000.0, 1_000.0]);
        assert_eq!([10.0, 100.0, 1_000.0].map(|value| listed.next(value, false)), [10.0, 10.0, 100.0]);
        let grid = Numeric { values: Vec::new(), ..listed };
        assert_eq!((grid.next(10.0, true), grid.next(1_000.0, true), grid.next(12.0, false)), (11.0, 1_000.0, 11.0));
    }

    #[test]
    fn a_list_is_part_of_the_json_form() {
        let text = serde_json::to_string(&sizes(&[10.0, 2.5e3])).unwrap();
        assert!(text.contains(r#""values":[10,2500]"#), "{text}");
        assert_eq!(serde_json::from_str::<Numeric>(&text).unwrap(), sizes(&[10.0, 2.5e3]));
        let grid = Numeric { values: Vec::new(), ..sizes(&[1.0, 2.0]) };
        assert!(!serde_json::to_string(&grid).unwrap().contains("values"));
    }
}
