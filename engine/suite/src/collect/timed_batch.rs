//! A batch to run, and its measurements.

use benchbook_contract::protocol::Counts;

/// A batch to run.
#[derive(Clone, Copy, Debug)]
pub struct BatchSpec {
    /// The number of the input set.
    pub(crate) input_set: u32,
    /// The number of the batch among those on this input set.
    pub(crate) batch: u32,
    /// The number of calls.
    pub(crate) calls: usize,
}

/// The measurements of a batch.
#[derive(Clone, Copy, Debug)]
pub struct TimedBatch {
    /// The clock's reading in nanoseconds when the code of the batch was entered; 0 for a kernel.
    pub(crate) entered: f64,
    /// The time of the loop in nanoseconds.
    pub(crate) elapsed: f64,
    /// Bytes held per call: the maximum of right before and right after the loop.
    pub(crate) held: f64,
    /// The number of inputs that no earlier batch on this input set had.
    pub(crate) new_inputs: usize,
    /// Whether the thread was preempted or migrated.
    pub(crate) interrupted: bool,
}

/// The results of a batch that is not timed.
#[derive(Clone, Copy, Debug)]
pub struct UntimedBatch {
    /// The memory use of the calls.
    pub(crate) counts: Counts,
    /// The hash of the outputs and the modified inputs; `None` unless requested, or if a type does not implement `Hash`.
    pub(crate) hash: Option<u64>,
}
