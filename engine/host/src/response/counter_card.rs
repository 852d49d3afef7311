//! The hardware counters of a runner's machine.

use serde::{Deserialize, Serialize};

use super::{CountedEvent, CounterAbsence};

/// The events that a runner counts in the processes of suites.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
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

/// The value of `kernel.perf_event_paranoid` up to which users may count the events of their own programs.
const PERMISSIVE: i32 = 2;

/// Why nothing was counted, and how to fix it, as the end of `unavailable: …`.
fn absence_text(absence: &CounterAbsence) -> String {
    match absence {
        CounterAbsence::NotLinux => "only Linux is supported. Measure on a runner on Linux".to_owned(),
        CounterAbsence::Missing => "the processor offers none, as in most virtual machines. Measure on a physical machine, or \
             enable the virtual PMU of the hypervisor"
            .to_owned(),
        CounterAbsence::Denied { paranoid: Some(value) } if *value > PERMISSIVE => format!(
            "the kernel denies access (kernel.perf_event_paranoid is {value}). Set it to {PERMISSIVE}, or give the runner the \
             capability CAP_PERFMON; then restart it"
        ),
        CounterAbsence::Denied { .. } => "the system denies access. Allow the system call perf_event_open, which containers \
             often forbid, or give the runner the capability CAP_PERFMON; then restart it"
            .to_owned(),
        CounterAbsence::Unobservable => "the runner is not permitted to observe the suites' processes. Give it the capability \
             CAP_PERFMON, or run the suites as its own user; then restart it"
            .to_owned(),
        CounterAbsence::Busy => {
            "other programs use the counters. Stop profilers and the NMI watchdog (kernel.nmi_watchdog), then measure again; on a processor with several kinds of cores, choose a measuring core"
                .to_owned()
        }
        CounterAbsence::SlowCalls => "the calls are too slow. Increase the time per point".to_owned(),
        CounterAbsence::Failed(reason) => format!("the system reports an error: {reason}"),
    }
}

/// A command that grants access; `None` if there is none.
fn absence_fix(absence: &CounterAbsence) -> Option<String> {
    match absence {
        CounterAbsence::Denied { paranoid: Some(value) } if *value > PERMISSIVE => {
            Some(format!("sudo sysctl kernel.perf_event_paranoid={PERMISSIVE}"))
        }
        _ => None,
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

    #[test]
    fn each_reason_states_the_fix() {
        let all = [
            (CounterAbsence::NotLinux, "on Linux"),
            (CounterAbsence::Missing, "physical machine"),
            (CounterAbsence::Denied { paranoid: Some(3) }, "kernel.perf_event_paranoid is 3"),
            (CounterAbsence::Denied { paranoid: Some(2) }, "perf_event_open"),
            (CounterAbsence::Denied { paranoid: None }, "CAP_PERFMON"),
            (CounterAbsence::Unobservable, "CAP_PERFMON"),
            (CounterAbsence::Busy, "profilers"),
            (CounterAbsence::SlowCalls, "time per point"),
            (CounterAbsence::Failed("too many open files".to_owned()), "too many open files"),
        ];
        for (absence, expected) in all {
            let text = absence_text(&absence);
            assert!(text.contains(expected), "{text}");
            let is_sysctl = matches!(absence, CounterAbsence::Denied { paranoid: Some(3) });
            assert_eq!(absence_fix(&absence).is_some(), is_sysctl, "{absence:?}");
        }
    }
}
