//! The samples of one function at one axis value, block by block.

use crate::analyze::blocks::{RunTimes, mean, mean_interval};
use crate::analyze::change::{Change, ChangeKind, Steadiness, steadiness};
use crate::analyze::levels::two_levels;
use crate::response::{ClockCard, LongerBatches, NewInputs, Overhead, Run, Sample, can_be_ranked};
use crate::sample::overhead::EmptyLoopSamples;
use crate::sample::preparation::PreparedFunction;

/// The minimum relative speed-up of optimised over baseline code; smaller changes have other causes.
const BETTER_CODE: f64 = 0.1;

/// The number of samples for each longer batch: few for the first ones, so that a short measurement has some, and then so many that longer
/// batches take a tenth of the samples' time.
const FIRST_LONGER: usize = 12;
const FIRST_PER_LONGER: u32 = 8;
const SAMPLES_PER_LONGER: u32 = 20;

/// The samples of one function.
#[derive(Clone, Debug)]
pub(super) struct FunctionSamples {
    pub(super) ready: PreparedFunction,
    /// A clock step in nanoseconds per call.
    step_per_call: f64,
    /// The time of each batch in complete blocks, in nanoseconds.
    elapsed: Vec<f64>,
    /// The indices of batches that the suite reported as interrupted, ascending.
    interrupted: Vec<usize>,
    /// The number of batches in each block.
    blocks: Vec<u32>,
    /// The number of different inputs in each block; empty if the suite does not report it.
    inputs: Vec<u64>,
    /// The batches of the incomplete block, and the number of their inputs.
    current: Vec<f64>,
    current_inputs: Option<u64>,
    /// The time of each batch on new inputs, in nanoseconds.
    on_new_inputs: Vec<f64>,
    longer: LongerBatches,
    /// The number of samples with which the next longer batch is due.
    longer_due: u32,
    /// The median time of a batch in each of the last blocks of the process, long after the others, in nanoseconds.
    later: Vec<f64>,
    /// The samples of the interleaved empty loop.
    empty: EmptyLoopSamples,
}

impl FunctionSamples {
    pub(super) fn new(ready: PreparedFunction, clock: ClockCard) -> Self {
        Self {
            step_per_call: clock.resolution / ready.calls as f64,
            longer: LongerBatches { calls: 2 * ready.calls, elapsed: Vec::new(), blocks: Vec::new() },
            ready,
            elapsed: Vec::new(),
            interrupted: Vec::new(),
            blocks: Vec::new(),
            inputs: Vec::new(),
            current: Vec::new(),
            current_inputs: None,
            on_new_inputs: Vec::new(),
            longer_due: FIRST_PER_LONGER,
            later: Vec::new(),
            empty: EmptyLoopSamples::default(),
        }
    }

    /// Returns the initial blocks that ran slower code; `None` if no block did, or if batches are too short to compare ranks.
    pub(super) fn slow_initial_blocks(&self) -> Option<SlowBlocks> {
        let batch = self.elapsed.iter().sum::<f64>() / self.elapsed.len().max(1) as f64;
        if !can_be_ranked(batch, self.step_per_call * self.ready.calls as f64) {
            return None;
        }
        // Compares times per batch, overhead included: without it, they may be close to 0.
        let run = RunTimes::without_overhead(&self.elapsed, &self.blocks);
        match steadiness(&run, BETTER_CODE, 1) {
            Steadiness::Changed(Change { kind: ChangeKind::Step { at }, before, after }) if after < before => {
                let mut samples = 0;
                let whole = self.blocks.iter().take_while(|&&block| {
                    samples += block;
                    // At the start of a block, the change may be within this block, which has the median of the faster code.
                    samples <= at
                });
                let count = (whole.count() + 1).min(self.blocks.len() - 1);
                (count > 0).then_some(SlowBlocks { count, speed_up: before / after })
            }
            _ => None,
        }
    }

