//! The suite's side of the protocol: a message in, a reply out. Both targets use it.

use std::collections::BTreeMap;
use std::hint::black_box;

use crate::collect::clock;
use crate::collect::interleave::interleave;
use crate::collect::ready_functions::{NotReady, ReadyFunctions};
use crate::collect::slot::{self, Slot};
use crate::declare::Declarations;
use crate::identity::Identity;
use crate::memory;
use crate::service::Service;
use crate::stage;
use crate::workload::Throughput;
use benchbook_contract::catalog::Suite;
use benchbook_contract::protocol::{
    Collect, FailedPart, FailureStage, HostMessage, Interleave, InterleaveReply, LaneTarget, MAX_FUNCTIONS, Open,
    OpenReply, PROTOCOL, RequestFailure, Samples, SuiteMessage,
};

/// A suite that is connected to a host.
pub(crate) struct Peer {
    /// The declarations, or the reason why they are invalid.
    declarations: Result<Declarations, String>,
    slots: BTreeMap<u32, Slot>,
    scratch: Box<dyn Scratch>,
}

/// Creates and removes the scratch folders of slots.
pub(crate) trait Scratch {
    /// Creates an empty folder for the slot. Returns `None` if it cannot be created or there is no file system.
    fn create(&mut self, slot: u32) -> Option<std::path::PathBuf>;
    /// Removes the slot's folder.
    fn remove(&mut self, slot: u32);
}

impl Peer {
    pub(crate) fn new(identity: Identity, scratch: Box<dyn Scratch>) -> Self {
        Self { declarations: Declarations::registered(identity), slots: BTreeMap::new(), scratch }
    }

    /// Returns the catalog. `without`: parts of the program that failed in earlier instances.
    ///
    /// # Errors
    /// Returns the reason if the declarations are invalid.
    pub(crate) fn catalog(&self, without: &[FailedPart]) -> Result<Suite, String> {
        self.declarations.as_ref().map_err(String::clone)?.catalog(without)
    }

    /// Handles a message and returns the reply, both as a line of JSON.
    #[cfg(any(test, target_arch = "wasm32"))]
    pub(crate) fn reply(&mut self, line: &str) -> String {
        line_of(&parse(line).map_or_else(|reason| rejection(None, reason), |message| self.handle(message)))
    }

    /// Closes all slots, which runs their `after_all` hooks.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn close_all(&mut self) {
        for slot in std::mem::take(&mut self.slots).into_keys() {
            self.scratch.remove(slot);
        }
    }

    /// Handles a message.
    pub(crate) fn handle(&mut self, message: HostMessage) -> SuiteMessage {
        let mut only = None;
        self.handle_with_next(message, &mut |reply| {
            only = Some(reply);
            None
        });
        only.expect("each message gets a reply")
    }

    /// Handles a message, passes the reply to `next`, and handles the message that `next` returns in the same way, until it returns none.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn handle_all(&mut self, first: HostMessage, next: &mut dyn FnMut(SuiteMessage) -> Option<HostMessage>) {
        let mut message = Some(first);
        while let Some(current) = message {
            message = self.handle_with_next(current, next);
        }
    }

    /// Handles a message, and passes the reply to `next`. As long as the following messages measure functions of the same slot, handles them,
    /// too. Returns the first one that does not.
    ///
    /// Such messages find the functions ready: benchmarks of a program run the program's code only for the first one.
    fn handle_with_next(
        &mut self,
        message: HostMessage,
        next: &mut dyn FnMut(SuiteMessage) -> Option<HostMessage>,
    ) -> Option<HostMessage> {
        begin(slot_of(&message));
        match message {
            HostMessage::Open(open) => self.open(&open, next),
            HostMessage::Collect(_) | HostMessage::Interleave(_) => self.measure(message, next),
            HostMessage::Describe { without, .. } => next(self.describe(&without)),
            HostMessage::Close { slot } => next(self.close(slot)),
        }
    }

    fn describe(&self, without: &[FailedPart]) -> SuiteMessage {
        match self.catalog(without) {
            Ok(suite) => SuiteMessage::Catalog { protocol: PROTOCOL, suite },
            Err(reason) => rejection(None, reason),
        }
    }

    fn close(&mut self, slot: u32) -> SuiteMessage {
        if self.slots.remove(&slot).is_none() {
            return rejection(Some(slot), not_open(slot));
        }
        self.scratch.remove(slot);
        SuiteMessage::Closed { slot }
    }

    /// Opens a slot, as [`Self::handle_with_next`] describes.
    fn open(&mut self, open: &Open, next: &mut dyn FnMut(SuiteMessage) -> Option<HostMessage>) -> Option<HostMessage> {
        let number = open.slot;
        let start = clock::now();
        let slot = match self.prepared(open) {
            Ok(slot) => slot,
            Err(reason) => return next(rejection(Some(number), reason)),
        };
        let mut after = None;
        // A panic leaves it in the map, so that its scratch folder is removed.
        let slot = self.slots.entry(number).or_insert(slot);
        let ready = slot.with_functions(&mut |functions| {
            stage::enter(FailureStage::Request);
            let Throughput { elements, bytes } = functions.throughput();
            let opened = OpenReply {
                slot: number,
                round: functions.round() as u64,
                one_call_per_batch: functions.one_call_per_batch(),
                elements,
                bytes,
                preparation: clock::now() - start,
            };
            let message = next(SuiteMessage::Opened(opened));
            after = message.and_then(|message| measure_all(functions, number, message, next));
        });
        match ready {
            Ok(()) => after,
            Err(not_ready) => {
                self.slots.remove(&number);
                self.scratch.remove(number);
                next(unready(number, not_ready))
            }
        }
    }

    fn prepared(&mut self, open: &Open) -> Result<Slot, String> {
        let declarations = self.declarations.as_ref().map_err(String::clone)?;
        if self.slots.contains_key(&open.slot) {
            return Err(format!("slot {} is already open", open.slot));
        }
        if open.functions.is_empty() || open.functions.len() > MAX_FUNCTIONS {
            return Err(format!("expected 1 to {MAX_FUNCTIONS} functions, not {}", open.functions.len()));
        }
        let service = Service { priority: open.priority, seed: open.seed, scratch: self.scratch.create(open.slot) };
        declarations.open(open, &service).inspect_err(|_| self.scratch.remove(open.slot))
    }

    /// Measures functions of a slot, as [`Self::handle_with_next`] describes.
    fn measure(
        &mut self,
        message: HostMessage,
        next: &mut dyn FnMut(SuiteMessage) -> Option<HostMessage>,
    ) -> Option<HostMessage> {
        if let HostMessage::Collect(request) = &message {
            if let LaneTarget::Clock | LaneTarget::Reference | LaneTarget::Tier = request.target {
                let samples = slot::without_slot(request).map(SuiteMessage::Samples);
                return next(samples.unwrap_or_else(|reason| rejection(Some(request.slot), reason)));
            }
        }
        let number = slot_of(&message).unwrap_or_default();
        let Some(slot) = self.slots.get_mut(&number) else { return next(rejection(Some(number), not_open(number))) };
        let mut message = Some(message);
        let ready = slot.with_functions(&mut |functions| {
            message = message.take().and_then(|message| measure_all(functions, number, message, next));
        });
        match ready {
            Ok(()) => message,
            Err(not_ready) => next(unready(number, not_ready)),
        }
    }
}

