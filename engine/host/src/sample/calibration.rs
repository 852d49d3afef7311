//! Calibration: how many calls a batch needs.

use crate::sample::MOST_WORK;
use benchbook_contract::protocol::{MAX_BATCH_BYTES, Samples};

/// Batches of each try but the first: the least counts, since the first call of anything is slow.
const BATCHES: u32 = 2;

/// Doubles the calls of a batch until it lasts long enough, would take too long to prepare, or would hold too much.
#[derive(Clone, Debug)]
pub(crate) struct Calibration {
    /// How long a batch should last in nanoseconds.
    goal: f64,
    /// The most nanoseconds that a batch may take with its preparation.
    most_cost: f64,
    /// Calls are whole rounds of so many.
    round: u64,
    calls: u64,
    /// The most calls, as far as is known.
    most: u64,
    /// What a batch of `calls` is expected to take with its preparation, in nanoseconds; absent before the first try.
    cost: Option<f64>,
    done: bool,
}

impl Calibration {
    /// `only_one`: calls disturb each other.
    pub(crate) fn new(goal: f64, most_cost: f64, round: u64, only_one: bool) -> Self {
        let first = if only_one { 1 } else { round };
        let most = if only_one { 1 } else { MOST_CALLS };
        Self { goal, most_cost, round: first, calls: first, most, cost: None, done: false }
    }

    /// Calls a batch, to try or, once done, to keep.
    pub(crate) fn calls(&self) -> u64 {
        self.calls
    }

    /// The most calls that a batch may have, as far as is known.
    pub(crate) fn most(&self) -> u64 {
        self.most
    }

    /// Batches of the next try: one at first, which may be all that there is time for.
    pub(crate) fn batches(&self) -> u32 {
        let is_little = self.cost.is_some_and(|cost| f64::from(BATCHES) * cost <= MOST_WORK);
        if is_little { BATCHES } else { 1 }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.done
    }

    /// Learns from batches of [`Self::calls`] calls.
    pub(crate) fn take(&mut self, samples: &Samples) {
        self.bound(samples.held);
        let least = samples.elapsed.iter().copied().fold(f64::INFINITY, f64::min);
        let cost = (samples.elapsed.iter().sum::<f64>() + samples.preparation) / samples.elapsed.len() as f64;
        if self.cost.is_none() {
            // Whatever is slow for being the first is in it, and so is making the inputs that calls share. Only a call
            // that is slow by itself needs no second try.
            self.done = 2.0 * least > self.most_cost;
            self.cost = Some(if self.done { cost } else { least });
            return;
        }
        let doubled = self.calls.saturating_mul(2);
        self.cost = Some(cost);
        if 2.0 * cost > self.most_cost || least >= self.goal || doubled > self.most {
            self.done = true;
        } else {
            self.calls = doubled;
            self.cost = Some(2.0 * cost);
        }
    }

    /// Learns from batches that lasted `mean` nanoseconds once the code was warm, and took `cost` with their
    /// preparation: whether more calls are needed.
    pub(crate) fn grow(&mut self, mean: f64, cost: f64) -> bool {
        let before = self.calls;
        let (mut expected, mut cost) = (mean, cost);
        while expected < self.goal / 2.0 && 2.0 * cost <= self.most_cost && self.calls.saturating_mul(2) <= self.most {
            self.calls *= 2;
            cost *= 2.0;
            // A clock that saw nothing tells nothing of the next doubling.
            expected = if expected > 0.0 { expected * 2.0 } else { self.goal };
        }
        self.calls > before
    }

    /// Keeps a batch within [`MAX_BATCH_BYTES`], where a call holds so many bytes.
    pub(crate) fn bound(&mut self, held_a_call: f64) {
        if held_a_call > 0.0 {
            let fitting = (MAX_BATCH_BYTES as f64 / held_a_call) as u64;
            self.most = self.most.min(fitting - fitting % self.round).max(self.round);
        }
    }
}

/// The most calls of a batch: 2³⁰ calls of nothing last a second.
const MOST_CALLS: u64 = 1 << 30;
