//! Presents the processes of several builds to a measurement as a single suite: each message is split into parts for the processes, and
//! their replies are joined.
//!
//! A pure state machine. Only one process works at a time, since builds that run at the same time would disturb each other. The parts of
//! a block follow each other immediately, and their order alternates from block to block, so that interference affects all builds equally.

use std::collections::{BTreeMap, VecDeque};

use benchbook_contract::protocol::{
    Collect, FailureStage, HostMessage, Interleave, InterleaveReply, Lane, LaneTarget, Open, OpenReply, RequestFailure,
    Samples, SuiteMessage,
};

use crate::alternative::Alternative;

/// Why a point fails if the builds prepare different workloads.
const DIFFERENT_WORKLOADS: &str =
    "the builds prepare different workloads from the same arguments, so their times are not comparable";

/// A function of a slot: the process that contains it, and its index among the functions of that process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RoutedFunction {
    process: usize,
    index: usize,
}

/// Splits messages, and joins replies.
#[derive(Debug)]
pub(super) struct BuildRouter {
    /// The builds of the processes; `None`: the current build.
    builds: Vec<Option<String>>,
    /// The functions of each open slot, in the order of the measurement.
    slots: BTreeMap<u32, Vec<RoutedFunction>>,
    /// Messages that are not split yet.
    waiting: VecDeque<HostMessage>,
    /// The message whose parts are being handled.
    current: Option<SplitMessage>,
    /// The number of blocks so far, which determines the order of the processes.
    blocks: usize,
    /// The process that has reported a panic, and is about to end.
    ending: Option<usize>,
}

/// A message in parts.
#[derive(Debug)]
struct SplitMessage {
    message: HostMessage,
    /// The parts that are not sent yet.
    parts: VecDeque<MessagePart>,
    /// The part without a reply.
    in_flight: Option<MessagePart>,
    /// The parts with their replies.
    done: Vec<(MessagePart, SuiteMessage)>,
    /// Whether the measurement expects no reply, because the router sends the message itself.
    is_own: bool,
}

/// The part of a message for one process.
#[derive(Clone, Debug, PartialEq)]
struct MessagePart {
    process: usize,
    message: HostMessage,
    /// The indices of its lanes in the whole message, and those of its batches; empty unless it is part of a block.
    lanes: Vec<usize>,
    batches: Vec<usize>,
}

impl BuildRouter {
    /// A router for one process per build.
    pub(super) fn new(builds: Vec<Option<String>>) -> Self {
        Self { builds, slots: BTreeMap::new(), waiting: VecDeque::new(), current: None, blocks: 0, ending: None }
    }

    /// Adds a message of the measurement.
    pub(super) fn add(&mut self, message: HostMessage) {
        self.waiting.push_back(message);
    }

    /// The next message to send, and its process; `None` while a process works or ends, or if there is nothing to send.
    pub(super) fn next_part(&mut self) -> Option<(usize, HostMessage)> {
        if self.ending.is_some() {
            // Replies to further messages would precede its end, to which the measurement attributes the failure.
            return None;
        }
        if self.current.is_none() {
            let message = self.waiting.pop_front()?;
            self.current = Some(self.split(message));
        }
        let current = self.current.as_mut()?;
        if current.in_flight.is_some() {
            return None;
        }
        let part = current.parts.pop_front()?;
        current.in_flight = Some(part.clone());
        Some((part.process, part.message))
    }

    /// The process that works or ends.
    pub(super) fn working(&self) -> Option<usize> {
        if self.ending.is_some() {
            return self.ending;
        }
        self.current.as_ref()?.in_flight.as_ref().map(|part| part.process)
    }

    /// Handles a message of the working process. Returns the message for the measurement, once all parts have their replies.
    pub(super) fn handle_reply(&mut self, reply: SuiteMessage) -> Option<SuiteMessage> {
        if matches!(reply, SuiteMessage::Refused { .. }) {
            // It precedes the reply.
            return Some(reply);
        }
        let current = self.current.as_mut()?;
        let part = current.in_flight.take()?;
        let is_failure = matches!(reply, SuiteMessage::Failed(_));
        if matches!(&reply, SuiteMessage::Failed(failed) if failed.stage != FailureStage::Request) {
            self.ending = Some(part.process);
        }
        current.done.push((part, reply));
        if !is_failure && !current.parts.is_empty() {
            return None;
        }
        let finished = self.current.take()?;
        let joined = self.join(&finished);
        (!finished.is_own).then_some(joined)
    }

