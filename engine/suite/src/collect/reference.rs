//! The reference kernel: the same work in every suite, so that a host can see the machine change under it.

use std::any::Any;
use std::hint::black_box;

use crate::collect::clock;
use crate::collect::interruption::Watch;
use crate::collect::timed_batch::{BatchOrder, TimedBatch};

/// Steps of one call: some 6 000 cycles.
const STEPS: u32 = 1_000;

/// Times calls of the kernel as functions are timed, but without inputs.
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

/// A chain of dependent xorshifts (Marsaglia: "Xorshift RNGs", 2003): no memory, no branch that could be guessed
/// wrong, nothing that can be done in parallel.
///
/// Six operations a step, each of which waits for the one before it: a compiler may unroll the loop, but makes it neither
/// faster nor slower. That goes for V8's quick code too, so the kernel tells of the machine, and not of the code; of that
/// `tier` tells.
fn kernel(seed: u64) -> u64 {
    (0..STEPS).fold(seed, |mut state, _| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^ (state << 17)
    })
}
