//! The tier kernel: as `reference` the same work in every suite, but work that a browser's quick code does slowly.

use std::any::Any;
use std::hint::black_box;

use crate::collect::clock;
use crate::collect::interruption::Watch;
use crate::collect::timed_batch::{BatchOrder, TimedBatch};

/// Turns of the loop in a call: some 4 000 cycles.
const TURNS: u32 = 2_048;

/// Steps of a walk around a circle of `TURNS` places; it is odd, so the walk comes to all of them before it ends.
const STRIDE: u32 = 1_517;

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

/// A lagged Fibonacci sequence (Knuth, TAOCP 2, 3.2.2, with lags 10 and 7), all ten words of which move by one place in
/// each turn.
///
/// Good code keeps them in registers, where processors rename rather than move, and takes two cycles a turn; quick code
/// moves them through the stack. The count of turns comes out of the loop, so that no compiler unrolls it and saves the
/// moves.
///
/// Take code for quick from a time of 1.5 that of `reference` on: on one machine (AMD EPYC) it is 0.69 natively and 0.67 to
/// 0.70 in V8's good code, and 2.5 to 3.2 in its quick code, in Chromium 156 and node 20, asked for by a flag or by a
/// debugger that is attached before or after the module was compiled.
fn kernel(seed: u64) -> u64 {
    let mut words = [seed, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    let mut position = 0;
    loop {
        let [a, b, c, d, e, f, g, h, i, j] = words;
        words = [b, c, d, e, f, g, h, i, j, a.wrapping_add(d)];
        position = (position + STRIDE) % TURNS;
        if position == 0 {
            return words.into_iter().fold(0, |hash, word| hash ^ word);
        }
    }
}
