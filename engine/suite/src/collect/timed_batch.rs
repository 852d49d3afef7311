//! A batch to run, and what was measured of it.

/// Which batch to run.
#[derive(Clone, Copy, Debug)]
pub struct BatchOrder {
    /// Which inputs.
    pub(crate) number: u32,
    /// Which batch of them.
    pub(crate) batch: u32,
    /// How many calls.
    pub(crate) calls: usize,
}

/// A batch that was run.
#[derive(Clone, Copy, Debug)]
pub struct TimedBatch {
    /// Nanoseconds.
    pub(crate) elapsed: f64,
    /// Bytes held for one call: the most of right before and right after the loop.
    pub(crate) held: f64,
    /// Allocations on this thread, in the loop.
    pub(crate) allocations: u64,
    /// Whether something else had the processor meanwhile.
    pub(crate) interrupted: bool,
}
