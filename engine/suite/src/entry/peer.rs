//! The suite's side of the conversation: a message in, an answer out. Both faces drive it.

use std::collections::BTreeMap;

use crate::collect::interleave::interleave;
use crate::collect::slot::{self, Slot};
use crate::declare::Declared;
use crate::entry::stage;
use crate::identity::Identity;
use crate::memory;
use crate::service::Service;
use benchbook_contract::protocol::{
    Collect, Failed, HostMessage, Interleave, MAX_FUNCTIONS, Open, Opened, PROTOCOL, Stage, SuiteMessage, Target,
};

/// A suite in conversation with its host.
pub(crate) struct Peer {
    declared: Result<Declared, String>,
    slots: BTreeMap<u32, Slot>,
    /// Makes the scratch folder of a slot, where there can be one.
    scratch: Box<dyn Scratch>,
    /// What of the host's guard cannot be had.
    unguarded: Option<Vec<String>>,
}

/// Gives each slot a folder of its own.
pub(crate) trait Scratch {
    /// An empty folder for the slot; absent where there is no file system.
    fn make(&mut self, slot: u32) -> Option<std::path::PathBuf>;
    /// Removes the slot's folder.
    fn remove(&mut self, slot: u32);
}

impl Peer {
    pub(crate) fn new(identity: Identity, scratch: Box<dyn Scratch>) -> Self {
        Self { declared: Declared::gather(identity), slots: BTreeMap::new(), scratch, unguarded: None }
    }

    /// Tells the host what of its guard cannot be had.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn living_without(self, unguarded: Vec<String>) -> Self {
        Self { unguarded: Some(unguarded).filter(|missing| !missing.is_empty()), ..self }
    }

    /// What was declared, for the terminal.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn declared(&self) -> Result<&Declared, &str> {
        self.declared.as_ref().map_err(String::as_str)
    }

    /// Answers a line, itself one line of JSON.
    pub(crate) fn answer(&mut self, line: &str) -> String {
        memory::report_again();
        stage::work_for(None);
        stage::enter(Stage::Request);
        let answer = match serde_json::from_str(line) {
            Ok(message) => self.handle(message),
            Err(error) => refusal(None, format!("not a message of protocol {PROTOCOL}: {error}")),
        };
        stage::enter(Stage::Request);
        serde_json::to_string(&answer).expect("messages have a JSON form")
    }

    /// Closes all slots: their last hooks run.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn forget_all(&mut self) {
        for slot in std::mem::take(&mut self.slots).into_keys() {
            self.scratch.remove(slot);
        }
    }

    fn handle(&mut self, message: HostMessage) -> SuiteMessage {
        match message {
            HostMessage::Describe { .. } => match &self.declared {
                Ok(declared) => SuiteMessage::Catalog {
                    protocol: PROTOCOL,
                    suite: declared.catalog(),
                    unguarded: self.unguarded.clone(),
                },
                Err(reason) => refusal(None, reason.clone()),
            },
            HostMessage::Open(open) => {
                let slot = open.slot;
                stage::work_for(Some(slot));
                self.open(open).unwrap_or_else(|reason| refusal(Some(slot), reason))
            }
            HostMessage::Collect(order) => {
                stage::work_for(Some(order.slot));
                self.collect(&order).unwrap_or_else(|reason| refusal(Some(order.slot), reason))
            }
            HostMessage::Interleave(order) => {
                stage::work_for(Some(order.slot));
                self.interleave(&order).unwrap_or_else(|reason| refusal(Some(order.slot), reason))
            }
            HostMessage::Close { slot } => {
                stage::work_for(Some(slot));
                if self.slots.remove(&slot).is_none() {
                    return refusal(Some(slot), not_open(slot));
                }
                self.scratch.remove(slot);
                SuiteMessage::Closed { slot }
            }
        }
    }

    fn open(&mut self, open: Open) -> Result<SuiteMessage, String> {
        let declared = self.declared.as_ref().map_err(String::clone)?;
        if self.slots.contains_key(&open.slot) {
            return Err(format!("slot {} is open already", open.slot));
        }
        if open.functions.is_empty() || open.functions.len() > MAX_FUNCTIONS {
            return Err(format!("expected 1 to {MAX_FUNCTIONS} functions, not {}", open.functions.len()));
        }
        let mut functions = Vec::new();
        for path in &open.functions {
            let entry = declared.function(path).ok_or_else(|| format!("there is no function `{path}`"))?;
            let binding = declared
                .binding(entry, &open.generator)
                .ok_or_else(|| format!("`{path}` takes no workload of `{}`", open.generator))?;
            functions.push(binding.calls.ok_or_else(|| format!("`{path}` is native: only a runner can measure it"))?);
        }
        let service = Service {
            priority: open.priority,
            seed: open.seed,
            axis: open.axis,
            scratch: self.scratch.make(open.slot),
        };
        let start = crate::collect::clock::now();
        stage::enter(Stage::Generator);
        let inputs =
            (functions[0].open)(&service, &with_axis_value(&open)).inspect_err(|_| self.scratch.remove(open.slot))?;
        let slot = Slot::new(inputs, functions);
        let opened = Opened {
            slot: open.slot,
            round: slot.round(),
            one_call_a_batch: slot.one_call_a_batch(),
            preparation: crate::collect::clock::now() - start,
        };
        self.slots.insert(open.slot, slot);
        Ok(SuiteMessage::Opened(opened))
    }

    fn collect(&mut self, order: &Collect) -> Result<SuiteMessage, String> {
        if let Target::Clock | Target::Reference | Target::Tier = order.target {
            return slot::without_slot(order).map(SuiteMessage::Samples);
        }
        self.slot(order.slot)?.collect(order).map(SuiteMessage::Samples)
    }

    fn interleave(&mut self, order: &Interleave) -> Result<SuiteMessage, String> {
        interleave(self.slot(order.slot)?, order).map(SuiteMessage::Interleaved)
    }

    fn slot(&mut self, slot: u32) -> Result<&mut Slot, String> {
        self.slots.get_mut(&slot).ok_or_else(|| not_open(slot))
    }
}

fn not_open(slot: u32) -> String {
    format!("slot {slot} is not open")
}

/// The arguments with the axis value in the place of the range.
fn with_axis_value(open: &Open) -> benchbook_contract::parameter::Arguments {
    use benchbook_contract::parameter::Argument;
    let value = |argument: &Argument| match argument {
        Argument::Range(_) => Argument::Number(open.axis),
        other => other.clone(),
    };
    open.arguments.iter().map(|(name, argument)| (name.clone(), value(argument))).collect()
}

/// What is wrong with the request. Whatever the suite was at, it is unharmed.
fn refusal(slot: Option<u32>, reason: String) -> SuiteMessage {
    SuiteMessage::Failed(Failed { slot, stage: Stage::Request, reason, place: None })
}

/// The message of a panic.
pub(crate) fn panicked(info: &std::panic::PanicHookInfo<'_>) -> String {
    let (stage, slot) = stage::current();
    let reason = info.payload_as_str().unwrap_or("a panic without a message").to_owned();
    let failed = Failed { slot, stage, reason, place: info.location().map(ToString::to_string) };
    serde_json::to_string(&SuiteMessage::Failed(failed)).expect("messages have a JSON form")
}

#[cfg(test)]
mod tests;
