//! Responses: the measured points, with the information needed to assess them.

mod another_day;
mod clock_card;
mod comparison;
#[cfg(feature = "files")]
mod counter_card;
mod event_counts;
mod failure;
mod first_calls;
#[cfg(feature = "files")]
mod machine_card;
mod memory_use;
mod run;
mod warning;
mod wasm_counts;

use serde::{Deserialize, Serialize};

use crate::analyze::growth::GrowthPoint;
use crate::analyze::statistics::Summary;
use crate::quality::{Priority, Quality};
use crate::request::Request;
pub use another_day::{AnotherDay, UsualSpeed};
use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::catalog::Build;
pub use clock_card::ClockCard;
pub(crate) use clock_card::can_be_ranked;
pub use comparison::{Comparison, MeansRatio, RatioAt};
#[cfg(feature = "files")]
pub use counter_card::CounterCard;
pub use event_counts::{CountedEvent, CounterAbsence, EventCounts, EventEstimate, EventsPerCall};
pub use failure::{Failure, FailureKind};
pub use first_calls::{FirstCalls, StartUpTimes};
#[cfg(feature = "files")]
pub use machine_card::{Frequencies, MachineCard, MachineWarning, MeasuringCore, ProtectionStatus};
pub use memory_use::{DeclaredWork, MemoryUse};
pub(crate) use run::repeats;
pub use run::{LongerBatches, NewInputs, Overhead, Run, Sample};
pub use warning::{TwoLevelTimes, Warning};
pub use wasm_counts::{WasmCounts, WasmInstructions};

/// The version of the method: of the sampling and of the analysis of points. It increases with each change that makes the figures
/// of points incomparable, such as a wider interval of a mean for the same samples. It does not cover ratios: responses compute
/// them again, and an archived result keeps those of its measurement.
pub const METHOD: u32 = 7;

/// Adds a point, in place of one of the same function and value: a measurement that turns out to need all cores repeats its points.
pub fn add_point(points: &mut Vec<Point>, point: Point) {
    points.retain(|other| (&other.function, &other.x) != (&point.function, &point.x));
    points.push(point);
}

/// The relative half-width of a mean whose interval is unknown, for growth.
pub const UNKNOWN_PRECISION: f64 = 0.2;

/// The response to a request. It includes the request and the raw samples, so that every figure can be recomputed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Response {
    /// The request.
    pub request: Request,
    /// The accuracy of the figures: the requested priority or better.
    pub priority: Priority,
    /// The exact build of the suite.
    pub suite: SuiteCard,
    /// The version of the method: figures of different versions are not comparable.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub method: u32,
    /// The quality of the priority. The request's own precision and time replace the priority's.
    pub quality: Quality,
    /// The measuring machine.
    pub machine: Machine,
    /// One per axis value and function, in the order measured.
    #[cfg_attr(feature = "schema", schemars(length(max = 4_100)))]
    pub points: Vec<Point>,
    /// Each pair of functions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(max = 6)))]
    pub comparisons: Vec<Comparison>,
}

/// The exact build of a suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuiteCard {
    /// The suite's name.
    pub name: String,
    /// The suite's version.
    pub version: String,
    /// How it was compiled.
    pub build: Build,
    /// SHA-256 of the catalog without build, files and lines, in hexadecimal. It is equal for the wasm and the native
    /// build of a suite.
    pub catalog_hash: String,
    /// SHA-256 of the binary, in hexadecimal.
    pub fingerprint: String,
    /// The commit that it was built from: `77c0a41f0b12`, or `77c0a41f0b12+changes` if files differed from it. Absent if the page does not
    /// know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
}

/// The machine of a measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Machine {
    /// Browser or native.
    pub kind: MachineKind,
    /// A browser's name and version, or a runner's configured name.
    pub name: String,
    /// A random identifier, which distinguishes browsers with the same name. Absent for a runner: its name identifies it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The processor. Of a browser: its platform and number of threads, or the user's own description; of a runner: see
    /// `MachineCard::summary`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor: Option<String>,
    /// The clock, as measured on this machine.
    pub clock: ClockCard,
}

