//! Applies the arguments of a link to the controls.

use benchbook_contract::catalog::Generator;
use benchbook_contract::parameter::{Kind, Parameter};
use benchbook_notebook::setup::WrittenArgument;

use crate::address::WrittenArguments;
use crate::address::available::available;
use crate::address::excerpt::excerpt;
use crate::state::cell::controls::{ControlAction, Controls, End, Role};

impl Controls {
    /// Applies the arguments of a link, and returns one sentence for each invalid part. If the link gives the default axis a
    /// single value and varies no other parameter, there is no axis.
    pub(crate) fn open(&mut self, generator: &Generator, arguments: &WrittenArguments) -> Vec<String> {
        let mut opening = Opening { controls: self, generator, axis: None, problems: Vec::new() };
        for (name, argument) in arguments {
            match argument {
                WrittenArgument::Single(argument) => opening.open_single(name, argument),
                WrittenArgument::List(values) => opening.open_list(name, values.clone()),
            }
        }
        let Opening { axis, problems, .. } = opening;
        let is_fixed = matches!(arguments.get(&self.axis), Some(WrittenArgument::Single(_)));
        if axis.is_none() && is_fixed {
            self.axis.clear();
        }
        problems
    }
}

/// The arguments of a link while they are applied.
struct Opening<'a> {
    controls: &'a mut Controls,
    generator: &'a Generator,
    /// The parameter that the link varies.
    axis: Option<String>,
    problems: Vec<String>,
}

impl Opening<'_> {
    /// A value, or a range.
    fn open_single(&mut self, name: &str, argument: &str) {
        let Some(parameter) = self.parameter(name) else { return };
        match (&parameter.kind, argument.split_once("..")) {
            (Kind::Integer(_) | Kind::Float(_), Some((low, high))) => {
                if self.vary(&parameter, Role::Range) {
                    for (end, text) in [(End::Low, low), (End::High, high)] {
                        self.apply(ControlAction::Type(name.to_owned(), end, text.to_owned()));
                        self.apply(ControlAction::Leave(name.to_owned(), end));
                    }
                }
            }
            (Kind::Integer(_) | Kind::Float(_), None) => {
                self.apply(ControlAction::Type(name.to_owned(), End::Value, argument.to_owned()));
                self.apply(ControlAction::Leave(name.to_owned(), End::Value));
            }
            (Kind::Choice { .. } | Kind::Text { .. }, _) => {
                if self.is_option(&parameter, argument) {
                    self.apply(ControlAction::Text(name.to_owned(), argument.to_owned()));
                }
            }
        }
    }

    fn open_list(&mut self, name: &str, mut values: Vec<String>) {
        let Some(parameter) = self.parameter(name) else { return };
        if !self.vary(&parameter, Role::List) {
            return;
        }
        match &parameter.kind {
            Kind::Integer(_) | Kind::Float(_) => {
                self.apply(ControlAction::TypeList(name.to_owned(), values.join("; ")));
                self.apply(ControlAction::LeaveList(name.to_owned()));
            }
            Kind::Choice { .. } | Kind::Text { .. } => {
                values.retain(|value| self.is_option(&parameter, value));
                self.apply(ControlAction::SetTexts(name.to_owned(), values));
            }
        }
    }

    fn parameter(&mut self, name: &str) -> Option<Parameter> {
        let parameter = self.generator.parameter(name).cloned();
        if parameter.is_none() {
            self.problems.push(format!(
                "The generator {} has no parameter “{}”.{}",
                self.generator.name,
                excerpt(name),
                available(self.generator.parameters.iter().map(|parameter| parameter.name.as_str())),
            ));
        }
        parameter
    }

    /// Makes the parameter the axis; returns false if it cannot be, or if another one is already.
    fn vary(&mut self, parameter: &Parameter, role: Role) -> bool {
        let name = &parameter.name;
        if parameter.numeric().is_some_and(|numeric| !numeric.axis) {
            self.problems.push(format!("The link varies {name}, which cannot be the axis."));
            return false;
        }
        if self.axis.as_ref().is_some_and(|axis| axis != name) {
            self.problems.push(format!("The link also varies {name}. Only one parameter can vary."));
            return false;
        }
        self.axis = Some(name.clone());
        self.apply(ControlAction::SetRole(name.clone(), role));
        true
    }

    /// Whether a text is an option, if the parameter is a choice.
    fn is_option(&mut self, parameter: &Parameter, text: &str) -> bool {
        match &parameter.kind {
            Kind::Choice { options, .. } if !options.iter().any(|option| option.name == text) => {
                self.problems.push(format!(
                    "The link sets {} to an unknown choice: “{}”.{}",
                    parameter.name,
                    excerpt(text),
                    available(options.iter().map(|option| option.name.as_str())),
                ));
                false
            }
            _ => true,
        }
    }

    fn apply(&mut self, action: ControlAction) {
        self.controls.apply(self.generator, action);
    }
}
