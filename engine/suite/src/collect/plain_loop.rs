//! The timed loops, for arguments that were created before the batch or without any.

use std::hint::black_box;
use std::mem::{MaybeUninit, needs_drop};

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

/// Times calls of a routine with an input each. `ready` is called right before the first clock reading. The outputs are stored, and dropped
/// after the second one.
#[inline(always)]
pub(crate) fn time_inputs<I, O>(
    mut inputs: Vec<I>,
    mut routine: impl FnMut(I) -> O,
    ready: impl FnOnce(),
) -> LoopTiming {
    let mut outputs = touched_vec(inputs.len());
    let watch = InterruptionProbe::begin();
    ready();
    let start = clock::now();
    outputs.extend(inputs.drain(..).map(|input| routine(black_box(input))));
    let elapsed = clock::now() - start;
    let live_after = memory::live_bytes();
    let interrupted = watch.was_interrupted();
    drop(black_box(outputs));
    LoopTiming { elapsed, live_after, interrupted }
}

/// As [`time_calls`], for an asynchronous routine: the future of the whole loop, for a single call of an executor.
#[inline(always)]
pub async fn time_async_calls<O, F: Future<Output = O>>(calls: usize, mut routine: impl FnMut() -> F) -> LoopTiming {
    let watch = InterruptionProbe::begin();
    let start = clock::now();
    for _ in 0..calls {
        black_box(routine().await);
    }
    let elapsed = clock::now() - start;
    LoopTiming { elapsed, live_after: memory::live_bytes(), interrupted: watch.was_interrupted() }
}

/// As [`time_arguments`], for an asynchronous routine: the future of the whole loop, for a single call of an executor.
#[inline(always)]
pub async fn time_async_arguments<A, O, F: Future<Output = O>>(
    arguments: impl Iterator<Item = A>,
    calls: usize,
    mut call: impl FnMut(A) -> F,
) -> LoopTiming {
    let mut outputs = touched_vec(if needs_drop::<O>() { calls } else { 0 });
    let watch = InterruptionProbe::begin();
    let start = clock::now();
    for arguments in arguments {
        let output = black_box(call(black_box(arguments)).await);
        if needs_drop::<O>() {
            outputs.push(output);
        }
    }
    let elapsed = clock::now() - start;
    LoopTiming { elapsed, live_after: memory::live_bytes(), interrupted: watch.was_interrupted() }
}

/// Times the loop of [`time_calls`] without the calls.
#[inline(always)]
pub fn time_empty(calls: usize) -> LoopTiming {
    time_calls(calls, || ())
}

/// Times a loop that makes `calls` calls with arguments that exist already. `ready` is called right before the first clock reading.
/// Outputs that need dropping are stored, and dropped after the second one.
#[inline(always)]
pub fn time_arguments<A, O>(
    arguments: impl Iterator<Item = A>,
    calls: usize,
    mut call: impl FnMut(A) -> O,
    ready: impl FnOnce(),
) -> LoopTiming {
    let mut outputs = touched_vec(if needs_drop::<O>() { calls } else { 0 });
    let watch = InterruptionProbe::begin();
    ready();
    let start = clock::now();
    let mut run_call = |arguments| {
        let output = black_box(call(black_box(arguments)));
        if needs_drop::<O>() {
            outputs.push(output);
        }
    };
    if needs_drop::<A>() {
        // Internal iteration, because it never creates an `Option` of the arguments that a call consumes. For other
        // arguments, the loop below is faster.
        arguments.for_each(run_call);
    } else {
        for arguments in arguments {
            run_call(arguments);
        }
    }
    let elapsed = clock::now() - start;
    LoopTiming { elapsed, live_after: memory::live_bytes(), interrupted: watch.was_interrupted() }
}

/// Times a loop that only passes the arguments through `black_box`. `ready` is called right before the first clock reading.
#[inline(always)]
pub fn time_passing(arguments: impl Iterator, ready: impl FnOnce()) -> LoopTiming {
    let watch = InterruptionProbe::begin();
    ready();
    let start = clock::now();
    for arguments in arguments {
        black_box(arguments);
    }
    let elapsed = clock::now() - start;
    LoopTiming { elapsed, live_after: memory::live_bytes(), interrupted: watch.was_interrupted() }
}

/// Returns an empty vector with capacity for `count` values. Writes to its memory, so that the timed loop does not
/// include the page faults.
fn touched_vec<T>(count: usize) -> Vec<T> {
    let mut values = Vec::with_capacity(count);
    // `take`, since the capacity for zero-sized types is `usize::MAX`.
    for slot in values.spare_capacity_mut().iter_mut().take(count) {
        *black_box(slot) = MaybeUninit::zeroed();
    }
    values
}
