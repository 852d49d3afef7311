//! The timed loop of the kernels.

use std::hint::black_box;

use crate::collect::clock;
use crate::collect::interruption::InterruptionProbe;
use crate::collect::timed_batch::{BatchSpec, TimedBatch};

/// Times calls of a kernel like calls of a function, but without inputs.
#[inline(always)]
pub(crate) fn time_kernel(spec: BatchSpec, kernel: impl Fn(u64) -> u64) -> TimedBatch {
    let watch = InterruptionProbe::begin();
    let start = clock::now();
    for _ in 0..spec.calls {
        black_box(kernel(black_box(1)));
    }
    let elapsed = clock::now() - start;
    TimedBatch { entered: 0.0, elapsed, held: 0.0, new_inputs: 0, interrupted: watch.was_interrupted() }
}
