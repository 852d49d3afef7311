//! Requests: what a client asks to have measured, and the plan that a valid one becomes.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::quality::{Priority, Qualities, Quality};
use benchbook_contract::catalog::{Function, Generator, Suite};
use benchbook_contract::parameter::{Argument, Arguments, Kind, MAX_INTEGER, Numeric, Parameter, Range};
use benchbook_contract::protocol::MAX_FUNCTIONS;

/// The most characters of a text argument.
pub const MAX_TEXT: usize = 10_000;

/// What a client asks to have measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The suite's name.
    pub suite: String,
    /// Paths of one to four functions of one generator; they are measured on the same inputs.
    pub functions: Vec<String>,
    /// The generator's path.
    pub generator: String,
    /// The values of its parameters; one is a range: the axis.
    pub arguments: Arguments,
    /// How accurate the results should be.
    pub priority: Priority,
    /// Who asks: a random id a tab.
    pub client: String,
    /// Where randomness starts, below 2⁵³; absent: derived from generator and arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The half-width of the mean's 95 % interval, relative to the mean, at which a point has enough: `0.005` is ±0.5 %.
    /// Absent: that of the priority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<f64>,
    /// The time for one point of one function in milliseconds. Absent: that of the priority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point_ms: Option<f64>,
}

/// What is wrong with a request, and where in it.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[error("{place}: {message}")]
pub struct Problem {
    /// The place in the request, such as `arguments.size.low`.
    pub place: String,
    /// What is expected there.
    pub message: String,
}

impl Problem {
    fn new(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { place: place.into(), message: message.into() }
    }
}

/// A valid request. Whoever holds one need not look again: the functions are there and bound to the generator, every
/// parameter has a value that it takes, and one is the axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    request: Request,
    axis: Parameter,
    range: Range,
    seed: u64,
    /// For each function, whether only a native runner can measure it.
    native: Vec<bool>,
    /// For each function, what work it does, where the suite says so.
    alternatives: Vec<Option<String>>,
}

impl Plan {
    /// Holds `request` against the catalog.
    ///
    /// # Errors
    /// Every problem found, in the order of the request, each with its place.
    pub fn new(suite: &Suite, request: Request) -> Result<Self, Vec<Problem>> {
        let mut problems = Vec::new();
        if request.suite != suite.name {
            problems.push(Problem::new("suite", format!("this suite is `{}`, not `{}`", suite.name, request.suite)));
        }
        let Some(generator) = suite.generator(&request.generator) else {
            problems.push(Problem::new("generator", format!("there is no generator `{}`", request.generator)));
            return Err(problems);
        };
        check_functions(suite, generator, &request.functions, &mut problems);
        let axis = check_arguments(generator, &request.arguments, &mut problems);
        if request.seed.is_some_and(|seed| seed as f64 >= MAX_INTEGER) {
            problems.push(Problem::new("seed", "a seed is below 2^53"));
        }
        let own = [
            ("precision", request.precision, Quality::check_precision as fn(f64) -> Result<(), &'static str>),
            ("point_ms", request.point_ms, Quality::check_point_ms),
        ];
        for (place, value, check) in own {
            if let Some(Err(expected)) = value.map(check) {
                problems.push(Problem::new(place, expected));
            }
        }
        match axis {
            Some((axis, range)) if problems.is_empty() => {
                let seed =
                    request.seed.unwrap_or_else(|| derive_seed(&request.generator, &request.arguments, &axis.name));
                let is_native = |path: &String| suite.function(path).is_some_and(|function| function.native);
                let native = request.functions.iter().map(|path| generator.native || is_native(path)).collect();
                let work = |path: &String| suite.function(path).and_then(|function| function.alternatives.clone());
                let alternatives = request.functions.iter().map(work).collect();
                Ok(Self { axis: axis.clone(), range, seed, native, alternatives, request })
            }
            _ => Err(problems),
        }
    }

    /// The request as it was asked.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// The parameter that is varied.
    pub fn axis(&self) -> &Parameter {
        &self.axis
    }

    /// The bounds and the scale of the axis.
    pub fn numeric(&self) -> &Numeric {
        self.axis.numeric().expect("a plan's axis was checked to be a number")
    }

    /// The range over which the axis is varied.
    pub fn range(&self) -> Range {
        self.range
    }

    /// Whether only a native runner can measure the function at `index` of the request.
    pub fn is_native(&self, index: usize) -> bool {
        self.native[index]
    }

    /// The work that the function at `index` of the request shares with another of it, as the suite calls that: from the
    /// same inputs they make the same outputs.
    pub fn shared_work(&self, index: usize) -> Option<&str> {
        let work = self.alternatives[index].as_deref()?;
        let count = self.alternatives.iter().filter(|other| other.as_deref() == Some(work)).count();
        (count > 1).then_some(work)
    }

    /// What its priority means here, with the request's own precision and time where it has some.
    pub fn quality(&self, qualities: &Qualities) -> Quality {
        let Request { precision, point_ms, priority, .. } = self.request;
        let mut quality = qualities.of(priority).clone();
        quality.precision = precision.unwrap_or(quality.precision);
        quality.point_ms = point_ms.unwrap_or(quality.point_ms);
        quality
    }

    /// Where randomness starts.
    pub fn seed(&self) -> u64 {
        self.seed
    }
}

fn check_functions(suite: &Suite, generator: &Generator, paths: &[String], problems: &mut Vec<Problem>) {
    if paths.is_empty() || paths.len() > MAX_FUNCTIONS {
        problems.push(Problem::new("functions", format!("a request has 1 to {MAX_FUNCTIONS} functions")));
    }
    for (index, path) in paths.iter().enumerate() {
        let place = format!("functions[{index}]");
        match suite.function(path) {
            None => problems.push(Problem::new(place, format!("there is no function `{path}`"))),
            Some(function) if !is_bound(function, generator) => problems.push(Problem::new(
                place,
                format!(
                    "`{path}` takes no workload of `{}`, but of {}",
                    generator.path,
                    function.generators.join(", ")
                ),
            )),
            Some(_) if paths[..index].contains(path) => {
                problems.push(Problem::new(place, format!("`{path}` is named twice")));
            }
            Some(_) => {}
        }
    }
}

fn is_bound(function: &Function, generator: &Generator) -> bool {
    function.generators.contains(&generator.path)
}

fn check_arguments<'g>(
    generator: &'g Generator,
    arguments: &Arguments,
    problems: &mut Vec<Problem>,
) -> Option<(&'g Parameter, Range)> {
    for name in arguments.keys().filter(|name| generator.parameter(name).is_none()) {
        let known: Vec<_> = generator.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        problems.push(Problem::new(
            format!("arguments.{name}"),
            format!("there is no such parameter; the generator has {}", known.join(", ")),
        ));
    }
    let mut axis = None;
    for parameter in &generator.parameters {
        let place = format!("arguments.{}", parameter.name);
        match arguments.get(&parameter.name) {
            None => problems.push(Problem::new(place, "a value is missing")),
            Some(Argument::Range(range)) if check_range(parameter, *range, &place, problems) => {
                if axis.replace((parameter, *range)).is_some() {
                    problems.push(Problem::new(place, "a second range: exactly one parameter is varied"));
                }
            }
            // A bad range was told already, and is the axis that was meant.
            Some(Argument::Range(range)) => axis = Some((parameter, *range)),
            Some(Argument::Number(value)) => check_number(parameter, *value, &place, problems),
            Some(Argument::Text(text)) => check_text(parameter, text, &place, problems),
        }
    }
    if axis.is_none() {
        problems.push(Problem::new("arguments", "no range: exactly one numeric parameter is varied from low to high"));
    }
    axis
}

