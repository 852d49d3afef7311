//! The empty loop during the preparation: measures the cost of the timed loop without the call.

use crate::quality::BatchBounds;
use crate::response::Overhead;
use crate::sample::MAX_WORK;
use crate::sample::overhead::LoopTimes;
use crate::sample::warm_up::{WINDOW, WarmUp, WarmUpState};
use benchbook_contract::protocol::Samples;

/// The minimum number of batches for a mean.
const AT_LEAST: u32 = 5;
/// The maximum number of batches.
const AT_MOST: u32 = 500;

/// Measures the empty loop until its cost is precise enough.
///
/// Its batches have as many calls as those of the function. Subtracting it therefore also removes the cost of the clock
/// readings, and the cache is equally full. It is separate code, so it has its own warm-up.
#[derive(Clone, Debug)]
pub(crate) struct EmptyLoop {
    calls: u64,
    warm_up: WarmUp,
    is_warm: bool,
    /// The time of each batch after the warm-up, in nanoseconds per call.
    times: Vec<f64>,
    /// Nanoseconds between two steps of the clock.
    resolution: f64,
    /// The target for the half-width in nanoseconds per call.
    enough: f64,
    /// The time limit in nanoseconds.
    budget: f64,
    spent: f64,
    /// The time of the last batch with its preparation, in nanoseconds.
    batch_cost: f64,
}

impl EmptyLoop {
    /// `calls`: calls per batch of the function. `enough`: half-width in nanoseconds per call. `budget`: nanoseconds.
    pub(crate) fn new(calls: u64, resolution: f64, enough: f64, budget: f64) -> Self {
        // Half of the time, in milliseconds, is for the warm-up.
        let bounds = BatchBounds { at_least: AT_LEAST, at_most: AT_MOST, ms: budget / 2.0 / 1e6 };
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

    /// Returns the calls per batch and the number of batches to request.
    pub(crate) fn next(&self) -> (u64, u32) {
        let wanted = if self.is_warm { self.n().max(AT_LEAST) } else { WINDOW as u32 };
        // The cost of a batch is unknown before the first reply.
        let fitting =
            if self.spent > 0.0 { MAX_WORK.min(self.budget - self.spent) / self.batch_cost.max(1.0) } else { 1.0 };
        (self.calls, (fitting as u32).min(wanted).max(1))
    }

    /// Takes a reply.
    pub(crate) fn add(&mut self, samples: &Samples) {
        let cost = samples.elapsed.iter().sum::<f64>() + samples.preparation;
        self.spent += cost;
        self.batch_cost = cost / samples.elapsed.len() as f64;
        if self.is_warm {
            samples.elapsed.iter().for_each(|elapsed| self.times.push(elapsed / samples.calls as f64));
        } else {
            // The last batches of the warm-up were selected by their times, so they are not samples.
            self.warm_up.add(&samples.elapsed, samples.preparation);
            self.is_warm = self.warm_up.state() != WarmUpState::WarmingUp;
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

    /// Returns the cost so far.
    ///
    /// The half-width is never below the clock's uncertainty: batches that are short compared with a clock step may all
    /// have equal times.
    pub(crate) fn cost(&self) -> Overhead {
        let step = self.resolution / self.calls as f64;
        let Some(LoopTimes { typical, mean_of_all }) = LoopTimes::of(&self.times, step) else {
            return Overhead::default();
        };
        let per_call = typical.mean().unwrap_or(mean_of_all);
        let interval = typical.mean_interval().map_or(0.0, |interval| (interval.high - interval.low) / 2.0);
        let half_width = interval.max(step / f64::from(typical.n()).sqrt());
        Overhead { per_call, half_width, interference: mean_of_all - per_call, slow_setup: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use benchbook_contract::protocol::{Collect, LaneTarget};

    /// A clock so coarse that most batches read as 0: the warm-up ends with a window that happens to contain a step.
    #[test]
    fn the_window_that_ends_the_warm_up_is_discarded() {
        let mut empty_loop = EmptyLoop::new(100, 100.0, 0.0, 1e6);
        let mut collect = |elapsed: &[f64]| {
            let batches = elapsed.len() as u32;
            let order = Collect { slot: 1, target: LaneTarget::Empty(0), calls: 100, batches, input_set: 0 };
            empty_loop.add(&Samples { preparation: 2e5, ..Samples::of(&order, elapsed.to_vec()) });
        };
        collect(&[0.0; 5]);
        collect(&[0.0; 5]);
        collect(&[0.0, 100.0, 100.0, 100.0, 100.0]);
        collect(&[0.0; 8]);
        collect(&[0.0, 100.0]);
        assert_eq!(empty_loop.times, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        assert!((empty_loop.cost().per_call - 0.1).abs() < 1e-12);
    }
}
