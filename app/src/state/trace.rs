//! A trace: what was measured of one function, and with what.

use std::rc::Rc;

use benchbook_contract::catalog::{Function, Generator};
use benchbook_contract::parameter::{Argument, Arguments, Numeric, Parameter, Range};
use benchbook_host::response::{Machine, MachineKind};
use benchbook_host::units::number;

use super::LoadedSuite;
use super::aim::Aim;
use super::curve::Curve;

/// What a measurement was made with; the controls may have moved on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Setup {
    /// The suite.
    pub(crate) suite: Rc<LoadedSuite>,
    /// The generator.
    pub(crate) generator: Rc<Generator>,
    /// The parameter that was varied.
    pub(crate) axis: String,
    /// The arguments.
    pub(crate) arguments: Arguments,
    /// What was aimed at in the last priority.
    pub(crate) aim: Aim,
    /// Where it was measured.
    pub(crate) machine: Machine,
}

/// One function's curve. The traces of one measurement share their [`Setup`]: they were measured on the same inputs.
#[derive(Clone, Debug)]
pub(crate) struct Trace {
    /// What it was measured with.
    pub(crate) setup: Rc<Setup>,
    /// The function.
    pub(crate) function: Rc<Function>,
    /// Its points.
    pub(crate) curve: Rc<Curve>,
}

impl PartialEq for Trace {
    /// Traces are the same where they were made at once: each point that comes makes a new curve.
    fn eq(&self, other: &Self) -> bool {
        self.is_paired_with(other) && self.function.path == other.function.path && Rc::ptr_eq(&self.curve, &other.curve)
    }
}

impl Trace {
    /// Whether both were measured together, interleaved on the same inputs: only then do they say which is faster.
    pub(crate) fn is_paired_with(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.setup, &other.setup)
    }

    /// Whether it was measured by a runner.
    pub(crate) fn is_native(&self) -> bool {
        self.setup.machine.kind == MachineKind::Native
    }

    /// Whether it asks the same question: this function with the same arguments, on the same machine.
    pub(crate) fn asks_the_same(&self, other: &Self) -> bool {
        self.function.path == other.function.path
            && self.setup.suite.id == other.setup.suite.id
            && self.setup.generator.path == other.setup.generator.path
            && self.setup.arguments == other.setup.arguments
            && self.setup.machine.name == other.setup.machine.name
    }

    /// Whether there are figures in it.
    pub(crate) fn has_figures(&self) -> bool {
        self.curve.readings().iter().any(|reading| reading.measured().is_some())
    }
}

impl Setup {
    /// What is varied, as the head of a column: `Number of keys`, with the unit where the description lacks it.
    pub(crate) fn axis_heading(&self) -> String {
        self.generator.parameter(&self.axis).map_or_else(|| self.axis.clone(), heading)
    }

    /// The unit of what is varied; empty where it has none.
    pub(crate) fn axis_unit(&self) -> &str {
        self.axis_numeric().and_then(|numeric| numeric.unit.as_deref()).unwrap_or_default()
    }

    /// The bounds and the scale of what is varied; absent only where the catalog lacks it.
    pub(crate) fn axis_numeric(&self) -> Option<&Numeric> {
        self.generator.parameter(&self.axis).and_then(Parameter::numeric)
    }

    /// What it was measured with, on a line.
    pub(crate) fn told(&self) -> String {
        self.told_where(|_, _| true)
    }

    /// What of it differs from `other`, on a line; all of it where the generators differ. Empty where nothing does: then
    /// it was measured at another time.
    pub(crate) fn told_against(&self, other: &Self) -> String {
        if self.suite.id != other.suite.id || self.generator.path != other.generator.path {
            return self.told();
        }
        self.told_where(|name, argument| other.arguments.get(name) != Some(argument))
    }

    fn told_where(&self, is_told: impl Fn(&String, &Argument) -> bool) -> String {
        let arguments = self.arguments.iter().filter(|(name, argument)| is_told(name, argument));
        let told: Vec<String> = arguments.map(|(name, argument)| format!("{name} {}", told(argument))).collect();
        if told.is_empty() { String::new() } else { format!("{}: {}", self.generator.name, told.join(", ")) }
    }

    /// What both planes have in common: generator, axis and range. Another of these is another plane.
    pub(crate) fn has_plane_of(&self, other: &Self) -> bool {
        self.generator.path == other.generator.path
            && self.axis == other.axis
            && self.arguments.get(&self.axis) == other.arguments.get(&other.axis)
    }

    /// On which face of the suite it was measured: `browser` or `native`.
    pub(crate) fn face(&self) -> &'static str {
        match self.machine.kind {
            MachineKind::Browser => "browser",
            MachineKind::Native => "native",
        }
    }
}

/// Texts may be long: what is told of one is its beginning.
const MOST_OF_TEXT: usize = 40;

/// An argument in words.
pub(super) fn told(argument: &Argument) -> String {
    match argument {
        Argument::Range(Range { low, high }) => format!("{} to {}", number(*low), number(*high)),
        Argument::Number(value) => number(*value),
        Argument::Text(text) if text.is_empty() => "empty".to_owned(),
        Argument::Text(text) if text.chars().count() > MOST_OF_TEXT => {
            let beginning: String = text.chars().take(MOST_OF_TEXT).collect();
            format!("{beginning}…")
        }
        Argument::Text(text) => text.clone(),
    }
}

/// A parameter's description without its full stop, and the unit where the description does not name it.
pub(crate) fn heading(parameter: &Parameter) -> String {
    let description = parameter.description.lines().next().unwrap_or_default().trim_end_matches('.');
    match parameter.numeric().and_then(|numeric| numeric.unit.as_deref()) {
        Some(unit) if !description.to_ascii_lowercase().contains(&unit.to_ascii_lowercase()) => {
            format!("{description} ({unit})")
        }
        _ => description.to_owned(),
    }
}
