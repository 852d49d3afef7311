//! The host's check of what the user typed, in the page's words.

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::number_error::NumberError;
use benchbook_contract::parameter::{Argument, Parameter};
use benchbook_host::request::arguments::{ArgumentError, check_argument};
use benchbook_host::units;

use super::number_input::written;
use crate::address::excerpt::excerpt;

/// A note next to a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Note {
    /// The value was rounded to the grid.
    Snapped(String),
    /// The text is not a valid value.
    Invalid(String),
}

/// Checks numbers as typed, and returns them on the parameter's grid, with a note if that rounds them. `argument` makes their
/// argument.
///
/// # Errors
/// The first error that rounding does not correct.
pub(super) fn check_numbers(
    parameter: &Parameter,
    typed: &[f64],
    argument: impl Fn(&[f64]) -> Argument,
) -> Result<(Vec<f64>, Option<Note>), String> {
    let snap = |value: &f64| parameter.numeric().map_or(*value, |numeric| numeric.snap(*value));
    let rounded: Vec<f64> = typed.iter().map(snap).collect();
    let mut reason = None;
    // Numbers that differ can be equal after rounding.
    for values in [typed, &rounded] {
        for (_, error) in check_argument(parameter, &argument(values)) {
            match error {
                ArgumentError::Number(NumberError::OffGrid { .. } | NumberError::NotListed { .. }) => {
                    reason = Some(worded(&error));
                }
                error => return Err(worded(&error)),
            }
        }
    }
    let note = reason.map(|reason| Note::Snapped(format!("rounded to {}: {reason}", written(&rounded))));
    Ok((rounded, note))
}

