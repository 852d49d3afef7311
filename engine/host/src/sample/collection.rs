//! The collection: the samples that count, of all functions of a point, block by block until they are enough.
//!
//! A pure state machine over the times that a suite reports. The functions take turns batch by batch, so that whatever
//! disturbs the machine strikes all of them.

use std::collections::VecDeque;

use crate::analyze::stopping::{is_enough, is_look};
use crate::quality::Quality;
use crate::response::{Run, Warning};
use crate::sample::MOST_WORK;
use crate::sample::block::{Part, Share, parts};
use crate::sample::clock_card::ClockCard;
use crate::sample::comparable_batches::{counts, lengthen};
use crate::sample::figures::{Circumstances, collecting_for};
use crate::sample::function_samples::FunctionSamples;
use crate::sample::preparation::{MOST_PREPARATION, PreparedFunction};
use crate::sample::sentinel::{Kernels, Sentinel};
use benchbook_contract::protocol::{Interleave, Interleaved, Lane, Target};
use benchbook_contract::rng::Rng;

/// A point's time is divided into so many blocks: enough for Student's t, few enough that making inputs costs little.
const BLOCKS: f64 = 32.0;

/// The fewest blocks of which it is told how far they are.
const FEWEST_TOLD: u32 = 8;

/// How many batches of each function a block has at least where those of shorter ones are lengthened.
const BATCHES: f64 = 4.0;

/// The greatest part of a point's time that a block takes for itself: where inputs take long to make, blocks are longer.
const EIGHTH: f64 = 0.125;

/// A browser has two kinds of code: a second change is none of code.
const MOST_RESTARTS: u32 = 1;

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
    /// The inputs of the next block.
    inputs: u32,
    /// Parts that are still to be sent, and those that were and have no answer.
    waiting: VecDeque<Part>,
    sent: VecDeque<Part>,
    /// Nanoseconds spent so far, on everything, and those that may be.
    spent: f64,
    budget: f64,
    /// Nanoseconds spent when the first block began.
    begun_at: f64,
    /// Nanoseconds that the last answer took beyond its batches: what making the inputs of a block takes.
    inputs_cost: f64,
    /// Blocks that are whole, and count.
    blocks: u32,
    /// How often what was collected turned out to be a warm-up still.
    restarts: u32,
    is_enough: bool,
}

/// What figures come from.
#[derive(Clone, Debug)]
pub(super) struct Figures {
    pub(super) run: Run,
    pub(super) circumstances: Circumstances,
}

