//! The JSON messages of a runner's HTTP API. The page and the runner share these types. The runner also serves an
//! OpenAPI document that describes them.

mod builds;
mod history;
mod metric_values;
mod notebooks;
mod token;

use serde::{Deserialize, Serialize};

use crate::quality::{Priority, Qualities, Quality};
use crate::request::{Problem, Request};
use crate::response::{Comparison, CounterCard, Machine, Point, Response, Run, SuiteCard};
use crate::sample::measurement::Progress;
use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::catalog::Suite;

pub use builds::{BuildMeasurement, BuildProblem, BuildReport, BuildSeverity};
pub use history::{AcceptedHistory, AcceptedResults, HistoryFunction, MAX_RESULTS, first_warnings};
pub use metric_values::{MetricCard, MetricCurve, MetricPoint};
pub use notebooks::{NotebookCard, NotebookList, NotebookTitle};
pub use token::Token;

/// The path prefix of every route.
pub const ROOT: &str = "/api/v1";

/// The content type of a stream of [`Event`]s: one JSON object per line. The runner streams if a client accepts this
/// type.
pub const STREAM: &str = "application/x-ndjson";

/// `GET catalog`: what a runner can measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct RunnerCatalog {
    /// The runner's configured name.
    pub runner: String,
    /// The suites, in the order of the runner's configuration.
    pub suites: Vec<SuiteEntry>,
    /// The quality of each priority on this runner.
    pub qualities: Qualities,
    /// The metrics that a point may have.
    #[serde(default)]
    pub metrics: Vec<MetricCard>,
    /// The hardware counters of the machine. Absent without suites.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counters: Option<CounterCard>,
    /// Whether the runner has a folder of notebooks.
    #[serde(default)]
    pub notebooks: bool,
    /// Whether the runner has a folder of accepted results.
    #[serde(default)]
    pub history: bool,
    /// Whether the suites follow their sources, as with `cargo benchbook`. If so, `GET builds` reports each build.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub builds: bool,
}

/// A suite that a runner measures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuiteEntry {
    /// Functions and generators.
    pub suite: Suite,
    /// The native build that the runner measures.
    pub card: SuiteCard,
    /// The address of the suite's wasm build, relative to the runner's own address. Absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wasm: Option<String>,
    /// Whether the runner has the suite's counting module, which requests for wasm instructions need.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = false)))]
    pub can_count: bool,
    /// The earlier builds that the runner keeps, latest first, as requests refer to them: see
    /// [`Alternative`](crate::alternative::Alternative).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub retained: Vec<String>,
}

/// `GET queue`: the load of a runner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct QueueLoad {
    /// Running measurements: 0 or 1.
    #[cfg_attr(feature = "schema", schemars(range(max = 1)))]
    pub running: u32,
    /// Queued measurements.
    pub waiting: u32,
    /// Clients that wait for a response.
    #[cfg_attr(feature = "schema", schemars(range(max = 100_000)))]
    pub clients: u32,
    /// The estimated time until the queue is empty, in milliseconds.
    pub wait_ms: u64,
}

/// One line of the streamed response to `POST measure`. `done`, `failed` and `stopped` are final.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case", expecting = "an object with a field `type`")]
pub enum Event {
    /// The request is queued. Sent again after every change.
    Queued {
        /// Measurements ahead of this one, including the running one.
        ahead: u32,
        /// The estimated time until this one starts, in milliseconds.
        wait_ms: u64,
    },
    /// The measurement started, or the runner found stored results. Sent once, before the first point.
    Started(Box<StreamStart>),
    /// The progress so far.
    Progress(Progress),
    /// The progress of counting wasm instructions, after the last point was measured.
    Counting {
        /// The number of counted points.
        done: usize,
        /// The number of points to count.
        #[serde(rename = "of")]
        total: usize,
    },
    /// A point, provisional until `done` confirms it. Sent again with its wasm instructions, if they are counted.
    Point {
        /// The point with its raw samples.
        point: Box<Point>,
    },
    /// All points are complete and stored on the runner's disk.
    Done(Box<Done>),
    /// The measurement failed. The runner stores completed axis values if it can.
    Failed {
        /// The cause and how to fix it.
        reason: String,
    },
    /// The runner is shutting down, or the client cancelled its request. The runner stores completed axis values and
    /// returns them to later requests.
    Stopped {
        /// The cause and how to fix it.
        reason: String,
    },
}

/// The part of a response that is known before its first point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StreamStart {
    /// The accuracy of the figures: the requested priority or better.
    pub priority: Priority,
    /// The exact build of the suite.
    pub suite: SuiteCard,
    /// The quality of the priority on this runner. The request's own precision and time replace the priority's.
    pub quality: Quality,
    /// The measuring machine with its current clock card. A stored result contains the clock card from its measurement.
    pub machine: Machine,
    /// The number of points found among the stored results; they are not measured again.
    pub stored: usize,
    /// The number of all points.
    #[serde(rename = "of")]
    pub total: usize,
    /// When the newest of the stored points was stored, in milliseconds since 1970. Absent without stored points, and from older runners.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub newest: Option<u64>,
}

