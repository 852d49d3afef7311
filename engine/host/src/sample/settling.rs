//! Whether the times of a function had settled: at the end of its warm-up, among its samples, and long after them.

use crate::analyze::blocks::RunTimes;
use crate::analyze::change::Steadiness;
use crate::analyze::order::{median, quantile, sorted};
use crate::analyze::stability::Stability;
use crate::response::{Run, Warning};

/// The number of batches at the end of the warm-up that are compared with the samples.
const LAST_OF_WARM_UP: usize = 5;

/// Whether the times of a run were still settling when its warm-up ended at its limit: its last five batches are all slower than
/// three quarters of the samples, and their median exceeds that of each block; or all are faster, and it is less. If the warm-up
/// did not differ from the samples, that would happen in at most 0.2% of cases. The inputs of the warm-up are those of one block.
///
/// A function whose times always vary never passes the warm-up's own test, which expects those of an idle machine. Samples that stay at
/// one level, or whose change of level has a warning of its own, overrule the warm-up.
pub(super) fn was_still_settling(run: &Run, change: &Steadiness) -> bool {
    if run.stability != Stability::NotSettled || *change != Steadiness::Unknown {
        return false;
    }
    let elapsed = |warm_up| -> Vec<f64> {
        run.samples.iter().filter(|sample| sample.warm_up == warm_up).map(|sample| sample.elapsed).collect()
    };
    let (warm_up, counted) = (elapsed(true), elapsed(false));
    let last = &warm_up[warm_up.len().saturating_sub(LAST_OF_WARM_UP)..];
    let blocks: Vec<f64> = RunTimes::without_overhead(&counted, &run.blocks).blocks().filter_map(median).collect();
    let quartiles = |counted: &[f64]| quantile(counted, 0.25).zip(quantile(counted, 0.75));
    let Some(((q1, q3), middle)) = quartiles(&sorted(&counted)).zip(median(last)) else { return false };
    let is_slower = last.iter().all(|&elapsed| elapsed > q3) && blocks.iter().all(|&block| middle > block);
    let is_faster = last.iter().all(|&elapsed| elapsed < q1) && blocks.iter().all(|&block| middle < block);
    last.len() == LAST_OF_WARM_UP && (is_slower || is_faster)
}

/// The minimum relative change of speed after sampling that is worth a warning.
const MIN_LATE_CHANGE: f64 = 0.1;

/// The fewest blocks, both among the samples and at the end of the process, for a comparison.
const MIN_BLOCKS: usize = 8;

/// The warning that the speed changed after sampling: the medians of all blocks at the end of the process are beyond those of all blocks of the
/// samples. By chance, this happens to eight of sixteen blocks once in 6 000 cases.
pub(super) fn late_change(run: &Run) -> Option<Warning> {
    let times = run.times();
    let samples: Vec<f64> = run.run_times(&times).blocks().filter_map(median).collect();
    let later = run.later_blocks.iter().map(|elapsed| elapsed / run.calls as f64 - run.overhead.per_call);
    let (samples, later) = (sorted(&samples), sorted(&later.collect::<Vec<_>>()));
    if samples.len() < MIN_BLOCKS || later.len() < MIN_BLOCKS {
        return None;
    }
    let (before, after) = (quantile(&samples, 0.5)?, quantile(&later, 0.5)?);
    let is_beyond = later.last() < samples.first() || later.first() > samples.last();
    let matters = before > 0.0 && (after / before - 1.0).abs() >= MIN_LATE_CHANGE;
    (is_beyond && matters).then_some(Warning::LateChange { before, after })
}

/// Combines the stability of the warm-up and of the samples of all runs. If batches are long and few, the warm-up gives no
/// evidence; the times then count as settled if the samples stay at one level.
pub(super) fn stability(is_unsettled: &[bool], changes: &[Steadiness]) -> Stability {
    let is_changed = |change: &Steadiness| matches!(change, Steadiness::Changed(_));
    if is_unsettled.contains(&true) || changes.iter().any(is_changed) {
        Stability::NotSettled
    } else if changes.iter().all(|change| *change == Steadiness::Steady) {
        Stability::Settled
    } else {
        Stability::Unknown
    }
}