/// How far a collection is from what was asked.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PrecisionForecast {
    /// The relative half-width reached: that of the function which is farthest off.
    pub reached: f64,
    /// The one that was asked for.
    pub target: f64,
    /// How much longer it would take to get there at this noise, in milliseconds; absent where no time would do.
    pub needs_ms: Option<f64>,
    /// How much time there is left for it, in milliseconds.
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
        lengthen(&mut ready, quality.point_nanos() / BLOCKS / BATCHES);
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

    /// What to send now; absent while an answer must come first, and when it is enough.
    ///
    /// A second message goes out before the first is answered, so that the suite never idles; not where the first will
    /// use up the time, nor where it may turn out to be the last: what came after it would be in figures that were
    /// precise enough without.
    pub(super) fn next_message(&mut self) -> Option<Interleave> {
        if self.sent.len() > 1 {
            return None;
        }
        if self.waiting.is_empty() {
            let may_begin = self.sent.is_empty() || (!is_look(self.blocks + 1) && self.has_time_for_another());
            if self.is_enough || !may_begin {
                return None;
            }
            self.plan();
        }
        let part = self.waiting.pop_front()?;
        self.sent.push_back(part.clone());
        Some(part.message)
    }

    /// Learns from the answer to the oldest message that has none.
    ///
    /// # Errors
    /// Where it is no answer to that.
    pub(super) fn take(&mut self, answer: &Interleaved) -> Result<(), &'static str> {
        let Some(part) = self.sent.pop_front() else { return Err("the suite answered what nobody asked") };
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
        self.spent += cost - (self.inputs_cost - MOST_PREPARATION * self.budget).max(0.0);
        if part.is_last {
            self.functions.iter_mut().for_each(FunctionSamples::end_block);
            self.blocks += 1;
            self.is_enough = self.is_enough || (self.judge() && !self.begin_again());
        }
        Ok(())
    }

    /// Whether there is enough, and nothing outstanding.
    pub(super) fn is_done(&self) -> bool {
        self.is_enough && self.sent.is_empty() && self.waiting.is_empty()
    }

    /// The message that is at work.
    pub(super) fn at_work(&self) -> Option<&Part> {
        self.sent.front()
    }

    /// How far it is; absent before every function has an interval that says something, and while blocks are so few that
    /// the next may change it by much.
    pub(super) fn outlook(&self) -> Option<PrecisionForecast> {
        if self.blocks < FEWEST_TOLD {
            return None;
        }
        let widths: Option<Vec<f64>> = self.functions.iter().map(FunctionSamples::relative_half_width).collect();
        let reached = widths?.into_iter().fold(0.0, f64::max);
        let target = self.quality.precision;
        let collecting = self.spent - self.begun_at;
        let lasting = self.functions.iter().map(FunctionSamples::lasting_half_width).fold(0.0, f64::max);
        let needs =
            collecting_for(target, collecting, reached, lasting).map(|needs| (needs - collecting).max(0.0) / 1e6);
        let left = (self.budget - self.spent).max(0.0);
        Some(PrecisionForecast { reached, target, needs_ms: needs, left_ms: left / 1e6 })
    }

    /// The sentinel, to watch over the next point too, with what it says of this one, and the figures of each function in
    /// the order of the slot, which are absent where no sample counts.
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

    /// Whether it is enough: every function is precise, or the time or the counts are used up.
    fn judge(&self) -> bool {
        let bounds = self.quality.samples;
        let fewest = self.functions.iter().map(FunctionSamples::n).min().unwrap_or(0);
        let most = self.functions.iter().map(FunctionSamples::n).max().unwrap_or(0);
        // An interval takes all samples in order: only a look is worth it.
        let precise = fewest >= bounds.at_least
            && is_look(self.blocks)
            && self
                .functions
                .iter()
                .all(|track| is_enough(track.relative_half_width(), self.quality.precision, self.blocks));
        precise || self.spent >= self.time_for(fewest) || most >= bounds.at_most
    }

    /// Where better code came while samples were taken, what was taken before belongs to the warm-up: collecting begins
    /// again behind it, for all functions, with half of the point's time more. Whether it does.
    fn begin_again(&mut self) -> bool {
        if self.restarts == MOST_RESTARTS {
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

    /// The nanoseconds that may be spent where each function has `n` samples. Few are better than none at any price: slow
    /// functions get twice the time for their fewest.
    fn time_for(&self, n: u32) -> f64 {
        let factor = if n >= self.quality.samples.at_least { 1.0 } else { 2.0 };
        factor * self.budget
    }

    /// Whether there will be time left when all that was asked for is answered.
    fn has_time_for_another(&self) -> bool {
        let (mut expected, mut fewest) = (self.spent, self.functions.iter().map(FunctionSamples::n).min().unwrap_or(0));
        for part in &self.sent {
            expected += self.cost_of(&part.message);
            fewest += part.message.turns.len() as u32 / self.functions.len() as u32;
        }
        expected < self.time_for(fewest)
    }

    /// Nanoseconds that a message takes, as far as is known.
    fn cost_of(&self, message: &Interleave) -> f64 {
        let cost = |&turn: &usize| match message.lanes[turn].target {
            // An empty batch is prepared like any other.
            Target::Function(index) | Target::Empty(index) => self.functions[index].ready.batch_cost,
            _ => self.sentinel.batch_cost(),
        };
        message.turns.iter().map(cost).sum()
    }

    /// Plans the next block: as much time for each function, and a batch of each at least.
    fn plan(&mut self) {
        let left = (self.budget - self.spent).max(0.0);
        let usual = self.budget / BLOCKS;
        let work = usual.max(self.inputs_cost).min(EIGHTH * self.budget).min(MOST_WORK - self.inputs_cost).min(left);
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
        self.waiting.extend(parts(self.slot, self.inputs, shares, whole > MOST_WORK, &mut self.random));
        self.inputs += 1;
    }
}
