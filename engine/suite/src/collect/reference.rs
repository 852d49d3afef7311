//! The reference kernel: the same work in every suite, so that a host can detect changes of the machine's speed.

use std::any::Any;

use crate::collect::kernel::time_kernel;
use crate::collect::timed_batch::{BatchSpec, TimedBatch};

/// Steps per call, about 6 000 cycles.
const STEPS: u32 = 1_000;

/// Times calls of the kernel like calls of a function, but without inputs.
#[inline(never)]
pub(crate) fn time(_inputs: &mut dyn Any, spec: BatchSpec) -> TimedBatch {
    time_kernel(spec, kernel)
}

/// A chain of dependent xorshifts (Marsaglia: "Xorshift RNGs", 2003) without memory accesses, mispredicted branches or
/// instruction-level parallelism.
///
/// Each of the six operations per step waits for the previous one, so unrolling makes the loop neither faster nor slower.
/// V8's baseline code takes as long as its optimised code. The kernel therefore measures the machine; `tier` measures
/// the code.
fn kernel(seed: u64) -> u64 {
    (0..STEPS).fold(seed, |mut state, _| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^ (state << 17)
    })
}
