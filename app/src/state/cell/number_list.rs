//! A list of numbers as typed, and the values in use.

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::{Argument, Parameter};

use super::argument_check::{Note, check_numbers};
use super::number_input::{parse_number, written};

/// A list of numbers: the text in the field, and its values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NumberList {
    /// The text in the field.
    pub(crate) text: String,
    /// The values on the parameter's grid.
    pub(crate) values: Vec<f64>,
    /// A note for the user.
    pub(crate) note: Option<Note>,
}

impl NumberList {
    /// The list of these values.
    pub(crate) fn new(values: Vec<f64>) -> Self {
        Self { text: written(&values), values, note: None }
    }

    /// The list while the user types. Values off the grid are rounded with a note; if the text is invalid, the last values
    /// remain, with an error note.
    pub(crate) fn typed(&self, parameter: &Parameter, text: String) -> Self {
        match parse(&text).and_then(|typed| check_numbers(parameter, &typed, list_argument)) {
            Ok((values, note)) => Self { text, values, note },
            Err(error) => Self { text, values: self.values.clone(), note: Some(Note::Invalid(error)) },
        }
    }

    /// Formats the values when the user leaves the field; invalid text remains, so that the user can correct it.
    pub(crate) fn finish_typing(&mut self) {
        if !matches!(self.note, Some(Note::Invalid(_))) {
            self.text = written(&self.values);
        }
    }
}

/// A list of these values.
pub(super) fn list_argument(values: &[f64]) -> Argument {
    Argument::Values(values.iter().copied().map(AxisValue::Number).collect())
}

/// Parses numbers that are separated by semicolons, or by commas that are followed by a space or cannot be part of a number.
fn parse(text: &str) -> Result<Vec<f64>, String> {
    let is_single = parse_number(text).is_ok();
    let separator = [";", ", ", ","].into_iter().find(|separator| text.contains(separator) && !is_single);
    let parts = match separator {
        Some(separator) => text.split(separator).map(|part| part.trim().trim_end_matches(',')).collect(),
        None => vec![text.trim()],
    };
    parts.into_iter().filter(|part| !part.is_empty()).map(parse_number).collect()
}

#[cfg(test)]
mod tests {
    use benchbook_contract::parameter::{Kind, Numeric, NumericDefault, Scale};

    use super::*;
    use crate::state::tests::numeric;

    fn typed(text: &str) -> NumberList {
        let default = NumericDefault::Value(0.0);
        let numeric = Numeric { min: 0.0, max: 1e6, step: Some(10.0), scale: Scale::Linear, ..numeric(default) };
        let (name, description) = (String::new(), String::new());
        let parameter = Parameter { name, description, kind: Kind::Integer(numeric) };
        NumberList::new(vec![10.0]).typed(&parameter, text.to_owned())
    }

    #[test]
    fn parses_lists_as_users_type_them() {
        for (text, values) in [
            ("100", &[100.0][..]),
            ("100; 10 000; 1,000", &[100.0, 10_000.0, 1_000.0]),
            ("100, 200,", &[100.0, 200.0]),
            ("1,000, 2,000", &[1_000.0, 2_000.0]),
            ("10,20,30", &[10.0, 20.0, 30.0]),
            ("1k;2k;", &[1_000.0, 2_000.0]),
        ] {
            let list = typed(text);
            assert_eq!((&list.values[..], &list.note), (values, &None), "{text}");
        }
    }

    #[test]
    fn rounds_values_to_the_grid_and_keeps_the_last_ones_if_the_text_is_invalid() {
        let rounded = typed("104; 200");
        assert_eq!(rounded.values, [100.0, 200.0]);
        assert_eq!(rounded.note, Some(Note::Snapped("rounded to 100; 200: the step is 10".to_owned())));
        for (text, expected) in [
            ("", "at least one value"),
            (" ; ", "at least one value"),
            ("100; 104", "100 is listed twice"),
            ("100; ten", "expected a number"),
            ("100; 1e9", "to 1\u{202f}000\u{202f}000, not 1\u{202f}000\u{202f}000\u{202f}000"),
            (&"1;".repeat(1_001), "at most 1\u{202f}000 values"),
        ] {
            let list = typed(text);
            assert_eq!(list.values, [10.0], "{text}");
            assert!(matches!(&list.note, Some(Note::Invalid(error)) if error.contains(expected)), "{:?}", list.note);
        }
    }
}