    /// Moves the first blocks to the warm-up.
    pub(super) fn move_to_warm_up(&mut self, count: usize) {
        self.empty.forget(count);
        let LongerBatches { elapsed, blocks, .. } = &mut self.longer;
        let rest = blocks.partition_point(|&block| (block as usize) < count);
        elapsed.drain(..rest);
        blocks.drain(..rest);
        blocks.iter_mut().for_each(|block| *block -= count as u32);
        self.longer_due = 0;
        let samples = self.blocks.drain(..count).sum::<u32>() as usize;
        self.inputs.drain(..count.min(self.inputs.len()));
        let rest = self.interrupted.partition_point(|&index| index < samples);
        let interrupted: Vec<usize> = self.interrupted.drain(..rest).collect();
        self.interrupted.iter_mut().for_each(|index| *index -= samples);
        let warm_up = self.elapsed.drain(..samples);
        self.ready.warm_up.extend(to_samples(warm_up, &interrupted, true));
    }

    /// Adds a batch. `elapsed`: nanoseconds; `interrupted`: as reported by the suite.
    pub(super) fn push(&mut self, elapsed: f64, interrupted: bool) {
        if interrupted {
            self.interrupted.push(self.elapsed.len() + self.current.len());
        }
        self.current.push(elapsed);
    }

    /// Adds a batch of the empty loop. `per_call`: nanoseconds.
    pub(super) fn push_empty(&mut self, per_call: f64) {
        self.empty.push(per_call);
    }

    /// Adds the number of different inputs of a message.
    pub(super) fn push_inputs(&mut self, inputs: u64) {
        *self.current_inputs.get_or_insert(0) += inputs;
    }

    /// Adds a longer batch. `elapsed`: nanoseconds.
    pub(super) fn push_longer(&mut self, elapsed: f64) {
        self.longer.elapsed.push(elapsed);
        self.longer.blocks.push(self.blocks.len() as u32);
    }

    /// Plans a longer batch if one is due with the next `batches` samples, and returns its calls: twice those of a sample. `None` also if
    /// such a batch would have too many calls.
    pub(super) fn plan_longer(&mut self, batches: u32) -> Option<u64> {
        let next = self.n() + batches;
        if self.longer.calls > self.ready.most_calls || next < self.longer_due {
            return None;
        }
        let are_few = self.longer.elapsed.len() < FIRST_LONGER;
        self.longer_due = next + if are_few { FIRST_PER_LONGER } else { SAMPLES_PER_LONGER };
        Some(self.longer.calls)
    }

    /// Adds a block at the end of the process, and keeps the last ones. `elapsed`: the median time of its batches in nanoseconds.
    pub(super) fn push_later_block(&mut self, elapsed: Option<f64>, kept: usize) {
        self.later.extend(elapsed);
        self.later.drain(..self.later.len().saturating_sub(kept));
    }

    pub(super) fn forget_later_blocks(&mut self) {
        self.later.clear();
    }

    /// Adds a batch on new inputs. `elapsed`: nanoseconds.
    pub(super) fn push_on_new_inputs(&mut self, elapsed: f64) {
        self.on_new_inputs.push(elapsed);
    }

    pub(super) fn end_block(&mut self) {
        self.blocks.push(self.current.len() as u32);
        self.inputs.extend(self.current_inputs.take());
        self.elapsed.append(&mut self.current);
        self.empty.end_block();
    }

    /// Returns the number of samples in complete blocks.
    pub(super) fn n(&self) -> u32 {
        self.elapsed.len() as u32
    }

    /// Returns the batches on new inputs.
    pub(super) fn on_new_inputs(&self) -> &[f64] {
        &self.on_new_inputs
    }

    /// The number of different inputs; `None` if the suite does not report it.
    fn inputs(&self) -> Option<u64> {
        (!self.inputs.is_empty()).then(|| self.inputs.iter().sum())
    }

    /// Whether each input was used at least twice on average.
    pub(super) fn repeats_inputs(&self) -> bool {
        let calls = self.ready.calls * self.elapsed.len() as u64;
        self.inputs().is_some_and(|inputs| inputs > 0 && calls >= 2 * inputs)
    }

