//! The clock card: the measured resolution, jitter and cost of a clock.

use serde::{Deserialize, Serialize};

use crate::analyze::order::quantile;
use crate::units::is_time;
use benchbook_contract::protocol::{Collect, LaneTarget, Samples};

/// The number of clock steps to measure. With the coarsest clock of a browser, 1 ms, this takes 40 ms.
const STEPS: u32 = 20;

/// The minimum length of a batch in clock steps, so that steps do not affect the quartiles even if the batch is a quarter
/// shorter than planned.
const CLEAR_STEPS: f64 = 14.0;

/// The maximum length of a batch, in clock steps, for the sake of resolution. Batches start anywhere between two steps, so
/// steps average out over many batches. Longer batches are interrupted more often: on a busy machine most batches of 5 ms,
/// but few of 1 ms.
const MAX_STEPS: f64 = 200.0;

/// Batches of fewer clock steps are too short for ranks such as quartiles, which would show the steps.
const STEPS_FOR_RANKS: f64 = 10.0;

/// Whether batches of `batch` nanoseconds can be ranked by a clock that steps by `resolution`.
pub(crate) fn can_be_ranked(batch: f64, resolution: f64) -> bool {
    batch >= STEPS_FOR_RANKS * resolution
}

/// The measured properties of a clock, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct ClockCard {
    /// The median step between two different readings.
    pub resolution: f64,
    /// The interquartile range of the steps.
    pub jitter: f64,
    /// The cost of a reading, or the length of a step if that is shorter.
    pub cost: f64,
}

impl ClockCard {
    /// A clock about which nothing is known yet.
    pub const UNKNOWN: Self = Self { resolution: 0.0, jitter: 0.0, cost: 0.0 };

    /// Returns the request for the suite.
    pub fn request() -> Collect {
        Collect { slot: 0, target: LaneTarget::Clock, calls: 1, batches: STEPS, input_set: 0 }
    }

    /// Computes the card from the reply to [`Self::request`]; `None` if the reply contains no valid steps.
    pub fn from_steps(samples: &Samples) -> Option<Self> {
        let mut steps = samples.elapsed.clone();
        if samples.target != LaneTarget::Clock
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

    /// Returns the shortest batch in nanoseconds for which the errors from quantisation and clock readings stay within
    /// `precision`.
    ///
    /// The quantisation error is about resolution / batch, twice that with jitter. The cost of a reading may be a
    /// thousandth of the batch. The length in steps has a lower bound for the quartiles and an upper bound of 200.
    pub fn shortest_batch(&self, precision: f64) -> f64 {
        let steps = (2.0 / precision).clamp(CLEAR_STEPS, MAX_STEPS);
        f64::max(steps * self.resolution, 1_000.0 * self.cost.min(self.resolution))
    }
}
