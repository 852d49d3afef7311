//! Whether the start of a batch takes time of its own: its first call is unlike the others if caches, branch predictor or core are cold.

use crate::analyze::blocks::Estimate;
use crate::analyze::order::median;
use crate::analyze::student::t_quantile;
use crate::response::{Run, Warning};

/// The probability of a warning if the start takes no time.
const SIGNIFICANCE: f64 = 0.02;

/// The smallest part of the time per call that is worth a warning.
const MIN_SHARE: f64 = 0.005;

/// The fewest longer batches for a conclusion.
const MIN_LONGER: usize = 5;

/// The warning that the start of a batch takes time of its own; `None` without evidence, or if it matters little. `mean`: nanoseconds per
/// call.
///
/// If a batch of k calls takes c + k·m, a sample is m + c/k, and one of 2k calls is m + c/2k: their difference is half of what the start adds
/// to a sample. If there is none, a longer batch takes less time per call than half of its block's samples on average. This share
/// is tested one-sided by Student's t over the longer batches. Like other tests by ranks, it does not depend on how skewed times are;
/// and like the samples of a block, a longer batch has the block's inputs.
pub(super) fn slow_start(runs: &[Run], mean: f64) -> Option<Warning> {
    let comparisons: Vec<WithBlock> = runs.iter().flat_map(compare_with_blocks).collect();
    if comparisons.len() < MIN_LONGER {
        return None;
    }
    let Estimate { value, error, freedom } = Estimate::of_values(comparisons.iter().map(|one| one.slower))?;
    let is_certain = value - 0.5 > t_quantile(freedom, SIGNIFICANCE) * error;
    let differences: Vec<f64> = comparisons.iter().map(|one| one.difference).collect();
    let per_call = 2.0 * median(&differences)?;
    let calls = runs.iter().map(|run| run.calls).min()? as f64;
    (is_certain && per_call > MIN_SHARE * mean).then_some(Warning::SlowStart { nanos: calls * per_call, per_call })
}

/// A longer batch, compared with the samples of its block by their times per call.
struct WithBlock {
    /// The share of the samples that are slower; equal ones count half.
    slower: f64,
    /// The median of the samples minus the longer batch, in nanoseconds per call.
    difference: f64,
}

fn compare_with_blocks(run: &Run) -> Vec<WithBlock> {
    let Some(longer) = &run.longer_batches else { return Vec::new() };
    let times = run.times();
    let blocks: Vec<&[f64]> = run.run_times(&times).all_blocks().collect();
    let compare = |(elapsed, block): (&f64, &u32)| {
        let block = blocks.get(*block as usize)?;
        let longer = elapsed / longer.calls as f64 - run.overhead.per_call;
        let slower = |time: &f64| {
            if *time > longer {
                1.0
            } else if *time == longer {
                0.5
            } else {
                0.0
            }
        };
        let slower = block.iter().map(slower).sum::<f64>() / block.len() as f64;
        Some(WithBlock { slower, difference: median(block)? - longer })
    };
    longer.elapsed.iter().zip(&longer.blocks).filter_map(compare).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::stability::Stability;
    use crate::response::{LongerBatches, Sample};

    /// A run of twelve blocks of four samples of ten calls, with a longer batch in each; `start` is the additional time of a batch.
    fn run(start: f64) -> Run {
        let block = |block: u32| (0..4).map(move |sample| 1_000.0 + f64::from((7 * block + 3 * sample) % 11) + start);
        let samples = (0..12).flat_map(block).map(|elapsed| Sample { elapsed, ..Sample::default() }).collect();
        let elapsed = (0..12).map(|block| 2_000.0 + f64::from(5 * block % 19) + start).collect();
        let longer_batches = Some(LongerBatches { calls: 20, elapsed, blocks: (0..12).collect() });
        Run { calls: 10, longer_batches, ..Run::of_single_calls(samples, vec![4; 12], Stability::Settled) }
    }

    #[test]
    fn finds_the_time_that_a_batch_starts_with() {
        assert_eq!(slow_start(&[run(0.0)], 100.5), None);
        let Some(Warning::SlowStart { nanos, per_call }) = slow_start(&[run(50.0)], 105.5) else {
            panic!("it is slow")
        };
        assert!((nanos / 50.0 - 1.0).abs() < 0.1 && (per_call / 5.0 - 1.0).abs() < 0.1, "{nanos} {per_call}");
        assert_eq!(slow_start(&[run(50.0)], 2_000.0), None, "it matters little");
        let few = LongerBatches { calls: 20, elapsed: vec![2_000.0; 4], blocks: vec![0, 1, 2, 3] };
        assert_eq!(slow_start(&[Run { longer_batches: Some(few), ..run(50.0) }], 105.5), None, "too few");
        assert_eq!(slow_start(&[Run { longer_batches: None, ..run(50.0) }], 105.5), None, "none");
    }
}
