//! Times functions whose samples are at two levels on inputs that they did not have before.
//!
//! Functions that only borrow their input have the same few inputs again and again. The processor may learn the branches of
//! these inputs, and forget them again. Without repetition, it cannot.

use std::collections::VecDeque;

use super::{Collection, cost_of_reply};
use crate::sample::block::BlockMessage;
use crate::sample::function_samples::FunctionSamples;
use benchbook_contract::protocol::{Interleave, Interleaved, Lane, Target};

/// The maximum share of a function's time, in addition to that of its samples.
const MAX_SHARE: f64 = 0.25;

/// The maximum number of batches on new inputs.
const MAX_BATCHES: usize = 200;

/// The functions that are timed on new inputs after the last block.
#[derive(Clone, Debug)]
pub(super) struct OnNewInputs {
    /// Indices of the slot. The first one is being timed.
    functions: VecDeque<usize>,
    /// The time spent on the first one, in nanoseconds.
    spent: f64,
}

impl Collection {
    /// Plans the next batch on new inputs, once there are enough samples and no pending messages.
    pub(super) fn plan_new_inputs(&mut self) {
        if !self.is_done() {
            return;
        }
        let max_spent = MAX_SHARE * self.quality.point_nanos();
        let on_new_inputs = self.on_new_inputs.get_or_insert_with(|| {
            let functions = self.functions.iter().enumerate();
            let at_two_levels = functions.filter(|(_, samples)| samples.repeats_inputs() && samples.is_at_two_levels());
            OnNewInputs { functions: at_two_levels.map(|(index, _)| index).collect(), spent: 0.0 }
        });
        let is_over = |on: &OnNewInputs, samples: &FunctionSamples| {
            on.spent >= max_spent || samples.on_new_inputs().len() >= MAX_BATCHES
        };
        if on_new_inputs.functions.front().is_some_and(|&index| is_over(on_new_inputs, &self.functions[index])) {
            on_new_inputs.functions.pop_front();
            on_new_inputs.spent = 0.0;
        }
        let Some(&index) = on_new_inputs.functions.front() else { return };
        let lane = Lane { target: Target::Function(index), calls: self.functions[index].calls_on_new_inputs() };
        let order = Interleave { slot: self.slot, lanes: vec![lane], turns: vec![0], input_set: self.input_set };
        self.input_set += 1;
        self.waiting.push_back(BlockMessage { order, is_last: true, is_on_new_inputs: true });
    }

    /// Handles the reply to a message on new inputs.
    pub(super) fn take_new_inputs(&mut self, message: &BlockMessage, reply: &Interleaved) -> Result<(), &'static str> {
        for (lane, elapsed, _) in message.read(reply)? {
            if let Target::Function(index) = lane.target {
                self.functions[index].push_on_new_inputs(elapsed);
            }
        }
        if let Some(on_new_inputs) = &mut self.on_new_inputs {
            on_new_inputs.spent += cost_of_reply(reply);
        }
        self.plan_new_inputs();
        Ok(())
    }
}
