//! The samples of a point from one process, and the overhead that its figures exclude.

use serde::{Deserialize, Serialize};

use crate::analyze::blocks::{OverheadError, RunTimes, mean};
use crate::analyze::running::RunningStats;
use crate::analyze::stability::Stability;

/// The samples of a point from one process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Run {
    /// Calls in each batch.
    pub calls: u64,
    /// The cost of an empty loop of the same shape. The figures exclude it; the samples include it.
    pub overhead: Overhead,
    /// Whether the times settled during warm-up.
    #[serde(rename = "settled")]
    pub stability: Stability,
    /// The median time per call of the reference kernel between the samples, in nanoseconds. Absent if it was not
    /// timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<f64>,
    /// The samples in the order of measurement, warm-up first.
    pub samples: Vec<Sample>,
    /// The number of counted samples in each block, in the order of measurement. Each block has its own inputs;
    /// functions that were measured together share the inputs of a block.
    pub blocks: Vec<u32>,
    /// The number of different inputs of the counted samples. Absent if the suite does not report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<u64>,
    /// Batches on inputs that the function has not received before; only if the samples are at two levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_inputs: Option<NewInputs>,
    /// Batches with twice as many calls as the samples, which show whether each batch starts slowly. Absent if none was taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longer_batches: Option<LongerBatches>,
    /// The median time of a batch in each late block, long after the samples, in nanoseconds: in the last of several processes, at
    /// its last axis value. Otherwise empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub later_blocks: Vec<f64>,
}

impl Run {
    /// Samples of one call each, whose overhead is negligible.
    pub fn of_single_calls(samples: Vec<Sample>, blocks: Vec<u32>, stability: Stability) -> Self {
        let overhead = Overhead::default();
        Self {
            calls: 1,
            overhead,
            stability,
            reference: None,
            samples,
            blocks,
            inputs: None,
            new_inputs: None,
            longer_batches: None,
            later_blocks: Vec::new(),
        }
    }
}

/// Batches in which each call has an input that the function has not received before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewInputs {
    /// Calls in each batch.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub calls: u64,
    /// The time of each batch in nanoseconds, overhead included.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = 0.0))))]
    pub elapsed: Vec<f64>,
}

/// Batches with twice as many calls as the samples, between them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LongerBatches {
    /// Calls in each batch.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub calls: u64,
    /// The time of each batch in nanoseconds, overhead included.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = 0.0))))]
    pub elapsed: Vec<f64>,
    /// The block of each batch, from 0.
    pub blocks: Vec<u32>,
}

/// The number of counted calls of some runs per input; `None` if a suite did not report the inputs.
pub(crate) fn repeats(runs: &[Run]) -> Option<f64> {
    let inputs = runs.iter().map(|run| run.inputs).sum::<Option<u64>>().filter(|&inputs| inputs > 0)?;
    let batches = |run: &Run| run.blocks.iter().map(|&batches| u64::from(batches)).sum::<u64>();
    let calls: u64 = runs.iter().map(|run| run.calls * batches(run)).sum();
    Some(calls as f64 / inputs as f64)
}

/// The cost of the loop around the calls, in nanoseconds per call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Overhead {
    /// The estimate, excluding extreme outliers, since the empty loop does the same work each time. 0 if batches are so
    /// long that the overhead was not measured.
    pub per_call: f64,
    /// Half the width of its 95% interval.
    pub half_width: f64,
    /// The amount by which the extreme outliers would have raised the estimate. It is part of the uncertainty, since
    /// the same interference also affects the function.
    #[serde(default, rename = "disturbance")]
    pub interference: f64,
    /// The time to prepare a batch in nanoseconds, if it dwarfs the batch; see `after_setup`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slow_setup: Option<f64>,
}

/// The relative difference that two loops of the same instructions may have because of their addresses. Observed
/// natively: up to 0.03 for aligned loops (docs/decisions/0036-aligned-loops.md).
const LAYOUT_DIFFERENCE: f64 = 0.05;

/// The relative difference that the two loops may have in one process because of the addresses of its data; it varies between
/// processes. Observed natively: up to 0.25 for a loop of 1.5 cycles that moves an owned argument, less for others.
const PLACEMENT_DIFFERENCE: f64 = 0.25;

/// The relative error of a time per call that neither longer measuring nor more processes reduce: the processor overlaps the
/// end of a call with the start of the next one, by some cycles that depend on the function. Observed natively on loops
/// with known ratios: up to 0.0003 (docs/coverage.md).
const OVERLAP: f64 = 0.0003;

/// The most calls whose loop costs less than the timer around them: a cycle each, and some 50 cycles for a clock reading.
const FEW_CALLS: u64 = 32;

