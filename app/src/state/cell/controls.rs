//! The controls of a generator: values, typed texts and their errors.

use std::collections::BTreeMap;

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::catalog::Generator;
use benchbook_contract::parameter::{Argument, Arguments, Kind, Parameter, Range};
use benchbook_host::request::arguments::check_argument;
use benchbook_host::units;
use benchbook_notebook::setup::WrittenArgument;

use super::argument_check::{Note, check_numbers, worded};
use super::number_input::parse_number;
use super::number_list::{NumberList, list_argument};
use crate::address::WrittenArguments;

/// The settings of a generator's parameters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Controls {
    /// The name of the varied parameter; empty if there is none.
    pub(crate) axis: String,
    /// Whether the varied parameter has a list of values instead of a range.
    pub(crate) is_list: bool,
    /// The settings by parameter.
    pub(crate) settings: BTreeMap<String, Setting>,
}

/// The role of a parameter in a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It has one value.
    Fixed,
    /// It is the axis, and varies over a range.
    Range,
    /// It is the axis, and has a list of values.
    List,
}

/// The setting of one parameter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Setting {
    /// A number.
    Number {
        /// The value if it is fixed.
        value: NumberField,
        /// The low end of the range.
        low: NumberField,
        /// The high end of the range.
        high: NumberField,
        /// The list of values.
        list: Box<NumberList>,
    },
    /// A choice or a text.
    Text {
        /// The value if it is fixed.
        value: String,
        /// The list of values.
        list: Vec<String>,
    },
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
    /// Gives it a role. As the axis, it replaces the previous one.
    SetRole(String, Role),
    /// The user edits a number: the text so far.
    Type(String, End, String),
    /// The user left the field of a number.
    Leave(String, End),
    /// A slider sets a number.
    Slide(String, End, f64),
    /// The user chose an option or typed a text.
    Text(String, String),
    /// The user edits a list of numbers: the text so far.
    TypeList(String, String),
    /// The user left the field of a list of numbers.
    LeaveList(String),
    /// The user set a list of texts.
    SetTexts(String, Vec<String>),
}

impl Controls {
    /// The defaults of a generator.
    pub(crate) fn new(generator: &Generator) -> Self {
        let mut settings = BTreeMap::new();
        for parameter in &generator.parameters {
            settings.insert(parameter.name.clone(), Setting::new(parameter));
        }
        let axis = generator.default_axis();
        let is_list = axis.is_some_and(|parameter| parameter.numeric().is_none());
        Self { axis: axis.map(|parameter| parameter.name.clone()).unwrap_or_default(), is_list, settings }
    }

    /// The role of a parameter.
    pub(crate) fn role(&self, name: &str) -> Role {
        match (*name == self.axis, self.is_list) {
            (false, _) => Role::Fixed,
            (true, false) => Role::Range,
            (true, true) => Role::List,
        }
    }

    /// The arguments, which the host accepts.
    ///
    /// # Errors
    /// The parameters with invalid fields.
    pub(crate) fn arguments(&self, generator: &Generator) -> Result<Arguments, Vec<String>> {
        let (mut arguments, mut invalid) = (Arguments::new(), Vec::new());
        for parameter in &generator.parameters {
            let (name, role) = (parameter.name.clone(), self.role(&parameter.name));
            match self.settings.get(&name).map(|setting| setting.argument(parameter, role)) {
                Some(Ok(argument)) => _ = arguments.insert(name, argument),
                Some(Err(_)) | None => invalid.push(name),
            }
        }
        if invalid.is_empty() { Ok(arguments) } else { Err(invalid) }
    }

    /// The arguments as text. An invalid text remains as typed, so that opening it reports the same error.
    pub(crate) fn written(&self) -> WrittenArguments {
        self.settings.iter().map(|(name, setting)| (name.clone(), setting.written(self.role(name)))).collect()
    }

    /// Applies a change to a control of `generator`.
    pub(crate) fn apply(&mut self, generator: &Generator, action: ControlAction) {
        match action {
            ControlAction::SetRole(name, role) => self.set_role(generator, name, role),
            ControlAction::Type(name, end, text) => {
                if let (Some(parameter), Some(field)) = (generator.parameter(&name), self.field(&name, end)) {
                    *field = field.typed(parameter, text);
                }
            }
            ControlAction::Leave(name, end) => {
                if let Some(field) = self.field(&name, end) {
                    field.finish_typing();
                }
            }
            ControlAction::Slide(name, end, value) => {
                let value = self.limit_to_other_handle(&name, end, value);
                let numeric = generator.parameter(&name).and_then(Parameter::numeric);
                if let (Some(numeric), Some(field)) = (numeric, self.field(&name, end)) {
                    *field = NumberField::new(numeric.snap(value));
                }
            }
            ControlAction::Text(name, text) => {
                if let Some(Setting::Text { value, .. }) = self.settings.get_mut(&name) {
                    *value = text;
                }
            }
            ControlAction::TypeList(name, text) => {
                let setting = self.settings.get_mut(&name);
                if let (Some(parameter), Some(Setting::Number { list, .. })) = (generator.parameter(&name), setting) {
                    **list = list.typed(parameter, text);
                }
            }
            ControlAction::LeaveList(name) => {
                if let Some(Setting::Number { list, .. }) = self.settings.get_mut(&name) {
                    list.finish_typing();
                }
            }
            ControlAction::SetTexts(name, texts) => {
                if let Some(Setting::Text { list, .. }) = self.settings.get_mut(&name) {
                    *list = texts;
                }
            }
        }
    }

