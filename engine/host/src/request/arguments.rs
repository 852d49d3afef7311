//! Checks the arguments of a request against the parameters of its generator.

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::catalog::Generator;
use benchbook_contract::parameter::{Argument, Arguments, Kind, Numeric, Parameter, Range};

use super::{MAX_ALSO_AT, MAX_AXIS_TEXT, MAX_TEXT, MAX_VALUES, Problem};
use crate::axis::{Axis, Variation};

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
        check_argument(parameter, argument, &location, problems);
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
        match (low..=high).contains(&value) {
            true => check_value(numeric, value, &location, problems),
            false => problems.push(Problem::new(location, format!("expected {low} to {high}, not {value}"))),
        }
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

fn check_argument(parameter: &Parameter, argument: &Argument, location: &str, problems: &mut Vec<Problem>) {
    match argument {
        Argument::Range(range) => check_range(parameter, *range, location, problems),
        Argument::Values(values) => check_values(parameter, values, location, problems),
        Argument::Number(value) => check_number(parameter, *value, location, problems),
        Argument::Text(text) => check_text(parameter, text, MAX_TEXT, location, problems),
    }
}

fn check_range(parameter: &Parameter, range: Range, location: &str, problems: &mut Vec<Problem>) {
    match parameter.numeric() {
        None => problems.push(Problem::new(location, "only a number can have a range: give one value, or a list")),
        Some(numeric) if !numeric.axis => problems.push(Problem::new(location, NOT_AN_AXIS)),
        Some(numeric) => {
            check_value(numeric, range.low, &format!("{location}.low"), problems);
            check_value(numeric, range.high, &format!("{location}.high"), problems);
            if range.low > range.high {
                problems.push(Problem::new(format!("{location}.low"), "low must not be greater than high"));
            }
        }
    }
}

const NOT_AN_AXIS: &str = "this parameter cannot be the axis: give one value";

fn check_values(parameter: &Parameter, values: &[AxisValue], location: &str, problems: &mut Vec<Problem>) {
    if parameter.numeric().is_some_and(|numeric| !numeric.axis) {
        return problems.push(Problem::new(location, NOT_AN_AXIS));
    }
    if !(1..=MAX_VALUES).contains(&values.len()) {
        return problems
            .push(Problem::new(location, format!("expected 1 to {MAX_VALUES} values, not {}", values.len())));
    }
    for (index, value) in values.iter().enumerate() {
        let location = format!("{location}[{index}]");
        match value {
            _ if values[..index].contains(value) => {
                problems.push(Problem::new(location, format!("duplicate value {value}: remove one")));
            }
            AxisValue::Number(value) => check_number(parameter, *value, &location, problems),
            AxisValue::Text(text) => check_text(parameter, text, MAX_AXIS_TEXT, &location, problems),
            AxisValue::Absent => problems.push(Problem::new(location, "expected a number or a text")),
        }
    }
}

fn check_number(parameter: &Parameter, value: f64, location: &str, problems: &mut Vec<Problem>) {
    match parameter.numeric() {
        Some(numeric) => check_value(numeric, value, location, problems),
        None => problems.push(Problem::new(location, "expected a text, not a number")),
    }
}

fn check_value(numeric: &Numeric, value: f64, location: &str, problems: &mut Vec<Problem>) {
    problems.extend(numeric.check(value).err().map(|expected| Problem::new(location, expected)));
}

fn check_text(parameter: &Parameter, text: &str, max: usize, location: &str, problems: &mut Vec<Problem>) {
    match &parameter.kind {
        Kind::Integer(_) | Kind::Float(_) => problems.push(Problem::new(location, "expected a number, not a text")),
        Kind::Choice { options, .. } => {
            if !options.iter().any(|option| option.name == text) {
                let names: Vec<_> = options.iter().map(|option| option.name.as_str()).collect();
                problems.push(Problem::new(location, format!("expected one of {}", names.join(", "))));
            }
        }
        Kind::Text { .. } => {
            let count = text.chars().count();
            if count > max {
                problems.push(Problem::new(location, format!("expected at most {max} characters, not {count}")));
            }
        }
    }
}
