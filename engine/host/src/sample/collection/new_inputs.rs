//! Times a function on inputs that do not repeat, if its samples switch between two levels.
//!
//! Functions that do not modify their input cycle over the same few inputs. The processor may learn the branches of these
//! inputs, and forget them again; without repetition, it cannot.

use std::collections::VecDeque;

use super::{Collection, cost_of_reply};
use crate::sample::block::{BlockMessage, Purpose};
use crate::sample::function_samples::FunctionSamples;
use benchbook_contract::protocol::{Interleave, InterleaveReply, Lane, LaneTarget};

/// The maximum time per function on new inputs, as a share of the point's time and in addition to it.
const MAX_SHARE: f64 = 0.25;

/// The maximum number of batches on new inputs.
const MAX_BATCHES: usize = 200;

/// The progress of timing functions on new inputs after the last block.
#[derive(Clone, Debug)]
pub(super) struct NewInputStage {
    /// The functions still to be timed, as indices of the slot; the first is being timed.
    pub(super) functions: VecDeque<usize>,
    /// The time spent on the first one, in nanoseconds.
    pub(super) spent: f64,
}

impl Collection {
    /// Plans the next batch on new inputs, once there are enough samples and no pending messages.
    pub(super) fn plan_new_inputs(&mut self) {
        if !self.is_done() {
            return;
        }
        let max_spent = MAX_SHARE * self.quality.point_nanos();
        let stage = self.new_input_stage.get_or_insert_with(|| {
            let functions = self.functions.iter().enumerate();
            let at_two_levels = functions.filter(|(_, samples)| samples.repeats_inputs() && samples.is_at_two_levels());
            NewInputStage { functions: at_two_levels.map(|(index, _)| index).collect(), spent: 0.0 }
        });
        let is_over = |stage: &NewInputStage, samples: &FunctionSamples| {
            stage.spent >= max_spent || samples.on_new_inputs().len() >= MAX_BATCHES
        };
        if stage.functions.front().is_some_and(|&index| is_over(stage, &self.functions[index])) {
            stage.functions.pop_front();
            stage.spent = 0.0;
        }
        let Some(&index) = stage.functions.front() else { return };
        let lane = Lane { target: LaneTarget::Function(index), calls: self.functions[index].calls_on_new_inputs() };
        let request = Interleave { slot: self.slot, lanes: vec![lane], turns: vec![0], input_set: self.input_set };
        self.input_set += 1;
        self.queued.push_back(BlockMessage { request, is_last: true, purpose: Purpose::NewInputs });
    }

    /// Handles the reply to a message on new inputs.
    pub(super) fn handle_reply_on_new_inputs(
        &mut self,
        message: &BlockMessage,
        reply: &InterleaveReply,
    ) -> Result<(), &'static str> {
        for (lane, elapsed, _) in message.read(reply)? {
            if let LaneTarget::Function(index) = lane.target {
                self.functions[index].push_on_new_inputs(elapsed);
            }
        }
        if let Some(stage) = &mut self.new_input_stage {
            stage.spent += cost_of_reply(reply);
        }
        self.plan_rest();
        Ok(())
    }
}
