//! Responses: what was measured, with all that is needed to judge it.

use serde::{Deserialize, Serialize};

use crate::analyze::blocks;
use crate::analyze::statistics::Summary;
use crate::comparison::Comparison;
use crate::quality::{Priority, Quality};
use crate::request::Request;
use crate::sample::clock_card::ClockCard;
use benchbook_contract::catalog::Build;
use benchbook_contract::parameter::number;

/// The answer to a request. It keeps its request and its raw samples, so that every figure can be checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// What was asked.
    pub request: Request,
    /// How accurate the figures are; at least what was asked.
    pub priority: Priority,
    /// Which suite, exactly.
    pub suite: SuiteCard,
    /// What the priority meant: points, time, counts and precision, with the request's own where it has some.
    pub quality: Quality,
    /// Where it was measured.
    pub machine: Machine,
    /// One for each axis value and function, in the order measured.
    pub points: Vec<Point>,
    /// Every other function beside the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comparisons: Vec<Comparison>,
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
    /// What was measured, process by process: one in a browser, several where a quality says so.
    pub runs: Vec<Run>,
    /// What came of the first calls. Absent where the suite declares no alternative of the function in the request, where
    /// its types cannot be hashed, and where calls are slow and it was looked at for a smaller axis value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outputs: Option<Outputs>,
    /// What a reader should know before believing the figures.
    pub warnings: Vec<Warning>,
}

/// What came of a function's first calls: equal for functions that do the same work on the same inputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outputs {
    /// The work, as the suite calls it.
    pub work: String,
    /// The hash of the outputs, in hexadecimal.
    pub hash: String,
}

/// The samples of a point that were taken in one process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Calls in each batch.
    pub calls: u64,
    /// What the empty loop of the same shape costs; it is subtracted from the figures, not from the samples.
    pub overhead: Overhead,
    /// Whether the warm-up settled before the samples that count were taken.
    pub settled: bool,
    /// What a call of the reference kernel took meanwhile, the median in nanoseconds; absent where none was timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<f64>,
    /// The samples in the order taken, warm-up first.
    pub samples: Vec<Sample>,
    /// How many of the samples that count are of each block, in the order taken: the samples of a block are from inputs
    /// of its own. The same block of functions that were measured together is from the same inputs.
    pub blocks: Vec<u32>,
}

/// What a loop costs without the call, in nanoseconds a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Overhead {
    /// The estimate, severe outliers left out: a loop does the same each time. 0 where batches are so long that nobody
    /// looked for it.
    pub per_call: f64,
    /// Half the width of its 95 % interval.
    pub half_width: f64,
    /// By how much the severe outliers would have raised it: what disturbed the machine disturbed the function too.
    #[serde(default)]
    pub disturbance: f64,
}

impl Overhead {
    /// What it leaves uncertain of figures over all samples, interrupted ones included, in nanoseconds a call: half the
    /// width of an interval.
    pub fn of_all_samples(&self) -> f64 {
        self.half_width.hypot(self.disturbance)
    }
}

/// One timed batch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Nanoseconds that the batch took, overhead included.
    pub elapsed: f64,
    /// Whether it was taken to warm up, and is in no figure.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub warm_up: bool,
    /// Whether something else had the processor meanwhile, as the suite was told by its kernel or as far as can be told from
    /// the time alone. It is in all figures that a sample of its time is in.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
}

/// What a reader should know before believing a point's figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", expecting = "an object with a field `type`")]
pub enum Warning {
    /// The time or the samples ran out before the target precision was reached.
    Imprecise {
        /// The relative half-width that was reached; absent where there are too few samples for an interval.
        reached: Option<f64>,
        /// The relative half-width that was asked for.
        target: f64,
        /// How long a point would have to take to reach it, in milliseconds, at this noise; absent where there are too few
        /// samples to tell, and where no time would do.
        needs_ms: Option<f64>,
    },
    /// The samples kept changing while warming up, until the bounds ended it.
    Unsettled,
    /// The level of the samples changed for good while they were taken.
    Changed {
        /// The median before, in nanoseconds.
        before: f64,
        /// The median after, in nanoseconds.
        after: f64,
        /// Little by little, rather than at once.
        gradual: bool,
    },
    /// There are too few samples for times as lopsided as these: the interval of the mean may be too narrow.
    Skewed,
    /// The suite ran in the slow code that a browser makes first, and keeps while its developer tools are attached.
    SlowCode {
        /// What the tier kernel took, as a part of what the reference kernel did: in good code it is 0.7.
        tier: f64,
    },
    /// The reference kernel took longer than it did before on this machine.
    SlowMachine {
        /// By which part of its best time: 0.1 is a tenth longer.
        by: f64,
    },
    /// The function was not measured in turn with the others of its request: together, one of them ended the suite.
    Alone,
    /// Something else had the processor while samples were taken: what [`Sample::interrupted`] marks.
    Interrupted {
        /// How many samples were struck.
        samples: u32,
        /// How much longer than the median they took altogether, in milliseconds.
        ms: f64,
    },
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
    /// All samples, in the order taken, each with the run that it is of.
    pub fn samples(&self) -> impl Iterator<Item = (&Run, &Sample)> {
        self.runs.iter().flat_map(|run| run.samples.iter().map(move |sample| (run, sample)))
    }

    /// Calls in each batch: the least number where runs differ; 1 where there are none.
    pub fn calls(&self) -> u64 {
        self.runs.iter().map(|run| run.calls).min().unwrap_or(1)
    }

    /// What the empty loop costs, the mean over runs.
    pub fn overhead(&self) -> Overhead {
        let count = self.runs.len().max(1) as f64;
        let per_call = self.runs.iter().map(|run| run.overhead.per_call).sum::<f64>() / count;
        let squares = self.runs.iter().map(|run| run.overhead.half_width.powi(2)).sum::<f64>();
        let disturbance = self.runs.iter().map(|run| run.overhead.disturbance).sum::<f64>() / count;
        Overhead { per_call, half_width: squares.sqrt() / count, disturbance }
    }

    /// The time a call of each sample that counts, in nanoseconds and in the order taken: warm-up left out and the empty
    /// loop's cost subtracted, as in the figures.
    pub fn counted(&self) -> impl Iterator<Item = f64> {
        self.samples().filter(|(_, sample)| !sample.warm_up).map(|(run, sample)| run.time_of(sample))
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

impl Run {
    /// The time a call of one of its samples, in nanoseconds, with the empty loop's cost subtracted.
    pub fn time_of(&self, sample: &Sample) -> f64 {
        sample.elapsed / self.calls as f64 - self.overhead.per_call
    }

    /// What figures over all samples come from: `times` are [`Self::times`]. What is uncertain of the overhead is so with
    /// all of its batches.
    pub fn basis<'a>(&'a self, times: &'a [f64]) -> blocks::RunTimes<'a> {
        blocks::RunTimes { times, blocks: &self.blocks, overhead: self.overhead.of_all_samples() }
    }

    /// The same for figures that no outlier decides.
    pub fn robust_basis<'a>(&'a self, times: &'a [f64]) -> blocks::RunTimes<'a> {
        blocks::RunTimes { overhead: self.overhead.half_width, ..self.basis(times) }
    }

    /// The times of the samples that count, as [`Self::time_of`] has them.
    pub fn times(&self) -> Vec<f64> {
        self.samples.iter().filter(|sample| !sample.warm_up).map(|sample| self.time_of(sample)).collect()
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