type CollectHandler = fn(&mut dyn ReadyFunctions, &Collect) -> Result<Samples, String>;
type InterleaveHandler = fn(&mut dyn ReadyFunctions, &Interleave) -> Result<InterleaveReply, String>;

/// Measures functions of slot `number` as requested by `message` and the ones that follow it. Returns the first message that does not
/// request this.
fn measure_all(
    functions: &mut dyn ReadyFunctions,
    number: u32,
    message: HostMessage,
    next: &mut dyn FnMut(SuiteMessage) -> Option<HostMessage>,
) -> Option<HostMessage> {
    // Through pointers, so that no compiler inlines the loops over batches into this one: see `FunctionLoops`.
    let collect: CollectHandler = black_box(slot::collect);
    let interleave: InterleaveHandler = black_box(interleave);
    let mut message = message;
    while slot_of(&message) == Some(number) {
        begin(Some(number));
        let reply = match &message {
            HostMessage::Collect(request) => collect(functions, request).map(SuiteMessage::Samples),
            HostMessage::Interleave(request) => interleave(functions, request).map(SuiteMessage::Interleaved),
            HostMessage::Describe { .. } | HostMessage::Open(_) | HostMessage::Close { .. } => break,
        };
        stage::enter(FailureStage::Request);
        message = next(reply.unwrap_or_else(|reason| rejection(Some(number), reason)))?;
    }
    Some(message)
}

/// Resets what the report of a panic or of rejected memory contains, for the next message.
fn begin(slot: Option<u32>) {
    memory::enable_report();
    stage::set_slot(slot);
    stage::enter(FailureStage::Request);
}

/// Parses a message.
///
/// # Errors
/// Says why the line is not a message.
pub(crate) fn parse(line: &str) -> Result<HostMessage, String> {
    begin(None);
    serde_json::from_str(line).map_err(|error| format!("not a message of protocol {PROTOCOL}: {error}"))
}

/// A reply as a line of JSON, without the end of the line.
pub(crate) fn line_of(reply: &SuiteMessage) -> String {
    serde_json::to_string(reply).expect("messages have a JSON form")
}

/// The slot that a message names.
fn slot_of(message: &HostMessage) -> Option<u32> {
    match message {
        HostMessage::Describe { .. } => None,
        HostMessage::Open(open) => Some(open.slot),
        HostMessage::Collect(request) => Some(request.slot),
        HostMessage::Interleave(request) => Some(request.slot),
        HostMessage::Close { slot } => Some(*slot),
    }
}

fn not_open(slot: u32) -> String {
    format!("slot {slot} is not open")
}

/// Rejects an invalid request; the suite continues.
pub(crate) fn rejection(slot: Option<u32>, reason: String) -> SuiteMessage {
    SuiteMessage::Failed(RequestFailure { slot, reason, ..RequestFailure::default() })
}

/// Reports functions that are not ready; the suite continues.
fn unready(slot: u32, NotReady { reason, is_skipped }: NotReady) -> SuiteMessage {
    let failure = RequestFailure { slot: Some(slot), reason, skipped: is_skipped, ..RequestFailure::default() };
    SuiteMessage::Failed(failure)
}

/// Returns the message that reports a panic.
pub(crate) fn panic_message(info: &std::panic::PanicHookInfo<'_>) -> String {
    line_of(&SuiteMessage::Failed(stage::panic_failure(info)))
}

#[cfg(test)]
mod tests;
