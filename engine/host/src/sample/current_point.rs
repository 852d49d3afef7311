//! The current point: an open slot and the state of its functions.

use std::collections::VecDeque;

use crate::response::{CounterAbsence, DeclaredWork, EventCounts, MemoryUse};
use crate::sample::block::BlockMessage;
use crate::sample::collection::{Collection, PrecisionForecast};
use crate::sample::event_sampler::{EventReading, EventSampler};
use crate::sample::preparation::{BatchRequest, Preparation, PreparedFunction};
use crate::sample::suite_messages::{INVALID_TIME, UNEXPECTED, interruption_flags, was_set_back};
use crate::units::is_time;
use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::protocol::{Collect, HostMessage, InterleaveReply, LaneTarget, Samples};

/// The axis value that is being measured, with all of its functions.
#[derive(Clone, Debug)]
pub(super) struct CurrentPoint {
    pub(super) x: AxisValue,
    pub(super) slot: u32,
    /// The functions in the order of the slot.
    pub(super) functions: Vec<FunctionState>,
    pub(super) stage: PointStage,
    /// Calls per round.
    pub(super) round: u64,
    /// Whether each batch must be a single call.
    pub(super) one_call_per_batch: bool,
    /// The work of a call, as the generator declares it.
    pub(super) work: DeclaredWork,
    /// The number of batches during which the clock was set back.
    pub(super) set_back: usize,
}

/// The number of batches of a point during which the clock may be set back: a system sets it rarely.
const MAX_SET_BACK: usize = 3;

/// A function at the current point.
#[derive(Clone, Debug)]
pub(super) struct FunctionState {
    /// Its index in the plan.
    pub(super) function: usize,
    /// Whether its outputs are compared with those of another function.
    pub(super) checked: bool,
    /// The hash of its first outputs; absent until checked, or if the type does not implement `Hash`.
    pub(super) hash: Option<String>,
    /// The number of rounds in which its memory use is to be counted; 0 if it is not.
    pub(super) rounds_to_count: u32,
    /// Its memory use; absent until counted, and if the suite cannot count it.
    pub(super) memory: Option<MemoryUse>,
    /// Counts its events, unless the host has no counters. Absent until its samples are requested, and in later processes.
    pub(super) event_sampler: Option<EventSampler>,
    /// What hardware counters counted; absent until counted.
    pub(super) events: Option<EventCounts>,
}

/// The stages of a point.
#[derive(Clone, Debug)]
pub(super) enum PointStage {
    /// The workload is being opened.
    Opening,
    /// The functions are prepared in turn. `pending`: requests without a reply; `turn`: the function to try next.
    Preparing { preparations: Vec<Preparation>, pending: VecDeque<(usize, BatchRequest)>, turn: usize },
    /// The outputs of `calls` calls per function are hashed. `waiting`: functions to check; `pending`: the function
    /// whose request has no reply yet.
    Checking { ready: Vec<PreparedFunction>, calls: u64, waiting: VecDeque<usize>, pending: Option<usize> },
    /// Samples are collected.
    Collecting(Box<Collection>),
    /// The events of the functions are counted by the processor, before the memory use, which changes the heap. `waiting`: functions to
    /// count, the current one first; `pending`: the request without a reply; `reading`: what the host counted since then.
    CountingEvents {
        collection: Box<Collection>,
        waiting: VecDeque<usize>,
        pending: Option<BatchRequest>,
        reading: Option<Result<EventReading, CounterAbsence>>,
    },
    /// The memory use of the functions is counted, after the collection, since counting may affect later times. `waiting`:
    /// functions to count; `pending`: the function whose request has no reply yet.
    Counting { collection: Box<Collection>, waiting: VecDeque<usize>, pending: Option<usize> },
}

/// The functions responsible for the suite's termination.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Attribution {
    /// All of these functions.
    Functions(Vec<usize>),
    /// One of several interleaved functions; it is unknown which one.
    Ambiguous,
}

