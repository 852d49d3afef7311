//! The collection: requests samples of all functions of a point, block by block, until they are precise enough or a
//! limit is reached.
//!
//! A pure state machine over the times that a suite reports. It interleaves the functions batch by batch, so that
//! interference affects all of them equally.

mod later;
mod new_inputs;
mod planning;
mod stopping;

use std::collections::VecDeque;

use crate::analyze::stopping::is_check_due;
use crate::quality::Quality;
use crate::response::{ClockCard, Run, Warning};
use crate::sample::block::{BlockMessage, Purpose};
use crate::sample::comparable_batches::{equalize_calls, lengthen};
use crate::sample::function_samples::FunctionSamples;
use crate::sample::preparation::{MAX_BATCH_SHARE, MAX_PREPARATION_SHARE, PreparedFunction};
use crate::sample::sentinel::{Kernels, Sentinel};
use benchbook_contract::protocol::{Interleave, InterleaveReply, LaneTarget};
use benchbook_contract::rng::Rng;
use later::LaterStage;
use new_inputs::NewInputStage;

/// The planned number of blocks within a point's time: so many that Student's t is reliable, and so few that creating
/// inputs costs little.
const BLOCKS: f64 = 32.0;

/// The batches of a function are lengthened to those of slower ones only as far as so many of them fit into its share of a
/// block.
const BATCHES_PER_BLOCK: f64 = 4.0;

/// The time that a suite spent on a message, in nanoseconds.
fn cost_of_reply(reply: &InterleaveReply) -> f64 {
    reply.elapsed.iter().map(|elapsed| elapsed.max(0.0)).sum::<f64>() + reply.preparation
}

/// Collects the samples of all functions of a slot.
#[derive(Clone, Debug)]
pub(super) struct Collection {
    slot: u32,
    quality: Quality,
    clock: ClockCard,
    random: Rng,
    functions: Vec<FunctionSamples>,
    sentinel: Sentinel,
    kernels: Kernels,
    /// The number of the next block's input set.
    input_set: u32,
    /// Messages to send.
    queued: VecDeque<BlockMessage>,
    /// Messages that were sent and have no reply yet.
    in_flight: VecDeque<BlockMessage>,
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
    /// `None` until there are enough samples.
    new_input_stage: Option<NewInputStage>,
    later_stage: LaterStage,
}

/// What a collection has gathered.
pub(super) struct Collected {
    /// The samples of each function, in the order of the slot.
    pub(super) runs: Vec<Run>,
    /// The share of a function in the time before the collection, and in that of the collection, in nanoseconds.
    pub(super) before: f64,
    pub(super) spent: f64,
    /// What the sentinel noticed about the machine or its code.
    pub(super) warnings: Vec<Warning>,
    /// The sentinel for the next point.
    pub(super) sentinel: Sentinel,
}

