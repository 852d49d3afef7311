//! Why hardware counters counted nothing, and how to fix it.

use crate::response::CounterAbsence;

/// The value of `kernel.perf_event_paranoid` up to which users may count the events of their own programs.
const PERMISSIVE: i32 = 2;

/// Why nothing was counted, and how to fix it, as the end of `unavailable: …`.
pub fn absence_text(absence: &CounterAbsence) -> String {
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
pub fn absence_fix(absence: &CounterAbsence) -> Option<String> {
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