impl StreamStart {
    /// When the newest point was stored, in milliseconds since 1970, if the runner had stored all points. Absent if it measures some, and from older
    /// runners.
    pub fn stored_at(&self) -> Option<u64> {
        self.newest.filter(|_| self.stored == self.total)
    }
}

/// The part of a response that is known after its last point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Done {
    /// The ids of the stored results that contain the points. Several if some points were found and others measured.
    pub results: Vec<u64>,
    /// The accuracy of the figures: the requested priority, or a better one if all of its points were stored.
    pub priority: Priority,
    /// Each pair of functions that were measured together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(max = 6)))]
    pub comparisons: Vec<Comparison>,
}

/// The response to `POST measure` as a single JSON object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MeasureResponse {
    /// The request without its client id, and without the demand for a fresh measurement.
    pub request: Request,
    /// The accuracy of the figures: the requested priority or better.
    pub priority: Priority,
    /// The exact build of the suite.
    pub suite: SuiteCard,
    /// The quality of the priority. The request's own precision and time replace the priority's.
    pub quality: Quality,
    /// The measuring machine with its current clock card. A stored result contains the clock card from its measurement.
    pub machine: Machine,
    /// One per axis value and function, in the order of the axis, with raw samples.
    #[cfg_attr(feature = "schema", schemars(length(max = 4_100)))]
    pub points: Vec<Point>,
    /// Each pair of functions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(max = 6)))]
    pub comparisons: Vec<Comparison>,
    /// The ids of the stored results that contain the points.
    pub results: Vec<u64>,
    /// The figures of the request's first function, for clients that only plot: per axis value `[x, [mean − sd, mean,
    /// mean + sd], [q1, median, q3]]`. Failed points are omitted; an unavailable figure is null.
    #[cfg_attr(feature = "schema", schemars(length(max = 1_025)))]
    pub data: Vec<CurveRow>,
    /// The units of `data`.
    pub units: Units,
    /// The values of all metrics that some point has, by metric and function. [`RunnerCatalog::metrics`] describes them.
    #[serde(default)]
    pub metrics: Vec<MetricCurve>,
}

/// An axis value, null without an axis; mean − sd, mean, mean + sd; first quartile, median, third quartile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CurveRow(
    #[cfg_attr(feature = "schema", schemars(with = "Option<AxisValue>"))] pub AxisValue,
    pub [Option<f64>; 3],
    pub [Option<f64>; 3],
);

/// Units of measurement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Units {
    /// The unit of the axis value. Empty if the parameter has none, and without an axis.
    pub x: String,
    /// The unit of the figures: `ns`, per call.
    pub y: String,
}

/// The body of every error response, alongside its status.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct ErrorBody {
    /// The problem and how to fix it.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub error: String,
    /// The problems of an invalid request, each with its location.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
    /// Seconds to wait before a retry. Absent if a retry does not help.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
}

/// `GET results/functions`: a function with stored results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct StoredFunction {
    /// The suite's name.
    pub suite: String,
    /// The function's path.
    pub function: String,
    /// Results that contain points of this function.
    pub results: u64,
    /// When the newest was stored, in milliseconds since 1970.
    pub newest: u64,
}

/// `GET results/generators`: a generator that a function was measured with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct StoredGenerator {
    /// The generator's path.
    pub generator: String,
    /// The number of results.
    pub results: u64,
    /// When the newest was stored, in milliseconds since 1970.
    pub newest: u64,
}

/// `GET results`: a page of results, newest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct StoredResults {
    /// The results of this page.
    #[cfg_attr(feature = "schema", schemars(length(max = 500)))]
    pub results: Vec<ResultCard>,
    /// The value of `before` for the next page. Absent on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(max = 9_007_199_254_740_991_u64)))]
    pub next: Option<u64>,
}

/// A stored result, without its points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct ResultCard {
    /// The id. It is greater than the id of every earlier result.
    #[cfg_attr(feature = "schema", schemars(range(max = 9_007_199_254_740_991_u64)))]
    pub id: u64,
    /// When it was stored, in milliseconds since 1970.
    pub stored: u64,
    /// The request that was measured, without its client id.
    pub request: Request,
    /// The quality that the request was measured with.
    pub quality: Quality,
    /// The exact build of the suite.
    pub suite: SuiteCard,
    /// The measuring machine.
    pub machine: Machine,
    /// The number of points. Less than the quality demands if the other points were already stored, or if the
    /// measurement was stopped.
    pub points: u64,
}

/// `GET results/{id}`: a stored result, with its points but without raw samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct StoredResult {
    /// The id.
    #[cfg_attr(feature = "schema", schemars(range(max = 9_007_199_254_740_991_u64)))]
    pub id: u64,
    /// When it was stored, in milliseconds since 1970.
    pub stored: u64,
    /// The measurement. The runs of its points are empty.
    pub response: Response,
}

/// `GET results/{id}/samples?function=…&x=…`: the raw samples of one point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct StoredSamples {
    /// The function's path.
    pub function: String,
    /// The axis value; absent if the request has no axis.
    #[serde(default, skip_serializing_if = "AxisValue::is_absent")]
    pub x: AxisValue,
    /// The samples of each process.
    pub runs: Vec<Run>,
}
