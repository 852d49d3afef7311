//! The suite's side of the protocol: a message in, a reply out. Both targets use it.

use std::any::Any;
use std::collections::BTreeMap;

use crate::collect::interleave::interleave;
use crate::collect::slot::{self, Slot};
use crate::declare::Declarations;
use crate::entry::stage;
use crate::identity::Identity;
use crate::memory;
use crate::service::Service;
use crate::workload::Throughput;
use benchbook_contract::protocol::{
    Collect, FailureStage, HostMessage, Interleave, LaneTarget, MAX_FUNCTIONS, Open, OpenReply, PROTOCOL,
    RequestFailure, SuiteMessage,
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

    /// Returns the declarations, for the terminal.
    ///
    /// # Errors
    /// Returns the reason if they are invalid.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn declarations(&self) -> Result<&Declarations, &str> {
        self.declarations.as_ref().map_err(String::as_str)
    }

    /// Handles a message and returns the reply, both as a line of JSON.
    pub(crate) fn reply(&mut self, line: &str) -> String {
        memory::enable_report();
        stage::set_slot(None);
        stage::enter(FailureStage::Request);
        let reply = match serde_json::from_str(line) {
            Ok(message) => self.handle(message),
            Err(error) => rejection(None, format!("not a message of protocol {PROTOCOL}: {error}")),
        };
        stage::enter(FailureStage::Request);
        serde_json::to_string(&reply).expect("messages have a JSON form")
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
        match message {
            HostMessage::Describe { .. } => match &self.declarations {
                Ok(declarations) => SuiteMessage::Catalog { protocol: PROTOCOL, suite: declarations.catalog() },
                Err(reason) => rejection(None, reason.clone()),
            },
            HostMessage::Open(open) => {
                let slot = open.slot;
                stage::set_slot(Some(slot));
                self.open(open).unwrap_or_else(|reason| rejection(Some(slot), reason))
            }
            HostMessage::Collect(request) => {
                stage::set_slot(Some(request.slot));
                self.collect(&request).unwrap_or_else(|reason| rejection(Some(request.slot), reason))
            }
            HostMessage::Interleave(request) => {
                stage::set_slot(Some(request.slot));
                self.interleave(&request).unwrap_or_else(|reason| rejection(Some(request.slot), reason))
            }
            HostMessage::Close { slot } => {
                stage::set_slot(Some(slot));
                if self.slots.remove(&slot).is_none() {
                    return rejection(Some(slot), not_open(slot));
                }
                self.scratch.remove(slot);
                SuiteMessage::Closed { slot }
            }
        }
    }

    fn open(&mut self, open: Open) -> Result<SuiteMessage, String> {
        let declarations = self.declarations.as_ref().map_err(String::clone)?;
        if self.slots.contains_key(&open.slot) {
            return Err(format!("slot {} is already open", open.slot));
        }
        if open.functions.is_empty() || open.functions.len() > MAX_FUNCTIONS {
            return Err(format!("expected 1 to {MAX_FUNCTIONS} functions, not {}", open.functions.len()));
        }
        let mut functions = Vec::new();
        for path in &open.functions {
            let entry = declarations.function(path).ok_or_else(|| format!("there is no function `{path}`"))?;
            let binding = declarations
                .binding(entry, &open.generator)
                .ok_or_else(|| format!("`{path}` takes no workload of `{}`", open.generator))?;
            functions.push(binding.loops.ok_or_else(|| format!("`{path}` is native: only a runner can measure it"))?);
        }
        let service = Service { priority: open.priority, seed: open.seed, scratch: self.scratch.create(open.slot) };
        let start = crate::collect::clock::now();
        stage::enter(FailureStage::Generator);
        let inputs = (functions[0].open)(&service, &open.arguments).inspect_err(|_| self.scratch.remove(open.slot))?;
        let slot = Slot::new(inputs, functions);
        let Throughput { elements, bytes } = slot.throughput();
        let opened = OpenReply {
            slot: open.slot,
            round: slot.round(),
            one_call_per_batch: slot.one_call_per_batch(),
            elements,
            bytes,
            preparation: crate::collect::clock::now() - start,
        };
        self.slots.insert(open.slot, slot);
        Ok(SuiteMessage::Opened(opened))
    }

    fn collect(&mut self, request: &Collect) -> Result<SuiteMessage, String> {
        if let LaneTarget::Clock | LaneTarget::Reference | LaneTarget::Tier = request.target {
            return slot::without_slot(request).map(SuiteMessage::Samples);
        }
        self.slot(request.slot)?.collect(request).map(SuiteMessage::Samples)
    }

    fn interleave(&mut self, request: &Interleave) -> Result<SuiteMessage, String> {
        interleave(self.slot(request.slot)?, request).map(SuiteMessage::Interleaved)
    }

    fn slot(&mut self, slot: u32) -> Result<&mut Slot, String> {
        self.slots.get_mut(&slot).ok_or_else(|| not_open(slot))
    }
}

fn not_open(slot: u32) -> String {
    format!("slot {slot} is not open")
}

/// Rejects an invalid request; the suite continues.
fn rejection(slot: Option<u32>, reason: String) -> SuiteMessage {
    SuiteMessage::Failed(RequestFailure { slot, stage: FailureStage::Request, reason, location: None })
}

/// Returns the message that reports a panic.
pub(crate) fn panic_message(info: &std::panic::PanicHookInfo<'_>) -> String {
    let (stage, slot) = stage::current();
    let reason = payload_text(info.payload()).unwrap_or("a panic without a message").to_owned();
    let failed = RequestFailure { slot, stage, reason, location: info.location().map(ToString::to_string) };
    serde_json::to_string(&SuiteMessage::Failed(failed)).expect("messages have a JSON form")
}

/// Returns the text of a panic with a formatted message or a literal. (`payload_as_str` requires rustc 1.91.)
fn payload_text(payload: &dyn Any) -> Option<&str> {
    payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref().copied())
}

#[cfg(test)]
mod tests;
