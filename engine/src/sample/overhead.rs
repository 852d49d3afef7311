//! Overhead: what the loop of the same shape costs without the call.

use crate::analyze::statistics::Running;
use crate::protocol::Samples;
use crate::quality::Bounds;
use crate::sample::MOST_WORK;
use crate::sample::warm_up::{WINDOW, WarmUp, Warmth};

/// The fewest batches whose mean is trusted.
const AT_LEAST: u32 = 5;
/// The most batches.
const AT_MOST: u32 = 500;

/// Measures the empty loop until its cost is known well enough.
///
/// With as many calls a batch as the function gets: so what the two readings of the clock cost goes out too, and the
/// cache is as full. It is code of its own, so it warms up on its own.
#[derive(Clone, Debug)]
pub(crate) struct Overhead {
    calls: u64,
    warm_up: WarmUp,
    is_warm: bool,
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
    /// `calls`: those of the function's batches. `enough`: half-width in nanoseconds a call. `budget`: nanoseconds.
    pub(crate) fn new(calls: u64, resolution: f64, enough: f64, budget: f64) -> Self {
        // Half of the time, in milliseconds, is for warming up.
        let bounds = Bounds { at_least: AT_LEAST, at_most: AT_MOST, ms: budget / 2.0 / 1e6 };
        Self {
            calls,
            warm_up: WarmUp::new(bounds, resolution),
            is_warm: false,
            times: Running::default(),
            resolution,
            enough,
            budget,
            spent: 0.0,
            batch_cost: 0.0,
        }
    }

    /// Calls a batch, and batches to ask for.
    pub(crate) fn next(&self) -> (u64, u32) {
        let wanted = if self.is_warm { self.times.n().max(AT_LEAST) } else { WINDOW as u32 };
        // The first answer tells what a batch costs.
        let fitting =
            if self.spent > 0.0 { MOST_WORK.min(self.budget - self.spent) / self.batch_cost.max(1.0) } else { 1.0 };
        (self.calls, (fitting as u32).min(wanted).max(1))
    }

    /// Learns from batches.
    pub(crate) fn take(&mut self, samples: &Samples) {
        let cost = samples.elapsed.iter().sum::<f64>() + samples.preparation;
        self.spent += cost;
        self.batch_cost = cost / samples.elapsed.len() as f64;
        if !self.is_warm {
            self.warm_up.take(&samples.elapsed, samples.preparation);
            self.is_warm = self.warm_up.warmth() != Warmth::Warming;
        }
        if self.is_warm {
            samples.elapsed.iter().for_each(|elapsed| self.times.push(elapsed / samples.calls as f64));
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
        let step = self.resolution / self.calls as f64;
        interval.max(step / f64::from(self.times.n().max(1)).sqrt())
    }
}
