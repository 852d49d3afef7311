//! Calibration: how many calls a batch needs.

use crate::protocol::{HELD_BYTES, Samples};

/// Batches of each try: the least counts, since the first call of anything is slow.
pub(crate) const BATCHES: u32 = 2;

/// Doubles the calls of a batch until it lasts long enough, or would hold too much.
#[derive(Clone, Debug)]
pub(crate) struct Calibration {
    /// How long a batch should last in nanoseconds.
    goal: f64,
    /// Calls are whole rounds of so many.
    round: u64,
    calls: u64,
    /// The most calls, as far as is known.
    most: u64,
    done: bool,
}

impl Calibration {
    /// `only_one`: calls disturb each other.
    pub(crate) fn new(goal: f64, round: u64, only_one: bool) -> Self {
        let first = if only_one { 1 } else { round };
        Self { goal, round: first, calls: first, most: if only_one { 1 } else { MOST_CALLS }, done: false }
    }

    /// Calls a batch, to try or, once done, to keep.
    pub(crate) fn calls(&self) -> u64 {
        self.calls
    }

    /// Calls are whole rounds of so many.
    pub(crate) fn round(&self) -> u64 {
        self.round
    }

    pub(crate) fn is_done(&self) -> bool {
        self.done
    }

    /// Learns from batches of [`Self::calls`] calls.
    pub(crate) fn take(&mut self, samples: &Samples) {
        self.bound(samples.held);
        let least = samples.elapsed.iter().copied().fold(f64::INFINITY, f64::min);
        let doubled = self.calls.saturating_mul(2);
        if least >= self.goal || doubled > self.most {
            self.done = true;
        } else {
            self.calls = doubled;
        }
    }

    /// Learns from batches that lasted `mean` nanoseconds once the code was warm: whether more calls are needed.
    pub(crate) fn grow(&mut self, mean: f64, held: f64) -> bool {
        self.bound(held);
        let before = self.calls;
        let mut expected = mean;
        while expected < self.goal / 2.0 && self.calls.saturating_mul(2) <= self.most {
            self.calls *= 2;
            // A clock that saw nothing tells nothing of the next doubling.
            expected = if expected > 0.0 { expected * 2.0 } else { self.goal };
        }
        self.calls > before
    }

    /// Keeps a batch within [`HELD_BYTES`], where a call holds so many bytes.
    pub(crate) fn bound(&mut self, held_a_call: f64) {
        if held_a_call > 0.0 {
            let fitting = (HELD_BYTES as f64 / held_a_call) as u64;
            self.most = self.most.min(fitting - fitting % self.round).max(self.round);
        }
    }
}

/// The most calls of a batch: 2³⁰ calls of nothing last a second.
const MOST_CALLS: u64 = 1 << 30;
