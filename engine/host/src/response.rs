//! Responses: the measured points, with the information needed to assess them.

use serde::{Deserialize, Serialize};

use crate::analyze::blocks::RunTimes;
use crate::analyze::interval::Interval;
use crate::analyze::running::Running;
use crate::analyze::stability::Stability;
use crate::analyze::statistics::Summary;
use crate::comparison::Comparison;
use crate::quality::{Priority, Quality};
use crate::request::Request;
use crate::sample::clock_card::ClockCard;
use benchbook_contract::catalog::Build;
use benchbook_contract::parameter::number;

/// The version of the method: of the sampling and of the analysis. It increases with each change that makes figures
/// incomparable, such as a wider interval for the same samples.
pub const METHOD: u32 = 4;

/// The version of responses that do not contain one.
fn first_method() -> u32 {
    1
}

/// The response to a request. It includes the request and the raw samples, so that every figure can be recomputed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// The request.
    pub request: Request,
    /// The accuracy of the figures: the requested priority or better.
    pub priority: Priority,
    /// The exact build of the suite.
    pub suite: SuiteCard,
    /// The version of the method; see [`METHOD`]. Absent: 1.
    #[serde(default = "first_method")]
    pub method: u32,
    /// The quality of the priority. The request's own precision and time replace the priority's.
    pub quality: Quality,
    /// The measuring machine.
    pub machine: Machine,
    /// One per axis value and function, in the order measured.
    pub points: Vec<Point>,
    /// Each other function compared with the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comparisons: Vec<Comparison>,
}

/// The exact build of a suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
}

/// The machine of a measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// Browser or native.
    pub kind: MachineKind,
    /// A browser's name and version, or a runner's configured name.
    pub name: String,
    /// The clock, as measured on this machine.
    pub clock: ClockCard,
}

/// The kind of a machine, which determines the suite's target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MachineKind {
    /// WebAssembly in a browser.
    Browser,
    /// A native executable.
    Native,
}

/// The outcome of one function at one axis value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedPoint")]
pub struct Point {
    /// The function's path.
    pub function: String,
    /// The axis value.
    #[serde(serialize_with = "number")]
    pub x: f64,
    /// The figures, or the failure.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// The outcome of a point.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The point was measured.
    Measured(Box<Measured>),
    /// The point failed; other points are not affected.
    Failed(Failure),
}

/// The figures of a point and their samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The figures.
    pub summary: Summary,
    /// The samples of each process: one in a browser, several if the quality demands it.
    pub runs: Vec<Run>,
    /// The hash of the first calls' outputs. Absent if the suite declares none of the request's other functions as an
    /// alternative, if a type cannot be hashed, or if calls are slow and a smaller axis value was already checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outputs: Option<Outputs>,
    /// Reasons to distrust the figures.
    pub warnings: Vec<Warning>,
}

/// The outputs of a function's first calls. Functions that do the same work on the same inputs have equal outputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outputs {
    /// The suite's name for the work.
    pub work: String,
    /// The hash of the outputs, in hexadecimal.
    pub hash: String,
}

/// The samples of a point from one process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Calls in each batch.
    pub calls: u64,
    /// The cost of an empty loop of the same shape. The figures exclude it; the samples include it.
    pub overhead: Overhead,
    /// Whether the times settled during warm-up.
    #[serde(rename = "settled")]
    pub stability: Stability,
    /// The median time per call of the reference kernel between the samples, in nanoseconds. Absent if it was not
    /// timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<f64>,
    /// The samples in the order of measurement, warm-up first.
    pub samples: Vec<Sample>,
    /// The number of counted samples in each block, in the order of measurement. Each block has its own inputs;
    /// functions that were measured together share the inputs of a block.
    pub blocks: Vec<u32>,
    /// The number of different inputs of the counted samples. Absent if the suite does not report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<u64>,
    /// Batches on inputs that the function has not received before; only if the samples are at two levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_inputs: Option<NewInputs>,
}

/// Batches in which each call has an input that the function has not received before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewInputs {
    /// Calls in each batch.
    pub calls: u64,
    /// The time of each batch in nanoseconds, overhead included.
    pub elapsed: Vec<f64>,
}

/// The number of counted calls of some runs per input; `None` if a suite did not report the inputs.
pub(crate) fn repeats(runs: &[Run]) -> Option<f64> {
    let inputs = runs.iter().map(|run| run.inputs).sum::<Option<u64>>().filter(|&inputs| inputs > 0)?;
    let batches = |run: &Run| run.blocks.iter().map(|&batches| u64::from(batches)).sum::<u64>();
    let calls: u64 = runs.iter().map(|run| run.calls * batches(run)).sum();
    Some(calls as f64 / inputs as f64)
}

