//! Requests, and the plan that a valid request becomes.

pub mod arguments;
pub mod shared_inputs;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

use self::shared_inputs::has_same_inputs;
use crate::alternative::{Alternative, RetainedCatalog};
use crate::axis::Axis;
use crate::native_reason::NativeReason;
use crate::quality::{Priority, Qualities, Quality};
use benchbook_contract::axis_value::AxisValue;
#[cfg(feature = "schema")]
use benchbook_contract::catalog::MAX_NAME;
use benchbook_contract::catalog::{Function, Generator, Mode, Suite};
use benchbook_contract::number::{MAX_INTEGER, numbers};
use benchbook_contract::parameter::{Argument, Arguments};
use benchbook_contract::protocol::{MAX_FUNCTIONS, Open};

/// The maximum length of a text argument in characters.
pub const MAX_TEXT: usize = 10_000;

/// The maximum length of a text in a list of axis values, in characters: it is a label in plots, links and queries.
pub const MAX_AXIS_TEXT: usize = 500;

/// The maximum number of values in a list.
pub const MAX_VALUES: usize = 1_000;

/// The maximum number of values in [`Request::also_at`].
pub const MAX_ALSO_AT: usize = 12;

/// The maximum length of a client's id in characters; a UUID has 36.
pub const MAX_CLIENT: usize = 100;

/// A client's request for a measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The suite's name.
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_NAME)))]
    pub suite: String,
    /// Paths of one to four functions that accept the generator's workloads; they are measured on the same inputs. A runner that
    /// keeps earlier builds also accepts a function of one of them, such as `sorting::sort@77c0a41f0b12`; see [`Alternative`].
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = MAX_FUNCTIONS), inner(length(max = MAX_NAME)), extend("uniqueItems" = true)))]
    pub functions: Vec<String>,
    /// The generator's path.
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_NAME)))]
    pub generator: String,
    /// The values of the generator's parameters. At most one is a range or a list of values: the axis. Without an axis, each
    /// function has a single point.
    #[cfg_attr(feature = "schema", schemars(extend("propertyNames" = { "maxLength": MAX_NAME })))]
    pub arguments: Arguments,
    /// Values of a range to measure at in addition to those of the priority: at most 12. They belong to the accuracy, so they change
    /// neither the inputs nor the seed.
    #[serde(default, skip_serializing_if = "Vec::is_empty", serialize_with = "numbers")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<f64>", length(max = MAX_ALSO_AT)))]
    pub also_at: Vec<f64>,
    /// The requested accuracy.
    pub priority: Priority,
    /// The client's id, random per browser tab: at most 100 characters.
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_CLIENT)))]
    pub client: String,
    /// The seed, below 2⁵³. Absent: derived from generator and arguments.
    #[serde(default, deserialize_with = "read_seed", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<u64>", range(max = 9_007_199_254_740_991_u64)))]
    pub seed: Option<u64>,
    /// The target for the half-width of the mean's 95% interval, relative to the mean: `0.005` is ±0.5%. Sampling
    /// stops when a point reaches it. Absent: the priority's target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("exclusiveMinimum" = 0, "maximum" = 1)))]
    pub precision: Option<f64>,
    /// The time for one point of one function in milliseconds. Absent: the priority's time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("exclusiveMinimum" = 0, "maximum" = 3_600_000)))]
    pub point_ms: Option<f64>,
    /// Whether a runner measures all points again, although it has stored ones. They remain as older results.
    #[serde(default, skip_serializing_if = "is_false")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = false)))]
    pub fresh: bool,
    /// Whether to measure the first call of a process, too, at each point.
    #[serde(default, skip_serializing_if = "is_false")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = false)))]
    pub first_calls: bool,
    /// Whether a runner counts the wasm instructions of a call, too, at each point. A browser counts them when its user wants to see them.
    #[serde(default, skip_serializing_if = "is_false")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = false)))]
    pub wasm_instructions: bool,
}

