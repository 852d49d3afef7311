//! The inputs: walks with a start and a length.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

use benchbook::prelude::*;

/// A walk.
#[derive(Clone, Copy)]
pub(crate) struct Walk {
    /// The start; not 0.
    pub(crate) state: u64,
    /// The steps of `one`; part of the input, so that the compiler cannot know them.
    pub(crate) steps: u32,
}

/// The end of the last walk.
static LAST: AtomicU64 = AtomicU64::new(0);

impl Walk {
    /// Takes `steps` steps, with the same machine code for every function.
    ///
    /// A walk waits for the end of the last one, although it does not use it. Otherwise the processor begins a call before
    /// the previous one has ended, which makes each call some nanoseconds shorter, and ratios of short to long walks too
    /// high.
    #[inline(never)]
    pub(crate) fn take(self, steps: u32) -> u64 {
        let start = self.state ^ (LAST.load(Ordering::Relaxed) & black_box(0));
        let end = (0..steps).fold(start, |mut state, _| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^ (state << 17)
        });
        LAST.store(end, Ordering::Relaxed);
        end
    }
}

fn walk(rng: &mut Rng, steps: u32) -> Walk {
    Walk { state: rng.random_range(1..=u64::MAX), steps }
}

/// Walks of one length.
#[generator(name = "Walks")]
pub(crate) fn walks(
    _service: &Service,
    /// Steps of `one`.
    #[parameter(min = 100, max = 100_000, step = 100, scale = "log", default = 4_000..=16_000, unit = "steps")]
    size: u32,
) -> Shared<Walk> {
    Shared::new(move |rng| walk(rng, size))
}

/// Walks of one length, a fresh one for each call.
#[generator(name = "Own walks")]
pub(crate) fn own_walks(
    _service: &Service,
    /// Steps of `one`.
    #[parameter(min = 100, max = 100_000, step = 100, scale = "log", default = 4_000..=16_000, unit = "steps")]
    size: u32,
) -> Fresh<Walk> {
    Fresh::new(move |rng| walk(rng, size))
}

/// Walks of random lengths, from half to twice the mean.
#[generator(name = "Uneven walks")]
pub(crate) fn uneven_walks(
    _service: &Service,
    /// Steps of the mean walk.
    #[parameter(min = 100, max = 100_000, step = 100, scale = "log", default = 4_000..=16_000, unit = "steps")]
    size: u32,
) -> Shared<Walk> {
    Shared::new(move |rng| {
        let steps = f64::from(size) * 2_f64.powf(rng.random_range(-1.0..=1.0));
        walk(rng, steps as u32)
    })
}

/// Several values at once.
#[generator(name = "Pieces")]
pub(crate) fn pieces(
    _service: &Service,
    /// Length of the list.
    #[parameter(min = 0, max = 1_000, default = 0..=1_000, unit = "numbers")]
    size: u32,
) -> Shared<(u64, u32, Vec<u64>)> {
    Shared::new(move |rng| (rng.random(), rng.random(), (0..size).map(u64::from).collect()))
}

/// Lists that own no memory.
#[generator(name = "Empty lists")]
pub(crate) fn lists(
    _service: &Service,
    /// Unused.
    #[parameter(min = 0, max = 1_000, default = 0..=1_000)]
    _size: u32,
) -> Shared<Vec<u64>> {
    Shared::new(|_| Vec::new())
}
