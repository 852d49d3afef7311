//! Keeps a process running after its last block, and times the functions at the end once more: a browser may optimise code, or a cache fill,
//! when a process has run for longer than it takes to measure a point.

use rand::seq::SliceRandom;

use super::{Collection, cost_of_reply};
use crate::analyze::order::median;
use crate::sample::MAX_WORK;
use crate::sample::block::{BlockMessage, Purpose};
use benchbook_contract::protocol::{Interleave, InterleaveReply, Lane, LaneTarget};

/// The least number of blocks in the additional time, each with inputs of its own, and the number of the last ones that are kept.
const LATER_BLOCKS: f64 = 24.0;
const KEPT_BLOCKS: usize = 8;

/// The relative change of the reference kernel from which the last blocks are not compared with the samples: the functions have changed with
/// the machine.
const MAX_MACHINE_CHANGE: f64 = 0.03;

/// The most batches of a function in such a block.
const MAX_BATCHES: f64 = 20.0;

/// Blocks at the end of a process.
#[derive(Clone, Debug, Default)]
pub(super) struct LaterStage {
    /// The additional time and its rest, in nanoseconds.
    time: f64,
    left: f64,
    /// The time of each batch of the reference kernel, in nanoseconds per call.
    kernel: Vec<f64>,
}

impl LaterStage {
    /// Blocks for so many nanoseconds.
    pub(super) fn new(nanos: f64) -> Self {
        Self { time: nanos, left: nanos, kernel: Vec::new() }
    }
}

impl Collection {
    /// Plans the next block, once there is nothing else to do.
    pub(super) fn plan_later(&mut self) {
        if self.later_stage.left <= 0.0 || !self.is_done() {
            return;
        }
        let of_each: f64 = self.functions.iter().map(|samples| samples.ready.batch_cost).sum();
        let batches = (self.later_stage.time / LATER_BLOCKS).min(MAX_WORK) / of_each.max(1.0);
        let functions = self.functions.iter().enumerate();
        let mut lanes: Vec<Lane> = functions
            .map(|(index, samples)| Lane { target: LaneTarget::Function(index), calls: samples.ready.calls })
            .collect();
        let mut turns: Vec<usize> =
            (0..batches.clamp(1.0, MAX_BATCHES) as usize).flat_map(|_| 0..lanes.len()).collect();
        turns.push(lanes.len());
        turns.shuffle(&mut self.random);
        lanes.push(self.sentinel.reference_lane());
        let request = Interleave { slot: self.slot, lanes, turns, input_set: self.input_set };
        self.input_set += 1;
        self.queued.push_back(BlockMessage { request, is_last: true, purpose: Purpose::Later });
    }

    /// Handles the reply to such a block.
    pub(super) fn handle_later_reply(
        &mut self,
        message: &BlockMessage,
        reply: &InterleaveReply,
    ) -> Result<(), &'static str> {
        let mut elapsed = vec![Vec::new(); self.functions.len()];
        for (lane, time, _) in message.read(reply)? {
            match lane.target {
                LaneTarget::Function(index) => elapsed[index].push(time),
                _ => self.later_stage.kernel.push(time / lane.calls as f64),
            }
        }
        for (samples, elapsed) in self.functions.iter_mut().zip(elapsed) {
            samples.push_later_block(median(&elapsed), KEPT_BLOCKS);
        }
        self.later_stage.left -= cost_of_reply(reply);
        self.plan_later();
        Ok(())
    }

    /// Returns whether the machine has another speed in the last blocks than between the samples.
    pub(super) fn has_machine_changed(&self) -> bool {
        let kernel = &self.later_stage.kernel;
        let last = &kernel[kernel.len().saturating_sub(KEPT_BLOCKS)..];
        (self.kernels.slowdown(last) - 1.0).abs() > MAX_MACHINE_CHANGE
    }
}
