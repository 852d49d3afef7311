//! The timed loops of routines that take no input, or own ones that were created before the batch.

use std::hint::black_box;

use crate::collect::clock;
use crate::collect::interruption::InterruptionProbe;
use crate::collect::timed_batch::LoopTiming;
use crate::memory;

/// Times calls of a routine. Dropping an output is part of the call.
#[inline(always)]
pub fn time_calls<O>(calls: usize, mut routine: impl FnMut() -> O) -> LoopTiming {
    let watch = InterruptionProbe::begin();
    let start = clock::now();
    for _ in 0..calls {
        black_box(routine());
    }
    let elapsed = clock::now() - start;
    LoopTiming { elapsed, live_after: memory::live_bytes(), interrupted: watch.was_interrupted() }
}

/// Times calls of a routine with an input each. The outputs are stored, and dropped after the second clock reading.
#[inline(always)]
pub fn time_inputs<I, O>(inputs: Vec<I>, mut routine: impl FnMut(I) -> O) -> LoopTiming {
    let mut outputs = Vec::with_capacity(inputs.len());
    let watch = InterruptionProbe::begin();
    let start = clock::now();
    outputs.extend(inputs.into_iter().map(|input| routine(black_box(input))));
    let elapsed = clock::now() - start;
    let live_after = memory::live_bytes();
    let interrupted = watch.was_interrupted();
    drop(black_box(outputs));
    LoopTiming { elapsed, live_after, interrupted }
}

/// Times the loop of [`time_calls`] without the calls.
#[inline(always)]
pub fn time_empty(calls: usize) -> LoopTiming {
    time_calls(calls, || ())
}