    fn set_role(&mut self, generator: &Generator, name: String, role: Role) {
        let numeric = generator.parameter(&name).map(Parameter::numeric);
        let is_allowed = match (role, numeric) {
            (_, None) => false,
            (Role::Fixed, Some(_)) | (Role::List, Some(None)) => true,
            (Role::Range | Role::List, Some(Some(numeric))) => numeric.axis,
            (Role::Range, Some(None)) => false,
        };
        match role {
            Role::Range | Role::List if is_allowed => (self.axis, self.is_list) = (name, role == Role::List),
            Role::Fixed if self.axis == name => self.axis.clear(),
            Role::Fixed | Role::Range | Role::List => {}
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

    fn field(&mut self, name: &str, end: End) -> Option<&mut NumberField> {
        match (self.settings.get_mut(name)?, end) {
            (Setting::Number { value, .. }, End::Value) => Some(value),
            (Setting::Number { low, .. }, End::Low) => Some(low),
            (Setting::Number { high, .. }, End::High) => Some(high),
            (Setting::Text { .. }, _) => None,
        }
    }
}

impl Setting {
    fn new(parameter: &Parameter) -> Self {
        match (&parameter.kind, parameter.numeric()) {
            (_, Some(numeric)) => {
                let Range { low, high } = numeric.default_range();
                Self::Number {
                    value: NumberField::new(numeric.default_value()),
                    low: NumberField::new(low),
                    high: NumberField::new(high),
                    list: Box::new(NumberList::new(vec![low, high])),
                }
            }
            (Kind::Choice { options, default, .. }, None) => {
                Self::Text { value: default.clone(), list: options.iter().map(|option| option.name.clone()).collect() }
            }
            (Kind::Text { default }, None) => Self::Text { value: default.clone(), list: vec![default.clone()] },
            (Kind::Integer(_) | Kind::Float(_), None) => unreachable!("integers and floats are numeric"),
        }
    }

    /// Its argument, which the host accepts.
    ///
    /// # Errors
    /// The errors of its fields, or else that of the argument.
    pub(crate) fn argument(&self, parameter: &Parameter, role: Role) -> Result<Argument, Vec<String>> {
        let error = |note: &Option<Note>| match note {
            Some(Note::Invalid(error)) => Some(error.clone()),
            Some(Note::Snapped(_)) | None => None,
        };
        let errors: Vec<String> = self.notes(role).into_iter().filter_map(error).collect();
        if !errors.is_empty() {
            return Err(errors);
        }
        let argument = match (self, role) {
            (Self::Number { value, .. }, Role::Fixed) => Argument::Number(value.value),
            (Self::Number { low, high, .. }, Role::Range) => {
                Argument::Range(Range { low: low.value, high: high.value })
            }
            (Self::Number { list, .. }, Role::List) => list_argument(&list.values),
            (Self::Text { list, .. }, Role::List) => {
                Argument::Values(list.iter().cloned().map(AxisValue::Text).collect())
            }
            (Self::Text { value, .. }, _) => Argument::Text(value.clone()),
        };
        let first = check_argument(parameter, &argument).into_iter().next();
        first.map_or(Ok(argument), |(_, error)| Err(vec![worded(&error)]))
    }

    fn written(&self, role: Role) -> WrittenArgument {
        let number = |field: &NumberField| match field.note {
            Some(Note::Invalid(_)) => field.text.clone(),
            _ => field.value.to_string(),
        };
        match (self, role) {
            (Self::Number { value, .. }, Role::Fixed) => WrittenArgument::Single(number(value)),
            (Self::Number { low, high, .. }, Role::Range) => {
                WrittenArgument::Single(format!("{}..{}", number(low), number(high)))
            }
            (Self::Text { value, .. }, Role::Fixed | Role::Range) => WrittenArgument::Single(value.clone()),
            (Self::Number { list, .. }, Role::List) => WrittenArgument::List(match list.note {
                Some(Note::Invalid(_)) => vec![list.text.clone()],
                _ => list.values.iter().map(ToString::to_string).collect(),
            }),
            (Self::Text { list, .. }, Role::List) => WrittenArgument::List(list.clone()),
        }
    }

    /// The number fields in use.
    pub(crate) fn fields(&self, role: Role) -> Vec<&NumberField> {
        match (self, role) {
            (Self::Number { low, high, .. }, Role::Range) => vec![low, high],
            (Self::Number { value, .. }, Role::Fixed) => vec![value],
            (Self::Number { .. } | Self::Text { .. }, _) => Vec::new(),
        }
    }

    /// The notes of the fields in use.
    pub(crate) fn notes(&self, role: Role) -> Vec<&Option<Note>> {
        match (self, role) {
            (Self::Number { list, .. }, Role::List) => vec![&list.note],
            _ => self.fields(role).into_iter().map(|field| &field.note).collect(),
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
    fn typed(&self, parameter: &Parameter, text: String) -> Self {
        let argument = |values: &[f64]| Argument::Number(values[0]);
        match parse_number(&text).and_then(|typed| check_numbers(parameter, &[typed], argument)) {
            Ok((values, note)) => Self { text, value: values[0], note },
            // The last value remains, so that the slider does not jump while the user types.
            Err(error) => Self { text, value: self.value, note: Some(Note::Invalid(error)) },
        }
    }

    /// Formats the value when the user leaves the field; invalid text remains, so that the user can correct it.
    fn finish_typing(&mut self) {
        if !matches!(self.note, Some(Note::Invalid(_))) {
            self.text = units::number(self.value);
        }
    }
}