    fn split(&mut self, message: HostMessage) -> SplitMessage {
        let mut parts = match &message {
            HostMessage::Open(open) => self.split_open(open),
            HostMessage::Collect(collect) => vec![self.route_collect(collect)],
            HostMessage::Interleave(interleave) => self.split_interleave(interleave),
            HostMessage::Close { slot } => self.split_close(*slot),
            HostMessage::Describe { .. } => vec![MessagePart::new(0, message.clone())],
        };
        if parts.is_empty() {
            // No process has this slot open, which the reply will state.
            parts.push(MessagePart::new(0, message.clone()));
        }
        SplitMessage { message, parts: parts.into(), in_flight: None, done: Vec::new(), is_own: false }
    }

    fn split_open(&mut self, open: &Open) -> Vec<MessagePart> {
        let mut paths: Vec<Vec<String>> = vec![Vec::new(); self.builds.len()];
        let mut routes = Vec::new();
        for text in &open.functions {
            let Alternative { path, build } = Alternative::parse(text);
            // The plan refers only to the builds of this router.
            let process = self.builds.iter().position(|known| known.as_deref() == build).unwrap_or_default();
            routes.push(RoutedFunction { process, index: paths[process].len() });
            paths[process].push(path.to_owned());
        }
        self.slots.insert(open.slot, routes);
        let parts = paths.into_iter().enumerate().filter(|(_, functions)| !functions.is_empty());
        parts
            .map(|(process, functions)| {
                MessagePart::new(process, HostMessage::Open(Open { functions, ..open.clone() }))
            })
            .collect()
    }

    fn split_close(&self, slot: u32) -> Vec<MessagePart> {
        self.processes_of(slot)
            .into_iter()
            .map(|process| MessagePart::new(process, HostMessage::Close { slot }))
            .collect()
    }

    fn route_collect(&self, collect: &Collect) -> MessagePart {
        let (process, target) = self.route(collect.slot, collect.target);
        MessagePart::new(process, HostMessage::Collect(Collect { target, ..collect.clone() }))
    }

    /// The process of a target, and the target as this process knows it. Kernels run in the first process with the slot.
    fn route(&self, slot: u32, target: LaneTarget) -> (usize, LaneTarget) {
        let of = |index: usize| self.slots.get(&slot).and_then(|functions| functions.get(index)).copied();
        let routed = |index: usize, target: fn(usize) -> LaneTarget| {
            of(index).map(|function| (function.process, target(function.index)))
        };
        let found = match target {
            LaneTarget::Function(index) => routed(index, LaneTarget::Function),
            LaneTarget::Empty(index) => routed(index, LaneTarget::Empty),
            LaneTarget::Check(index) => routed(index, LaneTarget::Check),
            LaneTarget::Count(index) => routed(index, LaneTarget::Count),
            LaneTarget::Reference | LaneTarget::Tier | LaneTarget::Clock => None,
        };
        found.unwrap_or_else(|| (self.processes_of(slot).first().copied().unwrap_or_default(), target))
    }

    /// The processes with an open slot, in ascending order.
    fn processes_of(&self, slot: u32) -> Vec<usize> {
        let functions = self.slots.get(&slot).map_or(&[][..], Vec::as_slice);
        let mut processes: Vec<usize> = functions.iter().map(|function| function.process).collect();
        processes.sort_unstable();
        processes.dedup();
        processes
    }

    fn split_interleave(&mut self, interleave: &Interleave) -> Vec<MessagePart> {
        let routes: Vec<(usize, LaneTarget)> =
            interleave.lanes.iter().map(|lane| self.route(interleave.slot, lane.target)).collect();
        let mut processes: Vec<usize> = routes.iter().map(|(process, _)| *process).collect();
        processes.sort_unstable();
        processes.dedup();
        if self.blocks % 2 == 1 {
            processes.reverse();
        }
        self.blocks += 1;
        let part = |process: usize| {
            let lanes: Vec<usize> = (0..routes.len()).filter(|lane| routes[*lane].0 == process).collect();
            let batches: Vec<usize> =
                (0..interleave.turns.len()).filter(|batch| lanes.contains(&interleave.turns[*batch])).collect();
            let turns =
                batches.iter().filter_map(|batch| lanes.iter().position(|lane| *lane == interleave.turns[*batch]));
            let request = Interleave {
                slot: interleave.slot,
                lanes: lanes.iter().map(|lane| Lane { target: routes[*lane].1, ..interleave.lanes[*lane] }).collect(),
                turns: turns.collect(),
                input_set: interleave.input_set,
            };
            MessagePart { process, message: HostMessage::Interleave(request), lanes, batches }
        };
        processes.into_iter().map(part).collect()
    }

