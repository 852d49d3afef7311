//! The controls of a generator: what is set, what was typed, and what is wrong with it.

use std::collections::BTreeMap;

use benchbook_contract::catalog::Generator;
use benchbook_contract::parameter::{Argument, Arguments, Numeric, Parameter, Range};
use benchbook_host::request::MAX_TEXT;
use benchbook_host::units;

use super::typed::parse_number;

/// What is set for each parameter of a generator.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Controls {
    /// The name of the parameter that is varied.
    pub(crate) axis: String,
    /// The settings by parameter.
    pub(crate) settings: BTreeMap<String, Setting>,
}

/// What is set for one parameter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Setting {
    /// A number: the value when it is not the axis, low and high when it is.
    Number {
        /// The value.
        value: Field,
        /// The low end of the range.
        low: Field,
        /// The high end of the range.
        high: Field,
    },
    /// A choice or a text.
    Text(String),
}

/// A number as it was typed, and as it is used.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    /// What stands in the field.
    pub(crate) text: String,
    /// What it means, on the parameter's grid.
    pub(crate) value: f64,
    /// What to tell about it.
    pub(crate) note: Option<Note>,
}

/// What is told beside a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Note {
    /// The value was taken to the grid.
    Snapped(String),
    /// The text is no value of the parameter.
    Wrong(String),
}

/// Which number of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Its value when it is not the axis.
    Value,
    /// The low end of its range.
    Low,
    /// The high end of its range.
    High,
}

/// A control is set; the parameter comes first.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ControlAction {
    /// It becomes the axis.
    Vary(String),
    /// A number is being typed: the text so far.
    Type(String, End, String),
    /// A number was typed, and the field left.
    Settle(String, End),
    /// A number is set by a slider.
    Slide(String, End, f64),
    /// An option is chosen or a text is typed.
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

    /// The arguments that are set.
    ///
    /// # Errors
    /// The parameters whose fields hold no value.
    pub(crate) fn arguments(&self) -> Result<Arguments, Vec<String>> {
        let wrong: Vec<String> = self
            .settings
            .iter()
            .filter(|(name, setting)| !setting.wrongs(**name == self.axis).is_empty())
            .map(|(name, _)| name.clone())
            .collect();
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let mut arguments = Arguments::new();
        for (name, setting) in &self.settings {
            arguments.insert(name.clone(), setting.argument(*name == self.axis));
        }
        Ok(arguments)
    }

    /// The arguments as links write them, in the order of the parameters; what holds no value stays as it was typed, so
    /// that whoever opens the link is told the same.
    pub(crate) fn written(&self, generator: &Generator) -> Vec<(String, String)> {
        let number = |field: &Field| match field.note {
            Some(Note::Wrong(_)) => field.text.clone(),
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

    /// Sets a control of `generator`.
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
            ControlAction::Settle(name, end) => {
                if let Some((_, field)) = self.field(generator, &name, end) {
                    field.settle();
                }
            }
            ControlAction::Slide(name, end, value) => {
                let value = self.within_range(&name, end, value);
                if let Some((numeric, field)) = self.field(generator, &name, end) {
                    *field = Field::new(numeric.snap(value));
                }
            }
            ControlAction::Text(name, text) => {
                if let Some(setting @ Setting::Text(_)) = self.settings.get_mut(&name) {
                    *setting = Setting::Text(text);
                }
            }
        }
    }

    /// A handle stops where the other one stands.
    fn within_range(&self, name: &str, end: End, value: f64) -> f64 {
        match (self.settings.get(name), end) {
            (Some(Setting::Number { high, .. }), End::Low) => value.min(high.value),
            (Some(Setting::Number { low, .. }), End::High) => value.max(low.value),
            _ => value,
        }
    }

    fn field<'a>(&mut self, generator: &'a Generator, name: &str, end: End) -> Option<(&'a Numeric, &mut Field)> {
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
                    value: Field::new(numeric.default_value()),
                    low: Field::new(low),
                    high: Field::new(high),
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

    /// What is wrong with it, and what is expected.
    pub(crate) fn wrongs(&self, is_axis: bool) -> Vec<String> {
        let told = |field: &&Field| match &field.note {
            Some(Note::Wrong(wrong)) => Some(wrong.clone()),
            Some(Note::Snapped(_)) | None => None,
        };
        let wrongs: Vec<String> = self.fields(is_axis).iter().filter_map(told).collect();
        match self {
            Self::Number { low, high, .. } if is_axis && wrongs.is_empty() && low.value >= high.value => {
                vec![format!(
                    "low must be less than high: {} is not below {}",
                    units::number(low.value),
                    units::number(high.value)
                )]
            }
            Self::Text(text) if text.chars().count() > MAX_TEXT => {
                let (most, count) = (units::count(MAX_TEXT as u64), units::count(text.chars().count() as u64));
                vec![format!("expected at most {most} characters, not {count}")]
            }
            _ => wrongs,
        }
    }

    /// The fields in use.
    pub(crate) fn fields(&self, is_axis: bool) -> Vec<&Field> {
        match self {
            Self::Number { low, high, .. } if is_axis => vec![low, high],
            Self::Number { value, .. } => vec![value],
            Self::Text(_) => Vec::new(),
        }
    }
}

impl Field {
    fn new(value: f64) -> Self {
        Self { text: units::number(value), value, note: None }
    }

    /// A text as it is typed: taken to the grid with a note where it is off it, told as wrong where it is no value. The
    /// text stays, since the next letter goes into it. What there is to tell is told now and not when the field is left:
    /// it takes room, and the button that a click is about to reach would move away from it.
    fn typed(&self, numeric: &Numeric, text: String) -> Self {
        let value = match parse_number(&text) {
            Ok(value) if (numeric.min..=numeric.max).contains(&value) => value,
            Ok(_) => {
                let (min, max) = (units::number(numeric.min), units::number(numeric.max));
                return self.wrong(text, format!("expected {min} to {max}"));
            }
            Err(expected) => return self.wrong(text, expected),
        };
        let snapped = numeric.snap(value);
        let note = (!numeric.contains(value)).then(|| {
            let step = numeric.step.map_or_else(String::new, units::number);
            Note::Snapped(format!("taken as {}: it goes in steps of {step}", units::number(snapped)))
        });
        Self { text, value: snapped, note }
    }

    /// Writes the value as this page writes it; what is wrong stays, to be mended.
    fn settle(&mut self) {
        if !matches!(self.note, Some(Note::Wrong(_))) {
            self.text = units::number(self.value);
        }
    }

    /// The last value stays, so that the slider does not jump about while somebody types.
    fn wrong(&self, text: String, message: String) -> Self {
        Self { text, value: self.value, note: Some(Note::Wrong(message)) }
    }
}
