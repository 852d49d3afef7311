//! What was collected of one function at one axis value, block by block.

use crate::analyze::blocks::{self, mean, mean_interval};
use crate::analyze::change::{Change, ChangeKind, Steadiness, steadiness};
use crate::response::{Overhead, Run, Sample};
use crate::sample::clock_card::{ClockCard, can_be_ranked};
use crate::sample::overhead::{Empty, lasting};
use crate::sample::preparation::PreparedFunction;

/// The part by which better code is faster at least: what changes by less is no other code.
const BETTER_CODE: f64 = 0.1;

/// What was collected of one function.
#[derive(Clone, Debug)]
pub(super) struct FunctionSamples {
    pub(super) ready: PreparedFunction,
    /// What a step of the clock comes to in nanoseconds a call.
    resolution: f64,
    /// Nanoseconds of each batch that counts.
    elapsed: Vec<f64>,
    /// Which of them the suite says that something interrupted: their places, ascending.
    interrupted: Vec<usize>,
    /// How many of them are of each block.
    blocks: Vec<u32>,
    /// Of the block that is not whole yet.
    current: Vec<f64>,
    /// What was timed of the empty loop between the function's batches.
    empty: Empty,
}

impl FunctionSamples {
    pub(super) fn new(ready: PreparedFunction, clock: ClockCard) -> Self {
        Self {
            resolution: clock.resolution / ready.calls as f64,
            ready,
            elapsed: Vec::new(),
            interrupted: Vec::new(),
            blocks: Vec::new(),
            current: Vec::new(),
            empty: Empty::default(),
        }
    }

    /// How many blocks at the beginning were of slower code than the rest; absent where none were, and where batches are
    /// too short for the clock to tell.
    pub(super) fn late_blocks(&self) -> Option<usize> {
        let batch = self.elapsed.iter().sum::<f64>() / self.elapsed.len().max(1) as f64;
        if !can_be_ranked(batch, self.resolution * self.ready.calls as f64) {
            return None;
        }
        // Whole batches: what is left of a time after subtracting the empty loop may be next to nothing.
        let run = blocks::RunTimes { times: &self.elapsed, blocks: &self.blocks, overhead: 0.0 };
        match steadiness(&run, BETTER_CODE) {
            Steadiness::Changed(Change { kind: ChangeKind::Step { at }, before, after }) if after < before => {
                let mut samples = 0;
                let whole = self.blocks.iter().take_while(|&&block| {
                    samples += block;
                    samples < at
                });
                Some((whole.count() + 1).min(self.blocks.len() - 1)).filter(|&late| late > 0)
            }
            _ => None,
        }
    }

    /// Makes the first blocks part of the warm-up.
    pub(super) fn move_to_warm_up(&mut self, late: usize) {
        self.empty.forget(late);
        let samples = self.blocks.drain(..late).sum::<u32>() as usize;
        let rest = self.interrupted.partition_point(|&place| place < samples);
        let interrupted: Vec<usize> = self.interrupted.drain(..rest).collect();
        self.interrupted.iter_mut().for_each(|place| *place -= samples);
        let warm_up = self.elapsed.drain(..samples);
        self.ready.warm_up.extend(marked(warm_up, &interrupted, true));
    }

    /// Takes a batch that counts: nanoseconds, and whether the suite says that something interrupted it.
    pub(super) fn push(&mut self, elapsed: f64, interrupted: bool) {
        if interrupted {
            self.interrupted.push(self.elapsed.len() + self.current.len());
        }
        self.current.push(elapsed);
    }

    /// Takes a batch of the empty loop: nanoseconds a call.
    pub(super) fn push_empty(&mut self, per_call: f64) {
        self.empty.push(per_call);
    }

    pub(super) fn end_block(&mut self) {
        self.blocks.push(self.current.len() as u32);
        self.elapsed.append(&mut self.current);
        self.empty.end_block();
    }

    /// Samples in whole blocks.
    pub(super) fn n(&self) -> u32 {
        self.elapsed.len() as u32
    }

    /// What the empty loop costs: as timed between the function's batches, or else before them.
    fn overhead(&self) -> Overhead {
        self.empty.cost(self.resolution).unwrap_or(self.ready.overhead)
    }

    /// Nanoseconds a call of each sample, overhead subtracted.
    fn times(&self, overhead: &Overhead) -> Vec<f64> {
        self.elapsed.iter().map(|elapsed| elapsed / self.ready.calls as f64 - overhead.per_call).collect()
    }

    /// The part of the half-width, relative to the mean, that no time takes away: how far two empty loops may be apart.
    pub(super) fn lasting_half_width(&self) -> f64 {
        let overhead = self.overhead();
        mean(&self.times(&overhead)).map_or(f64::INFINITY, |mean| lasting(&overhead) / mean.abs())
    }

    /// The half-width of the mean's interval as a part of the mean; absent where that interval is, or holds 0.
    pub(super) fn relative_half_width(&self) -> Option<f64> {
        let overhead = self.overhead();
        let times = self.times(&overhead);
        let run = blocks::RunTimes { times: &times, blocks: &self.blocks, overhead: overhead.of_all_samples() };
        let interval = mean_interval(&[run], self.resolution)?;
        interval.relative_half_width((interval.low + interval.high) / 2.0)
    }

    /// What there is to keep of it, the warm-up first.
    pub(super) fn into_run(self, reference: Option<f64>) -> Run {
        let overhead = self.overhead();
        let PreparedFunction { calls, settled, warm_up: mut samples, .. } = self.ready;
        samples.extend(marked(self.elapsed.into_iter(), &self.interrupted, false));
        Run { calls, overhead, settled, reference, samples, blocks: self.blocks }
    }
}

/// Samples of these nanoseconds; those at the places of `interrupted` are marked so.
fn marked(elapsed: impl Iterator<Item = f64>, interrupted: &[usize], warm_up: bool) -> impl Iterator<Item = Sample> {
    let sample =
        move |(place, elapsed)| Sample { elapsed, warm_up, interrupted: interrupted.binary_search(&place).is_ok() };
    elapsed.enumerate().map(sample)
}
