//! Decides when a collection has enough samples, and forecasts the time that it needs.

use super::{Collection, PrecisionForecast};
use crate::analyze::stopping::{MIN_SAMPLES, is_check_due, is_enough};
use crate::sample::figures::required_collection_time;
use crate::sample::function_samples::{FunctionSamples, SlowBlocks};

/// The minimum number of blocks for a forecast.
const MIN_BLOCKS_FOR_FORECAST: u32 = 8;

/// Browsers have two tiers of code, so a second change of level has another cause.
const MAX_RESTARTS: u32 = 1;

/// The share of a function's speed-up, in logarithms, from which the machine's own explains it.
const EXPLAINED_BY_MACHINE: f64 = 0.5;

impl Collection {
    /// Returns the forecast. `None` if the interval of a function contains 0 or does not exist yet, and while there are
    /// so few blocks that the next one may change the forecast considerably.
    pub(in crate::sample) fn forecast(&self) -> Option<PrecisionForecast> {
        if self.blocks < MIN_BLOCKS_FOR_FORECAST {
            return None;
        }
        let widths: Option<Vec<f64>> = self.functions.iter().map(FunctionSamples::relative_half_width).collect();
        let reached = widths?.into_iter().fold(0.0, f64::max);
        let target = self.quality.precision;
        let collecting = self.spent - self.begun_at;
        let systematic = self.functions.iter().map(FunctionSamples::systematic_share).fold(0.0, f64::max);
        let needs = required_collection_time(target, collecting, reached, systematic)
            .map(|needs| (needs - collecting).max(0.0) / 1e6);
        let left = (self.budget - self.spent).max(0.0);
        Some(PrecisionForecast { reached, target, needs_ms: needs, left_ms: left / 1e6 })
    }

    /// Whether every function is precise enough, or the time or the number of samples is used up.
    pub(super) fn has_enough(&self) -> bool {
        let bounds = self.quality.samples;
        let fewest = self.functions.iter().map(FunctionSamples::n).min().unwrap_or(0);
        let most = self.functions.iter().map(FunctionSamples::n).max().unwrap_or(0);
        // An interval is costly, since it needs all samples in order, so compute it only at a scheduled check.
        let is_precise = |samples: &FunctionSamples| {
            (samples.n() >= MIN_SAMPLES || samples.ready.calls == 1)
                && is_enough(samples.relative_half_width(), self.quality.precision, self.blocks)
        };
        let precise = fewest >= bounds.at_least && is_check_due(self.blocks) && self.functions.iter().all(is_precise);
        // A batch during which the clock was set back is no sample.
        precise || (fewest > 0 && self.spent >= self.time_for(fewest)) || most >= bounds.at_most
    }

    /// If a browser switched to optimised code during the collection, moves the earlier samples of all functions to the
    /// warm-up and adds half of the point's time. Returns whether more samples are needed.
    ///
    /// A machine that switches between two speeds is slow first in half of the cases. If only these lost their slow samples, the mean would
    /// be too low.
    pub(super) fn restart(&mut self) -> bool {
        if self.restarts == MAX_RESTARTS {
            return false;
        }
        let is_of_code = |slow: &SlowBlocks| {
            self.kernels.speed_up_after(slow.count).ln() < EXPLAINED_BY_MACHINE * slow.speed_up.ln()
        };
        let slow = self.functions.iter().filter_map(FunctionSamples::slow_initial_blocks).filter(is_of_code);
        let Some(count) = slow.map(|slow| slow.count).max() else { return false };
        self.restarts += 1;
        self.functions.iter_mut().for_each(|samples| samples.move_to_warm_up(count));
        self.begun_at += (self.spent - self.begun_at) * count as f64 / f64::from(self.blocks.max(1));
        self.blocks -= count as u32;
        self.budget *= 1.5;
        !self.has_enough()
    }
}
