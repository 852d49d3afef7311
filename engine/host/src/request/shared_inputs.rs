//! The inputs that two builds of a generator have in common: a commit may add, remove or rename some.

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::catalog::Generator;
use benchbook_contract::parameter::{Argument, Arguments, Kind, Numeric, Parameter, Range};

use super::arguments::check_argument;
use crate::points::axis_values;

/// The arguments of a request that both builds accept, and what only one of them has.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedInputs {
    /// The arguments, without the axis values that the earlier build lacks.
    pub arguments: Arguments,
    /// The listed inputs of the varied parameter that only the later build has.
    pub added: Vec<AxisValue>,
    /// Those that only the earlier build has.
    pub removed: Vec<AxisValue>,
}

/// Whether a request has the same inputs in two builds: both accept its arguments, and a range has the same values.
pub(super) fn has_same_inputs(earlier: &Generator, later: &Generator, arguments: &Arguments) -> bool {
    let is_same = |parameter: &Parameter| {
        let (Some(other), Some(argument)) = (earlier.parameter(&parameter.name), arguments.get(&parameter.name)) else {
            // A missing argument is a problem of its own.
            return earlier.parameter(&parameter.name).is_some();
        };
        // What both reject is, too.
        let is_accepted = check_argument(other, argument).is_empty() || !check_argument(parameter, argument).is_empty();
        let has_same_range = match (argument, parameter.numeric(), other.numeric()) {
            (Argument::Range(range), Some(numeric), Some(other)) => has_same_values(numeric, other, *range),
            _ => true,
        };
        is_same_kind(parameter, other) && is_accepted && has_same_range
    };
    earlier.parameters.len() == later.parameters.len() && later.parameters.iter().all(is_same)
}

impl SharedInputs {
    /// What two builds of a generator have in common. `count`: the number of values of a range that are measured, if both have others.
    ///
    /// # Errors
    /// If they have nothing in common that the arguments select: a sentence about the earlier build.
    pub fn of(earlier: &Generator, later: &Generator, arguments: &Arguments, count: u32) -> Result<Self, String> {
        let others = || Err(format!("the generator `{}` has other parameters in the baseline", later.path));
        if earlier.parameters.len() != later.parameters.len() {
            return others();
        }
        let mut shared = Self { arguments: arguments.clone(), added: Vec::new(), removed: Vec::new() };
        for parameter in &later.parameters {
            let name = &parameter.name;
            let Some(other) = earlier.parameter(name).filter(|other| is_same_kind(parameter, other)) else {
                return others();
            };
            let Some(argument) = arguments.get(name) else { continue };
            if argument.is_varied() {
                let [before, now] = [other, parameter].map(listed);
                shared.added = now.iter().filter(|input| !before.contains(input)).cloned().collect();
                shared.removed = before.into_iter().filter(|input| !now.contains(input)).collect();
            }
            let Some(argument) = shared_argument(other, parameter, argument, count) else {
                return Err(format!("the baseline has none of these values of `{name}`"));
            };
            shared.arguments.insert(name.clone(), argument);
        }
        Ok(shared)
    }
}

/// The part of an argument that both parameters accept; `None` if there is none.
fn shared_argument(earlier: &Parameter, later: &Parameter, argument: &Argument, count: u32) -> Option<Argument> {
    let is_accepted =
        |value: &AxisValue| Argument::at(value).is_some_and(|argument| check_argument(earlier, &argument).is_empty());
    let shared: Vec<AxisValue> = match argument {
        Argument::Number(_) | Argument::Text(_) => {
            return check_argument(earlier, argument).is_empty().then(|| argument.clone());
        }
        Argument::Values(values) => values.iter().filter(|value| is_accepted(value)).cloned().collect(),
        Argument::Range(range) => {
            let (numeric, other) = (later.numeric()?, earlier.numeric()?);
            if check_argument(earlier, argument).is_empty() && has_same_values(numeric, other, *range) {
                return Some(argument.clone());
            }
            let values = numeric.values.iter().copied().filter(|value| other.check(*value).is_ok()).collect();
            if !numeric.values.is_empty() && Vec::is_empty(&values) {
                return None;
            }
            let range = Range { low: range.low.max(other.min), high: range.high.min(other.max) };
            let within = axis_values(&Numeric { values, ..numeric.clone() }, range, count).into_iter();
            let within = within.filter(|value| range.low <= *value && *value <= range.high);
            within.filter(|value| numeric.check(*value).is_ok()).map(AxisValue::Number).filter(is_accepted).collect()
        }
    };
    (!shared.is_empty()).then_some(Argument::Values(shared))
}

