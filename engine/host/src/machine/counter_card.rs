//! The hardware counters of a runner's machine.

use serde::{Deserialize, Serialize};

use crate::messages::counters::{absence_fix, absence_text};
use crate::response::{CountedEvent, CounterAbsence};

/// The events that a runner counts in the processes of suites.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CounterCard {
    /// The names of their metrics. Empty if there are none.
    pub events: Vec<String>,
    /// Why no events are counted, and how to change that. Absent if some are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// A command that grants access to the counters. Absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
}

impl CounterCard {
    /// The card of a machine that counts these events, or none for this reason.
    pub fn new(counters: Result<&[CountedEvent], &CounterAbsence>) -> Self {
        let events = counters.unwrap_or_default().iter().map(|event| event.name().to_owned()).collect();
        let absence = counters.err();
        Self { events, reason: absence.map(absence_text), fix: absence.and_then(absence_fix) }
    }

    /// The card in one line: `instructions, cycles`, or `unavailable: …`.
    pub fn summary(&self) -> String {
        match &self.reason {
            Some(reason) => format!("unavailable: {reason}."),
            None => self.events.join(", ").replace('_', " "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_lists_the_events_or_states_why_there_are_none() {
        let card = CounterCard::new(Ok(&[CountedEvent::Instructions, CountedEvent::BranchMisses]));
        assert_eq!(card.summary(), "instructions, branch misses");
        assert_eq!((card.reason, card.fix), (None, None));
        let card = CounterCard::new(Err(&CounterAbsence::Denied { paranoid: Some(4) }));
        assert!(card.summary().starts_with("unavailable: the kernel denies access"), "{}", card.summary());
        assert!(card.events.is_empty() && card.fix.is_some());
    }
}
