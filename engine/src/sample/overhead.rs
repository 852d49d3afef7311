//! Overhead: what the loop of the same shape costs without the call.

use crate::analyze::statistics::Running;
use crate::protocol::Samples;
use crate::sample::MOST_WORK;
use crate::sample::calibration::Calibration;

/// The fewest batches whose mean is trusted; the code was entered often while it was calibrated.
const AT_LEAST: u32 = 5;
/// The most batches.
const AT_MOST: u32 = 500;

/// Measures the empty loop until its cost is known well enough.
#[derive(Clone, Debug)]
pub(crate) struct Overhead {
    calibration: Calibration,
    times: Running,
    /// Nanoseconds between two steps of the clock.
    resolution: f64,
    /// The half-width in nanoseconds a call at which the cost is known well enough.
    enough: f64,
    /// The time that it may take in nanoseconds.
    budget: f64,
    spent: f64,
    /// Nanoseconds of the last batch, with its preparation.
    batch_cost: f64,
}

impl Overhead {
    /// `of`: that of the function. `enough`: half-width in nanoseconds a call.
    pub(crate) fn new(of: &Calibration, resolution: f64, enough: f64, budget: f64) -> Self {
        let calibration = of.for_empty(budget / f64::from(AT_LEAST));
        Self { calibration, times: Running::default(), resolution, enough, budget, spent: 0.0, batch_cost: 0.0 }
    }

    /// Calls and batches to ask for.
    pub(crate) fn next(&self) -> (u64, u32) {
        let batches = if self.calibration.is_done() { self.batches() } else { self.calibration.batches() };
        (self.calibration.calls(), batches)
    }

    /// As many batches as there are already, where they fit the time.
    fn batches(&self) -> u32 {
        let fitting = MOST_WORK.min(self.budget - self.spent) / self.batch_cost.max(1.0);
        (fitting as u32).min(self.times.n().max(AT_LEAST)).max(1)
    }

    /// Learns from batches.
    pub(crate) fn take(&mut self, samples: &Samples) {
        let cost = samples.elapsed.iter().sum::<f64>() + samples.preparation;
        self.spent += cost;
        self.batch_cost = cost / samples.elapsed.len() as f64;
        if self.calibration.is_done() {
            self.times.extend_per_call(samples);
        } else {
            self.calibration.take(samples);
            if self.spent >= self.budget {
                self.times.extend_per_call(samples);
            }
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        let known = self.times.n() >= AT_LEAST && self.half_width() <= self.enough;
        let ended = self.times.n() >= AT_MOST || (self.spent >= self.budget && self.times.n() > 0);
        known || ended
    }

    /// Nanoseconds a call.
    pub(crate) fn per_call(&self) -> f64 {
        self.times.mean().unwrap_or(0.0)
    }

    /// Half the width of the interval of [`Self::per_call`], in nanoseconds.
    ///
    /// Never less than what the clock's steps leave open: batches that are short beside a step may all read alike.
    pub(crate) fn half_width(&self) -> f64 {
        let interval = self.times.mean_interval().map_or(0.0, |interval| (interval.high - interval.low) / 2.0);
        let step = self.resolution / self.calibration.calls() as f64;
        interval.max(step / f64::from(self.times.n().max(1)).sqrt())
    }
}

impl Running {
    /// Adds the time a call of each batch.
    fn extend_per_call(&mut self, samples: &Samples) {
        for elapsed in &samples.elapsed {
            self.push(elapsed / samples.calls as f64);
        }
    }
}
