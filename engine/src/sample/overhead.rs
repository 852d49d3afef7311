//! Overhead: what the loop of the same shape costs without the call.

use crate::analyze::statistics::Running;
use crate::protocol::Samples;
use crate::sample::calibration::{BATCHES, Calibration};

/// The fewest batches whose mean is trusted; the code was entered often while it was calibrated.
const AT_LEAST: u32 = 5;
/// The most batches.
const AT_MOST: u32 = 200;

/// Measures the empty loop until its cost is known well enough.
#[derive(Clone, Debug)]
pub(crate) struct Overhead {
    calibration: Calibration,
    times: Running,
    /// The half-width in nanoseconds a call at which the cost is known well enough.
    enough: f64,
    /// The time that it may take in nanoseconds.
    budget: f64,
    spent: f64,
}

impl Overhead {
    /// `calibration`: a fresh one, since an empty loop needs more calls. `enough`: half-width in nanoseconds a call.
    pub(crate) fn new(calibration: Calibration, enough: f64, budget: f64) -> Self {
        Self { calibration, times: Running::default(), enough, budget, spent: 0.0 }
    }

    /// Calls and batches to ask for.
    pub(crate) fn next(&self) -> (u64, u32) {
        let batches = if self.calibration.is_done() { AT_LEAST } else { BATCHES };
        (self.calibration.calls(), batches)
    }

    /// Learns from batches.
    pub(crate) fn take(&mut self, samples: &Samples) {
        self.spent += samples.elapsed.iter().sum::<f64>() + samples.preparation;
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
        let known = self.times.n() >= AT_LEAST
            && self.times.mean_interval().is_some_and(|interval| (interval.high - interval.low) / 2.0 <= self.enough);
        let ended = self.times.n() >= AT_MOST || (self.spent >= self.budget && self.times.n() > 0);
        known || ended
    }

    /// Nanoseconds a call.
    pub(crate) fn per_call(&self) -> f64 {
        self.times.mean().unwrap_or(0.0)
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
