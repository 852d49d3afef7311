//! The messages between a host and a suite, as JSON objects. `docs/suite-contract.md` describes them in prose.

use serde::{Deserialize, Serialize};

use crate::catalog::{Suite, is_false};
use crate::parameter::Arguments;

/// The version of this contract. A host accepts only suites of its own version.
pub const PROTOCOL: u32 = 4;

/// The maximum size in bytes of the inputs and outputs of a batch with more than one round. The time of a larger batch
/// depends on the cache: summing 1 000 `u64` took 181 ns per call with 256 prepared inputs, and 893 ns with 32 768.
pub const MAX_BATCH_BYTES: u64 = 256 * 1024;

/// The maximum number of functions that are measured together.
pub const MAX_FUNCTIONS: usize = 4;

/// The maximum number of lanes in one `interleave` message.
pub const MAX_LANES: usize = 16;

/// A message from a host to a suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", expecting = "an object with a field `type`")]
pub enum HostMessage {
    /// Requests the catalog. Reply: `catalog`.
    Describe {
        /// The host's version of the contract.
        protocol: u32,
        /// The parts of the program to leave out, since they failed in earlier instances. A suite that reports no parts ignores it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        without: Vec<FailedPart>,
    },
    /// Prepares a workload. Reply: `opened`.
    Open(Open),
    /// Times batches. Reply: `samples`.
    Collect(Collect),
    /// Times batches of several targets in a given order. Reply: `interleaved`.
    Interleave(Interleave),
    /// Drops a workload, then runs its `after_all` hook. Reply: `closed`.
    Close {
        /// The slot to close.
        slot: u32,
    },
}

impl HostMessage {
    /// The request for the catalog, without parts of the program that failed in earlier instances.
    pub fn describe(without: &[FailedPart]) -> Self {
        Self::Describe { protocol: PROTOCOL, without: without.to_vec() }
    }
}

/// A message from a suite to its host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", expecting = "an object with a field `type`")]
pub enum SuiteMessage {
    /// The suite's description of itself.
    Catalog {
        /// The suite's version of the contract.
        protocol: u32,
        /// The catalog.
        suite: Suite,
    },
    /// The workload is ready.
    Opened(OpenReply),
    /// Batches were timed.
    Samples(Samples),
    /// Batches of several targets were timed.
    Interleaved(InterleaveReply),
    /// The workload was dropped.
    Closed {
        /// The slot that was closed.
        slot: u32,
    },
    /// A request failed. After any stage except `request`, the host must discard the suite's instance and start a new
    /// one.
    Failed(RequestFailure),
    /// The allocator rejected an allocation. The function may handle that; if the suite ends next, this is the cause.
    Refused {
        /// The size of the rejected allocation in bytes.
        bytes: u64,
        /// The bound on the suite's total memory in bytes.
        bound: u64,
    },
}

/// Prepares a workload for functions of one generator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Open {
    /// The host's number for the workload; each number is used once.
    pub slot: u32,
    /// Paths of 1 to [`MAX_FUNCTIONS`] functions that take workloads of `generator`. They get the same inputs.
    pub functions: Vec<String>,
    /// The generator's path.
    pub generator: String,
    /// A value for each parameter.
    pub arguments: Arguments,
    /// The seed of all random numbers; below 2⁵³.
    pub seed: u64,
    /// The priority, 1 to 4; generators can read it.
    pub priority: u8,
}

/// Requests timed batches of one target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Collect {
    /// An open slot. Ignored for `reference`, `tier` and `clock`, which need no workload.
    pub slot: u32,
    /// The target to time.
    pub target: LaneTarget,
    /// Calls per batch; a whole number of rounds.
    pub calls: u64,
    /// The number of batches.
    pub batches: u32,
    /// The number of the input set: each number yields other inputs from the same seed.
    #[serde(default)]
    #[serde(rename = "inputs")]
    pub input_set: u32,
}

/// Requests timed batches of several targets in a given order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interleave {
    /// An open slot.
    pub slot: u32,
    /// The targets and their batch sizes: 1 to [`MAX_LANES`].
    pub lanes: Vec<Lane>,
    /// The lane of each batch in the order of timing; lanes are counted from 0.
    pub turns: Vec<usize>,
    /// The number of the input set: each number yields other inputs from the same seed.
    #[serde(default)]
    #[serde(rename = "inputs")]
    pub input_set: u32,
}

/// One of several interleaved targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lane {
    /// A function, an empty loop, or a kernel.
    pub target: LaneTarget,
    /// Calls per batch; except for kernels, a whole number of rounds.
    pub calls: u64,
}

/// The code that a batch runs. Functions are counted from 0 in the order of `open`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LaneTarget {
    /// Calls of a function of the slot.
    Function(usize),
    /// The timed loop of this function without the call.
    Empty(usize),
    /// A kernel with the same work in every suite. It takes equally long in a browser's baseline and optimised code.
    Reference,
    /// A second kernel. In the baseline code that browsers run first, it takes about four times as long as in optimised
    /// code.
    Tier,
    /// The clock: each batch lasts from one step of the clock to the next, and its calls are readings.
    Clock,
    /// Untimed calls of a function; for each batch, a hash of the outputs and the modified inputs.
    Check(usize),
    /// Untimed calls of a function; for each batch, the memory use of its calls.
    Count(usize),
}

