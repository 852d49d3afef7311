//! WarmingUp up: until the times of batches settle.

use crate::analyze::order::sorted;
use crate::analyze::running::Running;
use crate::quality::Bounds;
use crate::sample::typical_batch::typical_batch;

/// Batches of the window that is looked at.
pub(crate) const WINDOW: usize = 5;

/// The coefficient of variation at which a window counts as settled, its slowest batch left out, which something may have
/// interrupted: what a quiet machine shows.
const SETTLED: f64 = 0.05;

/// The part of the time for warming up that is used in any case: a browser shows a plateau before its good code comes,
/// some 10 ms later.
const AT_LEAST_OF_TIME: f64 = 0.5;

/// Watches batches until they settle or the bounds end it.
#[derive(Clone, Debug)]
pub(crate) struct WarmUp {
    bounds: Bounds,
    /// Nanoseconds between two steps of the clock: what they alone make batches vary is allowed.
    resolution: f64,
    times: Vec<f64>,
    spent: f64,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WarmUpState {
    /// More batches are needed.
    WarmingUp,
    /// The window settled.
    Settled,
    /// The bounds ended it.
    Unsettled,
}

impl WarmUp {
    /// `resolution`: nanoseconds between two steps of the clock.
    pub(crate) fn new(bounds: Bounds, resolution: f64) -> Self {
        Self { bounds, resolution, times: Vec::new(), spent: 0.0 }
    }

    /// Learns from batches: nanoseconds of each, and of the preparation of all.
    pub(crate) fn take(&mut self, elapsed: &[f64], preparation: f64) {
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
        if self.is_steady() {
            return WarmUpState::Settled;
        }
        match count < self.bounds.at_most && in_time {
            true => WarmUpState::WarmingUp,
            false => WarmUpState::Unsettled,
        }
    }

    /// Time of the batches in the window, in nanoseconds; 0 before the first.
    pub(crate) fn recent(&self) -> f64 {
        typical_batch(&self.window(), self.resolution)
    }

    /// Whether the window is full, and varies no more than a quiet machine and the steps of the clock make it.
    fn is_steady(&self) -> bool {
        let window = self.window();
        if window.len() < WINDOW {
            return false;
        }
        let quicker: Running = window.into_iter().take(WINDOW - 1).collect();
        let mean = quicker.mean().unwrap_or(0.0);
        mean > 0.0 && quicker.sd() <= (SETTLED * mean).max(2.0 * self.resolution)
    }

    /// The last batches, in ascending order.
    fn window(&self) -> Vec<f64> {
        sorted(&self.times[self.times.len().saturating_sub(WINDOW)..])
    }
}
