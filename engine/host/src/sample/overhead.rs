//! The cost of the empty loop when it is interleaved with its function.

use crate::analyze::blocks::RunTimes;
use crate::analyze::order::{median, sorted};
use crate::analyze::outliers::{Fences, Label};
use crate::analyze::running::RunningStats;
use crate::response::Overhead;

/// The times of a loop that does the same work each time, so that extreme outliers come from the machine.
pub(super) struct LoopTimes {
    /// The times without extreme outliers.
    pub(super) typical: RunningStats,
    pub(super) mean_of_all: f64,
}

impl LoopTimes {
    /// `times`, `step`: batches and a clock step in nanoseconds per call. `None` for no times.
    pub(super) fn of(times: &[f64], step: f64) -> Option<Self> {
        let fences = Fences::of(&sorted(times), step)?;
        let is_typical = |time: &f64| fences.label(*time) != Label::Extreme;
        let all: RunningStats = times.iter().copied().collect();
        Some(Self { typical: times.iter().copied().filter(is_typical).collect(), mean_of_all: all.mean()? })
    }
}

/// The samples of the empty loop between the batches of its function.
#[derive(Clone, Debug, Default)]
pub(super) struct EmptyLoopSamples {
    /// The time of each batch in nanoseconds per call.
    times: Vec<f64>,
    /// Batches in each block.
    blocks: Vec<u32>,
    current: u32,
}

impl EmptyLoopSamples {
    /// Takes a batch: nanoseconds per call.
    pub(super) fn push(&mut self, per_call: f64) {
        self.times.push(per_call);
        self.current += 1;
    }

    /// Discards the first blocks.
    pub(super) fn forget(&mut self, blocks: usize) {
        let batches: u32 = self.blocks.drain(..blocks).sum();
        self.times.drain(..batches as usize);
    }

    pub(super) fn end_block(&mut self) {
        self.blocks.push(std::mem::take(&mut self.current));
    }

    /// Returns the cost; `None` for fewer than two blocks. `step`: a clock
    /// step in nanoseconds per call.
    pub(super) fn cost(&self, step: f64) -> Option<Overhead> {
        let LoopTimes { typical, mean_of_all } = LoopTimes::of(&self.times, step)?;
        let levels: Vec<f64> =
            RunTimes::without_overhead(&self.times, &self.blocks).blocks().filter_map(median).collect();
        let interval = levels.into_iter().collect::<RunningStats>().mean_interval()?;
        let per_call = typical.mean()?;
        let half_width = ((interval.high - interval.low) / 2.0).max(step / f64::from(typical.n()).sqrt());
        Some(Overhead::interleaved(per_call, half_width, mean_of_all - per_call))
    }
}