/// The longest time in nanoseconds that a cold processor may add to an empty batch: a hundred accesses to memory. A longer time is that
/// of the loop itself.
const LONGEST_COLD_START: f64 = 10_000.0;

impl Overhead {
    /// Creates the overhead of an interleaved empty loop. `half_width`: half the width of the interval of `per_call`,
    /// without the differences that the addresses of the loops and of their data cause.
    pub fn interleaved(per_call: f64, half_width: f64, interference: f64) -> Self {
        let differences = LAYOUT_DIFFERENCE.hypot(PLACEMENT_DIFFERENCE) * per_call;
        Self { per_call, half_width: half_width.hypot(differences), interference, slow_setup: None }
    }

    /// The overhead of batches of `calls` calls in `batch` nanoseconds that each take `setup` nanoseconds to prepare. `clear_batch`: the
    /// shortest batch for which the clock's errors are small.
    ///
    /// Setup dwarfs a batch if it takes longer than a clear one, and the batch has few calls or is not clear. Few calls share the
    /// cost of the timer, and before each batch, the caches forget the loop and the core may sleep. The empty loop pays for this,
    /// too, but it is other code: the function's loop may pay nothing, or twice as much. So the whole overhead is an uncertainty,
    /// which measuring longer does not reduce. A net signal within the error of its blank has only an upper limit: L. A. Currie,
    /// "Limits for qualitative detection and quantitative determination", *Analytical Chemistry* 40 (1968) 586–593.
    pub(crate) fn after_setup(self, setup: f64, batch: f64, calls: u64, clear_batch: f64) -> Self {
        let is_few = calls <= FEW_CALLS && self.per_call > 0.0;
        let is_short = batch < clear_batch / 2.0 && self.per_call * calls as f64 <= LONGEST_COLD_START;
        Self { slow_setup: (setup > clear_batch && (is_few || is_short)).then_some(setup), ..self }
    }

    /// Whether setup dwarfs the batches, and even an empty one would take too long to prepare: any part of their time may be the timer's.
    pub(crate) fn is_unmeasured(&self) -> bool {
        self.slow_setup.is_some() && self.per_call == 0.0
    }

    /// The half-width of a mean's interval that neither longer measuring nor more processes reduce, in nanoseconds per call:
    /// the calls overlap, and all processes run the same binary, so its loops have the same alignment. `mean`: the mean time
    /// per call in nanoseconds.
    pub fn systematic_half_width(&self, mean: f64) -> f64 {
        let timer = if self.slow_setup.is_some() { self.per_call } else { 0.0 };
        self.layout_half_width().hypot(OVERLAP * mean).hypot(timer)
    }

    /// The part of the half-width that the loops' addresses cause.
    fn layout_half_width(&self) -> f64 {
        self.half_width.min(LAYOUT_DIFFERENCE * self.per_call.abs())
    }

    /// Returns the times of a run. `times`: nanoseconds per call without the overhead.
    pub fn run_times<'a>(&self, times: &'a [f64], blocks: &'a [u32]) -> RunTimes<'a> {
        let systematic = self.systematic_half_width(mean(times).unwrap_or(0.0));
        let other = (self.half_width.powi(2) - self.layout_half_width().powi(2)).max(0.0).sqrt();
        let placement = other.min(PLACEMENT_DIFFERENCE * self.per_call.abs());
        let random = (other.powi(2) - placement.powi(2)).max(0.0).sqrt();
        let overhead = OverheadError { random, placement, interference: self.interference, systematic };
        RunTimes { times, blocks, overhead }
    }
}

/// The greatest share of samples that a mean excludes since they were interrupted: fewer would not show how much samples vary.
const MOST_INTERRUPTED: f64 = 0.5;

/// The greatest relative bias of a mean that excludes interrupted samples: a quarter of the least change that counts in a check.
const MOST_BIAS: f64 = 0.0025;

/// One timed batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sample {
    /// The time of the batch in nanoseconds, overhead included.
    pub elapsed: f64,
    /// Whether it is a warm-up sample, which is excluded from the figures.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub warm_up: bool,
    /// Whether the batch was interrupted or moved to another core, as reported by the system or inferred from its time.
    /// Only [`Summary::uninterrupted_mean`](crate::analyze::statistics::Summary::uninterrupted_mean) excludes flagged samples, and only those that are not [`Self::inferred`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
    /// Whether the interruption is only inferred from the batch's time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inferred: bool,
}

impl Sample {
    /// Whether the system reported that it interrupted the batch.
    pub fn was_interrupted(&self) -> bool {
        self.interrupted && !self.inferred
    }
}

impl Run {
    /// The time per call of one of its samples, in nanoseconds, with the overhead subtracted.
    pub fn time_of(&self, sample: &Sample) -> f64 {
        sample.elapsed / self.calls as f64 - self.overhead.per_call
    }

