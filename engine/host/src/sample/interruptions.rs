//! Infers from their times which batches were interrupted.

use crate::analyze::order::{median, quantile, sorted};
use crate::response::Run;

/// The minimum excess of an interrupted batch over the median: in nanoseconds, since schedulers preempt for a millisecond
/// or more, and in distances from the lower quartile to the median, which interruptions do not widen.
const MIN_INTERRUPTION_NANOS: f64 = 1e6;
const MIN_INTERRUPTION_SPREADS: f64 = 6.0;

/// The probability that some batch of a point without interruptions is taken for an interrupted one.
const FALSE_INTERRUPTION: f64 = 0.01;

/// Flags samples of all runs as interrupted by their time, in addition to those that the suite reported. Returns the number of all
/// flagged samples and their total excess over the median of their run in nanoseconds. `resolution`: that of the clock in
/// nanoseconds, which may hide a smaller distance between the lower quartile and the median.
///
/// What fewer runs inferred is forgotten: they show worse what is usual.
pub(super) fn mark_interruptions(runs: &mut [Run], resolution: f64) -> (u32, f64) {
    let slowest = slowest_without_interruptions(runs);
    let (mut count, mut longer) = (0, 0.0);
    for run in runs {
        let sorted = sorted(&counted(run));
        let (Some(q1), Some(median)) = (quantile(&sorted, 0.25), quantile(&sorted, 0.5)) else { continue };
        let bound = median + MIN_INTERRUPTION_NANOS.max(MIN_INTERRUPTION_SPREADS * (median - q1).max(resolution));
        let bound = bound.max(median * slowest);
        for sample in run.samples.iter_mut().filter(|sample| !sample.warm_up) {
            let was_reported = sample.interrupted && !sample.inferred;
            sample.inferred = !was_reported && sample.elapsed > bound;
            sample.interrupted = was_reported || sample.inferred;
            if sample.interrupted {
                count += 1;
                longer += (sample.elapsed - median).max(0.0);
            }
        }
    }
    (count, longer)
}

/// The times of the counted samples in nanoseconds.
fn counted(run: &Run) -> Vec<f64> {
    run.samples.iter().filter(|sample| !sample.warm_up).map(|sample| sample.elapsed).collect()
}

/// The time, relative to the median of its run, that no batch exceeds in 99% of cases, if nothing interrupts them and they are as skewed as
/// times usually are: the logarithms of the upper quarter decrease exponentially, as fast as from the 75th to the 87.5th percentile,
/// which interruptions of one batch in eight do not reach. Few samples show these percentiles poorly; the margin for that comes from
/// simulations.
fn slowest_without_interruptions(runs: &[Run]) -> f64 {
    let relative = |run| {
        let times = counted(run);
        let median = median(&times).filter(|median| *median > 0.0);
        median.map(|median| times.into_iter().map(move |elapsed| elapsed / median))
    };
    let sorted = sorted(&runs.iter().filter_map(relative).flatten().collect::<Vec<_>>());
    let Some((q3, further)) = quantile(&sorted, 0.75).zip(quantile(&sorted, 0.875)) else { return 0.0 };
    let n = sorted.len() as f64;
    // The number of halvings from a quarter of the samples to one in a hundred repetitions.
    let halvings = (0.25 * n / FALSE_INTERRUPTION).log2().max(0.0);
    let margin = 1.0 + 5.0 / n.sqrt();
    q3 * (further / q3).powf(margin * halvings)
}
