//! The collection: requests samples of all functions of a point, block by block, until they are precise enough or a
//! limit is reached.
//!
//! A pure state machine over the times that a suite reports. It interleaves the functions batch by batch, so that
//! interference affects all of them equally.

use std::collections::VecDeque;

use crate::analyze::stopping::{is_check_due, is_enough};
use crate::quality::Quality;
use crate::response::{Run, Warning};
use crate::sample::MAX_WORK;
use crate::sample::block::{Part, Share, parts};
use crate::sample::clock_card::ClockCard;
use crate::sample::comparable_batches::{counts, lengthen};
use crate::sample::figures::{Circumstances, collecting_for};
use crate::sample::function_samples::FunctionSamples;
use crate::sample::preparation::{MAX_PREPARATION_SHARE, PreparedFunction};
use crate::sample::sentinel::{Kernels, Sentinel};
use benchbook_contract::protocol::{Interleave, Interleaved, Lane, Target};
use benchbook_contract::rng::Rng;

/// The planned number of blocks within a point's time: so many that Student's t is reliable, and so few that creating
/// inputs costs little.
const BLOCKS: f64 = 32.0;

/// The minimum number of blocks for a forecast.
const MIN_BLOCKS_FOR_FORECAST: u32 = 8;

/// The minimum number of batches per function and block. It limits the length of batches of faster functions, which are
/// lengthened to those of slower ones.
const BATCHES_PER_BLOCK: f64 = 4.0;

/// The maximum share of a point's time for a block. Blocks are longer if inputs take long to create.
const MAX_BLOCK_SHARE: f64 = 0.125;

/// Browsers have two tiers of code, so a second change of level has another cause.
const MAX_RESTARTS: u32 = 1;

/// Collects the samples of all functions of a slot.
#[derive(Clone, Debug)]
pub(super) struct Collection {
    slot: u32,
    quality: Quality,
    resolution: f64,
    random: Rng,
    functions: Vec<FunctionSamples>,
    sentinel: Sentinel,
    kernels: Kernels,
    /// The number of the next block's input set.
    inputs: u32,
    /// Parts to send, and parts that were sent and have no reply yet.
    waiting: VecDeque<Part>,
    sent: VecDeque<Part>,
    /// All time spent so far, and the time limit, in nanoseconds.
    spent: f64,
    budget: f64,
    /// The value of `spent` when the first counted block started, in nanoseconds.
    begun_at: f64,
    /// The excess of the last reply over the expected time of its batches, in nanoseconds: the cost of creating a
    /// block's inputs.
    inputs_cost: f64,
    /// The number of complete blocks, excluding those moved to the warm-up.
    blocks: u32,
    /// The number of times that samples were moved to the warm-up.
    restarts: u32,
    is_enough: bool,
}

/// The samples of a function and the circumstances of the measurement.
#[derive(Clone, Debug)]
pub(super) struct Figures {
    pub(super) run: Run,
    pub(super) circumstances: Circumstances,
}

/// The precision reached so far, and the time needed to reach the target.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PrecisionForecast {
    /// The relative half-width reached by the least precise function.
    pub reached: f64,
    /// The target for the relative half-width.
    pub target: f64,
    /// The additional time needed at this noise, in milliseconds; absent if no time suffices.
    pub needs_ms: Option<f64>,
    /// The time left, in milliseconds.
    pub left_ms: f64,
}

impl Collection {
    pub(super) fn new(
        slot: u32,
        quality: Quality,
        clock: ClockCard,
        mut ready: Vec<PreparedFunction>,
        sentinel: Sentinel,
        random: Rng,
    ) -> Self {
        lengthen(&mut ready, quality.point_nanos() / BLOCKS / BATCHES_PER_BLOCK);
        let spent = ready.iter().map(|ready| ready.spent).sum();
        let budget = ready.len() as f64 * quality.point_nanos();
        Self {
            slot,
            resolution: clock.resolution,
            random,
            functions: ready.into_iter().map(|ready| FunctionSamples::new(ready, clock)).collect(),
            sentinel,
            kernels: Kernels::default(),
            inputs: 0,
            waiting: VecDeque::new(),
            sent: VecDeque::new(),
            spent,
            budget,
            begun_at: spent,
            inputs_cost: 0.0,
            blocks: 0,
            restarts: 0,
            is_enough: false,
            quality,
        }
    }

