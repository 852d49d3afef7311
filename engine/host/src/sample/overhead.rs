//! What the empty loop costs beside its function, from what was timed of it between the function's batches.

use crate::analyze::blocks::RunTimes;
use crate::analyze::order::{median, sorted};
use crate::analyze::outliers::{Fences, Label};
use crate::analyze::running::Running;
use crate::response::Overhead;

/// The times of a loop that does the same each time: what is far off is the machine's.
pub(super) struct Typical {
    /// Without severe outliers.
    pub(super) kept: Running,
    pub(super) mean_of_all: f64,
}

impl Typical {
    /// `times`: nanoseconds a call; `step`: what a step of the clock comes to. Absent for no times.
    pub(super) fn of(times: &[f64], step: f64) -> Option<Self> {
        let fences = Fences::of(&sorted(times), step)?;
        let is_kept = |time: &f64| fences.label(*time) != Label::Severe;
        let all: Running = times.iter().copied().collect();
        Some(Self { kept: times.iter().copied().filter(is_kept).collect(), mean_of_all: all.mean()? })
    }
}

/// The empty loop as timed between the batches of its function.
#[derive(Clone, Debug, Default)]
pub(super) struct Empty {
    /// Nanoseconds a call of each batch.
    times: Vec<f64>,
    /// Batches in each block.
    blocks: Vec<u32>,
    current: u32,
}

/// How far two loops of the same instructions may be apart, as a part of their time: they lie at different places in
/// memory. Seen natively: up to 0.03.
const PLACES: f64 = 0.05;

/// The part of an overhead's half-width that no time takes away, in nanoseconds a call.
pub(super) fn lasting(overhead: &Overhead) -> f64 {
    overhead.half_width.min(PLACES * overhead.per_call.abs())
}

impl Empty {
    /// Takes a batch: nanoseconds a call.
    pub(super) fn push(&mut self, per_call: f64) {
        self.times.push(per_call);
        self.current += 1;
    }

    /// Forgets the first blocks.
    pub(super) fn forget(&mut self, blocks: usize) {
        let batches: u32 = self.blocks.drain(..blocks).sum();
        self.times.drain(..batches as usize);
    }

    pub(super) fn end_block(&mut self) {
        self.blocks.push(std::mem::take(&mut self.current));
    }

    /// What it costs. The half-width holds [`PLACES`]. Absent for fewer than two blocks. `step`: what a step of the clock
    /// comes to in nanoseconds a call.
    pub(super) fn cost(&self, step: f64) -> Option<Overhead> {
        let Typical { kept, mean_of_all } = Typical::of(&self.times, step)?;
        let levels: Vec<f64> =
            RunTimes { times: &self.times, blocks: &self.blocks, overhead: 0.0 }.blocks().filter_map(median).collect();
        let interval = levels.into_iter().collect::<Running>().mean_interval()?;
        let per_call = kept.mean()?;
        let half_width = ((interval.high - interval.low) / 2.0).max(step / f64::from(kept.n()).sqrt());
        Some(Overhead {
            per_call,
            half_width: half_width.hypot(PLACES * per_call),
            disturbance: mean_of_all - per_call,
        })
    }
}
