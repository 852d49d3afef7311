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

/// The measurements of one run of the timed loop.
#[derive(Clone, Copy, Debug)]
pub struct LoopTiming {
    /// Nanoseconds between the two clock readings.
    pub elapsed: f64,
    /// Bytes that the suite held right after the last call, including the outputs.
    pub live_after: i64,
    /// Whether the thread was interrupted or migrated in between, as far as the kernel reports it.
    pub interrupted: bool,
}

impl LoopTiming {
    /// The mean of loops that ran at the same time. It was interrupted if one of them was.
    pub fn mean(timings: &[Self]) -> Self {
        Self {
            elapsed: timings.iter().map(|timing| timing.elapsed).sum::<f64>() / timings.len() as f64,
            live_after: timings.iter().map(|timing| timing.live_after).max().unwrap_or_default(),
            interrupted: timings.iter().any(|timing| timing.interrupted),
        }
    }
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
    /// Whether the thread was interrupted or migrated.
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

#[cfg(test)]
mod tests {
    use super::LoopTiming;

    #[test]
    fn the_mean_of_simultaneous_loops() {
        let loops = [(10.0, 7, false), (20.0, 5, true), (60.0, 6, false)];
        let loops = loops.map(|(elapsed, live_after, interrupted)| LoopTiming { elapsed, live_after, interrupted });
        let mean = LoopTiming::mean(&loops);
        assert_eq!((mean.elapsed, mean.live_after, mean.interrupted), (30.0, 7, true));
        assert!(!LoopTiming::mean(&loops[..1]).interrupted);
    }
}