impl Request {
    /// A request with the accuracy of a priority, from a client without an id.
    pub fn new(
        suite: impl Into<String>,
        functions: Vec<String>,
        generator: impl Into<String>,
        arguments: Arguments,
        priority: Priority,
    ) -> Self {
        Self {
            suite: suite.into(),
            functions,
            generator: generator.into(),
            arguments,
            also_at: Vec::new(),
            priority,
            client: String::new(),
            seed: None,
            precision: None,
            point_ms: None,
            fresh: false,
            first_calls: false,
            wasm_instructions: false,
        }
    }

    /// Whether both measure the same functions on the same inputs. The accuracy may differ.
    pub fn is_of_same_work(&self, other: &Self) -> bool {
        (&self.suite, &self.functions, &self.generator, &self.arguments, self.seed)
            == (&other.suite, &other.functions, &other.generator, &other.arguments, other.seed)
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

/// Reads a seed, which may be written as `7.0`: that is an integer in JSON Schema. Seeds of 2⁵³ and more are rejected later,
/// with their location.
fn read_seed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    match Option::<f64>::deserialize(deserializer)? {
        None => Ok(None),
        Some(seed) if seed >= 0.0 && seed.fract() == 0.0 => Ok(Some(seed as u64)),
        Some(seed) => Err(D::Error::custom(format!("expected an integer of at least 0 as the seed, not {seed}"))),
    }
}

/// A problem in a request, with its location.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[error("{location}: {message}")]
pub struct Problem {
    /// The location in the request, such as `arguments.size.low`.
    #[serde(rename = "place")]
    pub location: String,
    /// The expected value.
    pub message: String,
}

impl Problem {
    fn new(location: impl Into<String>, message: impl Into<String>) -> Self {
        Self { location: location.into(), message: message.into() }
    }
}

/// A validated request: its functions exist and accept the generator's workloads, every parameter has a valid value,
/// and at most one is the axis. Later code does not check again.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    request: Request,
    axis: Option<Axis>,
    seed: u64,
    /// For each function, why a browser cannot measure it, if so.
    native_reasons: Vec<Option<NativeReason>>,
    /// Whether several threads make the calls at the same time.
    is_contended: bool,
    /// For each function, the suite's name for the work that it shares with its alternatives, if any.
    shared_work: Vec<Option<String>>,
}

impl Plan {
    /// Validates `request` against the catalog, for a host that keeps no other builds.
    ///
    /// # Errors
    /// Returns every problem, in the order of the request, each with its location.
    pub fn new(suite: &Suite, request: Request) -> Result<Self, Vec<Problem>> {
        Self::with_builds(suite, &[], request)
    }

