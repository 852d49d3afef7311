//! A trace: one function's results, and the setup they were measured with.

use std::rc::Rc;

use benchbook_contract::catalog::{Function, Generator};
use benchbook_contract::parameter::{Argument, Arguments, Numeric, Parameter, Range};
use benchbook_host::axis::{Axis, Variation};
use benchbook_host::response::{Machine, MachineKind};
use benchbook_host::units::{axis_value, number};

use super::curve::MeasuredCurve;
use super::loaded_suite::LoadedSuite;
use crate::settings::measuring_options::MeasuringOptions;

/// The setup of a measurement; the controls may have changed since.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TraceSetup {
    /// The suite.
    pub(crate) suite: Rc<LoadedSuite>,
    /// The generator.
    pub(crate) generator: Rc<Generator>,
    /// The axis; `None` if each function has a single point.
    pub(crate) axis: Option<Axis>,
    /// The arguments.
    pub(crate) arguments: Arguments,
    /// The options of the measurement, as the user typed them.
    pub(crate) measuring_options: MeasuringOptions,
    /// The machine that measured it.
    pub(crate) machine: Machine,
}

/// One function's curve. The traces of one measurement share their [`TraceSetup`]: they were measured on the same inputs.
#[derive(Clone, Debug)]
pub(crate) struct Trace {
    /// The setup of the measurement.
    pub(crate) setup: Rc<TraceSetup>,
    /// The function.
    pub(crate) function: Rc<Function>,
    /// Its points.
    pub(crate) curve: Rc<MeasuredCurve>,
}

impl PartialEq for Trace {
    /// Compares curves by identity: each new point creates a new curve.
    fn eq(&self, other: &Self) -> bool {
        self.is_paired_with(other) && self.function.path == other.function.path && Rc::ptr_eq(&self.curve, &other.curve)
    }
}

impl Trace {
    /// Whether both were measured together, interleaved on the same inputs: only such traces can be compared.
    pub(crate) fn is_paired_with(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.setup, &other.setup)
    }

    /// Whether a runner measured it.
    pub(crate) fn is_native(&self) -> bool {
        self.setup.machine.kind == MachineKind::Native
    }

    /// Whether function, arguments and machine are the same.
    pub(crate) fn has_same_inputs(&self, other: &Self) -> bool {
        self.function.path == other.function.path
            && self.setup.suite.id == other.setup.suite.id
            && self.setup.generator.path == other.setup.generator.path
            && self.setup.arguments == other.setup.arguments
            && self.setup.machine.name == other.setup.machine.name
    }

    /// Whether both belong to one function in one measurement; one may lack points that arrived later.
    pub(crate) fn is_same_measurement(&self, other: &Self) -> bool {
        self.is_paired_with(other) && self.has_same_inputs(other)
    }

    /// Whether at least one point has figures.
    pub(crate) fn has_figures(&self) -> bool {
        self.curve.readings().iter().any(|reading| reading.measured().is_some())
    }
}

impl TraceSetup {
    /// The setup of a measurement with these arguments.
    pub(crate) fn new(
        suite: Rc<LoadedSuite>,
        generator: Rc<Generator>,
        arguments: Arguments,
        measuring_options: MeasuringOptions,
        machine: Machine,
    ) -> Self {
        let axis = generator.parameters.iter().find_map(|parameter| {
            let variation = Variation::of(arguments.get(&parameter.name)?)?;
            Some(Axis::new(parameter.clone(), variation))
        });
        Self { suite, generator, axis, arguments, measuring_options, machine }
    }

    /// The name of the varied parameter; empty without one.
    pub(crate) fn axis_name(&self) -> &str {
        self.axis.as_ref().map_or("", |axis| &axis.parameter().name)
    }

    /// The heading of the axis, such as `Number of keys`, with the unit unless the description contains it. Empty without an
    /// axis.
    pub(crate) fn axis_heading(&self) -> String {
        self.axis.as_ref().map(|axis| heading(axis.parameter())).unwrap_or_default()
    }

    /// The unit of the axis; empty without one.
    pub(crate) fn axis_unit(&self) -> &str {
        self.axis_numeric().and_then(|numeric| numeric.unit.as_deref()).unwrap_or_default()
    }

    /// The bounds and scale of the axis; `None` unless its values are numbers.
    pub(crate) fn axis_numeric(&self) -> Option<&Numeric> {
        self.axis.as_ref().and_then(|axis| axis.parameter().numeric())
    }

    /// The generator and its arguments, on one line.
    pub(crate) fn summary(&self) -> String {
        self.summary_where(|_, _| true)
    }

    /// The arguments that differ from `other`, or all of them if the generators differ, on one line. Empty without a
    /// difference.
    pub(crate) fn difference_from(&self, other: &Self) -> String {
        if self.suite.id != other.suite.id || self.generator.path != other.generator.path {
            return self.summary();
        }
        self.summary_where(|name, argument| other.arguments.get(name) != Some(argument))
    }

    fn summary_where(&self, is_included: impl Fn(&String, &Argument) -> bool) -> String {
        let arguments = self.arguments.iter().filter(|(name, argument)| is_included(name, argument));
        let texts: Vec<String> = arguments.map(|(name, argument)| format!("{name} {}", describe(argument))).collect();
        if texts.is_empty() { String::new() } else { format!("{}: {}", self.generator.name, texts.join(", ")) }
    }

    /// Whether generator and axis are the same, so that a visible part of one plot applies to the other.
    pub(crate) fn has_same_plane(&self, other: &Self) -> bool {
        self.generator.path == other.generator.path && self.axis == other.axis
    }

    /// The target of the measured build: `browser` or `native`.
    pub(crate) fn target_name(&self) -> &'static str {
        match self.machine.kind {
            MachineKind::Browser => "browser",
            MachineKind::Native => "native",
        }
    }
}

/// The maximum number of values of a list in a summary.
const MAX_LISTED: usize = 5;

/// The maximum number of characters of a text argument in a summary.
const MAX_TEXT: usize = 40;

/// An argument as a reader sees it.
pub(super) fn describe(argument: &Argument) -> String {
    match argument {
        Argument::Range(Range { low, high }) => format!("{} to {}", number(*low), number(*high)),
        Argument::Values(values) => {
            let mut texts: Vec<String> = values.iter().take(MAX_LISTED).map(axis_value).collect();
            let more = values.len().saturating_sub(MAX_LISTED);
            texts.extend((more > 0).then(|| format!("{more} more")));
            texts.join(" / ")
        }
        Argument::Number(value) => number(*value),
        Argument::Text(text) if text.is_empty() => "empty".to_owned(),
        Argument::Text(text) if text.chars().count() > MAX_TEXT => {
            let beginning: String = text.chars().take(MAX_TEXT).collect();
            format!("{beginning}…")
        }
        Argument::Text(text) => text.clone(),
    }
}

/// The first line of a parameter's description, without the full stop, and with the unit unless the description
/// contains it.
pub(crate) fn heading(parameter: &Parameter) -> String {
    let description = parameter.description.lines().next().unwrap_or_default().trim_end_matches('.');
    match parameter.numeric().and_then(|numeric| numeric.unit.as_deref()) {
        Some(unit) if !description.to_lowercase().contains(&unit.to_lowercase()) => {
            format!("{description} ({unit})")
        }
        _ => description.to_owned(),
    }
}
