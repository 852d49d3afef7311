//! Warming up: until the times of batches settle.

use crate::analyze::statistics::Running;
use crate::quality::Bounds;

/// Batches of the window that is looked at.
pub(crate) const WINDOW: usize = 5;

/// The coefficient of variation at which a window counts as settled: what a quiet machine shows.
const SETTLED: f64 = 0.05;

/// Watches batches until they settle or the bounds end it.
#[derive(Clone, Debug)]
pub(crate) struct WarmUp {
    bounds: Bounds,
    /// The coefficient of variation that quantisation alone may cause is allowed on top.
    allowed: f64,
    times: Vec<f64>,
    spent: f64,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Warmth {
    /// More batches are needed.
    Warming,
    /// The window settled.
    Settled,
    /// The bounds ended it.
    Unsettled,
}

impl WarmUp {
    /// `quantisation`: the clock's resolution relative to the time of a batch.
    pub(crate) fn new(bounds: Bounds, quantisation: f64) -> Self {
        Self { bounds, allowed: SETTLED.max(2.0 * quantisation), times: Vec::new(), spent: 0.0 }
    }

    /// Learns from batches: nanoseconds of each, and of the preparation of all.
    pub(crate) fn take(&mut self, elapsed: &[f64], preparation: f64) {
        self.spent += elapsed.iter().sum::<f64>() + preparation;
        self.times.extend_from_slice(elapsed);
    }

    pub(crate) fn warmth(&self) -> Warmth {
        let count = self.times.len() as u32;
        let in_time = self.spent < self.bounds.ms * 1e6;
        if count < self.bounds.at_least && in_time {
            return Warmth::Warming;
        }
        if self.variation().is_some_and(|variation| variation <= self.allowed) {
            return Warmth::Settled;
        }
        match count < self.bounds.at_most && in_time {
            true => Warmth::Warming,
            false => Warmth::Unsettled,
        }
    }

    /// Mean time of the batches in the window, in nanoseconds.
    pub(crate) fn recent_mean(&self) -> f64 {
        self.window().mean().unwrap_or(0.0)
    }

    /// Coefficient of variation of the window; absent until it is full, and where the clock saw nothing.
    fn variation(&self) -> Option<f64> {
        let window = self.window();
        let mean = window.mean()?;
        (window.n() as usize == WINDOW && mean > 0.0).then(|| window.sd() / mean)
    }

    fn window(&self) -> Running {
        self.times.iter().rev().take(WINDOW).copied().collect()
    }
}
