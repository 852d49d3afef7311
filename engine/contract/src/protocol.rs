//! The messages between a host and a suite: JSON objects, one a line. `docs/suite-contract.md` is the same in prose.

use serde::{Deserialize, Serialize};

use crate::catalog::Suite;
use crate::parameter::{Arguments, number};

/// The version of this contract. A host refuses a suite that speaks another.
pub const PROTOCOL: u32 = 3;

/// The most bytes of inputs and outputs that a batch of more than one call may hold: beyond it the figure is the
/// cache's. Summing 1 000 `u64` read 181 ns a call with 256 prepared inputs, and 893 ns with 32 768.
pub const HELD_BYTES: u64 = 256 * 1024;

/// The most functions that are measured together.
pub const MAX_FUNCTIONS: usize = 4;

/// The most lanes that one message interleaves.
pub const MAX_LANES: usize = 16;

/// From a host to a suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", expecting = "an object with a field `type`")]
pub enum HostMessage {
    /// The greeting; answered by `catalog`.
    Describe {
        /// The version that the host speaks.
        protocol: u32,
    },
    /// Prepares a workload; answered by `opened`.
    Open(Open),
    /// Times batches; answered by `samples`.
    Collect(Collect),
    /// Times batches of several targets in a given order; answered by `interleaved`.
    Interleave(Interleave),
    /// Runs the workload's last hook and forgets it; answered by `closed`.
    Close {
        /// The slot to close.
        slot: u32,
    },
}

/// From a suite to its host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", expecting = "an object with a field `type`")]
pub enum SuiteMessage {
    /// The suite describes itself.
    Catalog {
        /// The version that the suite speaks.
        protocol: u32,
        /// What is in it.
        suite: Suite,
        /// What of the guard that its host wants it to live under cannot be had, one reason each; absent where nothing
        /// is missing.
        #[serde(skip_serializing_if = "Option::is_none")]
        unguarded: Option<Vec<String>>,
    },
    /// The workload is ready.
    Opened(Opened),
    /// Batches were timed.
    Samples(Samples),
    /// Batches of several targets were timed.
    Interleaved(Interleaved),
    /// The workload is gone.
    Closed {
        /// The slot that was closed.
        slot: u32,
    },
    /// What was asked could not be done. After a panic the suite must be thrown away and started anew.
    Failed(Failed),
    /// The allocator refused a request. The function may live with that; if the suite dies next, this is why.
    Refused {
        /// The size asked for, in bytes.
        bytes: u64,
        /// The bound on all that is allocated at once, in bytes.
        bound: u64,
    },
}

/// Asks for a workload at one axis value, for functions of one generator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Open {
    /// The host's number for what is opened; each is used once.
    pub slot: u32,
    /// Paths of one to four functions, all bound to `generator`: they get the same inputs.
    pub functions: Vec<String>,
    /// The generator's path.
    pub generator: String,
    /// A value for every parameter, a range for the axis.
    pub arguments: Arguments,
    /// The axis value of this point: it stands in for the range.
    #[serde(serialize_with = "number")]
    pub axis: f64,
    /// Where randomness starts; below 2⁵³.
    pub seed: u64,
    /// 1 to 4; a generator may look at it.
    pub priority: u8,
}

/// Asks for timed batches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Collect {
    /// An opened slot; for `reference` and `clock`, which need none, any number.
    pub slot: u32,
    /// What to time.
    pub target: Target,
    /// Calls a batch; a whole number of rounds.
    pub calls: u64,
    /// The number of batches.
    pub batches: u32,
    /// Which inputs: another number makes others from the same seed.
    #[serde(default)]
    pub inputs: u32,
    /// Whether to count allocations too; a batch so counted is not for timing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub allocations: bool,
}

/// Asks for timed batches of several targets, in an order that the host gives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interleave {
    /// An opened slot.
    pub slot: u32,
    /// What to time, and how many calls a batch: 1 to [`MAX_LANES`].
    pub lanes: Vec<Lane>,
    /// The lane of each batch, in the order in which they are timed; lanes are counted from 0.
    pub turns: Vec<usize>,
    /// Which inputs: another number makes others from the same seed.
    #[serde(default)]
    pub inputs: u32,
}

/// One of the targets that are timed in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lane {
    /// What to time: a function, its empty loop, or a kernel.
    pub target: Target,
    /// Calls a batch; a whole number of rounds, but for kernels.
    pub calls: u64,
}

/// What a batch times. Functions are counted from 0 in the order of `open`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// Calls of a function of the slot.
    Function(usize),
    /// The loop of the same shape as this function's, without the call.
    Empty(usize),
    /// A fixed kernel: the same work on every machine and in every suite, and as fast in quick code as in good code.
    Reference,
    /// Another fixed kernel, which takes about four times as long in the quick code that browsers begin with.
    Tier,
    /// The clock itself: each batch lasts from one step of the clock to the next; its calls are the readings taken.
    Clock,
    /// Nothing timed: a hash of what comes out of the calls of each batch.
    Check(usize),
}

/// A workload is ready.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opened {
    /// The slot.
    pub slot: u32,
    /// The calls that make a round; a batch is whole rounds.
    pub round: u64,
    /// Whether a batch must be a single call, because calls disturb each other.
    #[serde(default)]
    pub one_call_a_batch: bool,
    /// How long preparing took, in nanoseconds.
    pub preparation: f64,
}

/// Batches were timed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Samples {
    /// The slot.
    pub slot: u32,
    /// What was timed.
    pub target: Target,
    /// Calls in each batch; for `clock`, the readings in all batches together.
    pub calls: u64,
    /// Nanoseconds that each batch took.
    pub elapsed: Vec<f64>,
    /// The batches, counted from 0, in which something else had the processor, as far as the suite can tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interrupted: Vec<u32>,
    /// Nanoseconds spent on all the rest: preparing inputs, hooks, dropping outputs.
    pub preparation: f64,
    /// The most bytes that one batch held in inputs and outputs of its own, for one call.
    #[serde(default)]
    pub held: f64,
    /// Allocations in each batch on the measuring thread, where asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocations: Option<Vec<u64>>,
    /// For `check`, a hash of each batch's outputs and of what became of its inputs, in hexadecimal; empty where the
    /// types cannot be hashed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hashes: Option<Vec<String>>,
}

/// Batches of several targets were timed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interleaved {
    /// The slot.
    pub slot: u32,
    /// Nanoseconds that each batch took, in the order of the turns.
    pub elapsed: Vec<f64>,
    /// The batches, counted from 0, in which something else had the processor, as far as the suite can tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interrupted: Vec<u32>,
    /// Nanoseconds spent on all the rest: preparing inputs, hooks, dropping outputs.
    pub preparation: f64,
    /// By lane, the most bytes that one batch held in inputs and outputs of its own, for one call.
    pub held: Vec<f64>,
}

/// What was asked could not be done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failed {
    /// The slot, where the failure belongs to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<u32>,
    /// What the suite was at.
    pub stage: Stage,
    /// What happened: a panic's message, or what is wrong with the request.
    pub reason: String,
    /// Where: `file:line:column` of a panic, or the place in the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// What a suite was at when it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Reading the message: it is not one, or it asks for what is not there. The suite is unharmed.
    Request,
    /// The generator, when it was called or when it made inputs.
    Generator,
    /// The measured function.
    Function,
    /// A hook of the workload.
    Hook,
}