impl Machine {
    /// Whether both are the same browser or the same runner.
    pub fn is_same(&self, other: &Self) -> bool {
        (self.kind, &self.name, &self.id) == (other.kind, &other.name, &other.id)
    }

    /// The name, and the processor if there is information about it.
    pub fn name_and_processor(&self) -> String {
        match &self.processor {
            Some(processor) => format!("{} on {processor}", self.name),
            None => self.name.clone(),
        }
    }

    /// The name in a text about both: "another Chrome 156" if `here` is a different machine with the same name.
    pub fn name_next_to(&self, here: &Self) -> String {
        let is_ambiguous = self.name == here.name && !self.is_same(here);
        if is_ambiguous { format!("another {}", self.name) } else { self.name.clone() }
    }
}

/// The kind of a machine, which determines the suite's target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MachineKind {
    /// WebAssembly in a browser.
    Browser,
    /// A native executable.
    Native,
}

impl MachineKind {
    /// The name that users see: `browser` or `native`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Browser => "browser",
            Self::Native => "native",
        }
    }
}

/// The outcome of one function at one axis value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "UncheckedPoint")]
pub struct Point {
    /// The function's path.
    pub function: String,
    /// The axis value; absent if the request has no axis.
    #[serde(default, skip_serializing_if = "AxisValue::is_absent")]
    pub x: AxisValue,
    /// The figures, or the failure.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// The outcome of a point.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The point was measured.
    Measured(Box<MeasuredPoint>),
    /// The point failed; other points are not affected.
    Failed(Failure),
}

/// The figures of a point and their samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MeasuredPoint {
    /// The figures.
    pub summary: Summary,
    /// The samples of each process: one in a browser, several if the quality demands it.
    pub runs: Vec<Run>,
    /// The hash of the first calls' outputs. Absent if the suite declares none of the request's other functions as an
    /// alternative, if a type cannot be hashed, or if calls are slow and a smaller axis value was already checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outputs: Option<Outputs>,
    /// The work of a call, as the generator declares it.
    #[serde(default, skip_serializing_if = "DeclaredWork::is_empty")]
    pub work: DeclaredWork,
    /// The memory use of some calls. Absent if the suite cannot count it, or if calls are too slow to be repeated for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryUse>,
    /// What hardware counters counted. Absent in browsers, and in results of hosts that did not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events: Option<EventCounts>,
    /// The first call in a fresh process, repeated. Absent unless the request includes first calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_calls: Option<FirstCalls>,
    /// The wasm instructions of a call. Absent unless they were requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wasm_instructions: Option<WasmCounts>,
    /// What another day would find on this machine. Absent without a history of the machine, and for bounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub another_day: Option<AnotherDay>,
    /// Reasons to distrust the figures.
    pub warnings: Vec<Warning>,
}

/// The outputs of a function's first calls. Functions that do the same work on the same inputs have equal outputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Outputs {
    /// The suite's name for the work.
    pub work: String,
    /// The hash of the outputs, in hexadecimal.
    pub hash: String,
}

impl MeasuredPoint {
    /// A point with figures and samples only, without warnings.
    pub fn new(summary: Summary, runs: Vec<Run>) -> Self {
        Self {
            summary,
            runs,
            outputs: None,
            work: DeclaredWork::default(),
            memory: None,
            events: None,
            first_calls: None,
            wasm_instructions: None,
            another_day: None,
            warnings: Vec::new(),
        }
    }

    /// A point whose samples are the times of a part of the start-up, to show them like other samples.
    pub fn of_start_up(times: &StartUpTimes) -> Self {
        let blocks = vec![1; times.summary.n as usize];
        let run = Run::of_single_calls(times.samples.clone(), blocks, times.summary.stability);
        Self::new(times.summary.clone(), vec![run])
    }