/// An error in the page's words.
pub(super) fn worded(error: &ArgumentError) -> String {
    let number = |value: &f64| units::number(*value);
    let count = |count: &usize| units::count(*count as u64);
    match error {
        ArgumentError::Number(NumberError::OutsideBounds { value, min, max }) => {
            format!("expected {} to {}, not {}", number(min), number(max), excerpt(&number(value)))
        }
        ArgumentError::Number(NumberError::OffGrid { step, .. }) => format!("the step is {}", number(step)),
        ArgumentError::Number(NumberError::NotListed { .. }) => "only listed values are valid".to_owned(),
        ArgumentError::LowAboveHigh { low, high } => {
            format!("low must not be greater than high: {} > {}", number(low), number(high))
        }
        ArgumentError::ValueCount { count: 0, .. } => "expected at least one value".to_owned(),
        ArgumentError::ValueCount { max, .. } => format!("expected at most {} values", count(max)),
        ArgumentError::Duplicate(AxisValue::Text(text)) => format!("“{}” is listed twice: remove one", excerpt(text)),
        ArgumentError::Duplicate(value) => format!("{} is listed twice: remove one", units::axis_value(value)),
        ArgumentError::TooLong { count: length, max } => {
            format!("expected at most {} characters, not {}", count(max), count(length))
        }
        error => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use benchbook_contract::parameter::{Arguments, ChoiceOption, Kind, Numeric, NumericDefault, Range};
    use benchbook_host::request::{Plan, Request};
    use proptest::prelude::*;

    use super::super::LiveCell;
    use super::super::action::SetupEdit;
    use super::super::controls::{ControlAction, End, Role};
    use super::super::number_input::parse_number;
    use super::*;
    use crate::state::tests::{numeric, suite};

    /// A cell with only this parameter.
    fn cell_with(kind: Kind) -> LiveCell {
        let mut suite = suite();
        suite.suite.generators[0].parameters =
            vec![Parameter { name: "it".to_owned(), description: String::new(), kind }];
        LiveCell::new(&Rc::new(suite), "sort").expect("it is in the suite")
    }

    /// One of each kind, and numbers with a grid, without one, with listed values, and that cannot be the axis.
    fn kinds() -> Vec<Kind> {
        let on_grid = numeric(NumericDefault::Value(100.0));
        let options =
            ["A", "B"].map(|name| ChoiceOption { name: name.to_owned(), description: String::new() }).to_vec();
        vec![
            Kind::Integer(on_grid.clone()),
            Kind::Integer(Numeric { axis: false, ..on_grid.clone() }),
            Kind::Integer(Numeric { values: vec![100.0, 500.0, 10_000.0], ..on_grid.clone() }),
            Kind::Float(Numeric { step: None, ..on_grid.clone() }),
            Kind::Float(Numeric {
                min: -0.3,
                max: 0.3,
                step: Some(0.1),
                default: NumericDefault::Value(0.1),
                ..on_grid
            }),
            Kind::Choice { options, default: "A".to_owned(), varied: false },
            Kind::Text { default: "needle".to_owned() },
        ]
    }

    /// A text without separators of lists.
    fn typed() -> impl Strategy<Value = String> {
        prop_oneof![
            (0_u32..110).prop_map(|hundreds| (hundreds * 100).to_string()),
            (-20_000.0..20_000.0).prop_map(|value: f64| value.to_string()),
            (-0.5..0.5).prop_map(|value: f64| value.to_string()),
            prop::sample::select(vec!["A", "B", "needle", "1k", "1e308k", "0.30000000000000004"])
                .prop_map(str::to_owned),
            prop::sample::select(vec![500, 501, 10_000, 10_001]).prop_map(|length| "n".repeat(length)),
            "[^;,\n]{0,4}",
        ]
    }

    /// The texts of a list: few, or about as many as are allowed.
    fn list() -> impl Strategy<Value = Vec<String>> {
        let many = (999_u32..=1_001).prop_map(|count| (100..100 + count).map(|value| value.to_string()).collect());
        prop_oneof![9 => prop::collection::vec(typed(), 0..5), 1 => many]
    }

    /// The numbers as a host without a page would get them: those within the bounds are on the grid.
    fn numbers(numeric: &Numeric, texts: &[String]) -> Option<Vec<f64>> {
        let on_grid = |value: f64| match (numeric.min..=numeric.max).contains(&value) {
            true => numeric.snap(value),
            false => value,
        };
        texts.iter().map(|text| parse_number(text).ok().map(on_grid)).collect()
    }

    /// The argument that the texts mean; `None` if they are not numbers, for a number.
    fn meant(parameter: &Parameter, role: Role, texts: &[String]) -> Option<Argument> {
        let written: Vec<String> = texts.iter().filter(|text| !text.trim().is_empty()).cloned().collect();
        Some(match (parameter.numeric(), role) {
            (Some(numeric), Role::Fixed) => Argument::Number(numbers(numeric, &texts[..1])?[0]),
            (Some(numeric), Role::Range) => {
                let ends = numbers(numeric, &texts[..2])?;
                Argument::Range(Range { low: ends[0], high: ends[1] })
            }
            (Some(numeric), Role::List) => {
                Argument::Values(numbers(numeric, &written)?.into_iter().map(AxisValue::Number).collect())
            }
            (None, Role::List) => Argument::Values(texts.iter().cloned().map(AxisValue::Text).collect()),
            (None, _) => Argument::Text(texts[0].clone()),
        })
    }

    proptest! {
        #[test]
        fn the_arguments_are_valid_exactly_if_the_host_accepts_them(
            kind in prop::sample::select(kinds()),
            role in prop::sample::select(vec![Role::Fixed, Role::Range, Role::List]),
            fields in [typed(), typed()],
            list in list(),
        ) {
            let mut cell = cell_with(kind);
            let defaults = cell.request("").expect("they are valid");
            let parameter = cell.generator.parameters[0].clone();
            let name = || parameter.name.clone();
            let [one, other] = fields.clone();
            for action in [
                ControlAction::SetRole(name(), role),
                ControlAction::Type(name(), End::Value, one.clone()),
                ControlAction::Type(name(), End::Low, one.clone()),
                ControlAction::Type(name(), End::High, other),
                ControlAction::Text(name(), one),
                ControlAction::TypeList(name(), list.join("; ")),
                ControlAction::SetTexts(name(), list.clone()),
            ] {
                cell.edit(SetupEdit::Control(action));
            }
            let role = cell.controls.role(&parameter.name);
            let meant = meant(&parameter, role, if role == Role::List { &list } else { &fields });
            let of_host = meant.and_then(|argument| {
                let request = Request { arguments: Arguments::from([(name(), argument)]), ..defaults };
                Plan::new(&cell.suite.suite, request).ok()
            });
            prop_assert_eq!(cell.request("").ok(), of_host.map(|plan| plan.request().clone()));
        }
    }
}
