//! Responses: what was measured, with all that is needed to judge it.

use serde::{Deserialize, Serialize};

use crate::analyze::statistics::Summary;
use crate::catalog::Build;
use crate::parameter::number;
use crate::quality::Priority;
use crate::request::Request;
use crate::sample::clock_card::ClockCard;
use crate::tagged::{Tagged, fields};

/// The answer to a request. It keeps its request and its raw samples, so that every figure can be checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// What was asked.
    pub request: Request,
    /// How accurate the figures are; at least what was asked.
    pub priority: Priority,
    /// Which suite, exactly.
    pub suite: SuiteCard,
    /// Where it was measured.
    pub machine: Machine,
    /// One for each axis value and function, in the order measured.
    pub points: Vec<Point>,
}

/// Which suite was measured, exactly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SuiteCard {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// How it was compiled.
    pub build: Build,
    /// SHA-256 of its catalog, build, files and lines left out, in hexadecimal: the twins of a suite share it.
    pub catalog_hash: String,
    /// SHA-256 of its binary, in hexadecimal.
    pub fingerprint: String,
}

/// Where something was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// Browser or native.
    pub kind: MachineKind,
    /// What people call it: a browser's name and version, or a runner's configured name.
    pub name: String,
    /// Its clock, as measured there.
    pub clock: ClockCard,
}

/// On which face of a suite something was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MachineKind {
    /// WebAssembly in a browser.
    Browser,
    /// A native executable.
    Native,
}

/// What was measured of one function at one axis value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "AnyPoint")]
pub struct Point {
    /// The function's path.
    pub function: String,
    /// The axis value.
    #[serde(serialize_with = "number")]
    pub x: f64,
    /// The figures, or why there are none.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// What came of a point.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It was measured.
    Measured(Box<Measured>),
    /// It failed; the rest went on.
    Failed(Failure),
}

/// The figures of a point and the samples that they come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The figures.
    pub summary: Summary,
    /// The samples in the order taken, warm-up first.
    pub samples: Vec<Sample>,
    /// Calls in each batch.
    pub calls: u64,
    /// What the empty loop of the same shape costs a call, in nanoseconds; it is subtracted from the figures, not from
    /// the samples.
    pub overhead: f64,
    /// What a reader should know before believing the figures.
    pub warnings: Vec<Warning>,
}

/// One timed batch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Nanoseconds that the batch took, overhead included.
    pub elapsed: f64,
    /// Whether it was taken to warm up, and is in no figure.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub warm_up: bool,
}

/// What a reader should know before believing a point's figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", try_from = "Tagged")]
pub enum Warning {
    /// The time or the samples ran out before the target precision was reached.
    Imprecise {
        /// The relative half-width that was reached; absent where there are too few samples for an interval.
        reached: Option<f64>,
        /// The relative half-width that was asked for.
        target: f64,
    },
    /// The samples kept changing while warming up, until the bounds ended it.
    Unsettled,
    /// Batches are too short for this clock, since longer ones would not fit the cache: the mean is good, median and
    /// quartiles are withheld.
    ShortBatches {
        /// The mean time of a batch in nanoseconds.
        batch: f64,
        /// The resolution of the clock in nanoseconds.
        resolution: f64,
    },
    /// A sample is the mean of several calls.
    Batched {
        /// Calls in each batch.
        calls: u64,
    },
    /// Samples beyond the outer fences were left out of mean and standard deviation.
    SevereOutliers {
        /// How many were left out.
        left_out: u32,
        /// Of how many.
        of: u32,
    },
    /// The interval of the mean holds 0: all that can be said is that a call takes less than its upper end.
    UnderResolution {
        /// The upper end of the interval in nanoseconds.
        under: f64,
    },
    /// The generator asks for single calls, since calls disturb each other.
    OneCallABatch,
}

impl TryFrom<Tagged> for Warning {
    type Error = serde_json::Error;

    fn try_from(warning: Tagged) -> Result<Self, Self::Error> {
        Ok(match warning.kind() {
            "imprecise" => fields!(warning, Imprecise { reached: Option<f64>, target: f64 }),
            "unsettled" => Self::Unsettled,
            "short_batches" => fields!(warning, ShortBatches { batch: f64, resolution: f64 }),
            "batched" => fields!(warning, Batched { calls: u64 }),
            "severe_outliers" => fields!(warning, SevereOutliers { left_out: u32, of: u32 }),
            "under_resolution" => fields!(warning, UnderResolution { under: f64 }),
            "one_call_a_batch" => Self::OneCallABatch,
            _ => {
                return Err(warning.unknown(&[
                    "imprecise",
                    "unsettled",
                    "short_batches",
                    "batched",
                    "severe_outliers",
                    "under_resolution",
                    "one_call_a_batch",
                ]));
            }
        })
    }
}

/// Why a point has no figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// What kind of failure it was.
    pub kind: FailureKind,
    /// What happened and what to do, for people.
    pub reason: String,
}

/// Kinds of failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The function panicked.
    Panic,
    /// The generator or a hook panicked, or the generator refused its arguments.
    Generator,
    /// The machine code stopped: an illegal access, a stack overflow, an abort, the death of a process.
    Trap,
    /// The bound on memory was reached.
    Memory,
    /// Nothing finished in time.
    TimedOut,
    /// Not tried, because a smaller axis value timed out.
    Skipped,
    /// Only a native runner can measure it.
    NativeOnly,
    /// The suite did not keep to the contract.
    Contract,
}

impl Measured {
    /// The time a call of each sample that counts, in nanoseconds and in the order taken: warm-up left out and the empty
    /// loop's cost subtracted, as in the figures.
    pub fn counted(&self) -> impl Iterator<Item = f64> {
        self.samples.iter().filter(|sample| !sample.warm_up).map(|sample| self.time_of(sample))
    }

    /// The time a call of one of its samples, in nanoseconds, with the empty loop's cost subtracted.
    pub fn time_of(&self, sample: &Sample) -> f64 {
        sample.elapsed / self.calls as f64 - self.overhead
    }

    /// All that can be said where the interval of the mean holds 0: a call takes less than this, in nanoseconds. Absent
    /// where the figures say more.
    pub fn upper_bound(&self) -> Option<f64> {
        self.warnings.iter().find_map(|warning| match warning {
            Warning::UnderResolution { under } => Some(*under),
            _ => None,
        })
    }
}

impl Point {
    /// The figures, where there are any.
    pub fn measured(&self) -> Option<&Measured> {
        match &self.outcome {
            Outcome::Measured(measured) => Some(measured),
            Outcome::Failed(_) => None,
        }
    }
}

/// A point as it is read: it may have both outcomes, or none.
#[derive(Deserialize)]
struct AnyPoint {
    function: String,
    x: f64,
    measured: Option<Box<Measured>>,
    failed: Option<Failure>,
}

impl TryFrom<AnyPoint> for Point {
    type Error = &'static str;

    fn try_from(point: AnyPoint) -> Result<Self, Self::Error> {
        let outcome = match (point.measured, point.failed) {
            (Some(measured), None) => Outcome::Measured(measured),
            (None, Some(failure)) => Outcome::Failed(failure),
            _ => return Err("a point has either of `measured` and `failed`"),
        };
        Ok(Self { function: point.function, x: point.x, outcome })
    }
}