/// The memory use of the calls of a batch.
///
/// Each call is counted from right before it until it returns: it includes the memory of its output and dropping owned
/// arguments, but neither preparing inputs nor dropping outputs. Other threads are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Counts {
    /// The number of calls of `alloc`, `alloc_zeroed` and `realloc`: the sum of what divan's `AllocProfiler` lists as
    /// alloc, grow and shrink.
    pub allocations: u64,
    /// The bytes of new allocations plus the bytes by which reallocations grew: divan's alloc and grow.
    pub bytes: u64,
    /// The maximum over the calls of the bytes that a call held at once, beyond those held when it started; at least 0.
    /// divan lists it as max alloc. A reallocation holds only the larger of its two sizes.
    pub peak: u64,
}

/// A workload is ready.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpenReply {
    /// The slot.
    pub slot: u32,
    /// The number of calls in a round; a batch consists of whole rounds.
    pub round: u64,
    /// Whether each batch must be a single call, since calls affect each other.
    #[serde(default, rename = "one_call_a_batch")]
    pub one_call_per_batch: bool,
    /// The elements that each call processes, 1 to 2⁵³; absent if the generator declares none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elements: Option<u64>,
    /// The bytes that each call processes, 1 to 2⁵³; absent if the generator declares none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// The time for the preparation in nanoseconds.
    pub preparation: f64,
}

/// Batches were timed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Samples {
    /// The slot.
    pub slot: u32,
    /// The timed target.
    pub target: LaneTarget,
    /// Calls per batch; for `clock`, the readings in all batches together.
    pub calls: u64,
    /// The time of each batch in nanoseconds.
    pub elapsed: Vec<f64>,
    /// The indices, from 0, of the batches that were interrupted or moved to another core, as far as the suite can detect it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interrupted: Vec<u32>,
    /// The time outside the batches in nanoseconds: preparing inputs, running hooks, dropping outputs.
    pub preparation: f64,
    /// Bytes of inputs and outputs per call that belong to one batch alone: the maximum over the batches.
    #[serde(default)]
    pub held: f64,
    /// Only for one batch of one call: the time in nanoseconds to enter the code of the batch, which a browser may compile only
    /// then. 0 if the suite does not report it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub entry: f64,
    /// Only for `count`: the memory use of each batch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<Vec<Counts>>,
    /// Only for `check`: for each batch, a hexadecimal hash of the outputs and the modified inputs. Empty if a type
    /// does not implement `Hash`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hashes: Option<Vec<String>>,
}

impl Samples {
    /// The reply to a request whose batches took this long, without anything else to report.
    pub fn of(request: &Collect, elapsed: Vec<f64>) -> Self {
        let Collect { slot, target, calls, .. } = *request;
        let (interrupted, preparation, held, entry, counts, hashes) = (Vec::new(), 0.0, 0.0, 0.0, None, None);
        Self { slot, target, calls, elapsed, interrupted, preparation, held, entry, counts, hashes }
    }
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

/// Batches of several targets were timed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InterleaveReply {
    /// The slot.
    pub slot: u32,
    /// The time of each batch in nanoseconds, in the order of the turns.
    pub elapsed: Vec<f64>,
    /// The indices, from 0, of the batches that were interrupted or moved to another core, as far as the suite can detect it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interrupted: Vec<u32>,
    /// The time outside the batches in nanoseconds: preparing inputs, running hooks, dropping outputs.
    pub preparation: f64,
    /// For each lane, bytes of inputs and outputs per call that belong to one batch alone: the maximum over its
    /// batches.
    pub held: Vec<f64>,
    /// For each lane, the number of different inputs that its calls received; 0 for kernels. Absent if unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<u64>,
}

/// The maximum number of parts that a host leaves out: each costs an instance, and a suite may report any number.
const MAX_FAILED_PARTS: usize = 100;

/// A part of a program whose benchmarks cannot be listed, such as a function that panics because a file is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedPart {
    /// The suite's name for the part.
    pub part: String,
    /// The panic's message.
    pub reason: String,
    /// The location of the panic, as `file:line:column`; absent if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "place")]
    pub location: Option<String>,
}

/// A failed request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestFailure {
    /// The slot of the request; absent if it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<u32>,
    /// The code that ran when the failure occurred.
    pub stage: FailureStage,
    /// A panic's message, or the error in the request.
    pub reason: String,
    /// The location of a panic, as `file:line:column`; absent for other failures or if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "place")]
    pub location: Option<String>,
    /// The part of the program whose benchmarks were being listed. A host may request the catalog again without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// Whether a function was not measured because its author decides so at run time. This is no error.
    #[serde(default, skip_serializing_if = "is_false")]
    pub skipped: bool,
}

impl RequestFailure {
    /// The part that failed while its benchmarks were listed.
    pub fn failed_part(&self) -> Option<FailedPart> {
        let part = self.part.clone()?;
        Some(FailedPart { part, reason: self.reason.clone(), location: self.location.clone() })
    }

    /// Adds the part that failed to those to leave out. Returns whether a new instance can describe the suite without them.
    pub fn omit(&self, without: &mut Vec<FailedPart>) -> bool {
        let is_new = |failed: &FailedPart| without.iter().all(|known| known.part != failed.part);
        let failed = self.failed_part().filter(|failed| without.len() < MAX_FAILED_PARTS && is_new(failed));
        let can_repeat = failed.is_some();
        without.extend(failed);
        can_repeat
    }
}

/// The code that a suite was running when it failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureStage {
    /// None: the request is invalid. The suite continues.
    #[default]
    Request,
    /// The generator, while it prepared the workload or created inputs.
    Generator,
    /// The measured function.
    Function,
    /// A hook of the workload.
    Hook,
}
