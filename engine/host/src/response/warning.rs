//! Warnings about the figures of a point.

use serde::{Deserialize, Serialize};

use crate::analyze::interval::Interval;

/// A reason to distrust a point's figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// Setup takes so long that few calls share the cost of the timer, which makes up much of the time of a batch: the target
    /// precision was not reached, or the time is only bounded. It replaces [`Self::Imprecise`].
    SlowSetup {
        /// The time to prepare a batch in nanoseconds.
        setup: f64,
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
        /// Whether the times rise with the number of calls in each of several processes, so that each call slows the next.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_calls: bool,
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
    /// Some samples were interrupted: those with
    /// [`Sample::interrupted`](super::Sample::interrupted).
    Interrupted {
        /// The number of interrupted samples.
        samples: u32,
        /// The total excess of these samples over the median, in milliseconds.
        ms: f64,
    },
    /// Batches are too short for this clock, and longer ones would not fit the cache. The mean is reliable; median and
    /// quartiles are unavailable.
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
        samples: u32,
        /// The number of all samples.
        of: u32,
    },
    /// The samples do not show that the time is above 0: the interval of the mean contains 0 or is below it, and the median is
    /// not clearly above 0; or the time is shorter than any call.
    #[serde(rename = "under_resolution")]
    BelowResolution {
        /// An upper bound of the time per call in nanoseconds: the greatest of the interval's upper end, the distance of its
        /// lower end below 0, a clock step, and a picosecond. Without an interval, the greatest sample, overhead included.
        under: f64,
    },
    /// The generator declares that calls affect each other, so each batch has one call.
    #[serde(rename = "one_call_a_batch")]
    OneCallPerBatch,
    /// The function was measured with its declared alternatives, but its output, or the input that it modifies, has no hash:
    /// whether they do the same work was not checked.
    OutputsNotCompared,
    /// The process has started threads of its own, so it was measured on all cores instead of one.
    Threads,
    /// There are so few batches that rare slow ones may be missing: fewer than 400.
    FewSamples {
        /// The number of batches.
        samples: u32,
    },
    /// The speed changed after sampling, in a process that went on running: code that is optimised late, or state that grows.
    LateChange {
        /// The median in its samples, in nanoseconds per call.
        before: f64,
        /// The median at its end.
        after: f64,
    },
    /// Each batch starts slowly, and its calls share that time: batches of twice as many calls take less per call.
    BatchStart {
        /// The time that each batch takes in addition to its calls, in nanoseconds.
        nanos: f64,
        /// Its share of a call's time, in nanoseconds.
        per_call: f64,
    },
}

/// The levels between which the times of a point switch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// The 95% interval of the mean time per call on inputs that the function has not received before, in nanoseconds.
    /// Absent if it was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_inputs: Option<Interval>,
}
