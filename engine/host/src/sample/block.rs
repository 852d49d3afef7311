//! A block: batches of all functions of a point, and of what is timed beside them, in random order and on inputs of
//! their own.

use rand::seq::SliceRandom;

use crate::sample::reply::{INVALID_TIME, UNEXPECTED, interruption_flags, is_time};
use benchbook_contract::protocol::{Interleave, Interleaved, Lane, Target};
use benchbook_contract::rng::Rng;

/// A lane and how many of its batches a block has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Share {
    pub(super) lane: Lane,
    pub(super) batches: usize,
}

/// One message of a block, on its way.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    pub(super) message: Interleave,
    /// Whether it is the block's last.
    pub(super) is_last: bool,
}

impl Part {
    /// The functions whose batches it has, or those of their empty loops, for which inputs are made too; counted as in
    /// the slot.
    pub(super) fn functions(&self) -> Vec<usize> {
        let function = |lane: &Lane| match lane.target {
            Target::Function(index) | Target::Empty(index) => Some(index),
            _ => None,
        };
        let mut functions: Vec<usize> = self.message.lanes.iter().filter_map(function).collect();
        functions.sort_unstable();
        functions.dedup();
        functions
    }

    /// Each batch of the answer: what was timed, its calls, its nanoseconds, and whether the suite says that something
    /// interrupted it.
    ///
    /// # Errors
    /// Where the answer is not one to this message.
    pub(super) fn read<'a>(
        &'a self,
        answer: &'a Interleaved,
    ) -> Result<impl Iterator<Item = (Lane, f64, bool)> + 'a, &'static str> {
        let Interleave { lanes, turns, .. } = &self.message;
        if answer.elapsed.len() != turns.len() || answer.held.len() != lanes.len() {
            return Err(UNEXPECTED);
        }
        let in_order =
            answer.elapsed.iter().chain(&answer.held).all(|value| is_time(*value)) && is_time(answer.preparation.abs());
        if !in_order {
            return Err(INVALID_TIME);
        }
        let interrupted = interruption_flags(&answer.interrupted, turns.len()).ok_or(UNEXPECTED)?;
        let batches = turns.iter().zip(&answer.elapsed).zip(interrupted);
        Ok(batches.map(|((&turn, &elapsed), interrupted)| (lanes[turn], elapsed, interrupted)))
    }
}

/// The messages of a block: one with everything in random order, or one for each share, in random order too, where the
/// block is so long that it must be possible to stop in between.
pub(super) fn parts(slot: u32, inputs: u32, mut shares: Vec<Share>, is_long: bool, random: &mut Rng) -> Vec<Part> {
    shares.retain(|share| share.batches > 0);
    shares.shuffle(random);
    let groups: Vec<&[Share]> = if is_long { shares.chunks(1).collect() } else { vec![&shares[..]] };
    let count = groups.len();
    groups
        .into_iter()
        .enumerate()
        .map(|(index, group)| {
            let lanes = group.iter().map(|share| share.lane).collect();
            let mut turns: Vec<usize> =
                group.iter().enumerate().flat_map(|(lane, share)| std::iter::repeat_n(lane, share.batches)).collect();
            turns.shuffle(random);
            Part { message: Interleave { slot, lanes, turns, inputs }, is_last: index + 1 == count }
        })
        .collect()
}