    /// Returns the number of calls of a batch that has each input of a set once.
    pub(super) fn calls_on_new_inputs(&self) -> u64 {
        self.inputs.last().map_or(self.ready.calls, |&inputs| inputs.min(self.ready.calls))
    }

    /// Whether the samples are at two levels.
    pub(super) fn is_at_two_levels(&self) -> bool {
        let batch = self.elapsed.iter().sum::<f64>() / self.elapsed.len().max(1) as f64;
        let overhead = self.overhead();
        let times = self.times(&overhead);
        can_be_ranked(batch, self.step_per_call * self.ready.calls as f64)
            && two_levels(&overhead.run_times(&times, &self.blocks), self.step_per_call, 1).is_some()
    }

    /// Returns the cost of the empty loop: from interleaved batches, or else from the preparation.
    fn overhead(&self) -> Overhead {
        self.empty.cost(self.step_per_call).unwrap_or(self.ready.overhead)
    }

    /// Returns the time of each sample in nanoseconds per call, without the overhead.
    fn times(&self, overhead: &Overhead) -> Vec<f64> {
        self.elapsed.iter().map(|elapsed| elapsed / self.ready.calls as f64 - overhead.per_call).collect()
    }

    /// Returns the part of the half-width that longer measuring does not reduce, relative to the mean; see
    /// [`Overhead::systematic_half_width`].
    pub(super) fn systematic_share(&self) -> f64 {
        let overhead = self.overhead();
        mean(&self.times(&overhead)).map_or(f64::INFINITY, |mean| overhead.systematic_half_width(mean) / mean.abs())
    }

    /// Returns the half-width of the mean's interval relative to the mean; `None` without an interval, or if it contains 0.
    pub(super) fn relative_half_width(&self) -> Option<f64> {
        let overhead = self.overhead();
        let times = self.times(&overhead);
        let interval = mean_interval(&[overhead.run_times(&times, &self.blocks)], self.step_per_call)?.interval?;
        interval.relative_half_width(mean(&times)?)
    }

    /// Returns the run with all samples, those of the warm-up first. `clear_batch`: the shortest batch in nanoseconds for which
    /// the clock's errors are small.
    pub(super) fn into_run(self, reference: Option<f64>, clear_batch: f64) -> Run {
        let (calls, batch) = (self.ready.calls, mean(&self.elapsed).unwrap_or(0.0));
        let overhead = self.overhead().after_setup(self.ready.setup * calls as f64, batch, calls, clear_batch);
        let inputs = self.inputs();
        let calls_on_new_inputs = self.calls_on_new_inputs();
        let new_inputs = (!self.on_new_inputs.is_empty())
            .then_some(NewInputs { calls: calls_on_new_inputs, elapsed: self.on_new_inputs });
        let longer_batches = Some(self.longer).filter(|longer| !longer.elapsed.is_empty());
        let PreparedFunction { calls, stability, warm_up: mut samples, .. } = self.ready;
        samples.extend(to_samples(self.elapsed.into_iter(), &self.interrupted, false));
        Run {
            calls,
            overhead,
            stability,
            reference,
            samples,
            blocks: self.blocks,
            inputs,
            new_inputs,
            longer_batches,
            later_blocks: self.later,
        }
    }
}

/// Blocks at the start of a collection in which the function was slower.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlowBlocks {
    /// Their number, including the block of the change.
    pub(super) count: usize,
    /// How many times as fast the function was afterwards.
    pub(super) speed_up: f64,
}

/// Creates samples from times in nanoseconds. `interrupted`: the indices to flag, ascending.
fn to_samples(
    elapsed: impl Iterator<Item = f64>,
    interrupted: &[usize],
    warm_up: bool,
) -> impl Iterator<Item = Sample> {
    let sample = move |(index, elapsed)| {
        let interrupted = interrupted.binary_search(&index).is_ok();
        Sample { elapsed, warm_up, interrupted, inferred: false }
    };
    elapsed.enumerate().map(sample)
}
