//! Interleaves batches of several targets on the inputs of one slot.

use std::hint::black_box;

use crate::collect::binding::BatchTimer;
use crate::collect::ready_functions::ReadyFunctions;
use crate::collect::slot::{MAX_BATCHES, check_batches};
use crate::collect::timed_batch::{BatchSpec, TimedBatch};
use crate::collect::{clock, reference, tier};
use benchbook_contract::protocol::{Interleave, InterleaveReply, Lane, LaneTarget, MAX_LANES};

/// Times one batch per turn.
///
/// # Errors
/// Returns an error if the request is invalid.
pub(crate) fn interleave(functions: &mut dyn ReadyFunctions, request: &Interleave) -> Result<InterleaveReply, String> {
    check_turns(request)?;
    let mut lanes = request.lanes.iter().map(|lane| LaneState::new(functions, lane)).collect::<Result<Vec<_>, _>>()?;
    let start = clock::now();
    let mut elapsed = Vec::with_capacity(request.turns.len());
    let mut interrupted = Vec::new();
    for (batch, turn) in (0..).zip(&request.turns) {
        let timed = lanes[*turn].time_next(functions, request.input_set);
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
    target: TimedTarget,
    calls: usize,
    /// The number of the next batch, as in a `collect`, so that both use the same inputs.
    next: u32,
    /// The maximum of [`TimedBatch::held`] so far.
    held: f64,
    /// The number of different inputs so far.
    inputs: u64,
}

/// What a lane times.
#[derive(Clone, Copy)]
enum TimedTarget {
    Function(usize),
    Empty(usize),
    Kernel(BatchTimer),
}

impl LaneState {
    fn new(functions: &dyn ReadyFunctions, lane: &Lane) -> Result<Self, String> {
        // `black_box` prevents inlining through the pointer: see `FunctionLoops`.
        let kernel = |time: BatchTimer| match lane.calls {
            0 => Err("expected at least 1 call".to_owned()),
            _ => Ok(TimedTarget::Kernel(black_box(time))),
        };
        let target = match lane.target {
            LaneTarget::Function(index) => {
                check_batches(functions, index, lane.calls).map(|()| TimedTarget::Function(index))
            }
            LaneTarget::Empty(index) => check_batches(functions, index, lane.calls).map(|()| TimedTarget::Empty(index)),
            LaneTarget::Reference => kernel(reference::time),
            LaneTarget::Tier => kernel(tier::time),
            LaneTarget::Clock | LaneTarget::Check(_) | LaneTarget::Count(_) => {
                Err("a lane is a function, an empty loop or a kernel".to_owned())
            }
        };
        Ok(Self { target: target?, calls: lane.calls as usize, next: 0, held: 0.0, inputs: 0 })
    }

    /// Times the lane's next batch.
    fn time_next(&mut self, functions: &mut dyn ReadyFunctions, input_set: u32) -> TimedBatch {
        let spec = BatchSpec { input_set, batch: self.next, calls: self.calls };
        let timed = match self.target {
            TimedTarget::Function(index) => functions.time(index, spec),
            TimedTarget::Empty(index) => functions.time_empty(index, spec),
            TimedTarget::Kernel(time) => time(&mut (), spec),
        };
        self.next += 1;
        self.held = self.held.max(timed.held);
        self.inputs += timed.new_inputs as u64;
        timed
    }
}
