//! Whether the start of a batch takes time of its own: its first call is unlike the others if caches, branch predictor or core are cold.

use crate::analyze::blocks::{Estimate, mean};
use crate::analyze::order::median;
use crate::analyze::student::t_quantile;
use crate::response::{Run, Warning};

/// The probability of a warning if the start takes no time.
const SIGNIFICANCE: f64 = 0.02;

/// The smallest part of the time of a call, loop included, that is worth a warning.
const MIN_SHARE: f64 = 0.005;

/// The fewest longer batches for a conclusion.
const MIN_LONGER: usize = 6;

/// The warning that each batch starts slowly; `None` without evidence, or if it matters little. `mean`: nanoseconds per
/// call.
///
/// If a batch of k calls takes c + k·m, a sample is m + c/k, and one of 2k calls is m + c/2k: their difference is half of what the start adds
/// to a sample. If c is 0, a batch of 2k calls is faster than half of the samples of its block if noise affects whole batches, and
/// faster than half of the pairs of samples if it affects single calls. Each share is tested one-sided by Student's t over the longer
/// batches, and both have to exceed one half. The standard error is at least that of independent times.
///
/// The empty loop was measured in batches of k calls, so its timer is counted twice in the difference. Only what exceeds the whole cost of
/// the loop is certainly due to the function.
pub(super) fn batch_start(runs: &[Run], mean: f64) -> Option<Warning> {
    let of_samples: Vec<WithBlock> = runs.iter().flat_map(|run| compare_with_blocks(run, 1)).collect();
    let of_pairs: Vec<WithBlock> = runs.iter().flat_map(|run| compare_with_blocks(run, 2)).collect();
    let differences: Vec<f64> = of_samples.iter().map(|one| one.difference).collect();
    let per_call = 2.0 * median(&differences)?;
    let calls = runs.iter().map(|run| run.calls).min()? as f64;
    let overhead = runs.iter().map(|run| run.overhead.per_call).fold(0.0, f64::max);
    let matters = per_call > MIN_SHARE * (mean + overhead) + overhead;
    let is_certain = is_mostly_slower(&of_samples) && is_mostly_slower(&of_pairs);
    (is_certain && matters).then_some(Warning::BatchStart { nanos: calls * per_call, per_call })
}

/// A longer batch, compared with the samples of its block, or with groups of them, by their times per call.
struct WithBlock {
    /// The share of the groups that are slower; equal ones count half.
    slower: f64,
    /// The variance of that share if all times are independent: 1/12 + 1/6g for g groups, from the distribution of a rank.
    variance: f64,
    /// The median of the groups minus the longer batch, in nanoseconds per call.
    difference: f64,
}

/// Compares the longer batches of a run with groups of so many samples of their blocks.
fn compare_with_blocks(run: &Run, group: usize) -> Vec<WithBlock> {
    let Some(longer) = &run.longer_batches else { return Vec::new() };
    let times = run.times();
    let blocks: Vec<&[f64]> = run.run_times(&times).all_blocks().collect();
    let compare = |(elapsed, block): (&f64, &u32)| {
        let block = blocks.get(*block as usize)?;
        let longer = elapsed / longer.calls as f64 - run.overhead.per_call;
        let groups: Vec<f64> = block.chunks_exact(group).filter_map(mean).collect();
        let slower = |time: &f64| 0.5 * (1.0 + f64::from(*time > longer) - f64::from(*time < longer));
        let slower = groups.iter().map(slower).sum::<f64>() / groups.len() as f64;
        let variance = 1.0 / 12.0 + 1.0 / (6.0 * groups.len() as f64);
        Some(WithBlock { slower, variance, difference: median(&groups)? - longer })
    };
    longer.elapsed.iter().zip(&longer.blocks).filter_map(compare).collect()
}

/// Whether more than half of the groups are slower, with certainty.
fn is_mostly_slower(comparisons: &[WithBlock]) -> bool {
    let Some(Estimate { value, error, freedom }) = Estimate::of_values(comparisons.iter().map(|one| one.slower)) else {
        return false;
    };
    let least = comparisons.iter().map(|one| one.variance).sum::<f64>().sqrt() / comparisons.len() as f64;
    comparisons.len() >= MIN_LONGER && value - 0.5 > t_quantile(freedom, SIGNIFICANCE) * error.max(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::stability::Stability;
    use crate::response::{LongerBatches, Overhead, Sample};

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
        assert_eq!(batch_start(&[run(0.0)], 100.5), None);
        let Some(Warning::BatchStart { nanos, per_call }) = batch_start(&[run(50.0)], 105.5) else {
            panic!("it is slow")
        };
        assert!((nanos / 50.0 - 1.0).abs() < 0.1 && (per_call / 5.0 - 1.0).abs() < 0.1, "{nanos} {per_call}");
        assert_eq!(batch_start(&[run(50.0)], 2_000.0), None, "it matters little");
        let few = LongerBatches { calls: 20, elapsed: vec![2_000.0; 4], blocks: vec![0, 1, 2, 3] };
        assert_eq!(batch_start(&[Run { longer_batches: Some(few), ..run(50.0) }], 105.5), None, "too few");
        assert_eq!(batch_start(&[Run { longer_batches: None, ..run(50.0) }], 105.5), None, "none");
        let overhead = Overhead { per_call: 10.0, ..Overhead::default() };
        assert_eq!(batch_start(&[Run { overhead, ..run(50.0) }], 95.5), None, "it may be the timer's");
    }

    #[test]
    fn a_few_single_comparisons_prove_nothing() {
        let found = |count: u32| {
            let longer_batches =
                Some(LongerBatches { calls: 20, elapsed: vec![2_000.0; count as usize], blocks: (0..count).collect() });
            batch_start(&[Run { blocks: vec![2; 24], longer_batches, ..run(50.0) }], 105.5).is_some()
        };
        assert_eq!([6, 8].map(found), [false, true], "six of six pairs are slower by chance in 1.6% of cases");
        let single = Run { blocks: vec![1; 48], ..run(50.0) };
        assert_eq!(batch_start(&[single], 105.5), None, "blocks of one sample have no pair");
    }
}