/// The precision reached so far, and the time needed to reach the target.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
        equalize_calls(&mut ready, MAX_BATCH_SHARE * quality.point_nanos());
        let spent = ready.iter().map(|ready| ready.spent).sum();
        let budget = ready.len() as f64 * quality.point_nanos();
        Self {
            slot,
            clock,
            random,
            functions: ready.into_iter().map(|ready| FunctionSamples::new(ready, clock)).collect(),
            sentinel,
            kernels: Kernels::default(),
            input_set: 0,
            queued: VecDeque::new(),
            in_flight: VecDeque::new(),
            spent,
            budget,
            begun_at: spent,
            inputs_cost: 0.0,
            blocks: 0,
            restarts: 0,
            is_enough: false,
            new_input_stage: None,
            later_stage: LaterStage::default(),
            quality,
        }
    }

    /// Numbers the input sets of the blocks from `input_set` on.
    pub(super) fn with_first_input_set(mut self, input_set: u32) -> Self {
        self.input_set = input_set;
        self
    }

    /// Times the functions once more after they have run for so many nanoseconds longer.
    pub(super) fn with_later_blocks(mut self, nanos: f64) -> Self {
        self.later_stage = LaterStage::new(nanos);
        self
    }

    /// Returns the next message to send; `None` if it must wait for a reply, or if the collection is done.
    ///
    /// Up to two messages are pending, to keep the suite busy. There is no second one if the first may be the last: if
    /// it uses up the time, or if it ends a block after which the precision is checked.
    pub(super) fn next_message(&mut self) -> Option<Interleave> {
        if self.in_flight.len() > 1 {
            return None;
        }
        if self.queued.is_empty() {
            let may_begin =
                self.in_flight.is_empty() || (!is_check_due(self.blocks + 1) && self.has_time_for_another());
            if self.is_enough || !may_begin {
                return None;
            }
            self.plan_block();
        }
        let message = self.queued.pop_front()?;
        self.in_flight.push_back(message.clone());
        Some(message.request)
    }

    /// Handles the reply to the oldest pending message.
    ///
    /// # Errors
    /// Returns an error if the reply does not match that message, or if no message is pending.
    pub(super) fn handle_reply(&mut self, reply: &InterleaveReply) -> Result<(), &'static str> {
        let Some(message) = self.in_flight.pop_front() else { return Err("the suite sent a reply without a request") };
        match message.purpose {
            Purpose::NewInputs => return self.handle_reply_on_new_inputs(&message, reply),
            Purpose::Later => return self.handle_later_reply(&message, reply),
            Purpose::Block => {}
        }
        for (lane, elapsed, interrupted) in message.read(reply)? {
            let per_call = elapsed / lane.calls as f64;
            match lane.target {
                LaneTarget::Function(index) if lane.calls == self.functions[index].ready.calls => {
                    self.functions[index].push(elapsed, interrupted);
                }
                LaneTarget::Function(index) => self.functions[index].push_longer(elapsed),
                LaneTarget::Empty(index) => self.functions[index].push_empty(per_call),
                LaneTarget::Tier => self.kernels.tier.push(per_call),
                _ => self.kernels.reference.push(per_call),
            }
        }
        for (lane, &inputs) in message.request.lanes.iter().zip(&reply.inputs) {
            match lane.target {
                LaneTarget::Function(index) if lane.calls == self.functions[index].ready.calls => {
                    self.functions[index].push_inputs(inputs);
                }
                _ => {}
            }
        }
        let cost = cost_of_reply(reply);
        let expected = self.cost_of(&message.request);
        self.inputs_cost = (cost - expected).clamp(0.0, reply.preparation.max(0.0));
        self.spent += cost - (self.inputs_cost - MAX_PREPARATION_SHARE * self.budget).max(0.0);
        if message.is_last {
            self.functions.iter_mut().for_each(FunctionSamples::end_block);
            self.kernels.end_block();
            self.blocks += 1;
            self.is_enough = self.is_enough || (self.has_enough() && !self.restart());
        }
        self.plan_rest();
        Ok(())
    }

    /// Plans what follows the last block.
    fn plan_rest(&mut self) {
        self.plan_new_inputs();
        self.plan_later();
    }

    /// Whether there are enough samples, also on new inputs and later, and no pending messages.
    pub(super) fn is_done(&self) -> bool {
        self.is_enough && self.in_flight.is_empty() && self.queued.is_empty()
    }

    /// Returns the oldest pending message.
    pub(super) fn pending_message(&self) -> Option<&BlockMessage> {
        self.in_flight.front()
    }

    /// Ends the collection.
    pub(super) fn finish(mut self) -> Collected {
        let reference = self.kernels.level();
        let warnings = self.sentinel.observe(&self.kernels);
        let functions = self.functions.len() as f64;
        let clear_batch = self.clock.shortest_batch(self.quality.precision);
        if self.has_machine_changed() {
            self.functions.iter_mut().for_each(FunctionSamples::forget_later_blocks);
        }
        Collected {
            before: self.begun_at / functions,
            spent: (self.spent - self.begun_at) / functions,
            runs: self.functions.into_iter().map(|samples| samples.into_run(reference, clear_batch)).collect(),
            warnings,
            sentinel: self.sentinel,
        }
    }
}