/// Whether the range will do; what is wrong with it goes to `problems`.
fn check_range(parameter: &Parameter, range: Range, place: &str, problems: &mut Vec<Problem>) -> bool {
    let before = problems.len();
    match parameter.numeric() {
        None => problems.push(Problem::new(place, "only a number can be varied")),
        Some(numeric) if !numeric.axis => {
            problems.push(Problem::new(place, "this parameter is not meant to be varied: give one value"));
        }
        Some(numeric) => {
            check_value(numeric, range.low, &format!("{place}.low"), problems);
            check_value(numeric, range.high, &format!("{place}.high"), problems);
            if range.low >= range.high {
                problems.push(Problem::new(format!("{place}.low"), "low must be less than high"));
            }
        }
    }
    problems.len() == before
}

fn check_number(parameter: &Parameter, value: f64, place: &str, problems: &mut Vec<Problem>) {
    match parameter.numeric() {
        Some(numeric) => check_value(numeric, value, place, problems),
        None => problems.push(Problem::new(place, "a text is expected, not a number")),
    }
}

fn check_value(numeric: &Numeric, value: f64, place: &str, problems: &mut Vec<Problem>) {
    if !value.is_finite() || value < numeric.min || value > numeric.max {
        problems.push(Problem::new(place, format!("expected {} to {}, not {value}", numeric.min, numeric.max)));
    } else if !numeric.contains(value) {
        let step = numeric.step.expect("without a step every value between the bounds is held");
        problems.push(Problem::new(
            place,
            format!(
                "expected {} plus a multiple of {step}; the nearest to {value} is {}",
                numeric.min,
                numeric.snap(value)
            ),
        ));
    }
}

fn check_text(parameter: &Parameter, text: &str, place: &str, problems: &mut Vec<Problem>) {
    match &parameter.kind {
        Kind::Integer(_) | Kind::Float(_) => problems.push(Problem::new(place, "a number is expected, not a text")),
        Kind::Choice { options, .. } => {
            if !options.iter().any(|option| option.name == text) {
                let names: Vec<_> = options.iter().map(|option| option.name.as_str()).collect();
                problems.push(Problem::new(place, format!("expected one of {}", names.join(", "))));
            }
        }
        Kind::Text { .. } => {
            let count = text.chars().count();
            if count > MAX_TEXT {
                problems.push(Problem::new(place, format!("expected at most {MAX_TEXT} characters, not {count}")));
            }
        }
    }
}

/// The first 53 bits of the SHA-256 of generator and arguments, the axis by its name alone: the same question gets the
/// same inputs, whatever the function and the range, so that functions can be compared and points be found again.
fn derive_seed(generator: &str, arguments: &Arguments, axis: &str) -> u64 {
    let fixed: Vec<(&String, &Argument)> = arguments.iter().filter(|(name, _)| *name != axis).collect();
    let asked = serde_json::to_string(&(generator, axis, fixed)).expect("numbers and texts have a JSON form");
    let digest = Sha256::digest(asked);
    let mut first = [0; 8];
    first.copy_from_slice(&digest[..8]);
    u64::from_be_bytes(first) >> 11
}
