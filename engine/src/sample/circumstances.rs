//! The circumstances of a point: what they give a reader to know before believing its figures.

use crate::analyze::statistics::Summary;
use crate::response::Warning;

/// How the samples of a point came about. Times are nanoseconds.
pub(super) struct Circumstances {
    /// The relative half-width that was asked for.
    pub(super) target: f64,
    /// Calls a batch.
    pub(super) calls: u64,
    /// Mean time of a batch.
    pub(super) batch: f64,
    /// Between two steps of the clock.
    pub(super) resolution: f64,
    /// Whether calls disturb each other.
    pub(super) one_call_a_batch: bool,
}

impl Circumstances {
    /// What there is to say of figures that came about so.
    pub(super) fn warnings(&self, summary: &Summary) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let mut warn = |when: bool, warning: Warning| {
            if when {
                warnings.push(warning);
            }
        };
        let Self { target, calls, batch, resolution, one_call_a_batch } = *self;
        // All below 0 is no better than holding it: the empty loop was dearer than the one with the call.
        let holds_zero = summary.mean_interval.is_some_and(|interval| interval.low <= 0.0);
        let step = resolution / calls as f64;
        let under = summary.mean_interval.map_or(step, |interval| interval.high.max(step));
        let reached = summary.relative_half_width;
        let imprecise = !holds_zero && reached.is_none_or(|reached| reached > target);
        let are_short = summary.median.is_none();
        let (left_out, of) = (summary.severe_outliers, summary.n);
        warn(holds_zero, Warning::UnderResolution { under });
        warn(imprecise, Warning::Imprecise { reached, target });
        // Where batches are short the clock's steps hide whether they settled, and that is told already.
        warn(!summary.steady && !are_short, Warning::Unsettled);
        warn(are_short, Warning::ShortBatches { batch, resolution });
        warn(calls > 1, Warning::Batched { calls });
        warn(left_out > 0, Warning::SevereOutliers { left_out, of });
        warn(one_call_a_batch, Warning::OneCallABatch);
        warnings
    }
}
