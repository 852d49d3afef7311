//! A trace: one function's results, and the setup they were measured with.

use std::rc::Rc;

use benchbook_contract::catalog::name_of;
use benchbook_contract::parameter::{Argument, Numeric, Parameter, Range};
use benchbook_host::response::{Comparison, MachineKind};
use benchbook_host::units::{axis_value, number};

use crate::curve::MeasuredCurve;
use crate::result_setup::ResultSetup;

/// One function's curve. The traces of one measurement share their [`ResultSetup`]: they were measured on the same inputs.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The setup of the measurement.
    pub setup: Rc<ResultSetup>,
    /// When the measurement started, in milliseconds since 1970.
    pub started: f64,
    /// Whether a reader measured it and sent it to the author.
    pub from_reader: bool,
    /// The function's path.
    pub path: String,
    /// Its points.
    pub curve: Rc<MeasuredCurve>,
    /// The stored comparisons of the measurement; see [`CellResult::comparisons`](crate::result::CellResult::comparisons).
    pub comparisons: Rc<Vec<Comparison>>,
}

impl PartialEq for Trace {
    /// Compares curves by identity: each new point creates a new curve.
    fn eq(&self, other: &Self) -> bool {
        self.is_paired_with(other) && self.path == other.path && Rc::ptr_eq(&self.curve, &other.curve)
    }
}

impl Trace {
    /// Whether both were measured together, interleaved on the same inputs: only such traces can be compared.
    pub fn is_paired_with(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.setup, &other.setup)
    }

    /// Whether a runner measured it.
    pub fn is_native(&self) -> bool {
        self.setup.machine.kind == MachineKind::Native
    }

    /// Whether function, arguments and machine are the same.
    pub fn has_same_inputs(&self, other: &Self) -> bool {
        self.path == other.path
            && self.setup.request.suite == other.setup.request.suite
            && self.setup.request.generator == other.setup.request.generator
            && self.setup.request.arguments == other.setup.request.arguments
            && self.setup.machine.is_same(&other.setup.machine)
    }

    /// Whether both belong to one function in one measurement; one may lack points that arrived later.
    pub fn is_same_measurement(&self, other: &Self) -> bool {
        self.is_paired_with(other) && self.has_same_inputs(other)
    }

    /// Whether at least one point has figures.
    pub fn has_figures(&self) -> bool {
        self.curve.has_figures()
    }

    /// The function's name: the last segment of its path.
    pub fn name(&self) -> &str {
        name_of(&self.path)
    }
}

impl ResultSetup {
    /// The name of the varied parameter; empty without one.
    pub fn axis_name(&self) -> &str {
        self.axis.as_ref().map_or("", |axis| &axis.parameter().name)
    }

    /// The heading of the axis, such as `Number of keys`, with the unit unless the description contains it. Empty without an
    /// axis.
    pub fn axis_heading(&self) -> String {
        self.axis.as_ref().map(|axis| heading(axis.parameter())).unwrap_or_default()
    }

    /// The unit of the axis; empty without one.
    pub fn axis_unit(&self) -> &str {
        self.axis_numeric().and_then(|numeric| numeric.unit.as_deref()).unwrap_or_default()
    }

    /// Whether the values of the axis are whole numbers, and so are estimates between them.
    pub fn has_whole_axis(&self) -> bool {
        self.axis.as_ref().is_some_and(|axis| axis.parameter().has_whole_values())
    }

    /// The bounds and scale of the axis; `None` unless its values are numbers.
    pub fn axis_numeric(&self) -> Option<&Numeric> {
        self.axis.as_ref().and_then(|axis| axis.parameter().numeric())
    }

    /// The generator and its arguments, on one line.
    pub fn summary(&self) -> String {
        self.summary_where(|_, _| true)
    }

    /// The arguments that differ from `other`, or all of them if the generators differ, on one line. Empty without a
    /// difference.
    pub fn difference_from(&self, other: &Self) -> String {
        let (own, others) = (&self.request, &other.request);
        if own.suite != others.suite || own.generator != others.generator {
            return self.summary();
        }
        self.summary_where(|name, argument| others.arguments.get(name) != Some(argument))
    }

    fn summary_where(&self, is_included: impl Fn(&String, &Argument) -> bool) -> String {
        let arguments = self.request.arguments.iter().filter(|(name, argument)| is_included(name, argument));
        let texts: Vec<String> = arguments.map(|(name, argument)| format!("{name} {}", describe(argument))).collect();
        if texts.is_empty() { String::new() } else { format!("{}: {}", self.generator, texts.join(", ")) }
    }

    /// Whether generator and axis are the same, so that a visible part of one plot applies to the other.
    pub fn has_same_plane(&self, other: &Self) -> bool {
        self.request.generator == other.request.generator && self.axis == other.axis
    }

    /// The target of the measured build: `browser` or `native`.
    pub fn target_name(&self) -> &'static str {
        self.machine.kind.name()
    }
}

/// The maximum number of values of a list in a summary.
const MAX_LISTED: usize = 5;

/// The maximum number of characters of a text argument in a summary.
const MAX_TEXT: usize = 40;

/// An argument as a reader sees it.
pub fn describe(argument: &Argument) -> String {
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
pub fn heading(parameter: &Parameter) -> String {
    let description = parameter.description.lines().next().unwrap_or_default().trim_end_matches('.');
    match parameter.numeric().and_then(|numeric| numeric.unit.as_deref()) {
        Some(unit) if !description.to_lowercase().contains(&unit.to_lowercase()) => {
            format!("{description} ({unit})")
        }
        _ => description.to_owned(),
    }
}