    /// All samples in the order of measurement, each with its run.
    pub fn samples(&self) -> impl Iterator<Item = (&Run, &Sample)> {
        self.runs.iter().flat_map(|run| run.samples.iter().map(move |sample| (run, sample)))
    }

    /// Calls in each batch: the minimum over the runs; 1 if there are none.
    pub fn calls(&self) -> u64 {
        self.runs.iter().map(|run| run.calls).min().unwrap_or(1)
    }

    /// The mean overhead over the runs, for display. Its half-width treats the runs as independent, so it understates the
    /// part that is the same in all of them; see [`Overhead::systematic_half_width`].
    pub fn overhead(&self) -> Overhead {
        let count = self.runs.len().max(1) as f64;
        let per_call = self.runs.iter().map(|run| run.overhead.per_call).sum::<f64>() / count;
        let squares = self.runs.iter().map(|run| run.overhead.half_width.powi(2)).sum::<f64>();
        let interference = self.runs.iter().map(|run| run.overhead.interference).sum::<f64>() / count;
        Overhead { per_call, half_width: squares.sqrt() / count, interference, slow_setup: self.slow_setup() }
    }

    /// The longest time to prepare a batch in nanoseconds, if it dwarfs the batches; see `Overhead::after_setup`.
    pub fn slow_setup(&self) -> Option<f64> {
        self.runs.iter().filter_map(|run| run.overhead.slow_setup).reduce(f64::max)
    }

    /// The time per call of each counted sample in nanoseconds, in the order of measurement. As in the figures, warm-up
    /// samples are excluded and the overhead is subtracted.
    pub fn counted(&self) -> impl Iterator<Item = f64> {
        self.samples().filter(|(_, sample)| !sample.warm_up).map(|(run, sample)| run.time_of(sample))
    }

    /// The mean number of calls per input; absent if the suite does not report it.
    pub fn repeats(&self) -> Option<f64> {
        repeats(&self.runs)
    }

    /// The mean as a point of a curve whose growth is to be determined. A mean without an interval counts as that precise:
    /// [`UNKNOWN_PRECISION`].
    pub fn growth_point(&self, x: f64) -> GrowthPoint {
        let value = self.summary.mean;
        let half_width =
            self.summary.mean_interval.map_or(UNKNOWN_PRECISION * value, |mean| (mean.high - mean.low) / 2.0);
        GrowthPoint { x, value, half_width }
    }

    /// The two levels between which the times switch; absent if they do not.
    pub fn two_levels(&self) -> Option<TwoLevelTimes> {
        self.warnings.iter().find_map(|warning| match warning {
            Warning::TwoLevels(levels) => Some(*levels),
            _ => None,
        })
    }

    /// The upper bound of the time per call in nanoseconds if the interval of the mean contains 0; absent otherwise.
    pub fn upper_bound(&self) -> Option<f64> {
        self.warnings.iter().find_map(|warning| match warning {
            Warning::BelowResolution { under } => Some(*under),
            _ => None,
        })
    }
}

impl Point {
    /// The figures; absent if the point failed.
    pub fn measured(&self) -> Option<&MeasuredPoint> {
        match &self.outcome {
            Outcome::Measured(measured) => Some(measured),
            Outcome::Failed(_) => None,
        }
    }
}

/// A point before validation: it may have both outcomes or neither.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct UncheckedPoint {
    function: String,
    #[serde(default)]
    x: AxisValue,
    measured: Option<Box<MeasuredPoint>>,
    failed: Option<Failure>,
}

impl TryFrom<UncheckedPoint> for Point {
    type Error = &'static str;

    fn try_from(point: UncheckedPoint) -> Result<Self, Self::Error> {
        let outcome = match (point.measured, point.failed) {
            (Some(measured), None) => Outcome::Measured(measured),
            (None, Some(failure)) => Outcome::Failed(failure),
            _ => return Err("expected exactly one of `measured` and `failed` in a point"),
        };
        Ok(Self { function: point.function, x: point.x, outcome })
    }
}
