//! The clock card: a clock's resolution, jitter and cost, measured and never assumed.

use serde::{Deserialize, Serialize};

use crate::analyze::order::quantile;
use crate::sample::reply::is_time;
use benchbook_contract::protocol::{Collect, Samples, Target};

/// How many steps of the clock are waited for: at the coarsest clock of a browser, 1 ms, it takes 40 ms.
const STEPS: u32 = 20;

/// Steps of the clock in a batch at which its quartiles are clear of them, with a batch that turns out half as long.
const CLEAR_STEPS: f64 = 20.0;

/// The most steps of the clock that a batch is made long for. A batch begins anywhere between two steps, so over many
/// batches the steps average out; and the longer a batch is, the more often something interrupts it: one of 5 ms on a
/// busy machine mostly, one of 1 ms seldom.
const MOST_STEPS: f64 = 200.0;

/// Batches of fewer steps than this are too short for ranks, such as quartiles: the steps of the clock would show in them.
const STEPS_FOR_RANKS: f64 = 10.0;

/// Whether batches of `batch` nanoseconds can be ranked by a clock that steps by `resolution`.
pub(crate) fn can_be_ranked(batch: f64, resolution: f64) -> bool {
    batch >= STEPS_FOR_RANKS * resolution
}

/// What is known of a clock, all in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClockCard {
    /// The step between two readings that differ: the median of those seen.
    pub resolution: f64,
    /// How much steps differ: the interquartile range of those seen.
    pub jitter: f64,
    /// The cost of one reading, or the time of a step where that is shorter.
    pub cost: f64,
}

impl ClockCard {
    /// What to ask a suite for.
    pub fn order() -> Collect {
        Collect { slot: 0, target: Target::Clock, calls: 1, batches: STEPS, inputs: 0, allocations: false }
    }

    /// The card from the answer to [`Self::order`]; absent where the answer holds no step.
    pub fn from_steps(samples: &Samples) -> Option<Self> {
        let mut steps = samples.elapsed.clone();
        if samples.target != Target::Clock
            || samples.calls == 0
            || !steps.iter().all(|step| is_time(*step) && *step > 0.0)
        {
            return None;
        }
        steps.sort_unstable_by(f64::total_cmp);
        let quartile = |part| quantile(&steps, part);
        Some(Self {
            resolution: quartile(0.5)?,
            jitter: quartile(0.75)? - quartile(0.25)?,
            cost: steps.iter().sum::<f64>() / samples.calls as f64,
        })
    }

    /// The shortest batch in nanoseconds at which quantisation and the readings themselves stay within `precision`.
    ///
    /// A quantisation error is about resolution / batch, twice that with jitter; of the reading's cost, a thousandth
    /// is as little as anyone could tell. However coarse the precision, quartiles need a batch of some steps; however
    /// fine it is, 200 steps will do.
    pub fn shortest_batch(&self, precision: f64) -> f64 {
        let steps = (2.0 / precision).clamp(CLEAR_STEPS, MOST_STEPS);
        f64::max(steps * self.resolution, 1_000.0 * self.cost.min(self.resolution))
    }
}
