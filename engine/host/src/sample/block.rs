//! A block: batches of all functions of a point, their empty loops and the kernels, in random order and on inputs of its
//! own.

use rand::seq::SliceRandom;

use crate::sample::suite_messages::{INVALID_TIME, UNEXPECTED, interruption_flags, was_set_back};
use crate::units::is_time;
use benchbook_contract::protocol::{Interleave, InterleaveReply, Lane, LaneTarget};
use benchbook_contract::rng::Rng;

/// A lane and its number of batches in a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LaneBatches {
    pub(super) lane: Lane,
    pub(super) batches: usize,
}

/// One message of a block.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BlockMessage {
    pub(super) request: Interleave,
    /// Whether it is the block's last.
    pub(super) is_last: bool,
    pub(super) purpose: Purpose,
}

/// What the batches of a message are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// They are part of a block.
    Block,
    /// After the last block, they time a function on new inputs.
    NewInputs,
    /// After everything else, they keep the process running.
    Later,
}

impl BlockMessage {
    /// Returns the functions that it times, including empty loops, which need inputs too. Indices are those of the slot.
    pub(super) fn functions(&self) -> Vec<usize> {
        let function = |lane: &Lane| match lane.target {
            LaneTarget::Function(index) | LaneTarget::Empty(index) => Some(index),
            _ => None,
        };
        let mut functions: Vec<usize> = self.request.lanes.iter().filter_map(function).collect();
        functions.sort_unstable();
        functions.dedup();
        functions
    }

    /// Returns the lane, the time in nanoseconds and the interruption flag of each batch of the reply, except batches during which the clock
    /// was set back.
    ///
    /// # Errors
    /// Returns an error if the reply does not match this message.
    pub(super) fn read<'a>(
        &'a self,
        reply: &'a InterleaveReply,
    ) -> Result<impl Iterator<Item = (Lane, f64, bool)> + 'a, &'static str> {
        let Interleave { lanes, turns, .. } = &self.request;
        let are_lanes = |count: usize| count == lanes.len();
        if reply.elapsed.len() != turns.len()
            || !are_lanes(reply.held.len())
            || !(reply.inputs.is_empty() || are_lanes(reply.inputs.len()))
        {
            return Err(UNEXPECTED);
        }
        let are_times = reply.elapsed.iter().all(|elapsed| is_time(*elapsed) || was_set_back(*elapsed));
        let in_order = are_times && reply.held.iter().all(|held| is_time(*held)) && is_time(reply.preparation.abs());
        if !in_order {
            return Err(INVALID_TIME);
        }
        let interrupted = interruption_flags(&reply.interrupted, turns.len()).ok_or(UNEXPECTED)?;
        let batches = turns.iter().zip(&reply.elapsed).zip(interrupted);
        let batches = batches.map(|((&turn, &elapsed), interrupted)| (lanes[turn], elapsed, interrupted));
        Ok(batches.filter(|(_, elapsed, _)| !was_set_back(*elapsed)))
    }
}

/// Returns the messages of a block: one with all batches in random order. For a long block, which must be stoppable in
/// between, one message per lane in random order.
pub(super) fn block_messages(
    slot: u32,
    input_set: u32,
    mut shares: Vec<LaneBatches>,
    is_long: bool,
    random: &mut Rng,
) -> Vec<BlockMessage> {
    shares.retain(|share| share.batches > 0);
    shares.shuffle(random);
    let groups: Vec<&[LaneBatches]> = if is_long { shares.chunks(1).collect() } else { vec![&shares[..]] };
    let count = groups.len();
    groups
        .into_iter()
        .enumerate()
        .map(|(index, group)| {
            let lanes = group.iter().map(|share| share.lane).collect();
            let mut turns: Vec<usize> =
                group.iter().enumerate().flat_map(|(lane, share)| std::iter::repeat_n(lane, share.batches)).collect();
            turns.shuffle(random);
            let request = Interleave { slot, lanes, turns, input_set };
            BlockMessage { request, is_last: index + 1 == count, purpose: Purpose::Block }
        })
        .collect()
}
