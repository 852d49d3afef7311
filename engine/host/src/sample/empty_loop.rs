//! The empty loop: what the loop of the same shape costs without the call, as known before the first sample that counts.

use crate::quality::Bounds;
use crate::response::Overhead;
use crate::sample::MOST_WORK;
use crate::sample::overhead::Typical;
use crate::sample::warm_up::{WINDOW, WarmUp, WarmUpState};
use benchbook_contract::protocol::Samples;

/// The fewest batches whose mean is trusted.
const AT_LEAST: u32 = 5;
/// The most batches.
const AT_MOST: u32 = 500;

/// Measures the empty loop until its cost is known well enough.
///
/// With as many calls a batch as the function gets: so what the two readings of the clock cost goes out too, and the
/// cache is as full. It is code of its own, so it warms up on its own.
#[derive(Clone, Debug)]
pub(crate) struct EmptyLoop {
    calls: u64,
    warm_up: WarmUp,
    is_warm: bool,
    /// Nanoseconds a call of each batch once it was warm.
    times: Vec<f64>,
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

impl EmptyLoop {
    /// `calls`: those of the function's batches. `enough`: half-width in nanoseconds a call. `budget`: nanoseconds.
    pub(crate) fn new(calls: u64, resolution: f64, enough: f64, budget: f64) -> Self {
        // Half of the time, in milliseconds, is for warming up.
        let bounds = Bounds { at_least: AT_LEAST, at_most: AT_MOST, ms: budget / 2.0 / 1e6 };
        Self {
            calls,
            warm_up: WarmUp::new(bounds, resolution),
            is_warm: false,
            times: Vec::new(),
            resolution,
            enough,
            budget,
            spent: 0.0,
            batch_cost: 0.0,
        }
    }

    /// Calls a batch, and batches to ask for.
    pub(crate) fn next(&self) -> (u64, u32) {
        let wanted = if self.is_warm { self.n().max(AT_LEAST) } else { WINDOW as u32 };
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
            self.is_warm = self.warm_up.state() != WarmUpState::WarmingUp;
        }
        if self.is_warm {
            samples.elapsed.iter().for_each(|elapsed| self.times.push(elapsed / samples.calls as f64));
        }
    }

    fn n(&self) -> u32 {
        self.times.len() as u32
    }

    pub(crate) fn is_done(&self) -> bool {
        let known = self.n() >= AT_LEAST && self.cost().half_width <= self.enough;
        let ended = self.n() >= AT_MOST || (self.spent >= self.budget && self.n() > 0);
        known || ended
    }

    /// What it costs, as far as is known.
    ///
    /// The half-width is never less than what the clock's steps leave open: batches that are short beside a step may all
    /// read alike.
    pub(crate) fn cost(&self) -> Overhead {
        let step = self.resolution / self.calls as f64;
        let Some(Typical { kept, mean_of_all }) = Typical::of(&self.times, step) else { return Overhead::default() };
        let per_call = kept.mean().unwrap_or(mean_of_all);
        let interval = kept.mean_interval().map_or(0.0, |interval| (interval.high - interval.low) / 2.0);
        let half_width = interval.max(step / f64::from(kept.n()).sqrt());
        Overhead { per_call, half_width, disturbance: mean_of_all - per_call }
    }
}