/// The cost of the loop around the calls, in nanoseconds per call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Overhead {
    /// The estimate, excluding extreme outliers, since the empty loop does the same work each time. 0 if batches are so
    /// long that the overhead was not measured.
    pub per_call: f64,
    /// Half the width of its 95 % interval.
    pub half_width: f64,
    /// The amount by which the extreme outliers would have raised the estimate. It is part of the uncertainty, since
    /// the same interference also affects the function.
    #[serde(default)]
    pub disturbance: f64,
}

/// The relative difference that two loops of the same instructions may have because of their addresses. Observed
/// natively: up to 0.03 for aligned loops (docs/decisions/0036-aligned-loops.md).
const LAYOUT_DIFFERENCE: f64 = 0.05;

impl Overhead {
    /// Creates the overhead of an interleaved empty loop. `half_width`: half the width of the interval of `per_call`,
    /// without the difference that the loops' addresses cause.
    pub fn interleaved(per_call: f64, half_width: f64, disturbance: f64) -> Self {
        Self { per_call, half_width: half_width.hypot(LAYOUT_DIFFERENCE * per_call), disturbance }
    }

    /// The part of the half-width that neither longer measuring nor more processes reduce, in nanoseconds per call: all
    /// processes run the same binary, so its loops have the same alignment.
    pub fn systematic(&self) -> f64 {
        self.half_width.min(LAYOUT_DIFFERENCE * self.per_call.abs())
    }

    /// The basis of figures over all samples of a run, including interrupted ones. The uncertainty includes the
    /// extreme outliers of the empty loop, since the same interference affects the samples. `times`: nanoseconds per
    /// call without the overhead.
    pub fn basis<'a>(&self, times: &'a [f64], blocks: &'a [u32]) -> RunTimes<'a> {
        let robust = self.robust_basis(times, blocks);
        RunTimes { overhead: robust.overhead.hypot(self.disturbance), ..robust }
    }

    /// The basis of figures that do not depend on outliers.
    pub fn robust_basis<'a>(&self, times: &'a [f64], blocks: &'a [u32]) -> RunTimes<'a> {
        let systematic = self.systematic();
        let overhead = (self.half_width.powi(2) - systematic.powi(2)).max(0.0).sqrt();
        RunTimes { times, blocks, overhead, systematic }
    }
}

/// One timed batch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// The time of the batch in nanoseconds, overhead included.
    pub elapsed: f64,
    /// Whether it is a warm-up sample, which is excluded from the figures.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub warm_up: bool,
    /// Whether the batch was preempted or moved to another core, as reported by the system or inferred from its time.
    /// Only [`Summary::uninterrupted_mean`] excludes flagged samples, and only those that are not [`Self::inferred`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
    /// Whether the interruption is only inferred from the batch's time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inferred: bool,
}

/// A reason to distrust a point's figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", expecting = "an object with a field `type`")]
pub enum Warning {
    /// The limit on time or samples was reached before the target precision.
    Imprecise {
        /// The relative half-width that was reached. Absent if there is no interval, or if it contains 0.
        reached: Option<f64>,
        /// The target for the relative half-width.
        target: f64,
        /// The time for a point that would suffice to reach the target at this noise, in milliseconds. Absent without
        /// `reached`, if no time suffices, or if the point was measured in several processes.
        needs_ms: Option<f64>,
        /// The number of processes that would suffice, each with as much time as now, if the point was measured in several.
        /// Absent for a single process, and if no number up to 100 suffices.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        needs_processes: Option<u32>,
    },
    /// The times still varied when the warm-up reached its limit.
    Unsettled,
    /// The level of the times changed permanently during sampling.
    Changed {
        /// The median before, in nanoseconds.
        before: f64,
        /// The median after, in nanoseconds.
        after: f64,
        /// Whether the change was gradual rather than a step.
        gradual: bool,
    },
    /// Too few samples for such skewed times: the interval of the mean is absent or may be too narrow.
    Skewed,
    /// The times switch between two levels.
    TwoLevels(TwoLevelTimes),
    /// The times are correlated beyond the ends of blocks, so the interval of the mean is wider than usual.
    Correlated,
    /// The suite ran in baseline code. A browser uses it before the optimised code is ready, and as long as its
    /// developer tools are open.
    SlowCode {
        /// The time of the tier kernel divided by that of the reference kernel; 0.7 in optimised code.
        tier: f64,
    },
    /// The reference kernel took longer than at the best point of this suite on this machine.
    SlowMachine {
        /// The increase relative to its best time: 0.1 is a tenth longer.
        by: f64,
    },
    /// The function was measured alone, because the suite crashed when the functions of the request were interleaved.
    Alone,
    /// Some samples were interrupted: those with [`Sample::interrupted`].
    Interrupted {
        /// The number of interrupted samples.
        samples: u32,
        /// The total excess of these samples over the median, in milliseconds.
        ms: f64,
    },
    /// Batches are too short for this clock, and longer ones would not fit the cache. The mean is reliable; median and
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
    /// Some samples are beyond the outer fences; see [`labels`](crate::analyze::outliers::labels).
    #[serde(rename = "severe_outliers")]
    ExtremeOutliers {
        /// The number of these samples.
        #[serde(alias = "left_out")]
        samples: u32,
        /// The number of all samples.
        of: u32,
    },
    /// The interval of the mean contains 0 or is below it, and the median is not clearly above 0.
    #[serde(rename = "under_resolution")]
    BelowResolution {
        /// An upper bound of the time per call in nanoseconds: the greatest of the interval's upper end, the distance of its
        /// lower end below 0, and a clock step.
        under: f64,
    },
    /// The generator declares that calls affect each other, so each batch has one call.
    #[serde(rename = "one_call_a_batch")]
    OneCallPerBatch,
}