    /// Validates `request` against the catalog of the current build and those of kept builds of the same suite.
    ///
    /// # Errors
    /// Returns every problem, in the order of the request, each with its location.
    pub fn with_builds(
        suite: &Suite,
        retained: &[RetainedCatalog<'_>],
        request: Request,
    ) -> Result<Self, Vec<Problem>> {
        let mut problems = Vec::new();
        if request.suite != suite.name {
            problems.push(Problem::new("suite", format!("expected `{}`, not `{}`", suite.name, request.suite)));
        }
        let Some(generator) = suite.generator(&request.generator) else {
            problems.push(Problem::new("generator", format!("no generator `{}` in this suite", request.generator)));
            return Err(problems);
        };
        check_functions(&Catalogs { suite, retained }, generator, &request, &mut problems);
        let compares_builds = request.functions.iter().any(|text| Alternative::parse(text).build.is_some());
        if compares_builds && request.first_calls {
            problems.push(Problem::new("first_calls", "first calls are not measured if builds are compared: omit it"));
        }
        if compares_builds && request.wasm_instructions {
            let message = "wasm instructions are not counted if builds are compared: omit it";
            problems.push(Problem::new("wasm_instructions", message));
        }
        let axis = arguments::check(generator, &request.arguments, &mut problems);
        arguments::check_also_at(axis.as_ref(), &request.also_at, &mut problems);
        if request.client.chars().count() > MAX_CLIENT {
            problems.push(Problem::new("client", format!("expected at most {MAX_CLIENT} characters")));
        }
        if request.seed.is_some_and(|seed| seed as f64 >= MAX_INTEGER) {
            problems.push(Problem::new("seed", "expected a seed below 2^53"));
        }
        let overrides = [
            ("precision", request.precision, Quality::check_precision as fn(f64) -> Result<(), &'static str>),
            ("point_ms", request.point_ms, Quality::check_point_ms),
        ];
        for (location, value, check) in overrides {
            if let Some(Err(expected)) = value.map(check) {
                problems.push(Problem::new(location, expected));
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let axis_name = axis.as_ref().map_or("", |axis| &axis.parameter().name);
        let seed = request.seed.unwrap_or_else(|| derive_seed(&request.generator, &request.arguments, axis_name));
        // Only runners keep builds, so their functions are not in the catalog of a browser's suite.
        let native_reason = |path: &String| match suite.function(path) {
            Some(function) => NativeReason::of(function, generator),
            None => Some(NativeReason::EarlierBuild),
        };
        let native_reasons = request.functions.iter().map(native_reason).collect();
        // The outputs of different builds may differ: a change of the code may be a fix.
        let work = |path: &String| suite.function(path).and_then(|function| function.alternatives.clone());
        let shared_work = request.functions.iter().map(work).collect();
        let is_contended = generator.mode == Mode::Contended;
        Ok(Self { axis, seed, native_reasons, is_contended, shared_work, request })
    }

    /// The original request.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// The varied parameter and its values; `None` if each function has a single point.
    pub fn axis(&self) -> Option<&Axis> {
        self.axis.as_ref()
    }

    /// The name of the varied parameter; empty without an axis.
    pub fn axis_name(&self) -> &str {
        self.axis.as_ref().map_or("", |axis| &axis.parameter().name)
    }

    /// The values to measure at, in the order of the axis: at most `count` of a range and the request's own, or all values of a
    /// list. Without an axis, [`AxisValue::Absent`].
    pub fn axis_values(&self, count: u32) -> Vec<AxisValue> {
        let values = |axis: &Axis| axis.values(count, &self.request.also_at);
        self.axis.as_ref().map_or_else(|| vec![AxisValue::Absent], values)
    }

    /// The arguments of the point at `x`: a single value for each parameter.
    pub fn arguments_at(&self, x: &AxisValue) -> Arguments {
        let mut arguments = self.request.arguments.clone();
        if let Some(value) = Argument::at(x) {
            arguments.insert(self.axis_name().to_owned(), value);
        }
        arguments
    }

    /// The message that opens the workload of `functions` at `x` in a slot.
    pub fn open(&self, slot: u32, functions: Vec<String>, x: &AxisValue) -> Open {
        let Request { generator, priority, .. } = &self.request;
        let (generator, priority) = (generator.clone(), priority.number());
        Open { slot, functions, generator, arguments: self.arguments_at(x), seed: self.seed, priority }
    }

    /// Whether only a native runner can measure the function at `index` of the request.
    pub fn is_native(&self, index: usize) -> bool {
        self.native_reason(index).is_some()
    }

    /// Why a browser cannot measure the function at `index` of the request; `None` if it can.
    pub fn native_reason(&self, index: usize) -> Option<NativeReason> {
        self.native_reasons[index]
    }

    /// Whether several threads make the calls at the same time.
    pub fn is_contended(&self) -> bool {
        self.is_contended
    }

    /// The suite's name for the work that the function at `index` of the request shares with another function of the
    /// request: both produce equal outputs from equal inputs. `None` if there is no such function.
    pub fn shared_work(&self, index: usize) -> Option<&str> {
        let work = self.shared_work[index].as_deref()?;
        let count = self.shared_work.iter().filter(|other| other.as_deref() == Some(work)).count();
        (count > 1).then_some(work)
    }

    /// The quality of the request's priority. The request's own precision and time replace the priority's.
    pub fn quality(&self, qualities: &Qualities) -> Quality {
        let Request { precision, point_ms, priority, .. } = self.request;
        let mut quality = qualities.of(priority).clone();
        quality.precision = precision.unwrap_or(quality.precision);
        quality.point_ms = point_ms.unwrap_or(quality.point_ms);
        quality
    }

    /// The seed of all random numbers.
    pub fn seed(&self) -> u64 {
        self.seed
    }
}

/// The catalogs that the functions of a request may refer to.
struct Catalogs<'a> {
    suite: &'a Suite,
    retained: &'a [RetainedCatalog<'a>],
}

impl Catalogs<'_> {
    /// The catalog with an alternative.
    ///
    /// # Errors
    /// States the available builds.
    fn of(&self, alternative: Alternative<'_>) -> Result<&Suite, String> {
        let Some(build) = alternative.build else { return Ok(self.suite) };
        let found = self.retained.iter().find(|retained| retained.build == build);
        found.map(|retained| retained.suite).ok_or_else(|| {
            let builds: Vec<&str> = self.retained.iter().map(|retained| retained.build).collect();
            match builds.is_empty() {
                true => format!("no build `{build}` is kept here"),
                false => format!("the build `{build}` is no longer kept; available: {}", builds.join(", ")),
            }
        })
    }
}

fn check_functions(catalogs: &Catalogs<'_>, generator: &Generator, request: &Request, problems: &mut Vec<Problem>) {
    let texts = &request.functions;
    if texts.is_empty() || texts.len() > MAX_FUNCTIONS {
        problems.push(Problem::new("functions", format!("expected 1 to {MAX_FUNCTIONS} functions")));
    }
    for (index, text) in texts.iter().enumerate() {
        let is_duplicate = texts[..index].contains(text);
        let checked = match is_duplicate {
            true => Err(format!("duplicate function `{text}`: remove one")),
            false => check_function(catalogs, generator, &request.arguments, Alternative::parse(text)),
        };
        if let Err(message) = checked {
            problems.push(Problem::new(format!("functions[{index}]"), message));
        }
    }
}

fn check_function(
    catalogs: &Catalogs<'_>,
    generator: &Generator,
    arguments: &Arguments,
    alternative: Alternative<'_>,
) -> Result<(), String> {
    let (suite, path) = (catalogs.of(alternative)?, alternative.path);
    let of = alternative.build.map_or("this suite".to_owned(), |build| format!("the build `{build}`"));
    let function = suite.function(path).ok_or_else(|| format!("no function `{path}` in {of}"))?;
    if !is_bound(function, generator) {
        return Err(format!(
            "`{path}` does not accept workloads of `{}`: use one of {}",
            generator.path,
            function.generators.join(", ")
        ));
    }
    let earlier = suite.generator(&generator.path);
    if alternative.build.is_some() && !earlier.is_some_and(|earlier| has_same_inputs(earlier, generator, arguments)) {
        return Err(format!("the generator `{}` has other parameters in {of}, so the inputs differ", generator.path));
    }
    Ok(())
}

fn is_bound(function: &Function, generator: &Generator) -> bool {
    function.generators.contains(&generator.path)
}

/// The first 53 bits of the SHA-256 of the generator, the fixed arguments and the name of the axis. The seed does not
/// depend on the functions or on the values of the axis, so that all functions get equal inputs and stored points can be reused.
fn derive_seed(generator: &str, arguments: &Arguments, axis: &str) -> u64 {
    let fixed: Vec<(&String, &Argument)> = arguments.iter().filter(|(name, _)| *name != axis).collect();
    let hashed = serde_json::to_string(&(generator, axis, fixed)).expect("numbers and texts serialize to JSON");
    let digest = Sha256::digest(hashed);
    let mut first = [0; 8];
    first.copy_from_slice(&digest[..8]);
    u64::from_be_bytes(first) >> 11
}