impl CurrentPoint {
    pub(super) fn is_opening(&self) -> bool {
        matches!(self.stage, PointStage::Opening)
    }

    /// Returns the next message to send; `None` until a reply arrives, and when the point is done.
    pub(super) fn next_message(&mut self) -> Option<HostMessage> {
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
                    input_set: 0,
                }))
            }
            PointStage::Checking { calls, waiting, pending, .. } => {
                let index = if pending.is_none() { waiting.pop_front()? } else { return None };
                *pending = Some(index);
                let target = LaneTarget::Check(index);
                let collect = Collect { slot, target, calls: *calls, batches: 1, input_set: 0 };
                Some(HostMessage::Collect(collect))
            }
            PointStage::Collecting(collection) => collection.next_message().map(HostMessage::Interleave),
            PointStage::CountingEvents { waiting, pending, reading, .. } => {
                let index = if pending.is_none() { *waiting.front()? } else { return None };
                let request = self.functions[index].event_sampler.as_ref()?.next_request()?;
                (*pending, *reading) = (Some(request), None);
                let BatchRequest { calls, batches, .. } = request;
                Some(HostMessage::Collect(Collect {
                    slot,
                    target: target(index, request),
                    calls,
                    batches,
                    input_set: 0,
                }))
            }
            PointStage::Counting { waiting, pending, .. } => {
                let index = if pending.is_none() { waiting.pop_front()? } else { return None };
                *pending = Some(index);
                let calls = if self.one_call_per_batch { 1 } else { self.round };
                let (target, batches) = (LaneTarget::Count(index), self.functions[index].rounds_to_count);
                Some(HostMessage::Collect(Collect { slot, target, calls, batches, input_set: 0 }))
            }
        }
    }

    /// Attributes the suite's termination to the running function, or to all functions if no function was running, for
    /// instance while the workload was being opened.
    pub(super) fn attribute_end(&self) -> Attribution {
        let all = || (0..self.functions.len()).collect();
        let running = match &self.stage {
            PointStage::Opening => return Attribution::Functions(all()),
            PointStage::Preparing { pending, .. } => pending.front().map(|(index, _)| vec![*index]),
            PointStage::Checking { pending, .. } | PointStage::Counting { pending, .. } => {
                pending.map(|index| vec![index])
            }
            PointStage::CountingEvents { waiting, pending, .. } => {
                pending.and(waiting.front()).map(|index| vec![*index])
            }
            PointStage::Collecting(collection) => collection.pending_message().map(BlockMessage::functions),
        };
        match running {
            Some(functions) if functions.len() > 1 => Attribution::Ambiguous,
            Some(functions) if functions.len() == 1 => Attribution::Functions(functions),
            // Only a kernel was running, or nothing.
            _ => Attribution::Functions(all()),
        }
    }

    /// Whether the host must count the events of the request without a reply.
    pub(super) fn is_counting_events(&self) -> bool {
        matches!(self.stage, PointStage::CountingEvents { pending: Some(_), .. })
    }

    /// Stores what the host counted since the request without a reply. A later reading replaces it.
    pub(super) fn handle_reading(&mut self, new: Result<EventReading, CounterAbsence>) {
        if let PointStage::CountingEvents { pending: Some(_), reading, .. } = &mut self.stage {
            *reading = Some(new);
        }
    }

    /// Returns the forecast of the collection; `None` before it has enough samples.
    pub(super) fn forecast(&self) -> Option<PrecisionForecast> {
        match &self.stage {
            PointStage::Collecting(collection) => collection.forecast(),
            _ => None,
        }
    }

    /// Handles the reply to the oldest `collect`. Returns false if none is pending.
    ///
    /// # Errors
    /// Returns an error if the reply does not match the request.
    pub(super) fn handle_samples(&mut self, samples: &Samples) -> Result<bool, String> {
        self.count_set_back(&samples.elapsed)?;
        match &mut self.stage {
            PointStage::Preparing { preparations, pending, .. } => {
                let Some((index, request)) = pending.pop_front() else { return Ok(false) };
                check_reply(index, request, samples)?;
                if samples.elapsed.iter().any(|elapsed| was_set_back(*elapsed)) {
                    preparations[index].ask_again();
                } else {
                    preparations[index].handle_samples(request, samples);
                }
                Ok(true)
            }
            PointStage::Checking { pending, .. } => {
                let Some(index) = pending.take() else { return Ok(false) };
                if samples.target != LaneTarget::Check(index) {
                    return Err(UNEXPECTED.to_owned());
                }
                self.functions[index].hash = samples.hashes.as_ref().and_then(|hashes| hashes.first().cloned());
                Ok(true)
            }
            PointStage::CountingEvents { waiting, pending, reading, .. } => {
                let Some((request, index)) = pending.take().zip(waiting.front().copied()) else { return Ok(false) };
                check_reply(index, request, samples)?;
                let state = &mut self.functions[index];
                let Some(sampler) = &mut state.event_sampler else { return Ok(false) };
                let missing = || Err(CounterAbsence::Failed("the host did not read its counters".to_owned()));
                sampler.handle_reading(reading.take().unwrap_or_else(missing));
                if let Some(counts) = sampler.outcome() {
                    state.events = Some(counts.clone());
                    waiting.pop_front();
                }
                Ok(true)
            }
            PointStage::Counting { pending, .. } => {
                let Some(index) = pending.take() else { return Ok(false) };
                if samples.target != LaneTarget::Count(index) || samples.calls == 0 {
                    return Err(UNEXPECTED.to_owned());
                }
                let counts = samples.counts.as_deref().unwrap_or_default();
                self.functions[index].memory = MemoryUse::of_batches(samples.calls, counts);
                Ok(true)
            }
            PointStage::Opening | PointStage::Collecting(_) => Ok(false),
        }
    }

    /// Handles the reply to the oldest `interleave`. Returns false if none is pending.
    ///
    /// # Errors
    /// Returns an error if the reply does not match the request.
    pub(super) fn handle_interleaved(&mut self, reply: &InterleaveReply) -> Result<bool, String> {
        self.count_set_back(&reply.elapsed)?;
        match &mut self.stage {
            PointStage::Collecting(collection) if collection.pending_message().is_some() => {
                collection.handle_reply(reply)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

impl CurrentPoint {
    /// # Errors
    /// Returns an error if the clock was set back too often.
    fn count_set_back(&mut self, elapsed: &[f64]) -> Result<(), String> {
        self.set_back += elapsed.iter().filter(|elapsed| was_set_back(**elapsed)).count();
        if self.set_back > MAX_SET_BACK { Err(INVALID_TIME.to_owned()) } else { Ok(()) }
    }
}

fn target(index: usize, request: BatchRequest) -> LaneTarget {
    if request.empty { LaneTarget::Empty(index) } else { LaneTarget::Function(index) }
}

/// Checks that a reply matches the request.
fn check_reply(index: usize, request: BatchRequest, samples: &Samples) -> Result<(), String> {
    let is_reply = samples.target == target(index, request)
        && samples.calls == request.calls
        && samples.elapsed.len() == request.batches as usize
        && interruption_flags(&samples.interrupted, samples.elapsed.len()).is_some();
    if !is_reply {
        return Err(UNEXPECTED.to_owned());
    }
    // The preparation time is a difference, which rounding can make negative.
    let are_times = samples.elapsed.iter().all(|elapsed| is_time(*elapsed) || was_set_back(*elapsed));
    let in_order = are_times && is_time(samples.held) && is_time(samples.preparation.abs());
    if in_order { Ok(()) } else { Err(INVALID_TIME.to_owned()) }
}
