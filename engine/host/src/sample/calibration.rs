//! Calibration: determines the number of calls per batch.

use crate::sample::MAX_WORK;
use crate::sample::typical_batch::typical_batch;
use benchbook_contract::protocol::{MAX_BATCH_BYTES, Samples};

/// Batches of each attempt except the first: fewer if that many would take more than [`MAX_COST_SHARE`] of the maximum time of
/// a batch.
const BATCHES: u32 = 5;
const FEW_BATCHES: u32 = 2;
const MAX_COST_SHARE: f64 = 0.5;

/// The maximum time of the first batch for a second attempt, relative to the maximum time of a batch.
const MAX_FIRST_COST: f64 = 2.5;

/// Doubles the calls per batch until a batch lasts at least half as long as desired, then chooses them so that it lasts as
/// long as desired, unless that batch would take too long or use too much memory.
#[derive(Clone, Debug)]
pub(crate) struct Calibration {
    /// The desired time of a batch in nanoseconds.
    goal: f64,
    /// The maximum time of a batch with its preparation, in nanoseconds.
    most_cost: f64,
    /// Nanoseconds between two steps of the clock.
    resolution: f64,
    /// The number of calls in a round.
    round: u64,
    calls: u64,
    /// The maximum number of calls per batch, as far as known.
    most: u64,
    /// The estimated time of a batch of `calls` with its preparation, in nanoseconds; absent before the first attempt.
    cost: Option<f64>,
    done: bool,
}

impl Calibration {
    /// `goal`, `most_cost`, `resolution`: nanoseconds. `only_one`: whether each batch must be a single call.
    pub(crate) fn new(goal: f64, most_cost: f64, resolution: f64, round: u64, only_one: bool) -> Self {
        let first = if only_one { 1 } else { round };
        let most = if only_one { 1 } else { MAX_CALLS };
        Self { goal, most_cost, resolution, round: first, calls: first, most, cost: None, done: false }
    }

    /// Returns the calls per batch for the next attempt, or the result once done.
    pub(crate) fn calls(&self) -> u64 {
        self.calls
    }

    /// Returns the maximum number of calls per batch, as far as known.
    pub(crate) fn most(&self) -> u64 {
        self.most
    }

    /// Returns the number of batches of the next attempt: one at first, since there may be no time for more.
    pub(crate) fn batches(&self) -> u32 {
        match self.cost {
            Some(cost) if f64::from(BATCHES) * cost <= MAX_WORK.min(MAX_COST_SHARE * self.most_cost) => BATCHES,
            Some(cost) if f64::from(FEW_BATCHES) * cost <= MAX_WORK => FEW_BATCHES,
            _ => 1,
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.done
    }

    /// Takes batches of [`Self::calls`] calls.
    ///
    /// The first call may initialise something, which takes time and keeps memory. It is part of the warm-up, so neither
    /// decides the number of calls in a batch, unless the call takes so long that there is no time for another attempt.
    pub(crate) fn add(&mut self, samples: &Samples) {
        let least = samples.elapsed.iter().copied().fold(f64::INFINITY, f64::min);
        let cost = (samples.elapsed.iter().sum::<f64>() + samples.preparation) / samples.elapsed.len() as f64;
        if self.cost.is_none() {
            self.done = least > MAX_FIRST_COST * self.most_cost;
            self.cost = Some(if self.done { cost } else { least + samples.preparation.max(0.0) });
            return;
        }
        self.bound(samples.held);
        let typical = typical_batch(&samples.elapsed, self.resolution);
        if typical >= self.goal / 2.0 || 2.0 * cost > self.most_cost || self.calls.saturating_mul(2) > self.most {
            self.done = true;
            self.cost = Some(cost);
            self.lengthen(typical, cost);
        } else {
            self.calls *= 2;
            self.cost = Some(2.0 * cost);
        }
    }

    /// Increases the calls per batch if warm batches last less than half as long as desired: they took `mean` nanoseconds, and `cost`
    /// with their preparation. Returns whether it did.
    pub(crate) fn grow(&mut self, mean: f64, cost: f64) -> bool {
        let before = self.calls;
        if mean < self.goal / 2.0 && 2.0 * cost <= self.most_cost {
            self.lengthen(mean, cost);
        }
        self.calls > before
    }

    /// Increases the calls per batch to the desired time, given that batches took `time` nanoseconds, and `cost` with their
    /// preparation.
    fn lengthen(&mut self, time: f64, cost: f64) {
        // A time of 0 allows no estimate beyond a doubling.
        let desired = if time > 0.0 { self.goal / time } else { 2.0 };
        let factor = desired.min(self.most_cost / cost.max(1.0)).max(1.0);
        let rounds = (self.calls as f64 * factor / self.round as f64).ceil() as u64;
        let fitting = self.most - self.most % self.round;
        self.calls = rounds.saturating_mul(self.round).min(fitting).max(self.calls);
    }

    /// Limits batches to [`MAX_BATCH_BYTES`], if a call holds this many bytes.
    pub(crate) fn bound(&mut self, held_per_call: f64) {
        if held_per_call > 0.0 {
            let fitting = (MAX_BATCH_BYTES as f64 / held_per_call) as u64;
            self.most = self.most.min(fitting - fitting % self.round).max(self.round);
        }
    }
}

/// The maximum number of calls per batch: 2³⁰ empty calls last about a second.
const MAX_CALLS: u64 = 1 << 30;
