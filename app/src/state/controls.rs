//! The controls of a generator: values, typed texts and their errors.

use std::collections::BTreeMap;

use benchbook_contract::catalog::Generator;
use benchbook_contract::parameter::{Argument, Arguments, Numeric, Parameter, Range};
use benchbook_host::request::MAX_TEXT;
use benchbook_host::units;

use crate::settings::number_input::parse_number;

/// The settings of a generator's parameters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Controls {
    /// The name of the varied parameter.
    pub(crate) axis: String,
    /// The settings by parameter.
    pub(crate) settings: BTreeMap<String, Setting>,
}

/// The setting of one parameter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Setting {
    /// A number: its value if it is not the axis, low and high if it is.
    Number {
        /// The value.
        value: NumberField,
        /// The low end of the range.
        low: NumberField,
        /// The high end of the range.
        high: NumberField,
    },
    /// A choice or a text.
    Text(String),
}

/// A number as typed, and the value in use.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NumberField {
    /// The text in the field.
    pub(crate) text: String,
    /// Its value on the parameter's grid.
    pub(crate) value: f64,
    /// A note for the user.
    pub(crate) note: Option<Note>,
}

/// A note next to a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Note {
    /// The value was rounded to the grid.
    Snapped(String),
    /// The text is not a valid value.
    Invalid(String),
}

/// One of a parameter's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Its value if it is not the axis.
    Value,
    /// The low end of its range.
    Low,
    /// The high end of its range.
    High,
}

/// A change of a control; the first field is the parameter's name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ControlAction {
    /// Makes it the axis.
    Vary(String),
    /// The user edits a number: the text so far.
    Type(String, End, String),
    /// The user left the field of a number.
    Leave(String, End),
    /// A slider sets a number.
    Slide(String, End, f64),
    /// The user chose an option or typed a text.
    Text(String, String),
}

impl Controls {
    /// The defaults of a generator.
    pub(crate) fn new(generator: &Generator) -> Self {
        let mut settings = BTreeMap::new();
        for parameter in &generator.parameters {
            settings.insert(parameter.name.clone(), Setting::new(parameter));
        }
        let axis = generator.default_axis().map(|parameter| parameter.name.clone()).unwrap_or_default();
        Self { axis, settings }
    }

    /// The arguments.
    ///
    /// # Errors
    /// The parameters with invalid fields.
    pub(crate) fn arguments(&self) -> Result<Arguments, Vec<String>> {
        let is_invalid = |(name, setting): &(&String, &Setting)| !setting.errors(**name == self.axis).is_empty();
        let invalid: Vec<String> = self.settings.iter().filter(is_invalid).map(|(name, _)| name.clone()).collect();
        if !invalid.is_empty() {
            return Err(invalid);
        }
        let mut arguments = Arguments::new();
        for (name, setting) in &self.settings {
            arguments.insert(name.clone(), setting.argument(*name == self.axis));
        }
        Ok(arguments)
    }

    /// The arguments in the format of links, in the order of the parameters. An invalid text remains as typed, so that
    /// opening the link reports the same error.
    pub(crate) fn written(&self, generator: &Generator) -> Vec<(String, String)> {
        let number = |field: &NumberField| match field.note {
            Some(Note::Invalid(_)) => field.text.clone(),
            _ => field.value.to_string(),
        };
        let written = |setting: &Setting, is_axis: bool| match setting {
            Setting::Number { low, high, .. } if is_axis => format!("{}..{}", number(low), number(high)),
            Setting::Number { value, .. } => number(value),
            Setting::Text(text) => text.clone(),
        };
        let names = generator.parameters.iter().map(|parameter| &parameter.name);
        names.filter_map(|name| Some((name.clone(), written(self.settings.get(name)?, *name == self.axis)))).collect()
    }

    /// Applies a change to a control of `generator`.
    pub(crate) fn apply(&mut self, generator: &Generator, action: ControlAction) {
        match action {
            ControlAction::Vary(name) => {
                if generator.parameter(&name).and_then(Parameter::numeric).is_some_and(|numeric| numeric.axis) {
                    self.axis = name;
                }
            }
            ControlAction::Type(name, end, text) => {
                if let Some((numeric, field)) = self.field(generator, &name, end) {
                    *field = field.typed(numeric, text);
                }
            }
            ControlAction::Leave(name, end) => {
                if let Some((_, field)) = self.field(generator, &name, end) {
                    field.finish_typing();
                }
            }
            ControlAction::Slide(name, end, value) => {
                let value = self.limit_to_other_handle(&name, end, value);
                if let Some((numeric, field)) = self.field(generator, &name, end) {
                    *field = NumberField::new(numeric.snap(value));
                }
            }
            ControlAction::Text(name, text) => {
                if let Some(setting @ Setting::Text(_)) = self.settings.get_mut(&name) {
                    *setting = Setting::Text(text);
                }
            }
        }
    }

