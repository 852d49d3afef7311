//! The warm-up: runs batches until their times settle.

use crate::analyze::order::sorted;
use crate::analyze::running::RunningStats;
use crate::analyze::stability::Stability;
use crate::quality::BatchBounds;
use crate::sample::typical_batch::typical_batch;

/// The number of recent batches that have to agree.
pub(crate) const WINDOW: usize = 5;

/// The maximum coefficient of variation of a settled window, that of an idle machine. The slowest batch is excluded, since
/// it may have been interrupted.
const SETTLED: f64 = 0.05;

/// The minimum share of the warm-up time to use: in a browser the times reach a plateau about 10 ms before the optimised
/// code is ready.
const AT_LEAST_OF_TIME: f64 = 0.5;

/// Observes batches until they settle or reach the bounds.
#[derive(Clone, Debug)]
pub(crate) struct WarmUp {
    bounds: BatchBounds,
    /// Nanoseconds between two steps of the clock. Variation caused by them is allowed.
    resolution: f64,
    times: Vec<f64>,
    spent: f64,
}

/// The state of a warm-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WarmUpState {
    /// More batches are needed.
    WarmingUp,
    /// The window settled, or the bounds are reached.
    Done(Stability),
}

impl WarmUp {
    /// `resolution`: nanoseconds between two steps of the clock.
    pub(crate) fn new(bounds: BatchBounds, resolution: f64) -> Self {
        Self { bounds, resolution, times: Vec::new(), spent: 0.0 }
    }

    /// Takes batches: the time of each, and of the preparation of all, in nanoseconds.
    pub(crate) fn add(&mut self, elapsed: &[f64], preparation: f64) {
        self.spent += elapsed.iter().sum::<f64>() + preparation;
        self.times.extend_from_slice(elapsed);
    }

    pub(crate) fn state(&self) -> WarmUpState {
        let count = self.times.len() as u32;
        let most = self.bounds.ms * 1e6;
        let in_time = self.spent < most;
        let is_early = count < self.bounds.at_least || self.spent < AT_LEAST_OF_TIME * most;
        if is_early && in_time && count < self.bounds.at_most {
            return WarmUpState::WarmingUp;
        }
        match self.stability() {
            Stability::Settled => WarmUpState::Done(Stability::Settled),
            _ if count < self.bounds.at_most && in_time => WarmUpState::WarmingUp,
            other => WarmUpState::Done(other),
        }
    }

    /// Returns the typical time of a batch in the window, in nanoseconds; 0 before the first.
    pub(crate) fn recent(&self) -> f64 {
        typical_batch(&self.window(), self.resolution)
    }

    /// Whether the window varies no more than on an idle machine with this clock; unknown until it is full.
    fn stability(&self) -> Stability {
        let window = self.window();
        if window.len() < WINDOW {
            return Stability::Unknown;
        }
        let quicker: RunningStats = window.into_iter().take(WINDOW - 1).collect();
        let mean = quicker.mean().unwrap_or(0.0);
        let is_steady = mean > 0.0 && quicker.sd() <= (SETTLED * mean).max(2.0 * self.resolution);
        if is_steady { Stability::Settled } else { Stability::NotSettled }
    }

    /// Returns the times of the last batches in ascending order.
    fn window(&self) -> Vec<f64> {
        sorted(&self.times[self.times.len().saturating_sub(WINDOW)..])
    }
}
