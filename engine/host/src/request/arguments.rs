//! Checks the arguments of a request against the parameters of its generator.

use std::fmt;

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::catalog::Generator;
use benchbook_contract::number_error::NumberError;
use benchbook_contract::parameter::{Argument, Arguments, Kind, Parameter, Range};
use thiserror::Error;

use super::{MAX_ALSO_AT, MAX_AXIS_TEXT, MAX_TEXT, MAX_VALUES, Problem};
use crate::axis::{Axis, Variation};

/// What is wrong with an argument, or with a part of it.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ArgumentError {
    /// A number is not a value of the parameter.
    #[error(transparent)]
    Number(#[from] NumberError),
    /// The ends of a range are in the wrong order.
    #[error("low must not be greater than high")]
    LowAboveHigh {
        /// The low end.
        low: f64,
        /// The high end.
        high: f64,
    },
    /// A list is empty, or too long.
    #[error("expected 1 to {max} values, not {count}")]
    ValueCount {
        /// The number of values.
        count: usize,
        /// The most values.
        max: usize,
    },
    /// A list contains this value before.
    #[error("duplicate value {0}: remove one")]
    Duplicate(AxisValue),
    /// A text is too long.
    #[error("expected at most {max} characters, not {count}")]
    TooLong {
        /// The number of characters.
        count: usize,
        /// The most characters.
        max: usize,
    },
    /// A text is not the name of an option; these are.
    #[error("expected one of {}", .0.join(", "))]
    UnknownOption(Vec<String>),
    /// A range, for a parameter that is not a number.
    #[error("only a number can have a range: give one value, or a list")]
    RangeOfTexts,
    /// A range or a list, for a parameter that never varies.
    #[error("this parameter cannot be the axis: give one value")]
    NotAnAxis,
    /// A text, for a number.
    #[error("expected a number, not a text")]
    TextForNumber,
    /// A number, for a text or a choice.
    #[error("expected a text, not a number")]
    NumberForText,
    /// An absent value in a list.
    #[error("expected a number or a text")]
    AbsentValue,
}

/// The part of an argument that an error concerns. Its text follows the location of the argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentPart {
    /// All of it.
    Whole,
    /// The low end of a range.
    Low,
    /// The high end of a range.
    High,
    /// The value of a list at this index.
    Value(usize),
}

impl fmt::Display for ArgumentPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => Ok(()),
            Self::Low => f.write_str(".low"),
            Self::High => f.write_str(".high"),
            Self::Value(index) => write!(f, "[{index}]"),
        }
    }
}

/// Checks all arguments and appends their problems to `problems`. Returns the axis, if one of them varies its parameter.
pub(super) fn check(generator: &Generator, arguments: &Arguments, problems: &mut Vec<Problem>) -> Option<Axis> {
    check_names(generator, arguments, problems);
    let mut axis: Option<Axis> = None;
    for parameter in &generator.parameters {
        let location = format!("arguments.{}", parameter.name);
        let Some(argument) = arguments.get(&parameter.name) else {
            problems.push(Problem::new(location, "missing value"));
            continue;
        };
        for (part, error) in check_argument(parameter, argument) {
            problems.push(Problem::new(format!("{location}{part}"), error.to_string()));
        }
        let Some(variation) = Variation::of(argument) else { continue };
        if let Some(first) = &axis {
            let first = &first.parameter().name;
            problems.push(Problem::new(
                location,
                format!("only one parameter can be the axis, and `{first}` already varies: give one value"),
            ));
        } else {
            axis = Some(Axis::new(parameter.clone(), variation));
        }
    }
    axis
}