/// The levels between which the times of a point switch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TwoLevelTimes {
    /// The lower level in nanoseconds.
    pub low: f64,
    /// The upper level in nanoseconds.
    pub high: f64,
    /// The share of the samples at the upper level.
    pub high_share: f64,
    /// The mean number of calls per input. Absent if the suite does not report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<f64>,
    /// The 95 % interval of the mean time per call on inputs that the function has not received before, in nanoseconds.
    /// Absent if it was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_inputs: Option<Interval>,
}

/// A failed point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// The kind of failure.
    pub kind: FailureKind,
    /// The cause and the remedy.
    pub reason: String,
}

/// Kinds of failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The function panicked.
    Panic,
    /// The generator or a hook panicked, or the generator rejected its arguments.
    Generator,
    /// The suite crashed: illegal access, stack overflow, abort, or death of the process.
    Trap,
    /// The memory limit was reached.
    Memory,
    /// Nothing finished before the timeout.
    TimedOut,
    /// Skipped because a smaller axis value timed out.
    Skipped,
    /// Only a native runner can measure it.
    NativeOnly,
    /// The suite violated the contract.
    Contract,
}

impl Measured {
    /// All samples in the order of measurement, each with its run.
    pub fn samples(&self) -> impl Iterator<Item = (&Run, &Sample)> {
        self.runs.iter().flat_map(|run| run.samples.iter().map(move |sample| (run, sample)))
    }

    /// Calls in each batch: the minimum over the runs; 1 if there are none.
    pub fn calls(&self) -> u64 {
        self.runs.iter().map(|run| run.calls).min().unwrap_or(1)
    }

    /// The mean overhead over the runs, for display. Its half-width treats the runs as independent, so it understates the
    /// part that is the same in all of them; see [`Overhead::systematic`].
    pub fn overhead(&self) -> Overhead {
        let count = self.runs.len().max(1) as f64;
        let per_call = self.runs.iter().map(|run| run.overhead.per_call).sum::<f64>() / count;
        let squares = self.runs.iter().map(|run| run.overhead.half_width.powi(2)).sum::<f64>();
        let disturbance = self.runs.iter().map(|run| run.overhead.disturbance).sum::<f64>() / count;
        Overhead { per_call, half_width: squares.sqrt() / count, disturbance }
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

impl Sample {
    /// Whether the system reported that it interrupted the batch.
    pub fn was_interrupted(&self) -> bool {
        self.interrupted && !self.inferred
    }
}

impl Run {
    /// The time per call of one of its samples, in nanoseconds, with the overhead subtracted.
    pub fn time_of(&self, sample: &Sample) -> f64 {
        sample.elapsed / self.calls as f64 - self.overhead.per_call
    }

    /// The basis of figures over all samples; see [`Overhead::basis`]. `times`: those of [`Self::times`].
    pub fn basis<'a>(&'a self, times: &'a [f64]) -> RunTimes<'a> {
        self.overhead.basis(times, &self.blocks)
    }

    /// The basis of figures that do not depend on outliers; see [`Overhead::robust_basis`].
    pub fn robust_basis<'a>(&'a self, times: &'a [f64]) -> RunTimes<'a> {
        self.overhead.robust_basis(times, &self.blocks)
    }

    /// The mean time per call of the counted samples that the system did not interrupt, in nanoseconds; absent if it
    /// interrupted all.
    pub fn uninterrupted_mean(&self) -> Option<f64> {
        let is_undisturbed = |sample: &&Sample| !sample.warm_up && !sample.was_interrupted();
        self.samples.iter().filter(is_undisturbed).map(|sample| self.time_of(sample)).collect::<Running>().mean()
    }

    /// The times of the counted samples, as [`Self::time_of`] computes them.
    pub fn times(&self) -> Vec<f64> {
        self.samples.iter().filter(|sample| !sample.warm_up).map(|sample| self.time_of(sample)).collect()
    }
}

impl Point {
    /// The figures; absent if the point failed.
    pub fn measured(&self) -> Option<&Measured> {
        match &self.outcome {
            Outcome::Measured(measured) => Some(measured),
            Outcome::Failed(_) => None,
        }
    }
}

/// A point before validation: it may have both outcomes or neither.
#[derive(Deserialize)]
struct UncheckedPoint {
    function: String,
    x: f64,
    measured: Option<Box<Measured>>,
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
