//! Plans the blocks of a collection within its time.

use super::{BLOCKS, Collection};
use crate::sample::MAX_WORK;
use crate::sample::block::{LaneBatches, block_messages};
use crate::sample::comparable_batches::counts;
use crate::sample::function_samples::FunctionSamples;
use crate::sample::preparation::PreparedFunction;
use benchbook_contract::protocol::{Interleave, Lane, LaneTarget};

/// The maximum share of a point's time for a block. Blocks are longer if inputs take long to create.
const MAX_BLOCK_SHARE: f64 = 0.125;

impl Collection {
    /// Returns the time limit in nanoseconds if the function with the fewest samples has `n`: twice the budget below
    /// the minimum number of samples, the budget from there on.
    pub(super) fn time_for(&self, n: u32) -> f64 {
        let factor = if n >= self.quality.samples.at_least { 1.0 } else { 2.0 };
        factor * self.budget
    }

    /// Whether there will be time left after all pending messages.
    pub(super) fn has_time_for_another(&self) -> bool {
        let (mut expected, mut fewest) = (self.spent, self.functions.iter().map(FunctionSamples::n).min().unwrap_or(0));
        for message in &self.in_flight {
            expected += self.cost_of(&message.request);
            fewest += message.request.turns.len() as u32 / self.functions.len() as u32;
        }
        expected < self.time_for(fewest)
    }

    /// Returns the estimated time of a message in nanoseconds.
    pub(super) fn cost_of(&self, message: &Interleave) -> f64 {
        let cost = |&turn: &usize| {
            let Lane { target, calls } = message.lanes[turn];
            match target {
                // A batch of the empty loop needs the same preparation as one of the function.
                LaneTarget::Function(index) | LaneTarget::Empty(index) => {
                    self.functions[index].ready.call_cost() * calls as f64
                }
                _ => self.sentinel.batch_cost(),
            }
        };
        message.turns.iter().map(cost).sum()
    }

    /// Plans the next block: equal time for each function, and at least one batch.
    pub(super) fn plan_block(&mut self) {
        let left = (self.budget - self.spent).max(0.0);
        let usual = self.budget / BLOCKS;
        let work =
            usual.max(self.inputs_cost).min(MAX_BLOCK_SHARE * self.budget).min(MAX_WORK - self.inputs_cost).min(left);
        let with_empty = |ready: &PreparedFunction| ready.batch_cost * if ready.overhead_matters { 1.5 } else { 1.0 };
        let costs: Vec<f64> = self.functions.iter().map(|track| with_empty(&track.ready)).collect();
        let at_most = self.quality.samples.at_most;
        let mut shares = Vec::new();
        let mut whole = 0.0;
        for (index, (track, fitting)) in self.functions.iter_mut().zip(counts(&costs, work)).enumerate() {
            let PreparedFunction { calls, batch_cost, overhead_matters, .. } = track.ready;
            let batches = fitting.clamp(1, at_most.saturating_sub(track.n()).max(1)) as usize;
            let empty = if overhead_matters { batches.div_ceil(2) } else { 0 };
            whole += (batches + empty) as f64 * batch_cost;
            shares.push(LaneBatches { lane: Lane { target: LaneTarget::Function(index), calls }, batches });
            shares.push(LaneBatches { lane: Lane { target: LaneTarget::Empty(index), calls }, batches: empty });
            if let Some(calls) = track.plan_longer(batches as u32) {
                whole += 2.0 * batch_cost;
                shares.push(LaneBatches { lane: Lane { target: LaneTarget::Function(index), calls }, batches: 1 });
            }
        }
        for kernel in self.sentinel.due_batches(whole) {
            whole += kernel.batches as f64 * self.sentinel.batch_cost();
            shares.push(kernel);
        }
        self.queued.extend(block_messages(self.slot, self.input_set, shares, whole > MAX_WORK, &mut self.random));
        self.input_set += 1;
    }
}
