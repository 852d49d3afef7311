//! The point at work: a slot that is open, and a sampler for each of its functions.

use std::collections::VecDeque;

use crate::protocol::{Collect, HostMessage, Samples, Target};
use crate::sample::sampler::{Ask, Sampler};

/// The point at work.
#[derive(Clone, Debug)]
pub(super) struct Current {
    pub(super) x: f64,
    pub(super) slot: u32,
    /// The slot's functions, in its order.
    pub(super) tracks: Vec<Track>,
    /// What was asked and not answered: the track, and the ask.
    pub(super) asked: VecDeque<(usize, Ask)>,
    /// The track whose turn is next.
    pub(super) turn: usize,
}

/// A function at the point at work.
#[derive(Clone, Debug)]
pub(super) struct Track {
    /// Its index in the plan.
    pub(super) function: usize,
    pub(super) state: TrackState,
}

#[derive(Clone, Debug)]
pub(super) enum TrackState {
    Opening,
    Sampling(Box<Sampler>),
    Finished,
}

impl Current {
    pub(super) fn is_opening(&self) -> bool {
        self.tracks.iter().all(|track| matches!(track.state, TrackState::Opening))
    }

    /// The next order, taking turns between the functions.
    pub(super) fn next_order(&mut self) -> Option<HostMessage> {
        let count = self.tracks.len();
        for index in (self.turn..self.turn + count).map(|turn| turn % count) {
            let Some(ask) = self.tracks[index].next_ask() else { continue };
            self.asked.push_back((index, ask));
            self.turn = index + 1;
            return Some(HostMessage::Collect(Collect {
                slot: self.slot,
                target: target(index, ask),
                calls: ask.calls,
                batches: ask.batches,
                inputs: ask.inputs,
                allocations: false,
            }));
        }
        None
    }

    /// Which tracks an end of the suite is to be blamed on: the one that was at work, or all of a slot that was being
    /// opened.
    pub(super) fn at_fault(&self) -> Vec<usize> {
        match self.asked.front() {
            Some((index, _)) => vec![*index],
            None => (0..self.tracks.len()).collect(),
        }
    }
}

impl Track {
    pub(super) fn sampler(&self) -> Option<&Sampler> {
        match &self.state {
            TrackState::Sampling(sampler) => Some(sampler),
            TrackState::Opening | TrackState::Finished => None,
        }
    }

    pub(super) fn is_finished(&self) -> bool {
        matches!(self.state, TrackState::Finished)
    }

    pub(super) fn next_ask(&mut self) -> Option<Ask> {
        match &mut self.state {
            TrackState::Sampling(sampler) => sampler.next_ask(),
            TrackState::Opening | TrackState::Finished => None,
        }
    }

    /// Hands the answer to the sampler, which comes back when it has enough.
    pub(super) fn take(&mut self, ask: Ask, samples: &Samples) -> Option<Sampler> {
        let TrackState::Sampling(sampler) = &mut self.state else { return None };
        sampler.take(ask, samples);
        if !sampler.is_done() {
            return None;
        }
        match std::mem::replace(&mut self.state, TrackState::Finished) {
            TrackState::Sampling(sampler) => Some(*sampler),
            TrackState::Opening | TrackState::Finished => None,
        }
    }
}

fn target(index: usize, ask: Ask) -> Target {
    if ask.empty { Target::Empty(index) } else { Target::Function(index) }
}

/// Whether the answer is one to the ask.
pub(super) fn check_answer(index: usize, ask: Ask, samples: &Samples) -> Result<(), String> {
    let is_answer = samples.target == target(index, ask)
        && samples.calls == ask.calls
        && samples.elapsed.len() == ask.batches as usize;
    if !is_answer {
        return Err("the suite answered something else than it was asked".to_owned());
    }
    // What is left of all the time for preparing may come out below 0 by rounding.
    let in_order =
        samples.elapsed.iter().chain([&samples.held]).all(|value| is_time(*value)) && samples.preparation.is_finite();
    match in_order {
        true => Ok(()),
        false => Err("the suite reported a time that is no time".to_owned()),
    }
}

pub(super) fn is_time(nanos: f64) -> bool {
    nanos.is_finite() && nanos >= 0.0
}
