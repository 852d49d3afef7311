//! What imprecise points need to reach the precision target.

use super::location::ReportLayout;
use crate::units::Nanos;

/// What the least precise point needs to reach the precision target.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NeededEffort {
    /// The longest time in milliseconds: 0 if unknown, infinite if no time suffices.
    ms: f64,
    /// The largest number of processes; 0 if points have a single one.
    processes: u32,
}

/// The longest time that a point may take, in milliseconds: an hour.
const MAX_TIME_MS: f64 = 3_600_000.0;

impl NeededEffort {
    /// Adds a point. `has_interval`: whether its precision is known.
    pub(super) fn add(&mut self, has_interval: bool, needs_ms: Option<f64>, needs_processes: Option<u32>) {
        match needs_processes {
            Some(processes) => self.processes = self.processes.max(processes),
            None => self.ms = self.ms.max(needs_ms.unwrap_or(if has_interval { f64::INFINITY } else { 0.0 })),
        }
    }

    pub(super) fn fix(self, layout: &ReportLayout<'_>) -> String {
        match (self.ms, self.processes) {
            (MAX_TIME_MS.., _) => "This machine cannot reach it. Choose a wider precision target.".to_owned(),
            (_, processes @ 1..) => {
                format!("It would take {processes} processes. Choose a wider precision target.")
            }
            (0.0, _) => {
                format!("The required time is unknown. {}", layout.with_less_load("or choose a wider precision target"))
            }
            (ms, _) => format!("Allow {} per point, or choose a wider precision target.", Nanos(ms * 1e6)),
        }
    }
}
