//! Infers from their times which batches were interrupted.

use crate::analyze::order::{quantile, sorted};
use crate::response::Run;

/// The minimum excess of an interrupted batch over the median: in nanoseconds, since schedulers preempt for a millisecond
/// or more, and in distances from the lower quartile to the median, which interruptions do not widen.
const MIN_INTERRUPTION_NANOS: f64 = 1e6;
const MIN_INTERRUPTION_SPREADS: f64 = 6.0;

/// The probability that some batch of a point without interruptions is taken for an interrupted one.
const FALSE_INTERRUPTION: f64 = 0.01;

/// Flags samples as interrupted by their time, in addition to those that the suite reported. Returns the number of all
/// flagged samples and their total excess over the median in nanoseconds. `resolution`: that of the clock in nanoseconds, which
/// may hide a smaller distance between the lower quartile and the median. `all`: the number of samples in all runs.
pub(super) fn mark_interruptions(run: &mut Run, resolution: f64, all: u32) -> (u32, f64) {
    let elapsed: Vec<f64> = run.samples.iter().filter(|sample| !sample.warm_up).map(|sample| sample.elapsed).collect();
    let sorted = sorted(&elapsed);
    let (Some(q1), Some(median)) = (quantile(&sorted, 0.25), quantile(&sorted, 0.5)) else { return (0, 0.0) };
    let bound = median + MIN_INTERRUPTION_NANOS.max(MIN_INTERRUPTION_SPREADS * (median - q1).max(resolution));
    let bound = bound.max(slowest_without_interruptions(&sorted, all));
    let (mut count, mut longer) = (0, 0.0);
    for sample in run.samples.iter_mut().filter(|sample| !sample.warm_up) {
        if !sample.interrupted && sample.elapsed > bound {
            (sample.interrupted, sample.inferred) = (true, true);
        }
        if sample.interrupted {
            count += 1;
            longer += (sample.elapsed - median).max(0.0);
        }
    }
    (count, longer)
}

/// The time that none of `all` batches exceeds in 99% of cases, if nothing interrupts them and they are as skewed as times usually are: the
/// logarithms of the upper quarter decrease exponentially, as fast as from the 75th to the 87.5th percentile, which interruptions of
/// one batch in eight do not reach. Few samples show these percentiles poorly; the margin for that comes from simulations.
fn slowest_without_interruptions(sorted: &[f64], all: u32) -> f64 {
    let Some((q3, further)) = quantile(sorted, 0.75).zip(quantile(sorted, 0.875)) else { return 0.0 };
    if q3 <= 0.0 {
        return 0.0;
    }
    // The number of halvings from a quarter of the samples to one in a hundred repetitions.
    let halvings = (0.25 * f64::from(all) / FALSE_INTERRUPTION).log2().max(0.0);
    let margin = 1.0 + 5.0 / (sorted.len() as f64).sqrt();
    q3 * (further / q3).powf(margin * halvings)
}