/// Checks that the values to measure at in addition are few, in the range of the axis, and valid.
pub(super) fn check_also_at(axis: Option<&Axis>, values: &[f64], problems: &mut Vec<Problem>) {
    if values.is_empty() {
        return;
    }
    let range = axis.and_then(|axis| Some((axis.range()?, axis.parameter().numeric()?)));
    let Some((Range { low, high }, numeric)) = range else {
        return problems.push(Problem::new(
            "also_at",
            "needs an argument that is a range: omit it, or vary an argument over a range",
        ));
    };
    if values.len() > MAX_ALSO_AT {
        let message = format!("expected at most {MAX_ALSO_AT} values, not {}", values.len());
        return problems.push(Problem::new("also_at", message));
    }
    for (index, &value) in values.iter().enumerate() {
        let location = format!("also_at[{index}]");
        let checked = match (low..=high).contains(&value) {
            true => numeric.check(value),
            false => Err(NumberError::OutsideBounds { value, min: low, max: high }),
        };
        problems.extend(checked.err().map(|error| Problem::new(location, error.to_string())));
    }
}

fn check_names(generator: &Generator, arguments: &Arguments, problems: &mut Vec<Problem>) {
    for name in arguments.keys().filter(|name| generator.parameter(name).is_none()) {
        let names: Vec<_> = generator.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let expected = match names.is_empty() {
            true => format!("unknown parameter: `{}` has none", generator.path),
            false => format!("unknown parameter: expected one of {}", names.join(", ")),
        };
        problems.push(Problem::new(format!("arguments.{name}"), expected));
    }
}

/// Checks an argument against its parameter. Returns every error, in the order of the argument's parts.
pub fn check_argument(parameter: &Parameter, argument: &Argument) -> Vec<(ArgumentPart, ArgumentError)> {
    let mut errors = Vec::new();
    let mut check = |part, checked: Result<(), ArgumentError>| errors.extend(checked.err().map(|error| (part, error)));
    match argument {
        Argument::Number(value) => check(ArgumentPart::Whole, check_number(parameter, *value)),
        Argument::Text(text) => check(ArgumentPart::Whole, check_text(parameter, text, MAX_TEXT)),
        Argument::Range(_) | Argument::Values(_) if parameter.numeric().is_some_and(|numeric| !numeric.axis) => {
            check(ArgumentPart::Whole, Err(ArgumentError::NotAnAxis));
        }
        Argument::Range(_) if parameter.numeric().is_none() => {
            check(ArgumentPart::Whole, Err(ArgumentError::RangeOfTexts));
        }
        Argument::Range(Range { low, high }) => {
            check(ArgumentPart::Low, check_number(parameter, *low));
            check(ArgumentPart::High, check_number(parameter, *high));
            if low > high {
                check(ArgumentPart::Low, Err(ArgumentError::LowAboveHigh { low: *low, high: *high }));
            }
        }
        Argument::Values(values) if !(1..=MAX_VALUES).contains(&values.len()) => {
            check(ArgumentPart::Whole, Err(ArgumentError::ValueCount { count: values.len(), max: MAX_VALUES }));
        }
        Argument::Values(values) => {
            for (index, value) in values.iter().enumerate() {
                let checked = match value {
                    _ if values[..index].contains(value) => Err(ArgumentError::Duplicate(value.clone())),
                    AxisValue::Number(value) => check_number(parameter, *value),
                    AxisValue::Text(text) => check_text(parameter, text, MAX_AXIS_TEXT),
                    AxisValue::Absent => Err(ArgumentError::AbsentValue),
                };
                check(ArgumentPart::Value(index), checked);
            }
        }
    }
    errors
}

fn check_number(parameter: &Parameter, value: f64) -> Result<(), ArgumentError> {
    Ok(parameter.numeric().ok_or(ArgumentError::NumberForText)?.check(value)?)
}

fn check_text(parameter: &Parameter, text: &str, max: usize) -> Result<(), ArgumentError> {
    match &parameter.kind {
        Kind::Integer(_) | Kind::Float(_) => Err(ArgumentError::TextForNumber),
        Kind::Choice { options, .. } if !options.iter().any(|option| option.name == text) => {
            Err(ArgumentError::UnknownOption(options.iter().map(|option| option.name.clone()).collect()))
        }
        Kind::Text { .. } if text.chars().count() > max => {
            Err(ArgumentError::TooLong { count: text.chars().count(), max })
        }
        Kind::Choice { .. } | Kind::Text { .. } => Ok(()),
    }
}
