//! Interleaves batches of several targets on the inputs of one slot.

use std::hint::black_box;

use crate::collect::binding::BatchTimer;
use crate::collect::slot::{MAX_BATCHES, Slot};
use crate::collect::timed_batch::{BatchSpec, TimedBatch};
use crate::collect::{clock, reference, tier};
use benchbook_contract::protocol::{Interleave, InterleaveReply, Lane, LaneTarget, MAX_LANES};

/// Times one batch per turn.
///
/// # Errors
/// Returns an error if the request is invalid.
pub(crate) fn interleave(slot: &mut Slot, request: &Interleave) -> Result<InterleaveReply, String> {
    check_turns(request)?;
    let mut lanes = request.lanes.iter().map(|lane| LaneState::new(slot, lane)).collect::<Result<Vec<_>, _>>()?;
    let start = clock::now();
    let mut elapsed = Vec::with_capacity(request.turns.len());
    let mut interrupted = Vec::new();
    for (batch, turn) in (0..).zip(&request.turns) {
        let timed = lanes[*turn].time_next(slot, request.input_set);
        elapsed.push(timed.elapsed);
        interrupted.extend(timed.interrupted.then_some(batch));
    }
    let preparation = clock::now() - start - elapsed.iter().sum::<f64>();
    let held = lanes.iter().map(|lane| lane.held).collect();
    let inputs = lanes.iter().map(|lane| lane.inputs).collect();
    Ok(InterleaveReply { slot: request.slot, elapsed, interrupted, preparation, held, inputs })
}

fn check_turns(request: &Interleave) -> Result<(), String> {
    let lanes = request.lanes.len();
    if !(1..=MAX_LANES).contains(&lanes) {
        return Err(format!("expected 1 to {MAX_LANES} lanes, not {lanes}"));
    }
    if !(1..=MAX_BATCHES as usize).contains(&request.turns.len()) {
        return Err(format!("expected 1 to {MAX_BATCHES} turns, not {}", request.turns.len()));
    }
    match request.turns.iter().find(|turn| **turn >= lanes) {
        Some(turn) => Err(format!("lane {turn} is out of range: there are {lanes} lanes")),
        None => Ok(()),
    }
}

/// A lane and its progress.
struct LaneState {
    time: BatchTimer,
    calls: usize,
    /// The number of the next batch, as in a `collect`, so that both use the same inputs.
    next: u32,
    /// The maximum of [`TimedBatch::held`] so far.
    held: f64,
    /// The number of different inputs so far.
    inputs: u64,
}

impl LaneState {
    fn new(slot: &Slot, lane: &Lane) -> Result<Self, String> {
        let time = match lane.target {
            LaneTarget::Function(index) => slot.function_in_batches(index, lane.calls)?.time,
            LaneTarget::Empty(index) => slot.function_in_batches(index, lane.calls)?.time_empty,
            LaneTarget::Reference if lane.calls > 0 => reference::time,
            LaneTarget::Tier if lane.calls > 0 => tier::time,
            LaneTarget::Reference | LaneTarget::Tier => return Err("expected at least 1 call".to_owned()),
            LaneTarget::Clock | LaneTarget::Check(_) | LaneTarget::Count(_) => {
                return Err("a lane is a function, an empty loop or a kernel".to_owned());
            }
        };
        // `black_box` prevents inlining through the pointer: see `FunctionLoops`.
        Ok(Self { time: black_box(time), calls: lane.calls as usize, next: 0, held: 0.0, inputs: 0 })
    }

    /// Times the lane's next batch.
    fn time_next(&mut self, slot: &mut Slot, input_set: u32) -> TimedBatch {
        let timed = slot.time_batch(self.time, BatchSpec { input_set, batch: self.next, calls: self.calls });
        self.next += 1;
        self.held = self.held.max(timed.held);
        self.inputs += timed.new_inputs as u64;
        timed
    }
}
