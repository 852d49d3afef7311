//! The point at work: a slot that is open, and what becomes of its functions.

use std::collections::VecDeque;

use crate::sample::approach::{Approach, Ask, Ready};
use crate::sample::block::Part;
use crate::sample::collection::{Collection, Outlook};
use crate::sample::reply::{INVALID_TIME, UNEXPECTED, interruption_flags, is_time};
use benchbook_contract::protocol::{Collect, HostMessage, Interleaved, Samples, Target};

/// The point at work.
#[derive(Clone, Debug)]
pub(super) struct Current {
    pub(super) x: f64,
    pub(super) slot: u32,
    /// The slot's functions, in its order.
    pub(super) tracks: Vec<Track>,
    pub(super) stage: Stage,
    /// Whether calls disturb each other.
    pub(super) one_call_a_batch: bool,
}

/// A function at the point at work.
#[derive(Clone, Debug)]
pub(super) struct Track {
    /// Its index in the plan.
    pub(super) function: usize,
    /// Whether what it puts out is to be held against that of another.
    pub(super) checked: bool,
    /// The hash of what came of its first calls.
    pub(super) hash: Option<String>,
}

/// What is done at the point.
#[derive(Clone, Debug)]
pub(super) enum Stage {
    /// The workload is being opened.
    Opening,
    /// The functions are made ready, in turn; the asks without an answer, and whose turn is next.
    Approaching { approaches: Vec<Approach>, asked: VecDeque<(usize, Ask)>, turn: usize, round: u64 },
    /// The outputs of some are asked for: of so many calls, the tracks still to be asked, and the one that was.
    Checking { ready: Vec<Ready>, calls: u64, waiting: VecDeque<usize>, asked: Option<usize> },
    /// The samples that count are taken.
    Collecting(Box<Collection>),
}

/// Which functions an end of the suite is to be blamed on.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Blame {
    /// Every one of these tracks.
    Each(Vec<usize>),
    /// One of several that took turns; nobody knows which.
    OneOf,
}

impl Current {
    pub(super) fn is_opening(&self) -> bool {
        matches!(self.stage, Stage::Opening)
    }

    /// The next order.
    pub(super) fn next_order(&mut self) -> Option<HostMessage> {
        let slot = self.slot;
        match &mut self.stage {
            Stage::Opening => None,
            Stage::Approaching { approaches, asked, turn, .. } => {
                let count = approaches.len();
                let next = (*turn..*turn + count).map(|turn| turn % count);
                let (index, ask) = { next }.find_map(|index| Some((index, approaches[index].next_ask()?)))?;
                asked.push_back((index, ask));
                *turn = index + 1;
                Some(HostMessage::Collect(Collect {
                    slot,
                    target: target(index, ask),
                    calls: ask.calls,
                    batches: ask.batches,
                    inputs: 0,
                    allocations: false,
                }))
            }
            Stage::Checking { calls, waiting, asked, .. } => {
                let index = if asked.is_none() { waiting.pop_front()? } else { return None };
                *asked = Some(index);
                let target = Target::Check(index);
                let collect = Collect { slot, target, calls: *calls, batches: 1, inputs: 0, allocations: false };
                Some(HostMessage::Collect(collect))
            }
            Stage::Collecting(collection) => collection.next_message().map(HostMessage::Interleave),
        }
    }

    /// Which tracks an end of the suite is to be blamed on: the one that was at work, or all of a slot that was being
    /// opened.
    pub(super) fn blame(&self) -> Blame {
        let all = || (0..self.tracks.len()).collect();
        let at_work = match &self.stage {
            Stage::Opening => return Blame::Each(all()),
            Stage::Approaching { asked, .. } => asked.front().map(|(index, _)| vec![*index]),
            Stage::Checking { asked, .. } => asked.map(|index| vec![index]),
            Stage::Collecting(collection) => collection.at_work().map(Part::functions),
        };
        match at_work {
            Some(functions) if functions.len() > 1 => Blame::OneOf,
            Some(functions) if functions.len() == 1 => Blame::Each(functions),
            // Only the reference kernel was at work, or nothing.
            _ => Blame::Each(all()),
        }
    }

    /// How far the samples that count are.
    pub(super) fn outlook(&self) -> Option<Outlook> {
        match &self.stage {
            Stage::Collecting(collection) => collection.outlook(),
            _ => None,
        }
    }

    /// Takes the answer to the oldest `collect`, and says whether there was one to answer.
    ///
    /// # Errors
    /// Where it is no answer to that.
    pub(super) fn take(&mut self, samples: &Samples) -> Result<bool, String> {
        match &mut self.stage {
            Stage::Approaching { approaches, asked, .. } => {
                let Some((index, ask)) = asked.pop_front() else { return Ok(false) };
                check_answer(index, ask, samples)?;
                approaches[index].take(ask, samples);
                Ok(true)
            }
            Stage::Checking { asked, .. } => {
                let Some(index) = asked.take() else { return Ok(false) };
                if samples.target != Target::Check(index) {
                    return Err(UNEXPECTED.to_owned());
                }
                self.tracks[index].hash = samples.hashes.as_ref().and_then(|hashes| hashes.first().cloned());
                Ok(true)
            }
            Stage::Opening | Stage::Collecting(_) => Ok(false),
        }
    }

    /// Takes the answer to the oldest `interleave`, and says whether there was one to answer.
    ///
    /// # Errors
    /// Where it is no answer to that.
    pub(super) fn take_interleaved(&mut self, answer: &Interleaved) -> Result<bool, String> {
        match &mut self.stage {
            Stage::Collecting(collection) if collection.at_work().is_some() => {
                collection.take(answer)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

fn target(index: usize, ask: Ask) -> Target {
    if ask.empty { Target::Empty(index) } else { Target::Function(index) }
}

/// Whether the answer is one to the ask.
fn check_answer(index: usize, ask: Ask, samples: &Samples) -> Result<(), String> {
    let is_answer = samples.target == target(index, ask)
        && samples.calls == ask.calls
        && samples.elapsed.len() == ask.batches as usize
        && interruption_flags(&samples.interrupted, samples.elapsed.len()).is_some();
    if !is_answer {
        return Err(UNEXPECTED.to_owned());
    }
    // What is left of all the time for preparing may come out below 0 by rounding.
    let in_order = samples.elapsed.iter().chain([&samples.held]).all(|value| is_time(*value))
        && is_time(samples.preparation.abs());
    if in_order { Ok(()) } else { Err(INVALID_TIME.to_owned()) }
}