    /// Returns the next message to send; `None` until a reply arrives, and when the collection is done.
    ///
    /// To keep the suite busy, up to two messages are pending. There is no second one if the first may be the last: if
    /// it uses up the time, or if it ends a block after which the precision is checked.
    pub(super) fn next_message(&mut self) -> Option<Interleave> {
        if self.sent.len() > 1 {
            return None;
        }
        if self.waiting.is_empty() {
            let may_begin = self.sent.is_empty() || (!is_check_due(self.blocks + 1) && self.has_time_for_another());
            if self.is_enough || !may_begin {
                return None;
            }
            self.plan();
        }
        let part = self.waiting.pop_front()?;
        self.sent.push_back(part.clone());
        Some(part.message)
    }

    /// Handles the reply to the oldest pending message.
    ///
    /// # Errors
    /// Returns an error if the reply does not match that message, or if no message is pending.
    pub(super) fn take(&mut self, answer: &Interleaved) -> Result<(), &'static str> {
        let Some(part) = self.sent.pop_front() else { return Err("the suite sent a reply without a request") };
        for (lane, elapsed, interrupted) in part.read(answer)? {
            let per_call = elapsed / lane.calls as f64;
            match lane.target {
                Target::Function(index) => self.functions[index].push(elapsed, interrupted),
                Target::Empty(index) => self.functions[index].push_empty(per_call),
                Target::Tier => self.kernels.tier.push(per_call),
                _ => self.kernels.reference.push(per_call),
            }
        }
        let cost = answer.elapsed.iter().sum::<f64>() + answer.preparation;
        let expected = self.cost_of(&part.message);
        self.inputs_cost = (cost - expected).clamp(0.0, answer.preparation.max(0.0));
        self.spent += cost - (self.inputs_cost - MAX_PREPARATION_SHARE * self.budget).max(0.0);
        if part.is_last {
            self.functions.iter_mut().for_each(FunctionSamples::end_block);
            self.blocks += 1;
            self.is_enough = self.is_enough || (self.judge() && !self.restart());
        }
        Ok(())
    }

    /// Whether there are enough samples and no pending messages.
    pub(super) fn is_done(&self) -> bool {
        self.is_enough && self.sent.is_empty() && self.waiting.is_empty()
    }

    /// Returns the oldest pending message.
    pub(super) fn pending_part(&self) -> Option<&Part> {
        self.sent.front()
    }

    /// Returns the forecast. `None` if the interval of a function contains 0 or does not exist yet, and while there are
    /// so few blocks that the next one may change the forecast considerably.
    pub(super) fn outlook(&self) -> Option<PrecisionForecast> {
        if self.blocks < MIN_BLOCKS_FOR_FORECAST {
            return None;
        }
        let widths: Option<Vec<f64>> = self.functions.iter().map(FunctionSamples::relative_half_width).collect();
        let reached = widths?.into_iter().fold(0.0, f64::max);
        let target = self.quality.precision;
        let collecting = self.spent - self.begun_at;
        let persistent = self.functions.iter().map(FunctionSamples::persistent_half_width).fold(0.0, f64::max);
        let needs =
            collecting_for(target, collecting, reached, persistent).map(|needs| (needs - collecting).max(0.0) / 1e6);
        let left = (self.budget - self.spent).max(0.0);
        Some(PrecisionForecast { reached, target, needs_ms: needs, left_ms: left / 1e6 })
    }

    /// Returns the sentinel for the next point, and the figures of each function in the order of the slot. The figures
    /// contain `remarks` and the sentinel's warnings.
    pub(super) fn finish(mut self, one_call_a_batch: bool, remarks: &[Warning]) -> (Sentinel, Vec<Figures>) {
        let reference = self.kernels.level();
        let warning = self.sentinel.judge(&self.kernels);
        let mut remarks = remarks.to_vec();
        remarks.extend(warning);
        let functions = self.functions.len() as f64;
        let (before, spent) = (self.begun_at / functions, (self.spent - self.begun_at) / functions);
        let (target, resolution) = (self.quality.precision, self.resolution);
        let figures = |track: FunctionSamples| Figures {
            run: track.into_run(reference),
            circumstances: Circumstances {
                target,
                resolution,
                one_call_a_batch,
                before,
                spent,
                remarks: remarks.clone(),
                outputs: None,
            },
        };
        (self.sentinel, self.functions.into_iter().map(figures).collect())
    }

    /// Whether every function is precise enough, or the time or the number of samples is used up.
    fn judge(&self) -> bool {
        let bounds = self.quality.samples;
        let fewest = self.functions.iter().map(FunctionSamples::n).min().unwrap_or(0);
        let most = self.functions.iter().map(FunctionSamples::n).max().unwrap_or(0);
        // An interval is costly, since it needs all samples in order, so compute it only at a scheduled check.
        let precise = fewest >= bounds.at_least
            && is_check_due(self.blocks)
            && self
                .functions
                .iter()
                .all(|track| is_enough(track.relative_half_width(), self.quality.precision, self.blocks));
        precise || self.spent >= self.time_for(fewest) || most >= bounds.at_most
    }

    /// If a browser switched to optimised code during the collection, moves the earlier samples of all functions to the
    /// warm-up and adds half of the point's time. Returns whether more samples are needed.
    fn restart(&mut self) -> bool {
        if self.restarts == MAX_RESTARTS {
            return false;
        }
        let Some(late) = self.functions.iter().filter_map(FunctionSamples::late_blocks).max() else {
            return false;
        };
        self.restarts += 1;
        self.functions.iter_mut().for_each(|track| track.move_to_warm_up(late));
        self.begun_at += (self.spent - self.begun_at) * late as f64 / f64::from(self.blocks.max(1));
        self.blocks -= late as u32;
        self.budget *= 1.5;
        !self.judge()
    }

    /// Returns the time limit in nanoseconds if the function with the fewest samples has `n`: twice the budget below
    /// the minimum number of samples, the budget from there on.
    fn time_for(&self, n: u32) -> f64 {
        let factor = if n >= self.quality.samples.at_least { 1.0 } else { 2.0 };
        factor * self.budget
    }

    /// Whether there will be time left after all pending messages.
    fn has_time_for_another(&self) -> bool {
        let (mut expected, mut fewest) = (self.spent, self.functions.iter().map(FunctionSamples::n).min().unwrap_or(0));
        for part in &self.sent {
            expected += self.cost_of(&part.message);
            fewest += part.message.turns.len() as u32 / self.functions.len() as u32;
        }
        expected < self.time_for(fewest)
    }

    /// Returns the estimated time of a message in nanoseconds.
    fn cost_of(&self, message: &Interleave) -> f64 {
        let cost = |&turn: &usize| match message.lanes[turn].target {
            // A batch of the empty loop needs the same preparation as one of the function.
            Target::Function(index) | Target::Empty(index) => self.functions[index].ready.batch_cost,
            _ => self.sentinel.batch_cost(),
        };
        message.turns.iter().map(cost).sum()
    }

    /// Plans the next block: equal time for each function, and at least one batch.
    fn plan(&mut self) {
        let left = (self.budget - self.spent).max(0.0);
        let usual = self.budget / BLOCKS;
        let work =
            usual.max(self.inputs_cost).min(MAX_BLOCK_SHARE * self.budget).min(MAX_WORK - self.inputs_cost).min(left);
        let with_empty = |ready: &PreparedFunction| ready.batch_cost * if ready.overhead_matters { 1.5 } else { 1.0 };
        let costs: Vec<f64> = self.functions.iter().map(|track| with_empty(&track.ready)).collect();
        let at_most = self.quality.samples.at_most;
        let mut shares = Vec::new();
        let mut whole = 0.0;
        for (index, (track, fitting)) in self.functions.iter().zip(counts(&costs, work)).enumerate() {
            let PreparedFunction { calls, batch_cost, overhead_matters, .. } = track.ready;
            let batches = fitting.clamp(1, at_most.saturating_sub(track.n()).max(1)) as usize;
            let empty = if overhead_matters { batches.div_ceil(2) } else { 0 };
            whole += (batches + empty) as f64 * batch_cost;
            shares.push(Share { lane: Lane { target: Target::Function(index), calls }, batches });
            shares.push(Share { lane: Lane { target: Target::Empty(index), calls }, batches: empty });
        }
        for kernel in self.sentinel.shares(whole) {
            whole += kernel.batches as f64 * self.sentinel.batch_cost();
            shares.push(kernel);
        }
        self.waiting.extend(parts(self.slot, self.inputs, shares, whole > MAX_WORK, &mut self.random));
        self.inputs += 1;
    }
}