/// Whether two parameters have values of the same type.
fn is_same_kind(one: &Parameter, other: &Parameter) -> bool {
    match (&one.kind, &other.kind) {
        (Kind::Integer(one), Kind::Integer(other)) | (Kind::Float(one), Kind::Float(other)) => one.of == other.of,
        (Kind::Choice { .. }, Kind::Choice { .. }) | (Kind::Text { .. }, Kind::Text { .. }) => true,
        _ => false,
    }
}

/// Whether two parameters have the same values in a range.
fn has_same_values(one: &Numeric, other: &Numeric, range: Range) -> bool {
    let in_range = |numeric: &Numeric| -> Vec<f64> {
        numeric.values.iter().copied().filter(|value| (range.low..=range.high).contains(value)).collect()
    };
    let is_same_grid = one.step == other.step && one.check(range.low).is_ok() && other.check(range.low).is_ok();
    is_same_grid && one.values.is_empty() == other.values.is_empty() && in_range(one) == in_range(other)
}

/// The inputs that a parameter lists; empty if it has bounds only.
fn listed(parameter: &Parameter) -> Vec<AxisValue> {
    match &parameter.kind {
        Kind::Integer(numeric) | Kind::Float(numeric) => {
            numeric.values.iter().map(|value| AxisValue::Number(*value)).collect()
        }
        Kind::Choice { options, .. } => options.iter().map(|option| AxisValue::Text(option.name.clone())).collect(),
        Kind::Text { .. } => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use benchbook_contract::catalog::Mode;
    use benchbook_contract::parameter::{ChoiceOption, NumericDefault, Scale};

    use super::*;

    fn generator(kind: Kind) -> Generator {
        Generator {
            path: "inputs".to_owned(),
            name: "Inputs".to_owned(),
            docs: String::new(),
            mode: Mode::Fresh,
            parameters: vec![Parameter { name: "size".to_owned(), description: String::new(), kind }],
            native: false,
            source_hash: String::new(),
        }
    }

    fn sizes(values: &[f64], min: f64, max: f64) -> Generator {
        generator(Kind::Integer(Numeric {
            of: "u64".to_owned(),
            min,
            max,
            step: Some(1.0),
            values: values.to_vec(),
            default: NumericDefault::Range(Range { low: min, high: max }),
            unit: None,
            scale: Scale::Linear,
            axis: true,
        }))
    }

    fn listed_sizes(values: &[f64]) -> Generator {
        sizes(values, values[0], values[values.len() - 1])
    }

    fn choice(options: &[&str]) -> Generator {
        let option = |name: &&str| ChoiceOption { name: (*name).to_owned(), description: String::new() };
        generator(Kind::Choice {
            options: options.iter().map(option).collect(),
            default: options[0].to_owned(),
            varied: true,
        })
    }

    fn arguments(argument: Argument) -> Arguments {
        Arguments::from([("size".to_owned(), argument)])
    }

    fn range(low: f64, high: f64) -> Argument {
        Argument::Range(Range { low, high })
    }

    fn numbers(values: &[f64]) -> Argument {
        Argument::Values(values.iter().map(|value| AxisValue::Number(*value)).collect())
    }

    fn texts(values: &[&str]) -> Argument {
        Argument::Values(values.iter().map(|value| AxisValue::Text((*value).to_owned())).collect())
    }

    /// The argument, and how many inputs were added and removed.
    fn shared(earlier: &Generator, later: &Generator, argument: Argument) -> Result<(Argument, usize, usize), String> {
        let SharedInputs { arguments, added, removed } = SharedInputs::of(earlier, later, &arguments(argument), 3)?;
        assert!(has_same_inputs(earlier, later, &arguments), "{arguments:?}");
        Ok((arguments["size"].clone(), added.len(), removed.len()))
    }

    #[test]
    fn listed_inputs_are_compared_where_both_have_them() {
        let (few, more) = (listed_sizes(&[10.0, 100.0, 1e3]), listed_sizes(&[5.0, 10.0, 100.0, 1e3, 1e4]));
        assert_eq!(shared(&few, &few, range(10.0, 1e3)), Ok((range(10.0, 1e3), 0, 0)));
        assert_eq!(shared(&few, &more, range(5.0, 1e4)), Ok((numbers(&[10.0, 100.0, 1e3]), 2, 0)));
        assert_eq!(shared(&more, &few, range(10.0, 1e3)), Ok((range(10.0, 1e3), 0, 2)));
        assert_eq!(shared(&few, &more, Argument::Number(100.0)), Ok((Argument::Number(100.0), 0, 0)));
        assert!(shared(&few, &more, Argument::Number(1e4)).is_err());
        assert!(shared(&few, &listed_sizes(&[1.0, 2.0]), range(1.0, 2.0)).is_err());
        let between = listed_sizes(&[10.0, 50.0, 1e3]);
        assert_eq!(shared(&few, &between, range(10.0, 1e3)), Ok((numbers(&[10.0, 1e3]), 1, 1)));
    }

    #[test]
    fn options_are_compared_by_their_names() {
        let (one, other) = (choice(&["Sorted", "Random"]), choice(&["Random", "Reversed", "Sorted"]));
        let all = texts(&["Random", "Reversed", "Sorted"]);
        assert_eq!(shared(&one, &other, all), Ok((texts(&["Random", "Sorted"]), 1, 0)));
        assert!(shared(&one, &other, Argument::Text("Reversed".to_owned())).is_err());
        assert_eq!(shared(&one, &other, Argument::Text("Random".to_owned())).map(|shared| shared.1), Ok(0));
    }

    #[test]
    fn bounds_limit_a_range() {
        let (narrow, wide) = (sizes(&[], 1.0, 100.0), sizes(&[], 1.0, 1e4));
        assert_eq!(shared(&narrow, &wide, range(1.0, 100.0)), Ok((range(1.0, 100.0), 0, 0)));
        let Ok((Argument::Values(values), 0, 0)) = shared(&narrow, &wide, range(1.0, 1e4)) else { panic!("a list") };
        assert_eq!((values.len(), values[2].number()), (3, Some(100.0)));
        assert!(shared(&narrow, &wide, range(1e3, 1e4)).is_err());
    }

    #[test]
    fn other_types_and_parameters_have_nothing_in_common() {
        let (text, number) = (choice(&["10"]), listed_sizes(&[10.0]));
        assert!(shared(&text, &number, Argument::Number(10.0)).is_err());
        let mut another = number.clone();
        another.parameters[0].name = "length".to_owned();
        assert!(shared(&another, &number, Argument::Number(10.0)).is_err());
        assert!(!has_same_inputs(&another, &number, &arguments(Argument::Number(10.0))));
        another.parameters.clear();
        assert!(shared(&another, &number, Argument::Number(10.0)).is_err());
        // Descriptions and defaults are no inputs.
        let mut described = number.clone();
        described.parameters[0].description = "The size.".to_owned();
        assert!(has_same_inputs(&described, &number, &arguments(Argument::Number(10.0))));
    }
}
