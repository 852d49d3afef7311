//! How a result was measured: the request, the machine, the build, and the axis.

mod undescribed;

use benchbook_contract::catalog::Generator;
use benchbook_contract::parameter::Parameter;
use benchbook_host::axis::{Axis, Variation};
use benchbook_host::request::Request;
use benchbook_host::response::{Machine, SuiteCard};
use serde::{Deserialize, Serialize};

use undescribed::undescribed;

/// How a result was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedSetup", into = "UncheckedSetup")]
pub struct ResultSetup {
    /// The request, without a client id. In a result of the page, its precision and its time apply to priority 4 only, its priority is
    /// the last one, and it has no further values: each measurement finds its own.
    pub request: Request,
    /// The name of the generator.
    pub generator: String,
    /// The varied parameter and its values; `None` if each function has a single point.
    pub axis: Option<Axis>,
    /// The exact build of the suite.
    pub suite: SuiteCard,
    /// The machine.
    pub machine: Machine,
    /// The version of the method; see [`benchbook_host::response::METHOD`].
    pub method: u32,
}

impl ResultSetup {
    /// The setup of a measurement of the suite's own generator.
    pub fn new(request: Request, generator: &Generator, suite: SuiteCard, machine: Machine, method: u32) -> Self {
        let request = Request { client: String::new(), ..request };
        let axis = axis_of(&request, |name| generator.parameter(name));
        Self { axis, request, generator: generator.name.clone(), suite, machine, method }
    }

    /// The setup of a measurement whose suite is unknown: generator and axis have the names of the request.
    pub fn undescribed(request: Request, suite: SuiteCard, machine: Machine, method: u32) -> Self {
        let (axis, generator) = (axis_of(&request, |_| None), request.generator.clone());
        Self { axis, generator, request, suite, machine, method }
    }
}

/// The axis of a request. A parameter without a description is described by its argument.
fn axis_of<'p>(request: &Request, described: impl Fn(&str) -> Option<&'p Parameter>) -> Option<Axis> {
    request.arguments.iter().find_map(|(name, argument)| {
        let variation = Variation::of(argument)?;
        let fits = |parameter: &&Parameter| parameter.numeric().is_some() || !matches!(variation, Variation::Range(_));
        let parameter = described(name).filter(fits).cloned().unwrap_or_else(|| undescribed(name, argument));
        Some(Axis::new(parameter, variation))
    })
}

/// A setup as it is stored: the axis follows from the request and the description of its parameter.
#[derive(Serialize, Deserialize)]
struct UncheckedSetup {
    request: Request,
    generator: String,
    /// The varied parameter as the suite describes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    axis: Option<Parameter>,
    suite: SuiteCard,
    machine: Machine,
    method: u32,
}

impl TryFrom<UncheckedSetup> for ResultSetup {
    type Error = String;

    fn try_from(unchecked: UncheckedSetup) -> Result<Self, Self::Error> {
        let UncheckedSetup { request, generator, axis: described, suite, machine, method } = unchecked;
        let varied: Vec<(&String, Variation)> =
            request.arguments.iter().filter_map(|(name, argument)| Some((name, Variation::of(argument)?))).collect();
        let is_empty = |variation: &Variation| matches!(variation, Variation::Values(values) if values.is_empty());
        match (varied.as_slice(), &described) {
            ([], Some(parameter)) => return Err(format!("the axis `{}` has a single value", parameter.name)),
            ([(name, variation)], _) if is_empty(variation) => return Err(format!("the axis `{name}` has no values")),
            ([(name, _)], Some(parameter)) if parameter.name != **name => {
                return Err(format!("the axis is `{name}`, but `{}` is described", parameter.name));
            }
            ([] | [_], _) => {}
            ([(one, _), (other, _), ..], _) => return Err(format!("both `{one}` and `{other}` are varied")),
        }
        let axis = axis_of(&request, |name| described.as_ref().filter(|parameter| parameter.name == name));
        Ok(Self { axis, request, generator, suite, machine, method })
    }
}

impl From<ResultSetup> for UncheckedSetup {
    fn from(setup: ResultSetup) -> Self {
        let ResultSetup { request, generator, axis, suite, machine, method } = setup;
        Self { request, generator, axis: axis.map(|axis| axis.parameter().clone()), suite, machine, method }
    }
}
