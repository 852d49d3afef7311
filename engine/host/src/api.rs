//! What a runner and its clients say to each other over HTTP, under [`ROOT`]: JSON, read and written by the page and by
//! the runner with the same types. The runner serves an OpenAPI document beside it.

mod machine;

use serde::{Deserialize, Serialize};

use crate::comparison::Comparison;
use crate::quality::{Priority, Qualities, Quality};
use crate::request::{Problem, Request};
use crate::response::{Machine, Point, Response, Run, SuiteCard};
use crate::sample::measurement::Progress;
use benchbook_contract::catalog::Suite;
use benchbook_contract::parameter::number;

pub use machine::{Frequencies, MachineCard, MachineWarning, MeasuringCore};

/// Where all of it lies on a runner.
pub const ROOT: &str = "/api/v1";

/// The content type of a stream of [`Event`]s: a JSON object a line. A client that accepts it gets a stream.
pub const STREAM: &str = "application/x-ndjson";

/// `GET catalog`: what a runner can measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Catalog {
    /// The runner's name, as people call its machine.
    pub runner: String,
    /// Its suites, in the order of its configuration.
    pub suites: Vec<Offer>,
    /// What each priority means on it.
    pub qualities: Qualities,
}

/// A suite of a runner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Offer {
    /// Its functions and generators.
    pub suite: Suite,
    /// Which build of it the runner measures.
    pub card: SuiteCard,
    /// Where its wasm twin is, relative to the runner's own address; absent where it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wasm: Option<String>,
}

/// `GET queue`: how busy a runner is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Load {
    /// Measurements at work: none or one.
    pub running: u32,
    /// Measurements that wait.
    pub waiting: u32,
    /// Clients that wait for an answer.
    pub clients: u32,
    /// About how long all of it takes, in milliseconds.
    pub wait_ms: u64,
}

/// A line of the answer to `POST measure`, where a stream was asked for. `done`, `failed` and `stopped` are the last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", expecting = "an object with a field `type`")]
pub enum Event {
    /// It waits; told again whenever that changes.
    Queued {
        /// How many measurements come first, the one at work included.
        ahead: u32,
        /// About how long that takes, in milliseconds.
        wait_ms: u64,
    },
    /// It is being measured, or was found. Comes once, before the first point.
    Started(Box<Started>),
    /// How far it is.
    Progress(Progress),
    /// A point: provisional until `done` acknowledges it.
    Point {
        /// The point, with its raw samples.
        point: Box<Point>,
    },
    /// All points are there, and kept on the runner's disk.
    Done(Box<Done>),
    /// The measurement could not be finished. Points of axis values that were done are kept, as far as they can be.
    Failed {
        /// What happened and what to do, for people.
        reason: String,
    },
    /// The runner is ending, or the client took back what it asked. Points of axis values that were done are kept, and
    /// found by whoever asks again.
    Stopped {
        /// What happened and what to do, for people.
        reason: String,
    },
}

/// What is known of an answer before its first point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Started {
    /// How accurate the figures will be: at least what was asked.
    pub priority: Priority,
    /// Which suite, exactly.
    pub suite: SuiteCard,
    /// What the priority means here, with the request's own precision and time where it has some.
    pub quality: Quality,
    /// Where it is measured, with its clock as it is now; that of a stored point's time is in its result.
    pub machine: Machine,
    /// How many points were found among the stored ones and need not be measured.
    pub stored: usize,
    /// How many points there will be.
    pub of: usize,
}

/// What is known of an answer once all its points are there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Done {
    /// The stored results that the points are of: several where some were found and others measured.
    pub results: Vec<u64>,
    /// How accurate the figures are: at least what was asked, and more where all of a better answer was stored.
    pub priority: Priority,
    /// Every other function beside the first; only what was measured together is compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comparisons: Vec<Comparison>,
}

/// The answer to `POST measure`, where one JSON object was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// What was asked; its client is left out.
    pub request: Request,
    /// How accurate the figures are: at least what was asked.
    pub priority: Priority,
    /// Which suite, exactly.
    pub suite: SuiteCard,
    /// What the priority meant, with the request's own precision and time where it has some.
    pub quality: Quality,
    /// Where it was measured, with its clock as it is now; that of a stored point's time is in its result.
    pub machine: Machine,
    /// One for each axis value and function, by rising axis value, with raw samples.
    pub points: Vec<Point>,
    /// Every other function beside the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comparisons: Vec<Comparison>,
    /// The stored results that the points are of.
    pub results: Vec<u64>,
    /// The figures of the request's first function, for clients that only plot: of each axis value
    /// `[x, [mean − sd, mean, mean + sd], [q1, median, q3]]`. Failed points are left out, and a withheld figure is null.
    pub data: Vec<Row>,
    /// What the numbers of `data` are in.
    pub units: Units,
}

/// An axis value, mean − sd, mean and mean + sd, and quartile, median and quartile.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row(pub f64, pub [Option<f64>; 3], pub [Option<f64>; 3]);

/// What numbers are in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Units {
    /// The axis value's; empty where the parameter says none.
    pub x: String,
    /// The figures': `ns`, a call.
    pub y: String,
}

/// What every refusal answers, beside its status.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// What is wrong and what to do, for people.
    pub error: String,
    /// What is wrong with a request, place by place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
    /// When to try again, in seconds, where that helps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
}

/// `GET results/functions`: a function of which there are results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredFunction {
    /// The suite's name.
    pub suite: String,
    /// The function's path.
    pub function: String,
    /// How many results have points of it.
    pub results: u64,
    /// When the newest was stored, in milliseconds since 1970.
    pub newest: u64,
}

/// `GET results/generators`: a generator with which a function was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredGenerator {
    /// The generator's path.
    pub generator: String,
    /// How many results there are.
    pub results: u64,
    /// When the newest was stored, in milliseconds since 1970.
    pub newest: u64,
}

/// `GET results`: a page of results, newest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredResults {
    /// The results of this page.
    pub results: Vec<ResultCard>,
    /// What to give as `before` to get the next page; absent on the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<u64>,
}

/// A stored result, without its points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultCard {
    /// Its number: greater than that of every earlier one.
    pub id: u64,
    /// When it was stored, in milliseconds since 1970.
    pub stored: u64,
    /// What was asked when it was measured; its client is left out.
    pub request: Request,
    /// What its priority meant.
    pub quality: Quality,
    /// Which suite, exactly.
    pub suite: SuiteCard,
    /// Where it was measured.
    pub machine: Machine,
    /// How many points it has: fewer than its quality where others were stored already, or it was stopped.
    pub points: u64,
}

/// `GET results/{id}`: a stored result, its points without raw samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredResult {
    /// Its number.
    pub id: u64,
    /// When it was stored, in milliseconds since 1970.
    pub stored: u64,
    /// What was measured; the runs of its points are empty.
    pub response: Response,
}

/// `GET results/{id}/samples?function=…&x=…`: the raw samples of one point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredSamples {
    /// The function's path.
    pub function: String,
    /// The axis value.
    #[serde(serialize_with = "number")]
    pub x: f64,
    /// What was measured, process by process.
    pub runs: Vec<Run>,
}
