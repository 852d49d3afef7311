//! The reference kernel: the same work in every suite, so that a host can detect changes of the machine's speed.

use std::any::Any;
use std::hint::black_box;

use crate::collect::clock;
use crate::collect::interruption::Watch;
use crate::collect::timed_batch::{BatchOrder, TimedBatch};

/// Steps per call, about 6 000 cycles.
const STEPS: u32 = 1_000;

/// Times calls of the kernel like calls of a function, but without inputs.
#[inline(never)]
pub(crate) fn time(_inputs: &mut dyn Any, order: BatchOrder) -> TimedBatch {
    let watch = Watch::begin();
    let start = clock::now();
    for _ in 0..order.calls {
        black_box(kernel(black_box(1)));
    }
    let elapsed = clock::now() - start;
    TimedBatch { elapsed, held: 0.0, allocations: 0, interrupted: watch.was_interrupted() }
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
