//! This browser as a machine.

use benchbook_host::response::{ClockCard, Machine, MachineKind};
use benchbook_notebook::id::Id;

/// Identifies this browser among others.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BrowserIdentity {
    /// Its name and major version.
    pub(crate) name: String,
    /// A random identifier, stored in this profile of the browser: a new profile on the same machine has another one.
    pub(crate) id: Id,
    /// The platform and the number of threads, as far as the browser states them.
    pub(crate) processor: Option<String>,
}

impl BrowserIdentity {
    /// The machine of a measurement in this browser.
    pub(crate) fn machine(&self, clock: ClockCard) -> Machine {
        Machine {
            kind: MachineKind::Browser,
            name: self.name.clone(),
            id: Some(self.id.to_string()),
            processor: self.processor.clone(),
            clock,
        }
    }

    /// Whether a machine is this browser, possibly in another version.
    pub(crate) fn is_own(&self, machine: &Machine) -> bool {
        machine.kind == MachineKind::Browser && machine.id.as_deref() == Some(self.id.as_str())
    }
}