    /// Joins the replies to the parts of a message.
    fn join(&mut self, finished: &SplitMessage) -> SuiteMessage {
        if let Some((_, failure)) = finished.done.iter().find(|(_, reply)| matches!(reply, SuiteMessage::Failed(_))) {
            self.close_opened(finished);
            return failure.clone();
        }
        let joined = match &finished.message {
            HostMessage::Open(open) => self.join_opened(open, finished),
            HostMessage::Collect(collect) => join_samples(collect, &finished.done),
            HostMessage::Interleave(interleave) => join_interleaved(interleave, &finished.done),
            HostMessage::Close { slot } => {
                self.slots.remove(slot);
                Some(SuiteMessage::Closed { slot: *slot })
            }
            HostMessage::Describe { .. } => None,
        };
        // An unexpected reply, which the measurement rejects.
        joined
            .or_else(|| Some(finished.done.last()?.1.clone()))
            .unwrap_or_else(|| SuiteMessage::Failed(failure(None, "no process has a part in this message")))
    }

    fn join_opened(&mut self, open: &Open, finished: &SplitMessage) -> Option<SuiteMessage> {
        let replies: Vec<&OpenReply> = finished
            .done
            .iter()
            .map(|(_, reply)| match reply {
                SuiteMessage::Opened(opened) => Some(opened),
                _ => None,
            })
            .collect::<Option<_>>()?;
        let first = *replies.first()?;
        let preparation = replies.iter().map(|reply| reply.preparation).sum();
        let is_same = |other: &&OpenReply| OpenReply { preparation: first.preparation, ..(*other).clone() } == *first;
        if replies.iter().all(is_same) {
            return Some(SuiteMessage::Opened(OpenReply { preparation, ..first.clone() }));
        }
        self.close_opened(finished);
        Some(SuiteMessage::Failed(failure(Some(open.slot), DIFFERENT_WORKLOADS)))
    }

    /// Closes the slot in the processes that have opened it, if it was not opened in all of them: the measurement does not close it.
    fn close_opened(&mut self, finished: &SplitMessage) {
        let HostMessage::Open(Open { slot, .. }) = &finished.message else { return };
        let slot = *slot;
        self.slots.remove(&slot);
        let opened = finished.done.iter().filter(|(_, reply)| matches!(reply, SuiteMessage::Opened(_)));
        let parts: VecDeque<MessagePart> =
            opened.map(|(part, _)| MessagePart::new(part.process, HostMessage::Close { slot })).collect();
        if !parts.is_empty() {
            let message = HostMessage::Close { slot };
            self.current = Some(SplitMessage { message, parts, in_flight: None, done: Vec::new(), is_own: true });
        }
    }
}

impl MessagePart {
    fn new(process: usize, message: HostMessage) -> Self {
        Self { process, message, lanes: Vec::new(), batches: Vec::new() }
    }
}

/// The reply with the target that the measurement knows.
fn join_samples(collect: &Collect, done: &[(MessagePart, SuiteMessage)]) -> Option<SuiteMessage> {
    let [(MessagePart { message: HostMessage::Collect(sent), .. }, SuiteMessage::Samples(samples))] = done else {
        return None;
    };
    let target = if samples.target == sent.target { collect.target } else { samples.target };
    Some(SuiteMessage::Samples(Samples { target, ..samples.clone() }))
}

/// The reply with the batches and lanes of all parts in the order of the whole message; `None` if a reply does not match its part.
fn join_interleaved(interleave: &Interleave, done: &[(MessagePart, SuiteMessage)]) -> Option<SuiteMessage> {
    let mut joined = InterleaveReply {
        slot: interleave.slot,
        elapsed: vec![0.0; interleave.turns.len()],
        interrupted: Vec::new(),
        preparation: 0.0,
        held: vec![0.0; interleave.lanes.len()],
        inputs: vec![0; interleave.lanes.len()],
    };
    let mut has_all_inputs = true;
    for (part, reply) in done {
        let SuiteMessage::Interleaved(reply) = reply else { return None };
        let has_inputs = reply.inputs.len() == part.lanes.len();
        let is_complete = reply.elapsed.len() == part.batches.len() && reply.held.len() == part.lanes.len();
        if !is_complete || !(has_inputs || reply.inputs.is_empty()) {
            return None;
        }
        for (batch, elapsed) in part.batches.iter().zip(&reply.elapsed) {
            joined.elapsed[*batch] = *elapsed;
        }
        for interrupted in &reply.interrupted {
            joined.interrupted.push(*part.batches.get(*interrupted as usize)? as u32);
        }
        for (position, lane) in part.lanes.iter().enumerate() {
            joined.held[*lane] = reply.held[position];
            joined.inputs[*lane] = reply.inputs.get(position).copied().unwrap_or_default();
        }
        joined.preparation += reply.preparation;
        has_all_inputs &= has_inputs;
    }
    if !has_all_inputs {
        joined.inputs.clear();
    }
    joined.interrupted.sort_unstable();
    Some(SuiteMessage::Interleaved(joined))
}

fn failure(slot: Option<u32>, reason: &str) -> RequestFailure {
    RequestFailure { slot, reason: reason.to_owned(), ..RequestFailure::default() }
}

#[cfg(test)]
mod tests;
