//! The point at work: a slot that is open, and what becomes of its functions.

use std::collections::VecDeque;

use crate::sample::block::Part;
use crate::sample::collection::{Collection, PrecisionForecast};
use crate::sample::preparation::{BatchRequest, Preparation, PreparedFunction};
use crate::sample::reply::{INVALID_TIME, UNEXPECTED, interruption_flags, is_time};
use benchbook_contract::protocol::{Collect, HostMessage, Interleaved, Samples, Target};

/// The point at work.
#[derive(Clone, Debug)]
pub(super) struct CurrentPoint {
    pub(super) x: f64,
    pub(super) slot: u32,
    /// The slot's functions, in its order.
    pub(super) functions: Vec<FunctionState>,
    pub(super) stage: PointStage,
    /// Whether calls disturb each other.
    pub(super) one_call_a_batch: bool,
}

/// A function at the point at work.
#[derive(Clone, Debug)]
pub(super) struct FunctionState {
    /// Its index in the plan.
    pub(super) function: usize,
    /// Whether what it puts out is to be held against that of another.
    pub(super) checked: bool,
    /// The hash of what came of its first calls.
    pub(super) hash: Option<String>,
}

/// What is done at the point.
#[derive(Clone, Debug)]
pub(super) enum PointStage {
    /// The workload is being opened.
    Opening,
    /// The functions are made ready, in turn; the asks without an answer, and whose turn is next.
    Preparing { preparations: Vec<Preparation>, pending: VecDeque<(usize, BatchRequest)>, turn: usize, round: u64 },
    /// The outputs of some are pending for: of so many calls, the functions still to be pending, and the one that was.
    Checking { ready: Vec<PreparedFunction>, calls: u64, waiting: VecDeque<usize>, pending: Option<usize> },
    /// The samples that count are taken.
    Collecting(Box<Collection>),
}

/// Which functions an end of the suite is to be blamed on.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Blame {
    /// Every one of these functions.
    Each(Vec<usize>),
    /// One of several that took turns; nobody knows which.
    OneOf,
}

impl CurrentPoint {
    pub(super) fn is_opening(&self) -> bool {
        matches!(self.stage, PointStage::Opening)
    }

    /// The next order.
    pub(super) fn next_order(&mut self) -> Option<HostMessage> {
        let slot = self.slot;
        match &mut self.stage {
            PointStage::Opening => None,
            PointStage::Preparing { preparations, pending, turn, .. } => {
                let count = preparations.len();
                let next = (*turn..*turn + count).map(|turn| turn % count);
                let (index, request) = { next }.find_map(|index| Some((index, preparations[index].next_request()?)))?;
                pending.push_back((index, request));
                *turn = index + 1;
                Some(HostMessage::Collect(Collect {
                    slot,
                    target: target(index, request),
                    calls: request.calls,
                    batches: request.batches,
                    inputs: 0,
                    allocations: false,
                }))
            }
            PointStage::Checking { calls, waiting, pending, .. } => {
                let index = if pending.is_none() { waiting.pop_front()? } else { return None };
                *pending = Some(index);
                let target = Target::Check(index);
                let collect = Collect { slot, target, calls: *calls, batches: 1, inputs: 0, allocations: false };
                Some(HostMessage::Collect(collect))
            }
            PointStage::Collecting(collection) => collection.next_message().map(HostMessage::Interleave),
        }
    }

    /// Which functions an end of the suite is to be blamed on: the one that was at work, or all of a slot that was being
    /// opened.
    pub(super) fn blame(&self) -> Blame {
        let all = || (0..self.functions.len()).collect();
        let at_work = match &self.stage {
            PointStage::Opening => return Blame::Each(all()),
            PointStage::Preparing { pending, .. } => pending.front().map(|(index, _)| vec![*index]),
            PointStage::Checking { pending, .. } => pending.map(|index| vec![index]),
            PointStage::Collecting(collection) => collection.at_work().map(Part::functions),
        };
        match at_work {
            Some(functions) if functions.len() > 1 => Blame::OneOf,
            Some(functions) if functions.len() == 1 => Blame::Each(functions),
            // Only the reference kernel was at work, or nothing.
            _ => Blame::Each(all()),
        }
    }

    /// How far the samples that count are.
    pub(super) fn outlook(&self) -> Option<PrecisionForecast> {
        match &self.stage {
            PointStage::Collecting(collection) => collection.outlook(),
            _ => None,
        }
    }

    /// Takes the answer to the oldest `collect`, and says whether there was one to answer.
    ///
    /// # Errors
    /// Where it is no answer to that.
    pub(super) fn take(&mut self, samples: &Samples) -> Result<bool, String> {
        match &mut self.stage {
            PointStage::Preparing { preparations, pending, .. } => {
                let Some((index, request)) = pending.pop_front() else { return Ok(false) };
                check_answer(index, request, samples)?;
                preparations[index].take(request, samples);
                Ok(true)
            }
            PointStage::Checking { pending, .. } => {
                let Some(index) = pending.take() else { return Ok(false) };
                if samples.target != Target::Check(index) {
                    return Err(UNEXPECTED.to_owned());
                }
                self.functions[index].hash = samples.hashes.as_ref().and_then(|hashes| hashes.first().cloned());
                Ok(true)
            }
            PointStage::Opening | PointStage::Collecting(_) => Ok(false),
        }
    }

    /// Takes the answer to the oldest `interleave`, and says whether there was one to answer.
    ///
    /// # Errors
    /// Where it is no answer to that.
    pub(super) fn take_interleaved(&mut self, answer: &Interleaved) -> Result<bool, String> {
        match &mut self.stage {
            PointStage::Collecting(collection) if collection.at_work().is_some() => {
                collection.take(answer)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

fn target(index: usize, request: BatchRequest) -> Target {
    if request.empty { Target::Empty(index) } else { Target::Function(index) }
}

/// Whether the answer is one to the request.
fn check_answer(index: usize, request: BatchRequest, samples: &Samples) -> Result<(), String> {
    let is_answer = samples.target == target(index, request)
        && samples.calls == request.calls
        && samples.elapsed.len() == request.batches as usize
        && interruption_flags(&samples.interrupted, samples.elapsed.len()).is_some();
    if !is_answer {
        return Err(UNEXPECTED.to_owned());
    }
    // What is left of all the time for preparing may come out below 0 by rounding.
    let in_order = samples.elapsed.iter().chain([&samples.held]).all(|value| is_time(*value))
        && is_time(samples.preparation.abs());
    if in_order { Ok(()) } else { Err(INVALID_TIME.to_owned()) }
}
