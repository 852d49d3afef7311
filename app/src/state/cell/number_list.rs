//! A list of numbers as typed, and the values in use.

use benchbook_contract::parameter::Numeric;
use benchbook_host::request::MAX_VALUES;
use benchbook_host::units;

use super::number_input::parse_number;

/// A note next to a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Note {
    /// The value was rounded to the grid.
    Snapped(String),
    /// The text is not a valid value.
    Invalid(String),
}

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
    pub(crate) fn typed(&self, numeric: &Numeric, text: String) -> Self {
        match parse(numeric, &text) {
            Ok(values) => {
                let snapped: Vec<f64> = values.iter().map(|value| numeric.snap(*value)).collect();
                let is_rounded = values.iter().any(|value| !numeric.contains(*value));
                match duplicate(&snapped) {
                    Some(twice) => self.invalid(text, format!("{} is listed twice: remove one", units::number(twice))),
                    None => {
                        let note = is_rounded.then(|| Note::Snapped(format!("rounded to {}", written(&snapped))));
                        Self { text, values: snapped, note }
                    }
                }
            }
            Err(expected) => self.invalid(text, expected),
        }
    }

    /// Formats the values when the user leaves the field; invalid text remains, so that the user can correct it.
    pub(crate) fn finish_typing(&mut self) {
        if !matches!(self.note, Some(Note::Invalid(_))) {
            self.text = written(&self.values);
        }
    }

    fn invalid(&self, text: String, message: String) -> Self {
        Self { text, values: self.values.clone(), note: Some(Note::Invalid(message)) }
    }
}

/// The values as the user types them. The separator differs from that between groups of digits.
fn written(values: &[f64]) -> String {
    values.iter().map(|value| units::number(*value)).collect::<Vec<_>>().join("; ")
}

/// Parses numbers that are separated by semicolons, or by commas that are followed by a space or cannot be part of a number.
fn parse(numeric: &Numeric, text: &str) -> Result<Vec<f64>, String> {
    let is_single = parse_number(text).is_ok();
    let separator = [";", ", ", ","].into_iter().find(|separator| text.contains(separator) && !is_single);
    let parts: Vec<&str> = match separator {
        Some(separator) => text
            .split(separator)
            .map(|part| part.trim().trim_end_matches(','))
            .filter(|part| !part.is_empty())
            .collect(),
        None => vec![text.trim()],
    };
    if parts.iter().all(|part| part.is_empty()) {
        return Err("expected at least one value, such as 100; 1000".to_owned());
    }
    if parts.len() > MAX_VALUES {
        return Err(format!("expected at most {} values", units::count(MAX_VALUES as u64)));
    }
    let number = |part: &str| match parse_number(part)? {
        value if (numeric.min..=numeric.max).contains(&value) => Ok(value),
        _ => Err(format!("expected {} to {}, not {part}", units::number(numeric.min), units::number(numeric.max))),
    };
    parts.into_iter().map(number).collect()
}

fn duplicate(values: &[f64]) -> Option<f64> {
    values.iter().enumerate().find(|(index, value)| values[..*index].contains(value)).map(|(_, value)| *value)
}

#[cfg(test)]
mod tests {
    use benchbook_contract::parameter::{NumericDefault, Scale};

    use super::*;
    use crate::state::tests::numeric;

    fn typed(text: &str) -> NumberList {
        let default = NumericDefault::Value(0.0);
        let numeric = Numeric { min: 0.0, max: 1e6, step: Some(10.0), scale: Scale::Linear, ..numeric(default) };
        NumberList::new(vec![10.0]).typed(&numeric, text.to_owned())
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
    fn rounds_values_to_the_grid_and_retains_the_last_ones_if_the_text_is_invalid() {
        let rounded = typed("104; 200");
        assert_eq!(rounded.values, [100.0, 200.0]);
        assert_eq!(rounded.note, Some(Note::Snapped("rounded to 100; 200".to_owned())));
        for (text, expected) in [
            ("", "at least one value"),
            (" ; ", "at least one value"),
            ("100; 104", "100 is listed twice"),
            ("100; ten", "expected a number"),
            ("100; 1e9", "to 1\u{202f}000\u{202f}000, not 1e9"),
            (&"1;".repeat(1_001), "at most 1\u{202f}000 values"),
        ] {
            let list = typed(text);
            assert_eq!(list.values, [10.0], "{text}");
            assert!(matches!(&list.note, Some(Note::Invalid(error)) if error.contains(expected)), "{:?}", list.note);
        }
    }
}