    /// Returns its times for the analysis. `times`: those of [`Self::times`].
    pub fn run_times<'a>(&'a self, times: &'a [f64]) -> RunTimes<'a> {
        self.overhead.run_times(times, &self.blocks)
    }

    /// The mean time per call of the counted samples that the system did not interrupt, in nanoseconds; absent if it
    /// interrupted all.
    pub fn uninterrupted_mean(&self) -> Option<f64> {
        let is_uninterrupted = |sample: &&Sample| !sample.warm_up && !sample.was_interrupted();
        self.samples.iter().filter(is_uninterrupted).map(|sample| self.time_of(sample)).collect::<RunningStats>().mean()
    }

    /// The mean time per call in nanoseconds, for comparisons with other processes: that of the counted samples that the system did not interrupt, unless it
    /// would be too low. Absent if all samples are warm-up.
    ///
    /// Other programs interrupt some processes far more than others. A long sample is more likely to be interrupted than a short one. With
    /// interruptions at a constant rate, which interrupt a share s of the samples, the mean of the others is lower by s c² / (1 − s), where c is the
    /// coefficient of variation of the samples: length-biased sampling, see D. R. Cox, "Some sampling problems in technology", in *New Developments in
    /// Survey Sampling* (1969) 506–527. If that is more than 0.25%, or if more than half of the samples were interrupted, all samples count.
    pub fn undisturbed_mean(&self) -> Option<f64> {
        let all: RunningStats = self.times().into_iter().collect();
        let is_undisturbed = |sample: &&Sample| !sample.warm_up && !sample.was_interrupted();
        let undisturbed: RunningStats =
            self.samples.iter().filter(is_undisturbed).map(|sample| self.time_of(sample)).collect();
        let share = 1.0 - f64::from(undisturbed.n()) / f64::from(all.n());
        let bias = |mean: f64| share * (undisturbed.sd() / mean).powi(2) / (1.0 - share);
        let is_accurate = |mean: &f64| share <= MOST_INTERRUPTED && bias(*mean) <= MOST_BIAS;
        undisturbed.mean().filter(is_accurate).or(all.mean())
    }

    /// The time that [`Self::undisturbed_mean`] excludes, in nanoseconds, and the time of all counted samples.
    pub fn disturbed_time(&self) -> [f64; 2] {
        let times = self.times();
        let calls = self.calls as f64;
        let all = times.iter().sum::<f64>() * calls;
        let undisturbed = self.undisturbed_mean().unwrap_or_default() * times.len() as f64 * calls;
        [(all - undisturbed).max(0.0), all]
    }

    /// The times of the counted samples, as [`Self::time_of`] computes them.
    pub fn times(&self) -> Vec<f64> {
        self.samples.iter().filter(|sample| !sample.warm_up).map(|sample| self.time_of(sample)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run whose samples are `times`, some of which were interrupted, with a warm-up sample.
    fn run(times: &[(f64, bool)]) -> Run {
        let sample = |&(elapsed, interrupted): &(f64, bool)| Sample { elapsed, interrupted, ..Sample::default() };
        let warm_up = Sample { elapsed: 1e9, warm_up: true, ..Sample::default() };
        let samples: Vec<Sample> = [warm_up].into_iter().chain(times.iter().map(sample)).collect();
        Run::of_single_calls(samples, vec![times.len() as u32], Stability::Settled)
    }

    #[test]
    fn the_mean_for_comparisons_excludes_interrupted_samples() {
        let mut times = [(100.0, false), (102.0, false)].repeat(20);
        times[3] = (4_000.0, true);
        let disturbed = run(&times);
        let mean = disturbed.undisturbed_mean().expect("there are samples");
        assert!((mean - 101.0).abs() < 0.1, "{mean}");
        let [lost, all] = disturbed.disturbed_time();
        assert!((lost - 3_898.0).abs() < 5.0 && (all - 7_938.0).abs() < 5.0, "{lost} of {all}");
        // Inferred from the time alone, which a slow call may have taken.
        let mut inferred = disturbed.clone();
        inferred.samples.iter_mut().for_each(|sample| sample.inferred = sample.interrupted);
        assert!(inferred.undisturbed_mean().is_some_and(|mean| mean > 190.0), "{inferred:?}");
        assert_eq!(run(&[]).undisturbed_mean(), None);
    }

    /// Of such times, the longer ones are interrupted.
    #[test]
    fn the_mean_of_varying_times_includes_interrupted_samples() {
        let mut times = [(100.0, false), (300.0, false)].repeat(20);
        times[1] = (300.0, true);
        times[3] = (300.0, true);
        assert_eq!(run(&times).undisturbed_mean(), Some(200.0));
        times.iter_mut().for_each(|(_, interrupted)| *interrupted = true);
        assert_eq!(run(&times).undisturbed_mean(), Some(200.0), "none is left");
    }
}
