//! The tier kernel: like `reference`, the same work in every suite, but slow in a browser's baseline code.

use std::any::Any;

use crate::collect::kernel::time_kernel;
use crate::collect::timed_batch::{BatchSpec, TimedBatch};

/// Loop iterations per call, about 4 000 cycles.
const ITERATIONS: u32 = 2_048;

/// The step of a position modulo `ITERATIONS`. It is odd, so the position returns to 0 after exactly `ITERATIONS` steps.
const STRIDE: u32 = 1_517;

/// Times calls of the kernel like calls of a function, but without inputs.
#[inline(never)]
pub(crate) fn time(_inputs: &mut dyn Any, spec: BatchSpec) -> TimedBatch {
    time_kernel(spec, kernel)
}

/// A lagged Fibonacci sequence (Knuth, TAOCP 2, 3.2.2, with lags 10 and 7) whose ten words all move by one position per
/// iteration.
///
/// Optimised code keeps the words in registers, where processors rename instead of moving, and takes two cycles per
/// iteration. Baseline code moves them through the stack. The number of iterations follows from the loop itself, so that
/// no compiler unrolls the loop and saves the moves.
///
/// Treat code as baseline if this kernel takes at least 1.5 times as long as `reference`. On an AMD EPYC the ratio is
/// 0.69 natively, 0.67 to 0.70 in V8's optimised code, and 2.5 to 3.2 in its baseline code (Chromium 156 and Node 20;
/// baseline code forced by a flag, or by a debugger attached before or after compilation).
fn kernel(seed: u64) -> u64 {
    let mut words = [seed, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    let mut position = 0;
    loop {
        let [a, b, c, d, e, f, g, h, i, j] = words;
        words = [b, c, d, e, f, g, h, i, j, a.wrapping_add(d)];
        position = (position + STRIDE) % ITERATIONS;
        if position == 0 {
            return words.into_iter().fold(0, |hash, word| hash ^ word);
        }
    }
}