    /// Stops a handle at the other one.
    fn limit_to_other_handle(&self, name: &str, end: End, value: f64) -> f64 {
        match (self.settings.get(name), end) {
            (Some(Setting::Number { high, .. }), End::Low) => value.min(high.value),
            (Some(Setting::Number { low, .. }), End::High) => value.max(low.value),
            _ => value,
        }
    }

    fn field<'a>(&mut self, generator: &'a Generator, name: &str, end: End) -> Option<(&'a Numeric, &mut NumberField)> {
        let numeric = generator.parameter(name)?.numeric()?;
        match self.settings.get_mut(name)? {
            Setting::Number { value, low, high } => Some((
                numeric,
                match end {
                    End::Value => value,
                    End::Low => low,
                    End::High => high,
                },
            )),
            Setting::Text(_) => None,
        }
    }
}

impl Setting {
    fn new(parameter: &Parameter) -> Self {
        match parameter.numeric() {
            Some(numeric) => {
                let Range { low, high } = numeric.default_range();
                Self::Number {
                    value: NumberField::new(numeric.default_value()),
                    low: NumberField::new(low),
                    high: NumberField::new(high),
                }
            }
            None => match parameter.default_argument(false) {
                Argument::Text(text) => Self::Text(text),
                Argument::Number(_) | Argument::Range(_) => Self::Text(String::new()),
            },
        }
    }

    fn argument(&self, is_axis: bool) -> Argument {
        match self {
            Self::Number { low, high, .. } if is_axis => Argument::Range(Range { low: low.value, high: high.value }),
            Self::Number { value, .. } => Argument::Number(value.value),
            Self::Text(text) => Argument::Text(text.clone()),
        }
    }

    /// Its errors, each with the expected value.
    pub(crate) fn errors(&self, is_axis: bool) -> Vec<String> {
        let error = |field: &&NumberField| match &field.note {
            Some(Note::Invalid(error)) => Some(error.clone()),
            Some(Note::Snapped(_)) | None => None,
        };
        let errors: Vec<String> = self.fields(is_axis).iter().filter_map(error).collect();
        match self {
            Self::Number { low, high, .. } if is_axis && errors.is_empty() && low.value >= high.value => {
                vec![format!(
                    "low must be less than high: {} ≥ {}",
                    units::number(low.value),
                    units::number(high.value)
                )]
            }
            Self::Text(text) if text.chars().count() > MAX_TEXT => {
                let (max, count) = (units::count(MAX_TEXT as u64), units::count(text.chars().count() as u64));
                vec![format!("expected at most {max} characters, not {count}")]
            }
            _ => errors,
        }
    }

    /// The fields in use.
    pub(crate) fn fields(&self, is_axis: bool) -> Vec<&NumberField> {
        match self {
            Self::Number { low, high, .. } if is_axis => vec![low, high],
            Self::Number { value, .. } => vec![value],
            Self::Text(_) => Vec::new(),
        }
    }
}

impl NumberField {
    fn new(value: f64) -> Self {
        Self { text: units::number(value), value, note: None }
    }

    /// The field while the user types: a value off the grid is rounded with a note, and invalid text has an error note. The
    /// text remains for further typing. The note appears now and not when the field loses the focus: it needs room, and
    /// would move the button that the user is about to click.
    fn typed(&self, numeric: &Numeric, text: String) -> Self {
        let value = match parse_number(&text) {
            Ok(value) if (numeric.min..=numeric.max).contains(&value) => value,
            Ok(_) => {
                let (min, max) = (units::number(numeric.min), units::number(numeric.max));
                return self.invalid(text, format!("expected {min} to {max}"));
            }
            Err(expected) => return self.invalid(text, expected),
        };
        let snapped = numeric.snap(value);
        let note = (!numeric.contains(value)).then(|| {
            let step = numeric.step.map_or_else(String::new, units::number);
            Note::Snapped(format!("rounded to {}: the step is {step}", units::number(snapped)))
        });
        Self { text, value: snapped, note }
    }

    /// Formats the value when the user leaves the field; invalid text remains, so that the user can correct it.
    fn finish_typing(&mut self) {
        if !matches!(self.note, Some(Note::Invalid(_))) {
            self.text = units::number(self.value);
        }
    }

    /// Retains the last value, so that the slider does not jump while the user types.
    fn invalid(&self, text: String, message: String) -> Self {
        Self { text, value: self.value, note: Some(Note::Invalid(message)) }
    }
}
