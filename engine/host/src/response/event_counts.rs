//! The events that the processor counted during some calls.

use serde::{Deserialize, Serialize};

use crate::analyze::interval::Interval;
use crate::analyze::running::RunningStats;

/// An event that a hardware counter counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountedEvent {
    /// An executed instruction.
    Instructions,
    /// A clock cycle of the core.
    Cycles,
    /// A branch that the processor predicted wrongly.
    BranchMisses,
    /// An access that the last level of cache could not serve.
    CacheMisses,
}

impl CountedEvent {
    /// All events. The processor must be able to count the first one.
    pub const ALL: [Self; 4] = [Self::Instructions, Self::Cycles, Self::BranchMisses, Self::CacheMisses];

    /// The name, which is that of its metric.
    pub fn name(self) -> &'static str {
        match self {
            Self::Instructions => "instructions",
            Self::Cycles => "cycles",
            Self::BranchMisses => "branch_misses",
            Self::CacheMisses => "cache_misses",
        }
    }
}

/// What the hardware counters counted at a point, or why they counted nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum EventCounts {
    /// The events per call.
    Counted(EventsPerCall),
    /// The reason.
    Absent(CounterAbsence),
}

/// The events of a call, estimated from the differences between the counts of several batches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EventsPerCall {
    /// The number of calls that each difference consists of.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub calls: u64,
    /// The number of differences.
    #[cfg_attr(feature = "schema", schemars(range(min = 2)))]
    pub differences: u32,
    /// Instructions.
    pub instructions: EventEstimate,
    /// Clock cycles. This and the following ones are absent if the processor cannot count them together with instructions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycles: Option<EventEstimate>,
    /// Mispredicted branches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch_misses: Option<EventEstimate>,
    /// Misses of the last level of cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_misses: Option<EventEstimate>,
}

/// The number of events per call. Signed: a function without events may have a mean below 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EventEstimate {
    /// The mean of the differences.
    pub mean: f64,
    /// Their standard deviation.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub sd: f64,
    /// The 95% interval of the mean: Student's, over the differences.
    pub interval: Interval,
}

impl EventEstimate {
    /// `None` for fewer than two differences.
    pub(crate) fn of(differences: &RunningStats) -> Option<Self> {
        Some(Self { mean: differences.mean()?, sd: differences.sd(), interval: differences.mean_interval()? })
    }
}

/// Why nothing was counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CounterAbsence {
    /// The host counts events only on Linux.
    NotLinux,
    /// The processor has no counters, or a hypervisor hides them.
    Missing,
    /// The kernel denies access.
    Denied {
        /// The value of `kernel.perf_event_paranoid`; absent if it cannot be read.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        paranoid: Option<i32>,
    },
    /// The host may count its own events, but not those of the suite's process.
    Unobservable,
    /// Other programs used the counters, so that the kernel counted only for a part of the time.
    Busy,
    /// The calls take too long to be repeated for it.
    SlowCalls,
    /// Another error of the system.
    Failed(String),
}
