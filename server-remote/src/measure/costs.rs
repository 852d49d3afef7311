//! What measurements cost, as learned from those that were completed.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use crate::measure::planned_request::PlannedRequest;

/// The number of kept measurements.
const RETAINED: usize = 32;

/// The time of a process at a point beyond the requested one, in milliseconds, before any measurement was completed.
const INITIAL_OVERHEAD_MS: f64 = 5.0;

/// The bounds of that time: a client must not distort the expected duration of the requests of others.
const OVERHEAD_MS: [f64; 2] = [1.0, 1_000.0];

/// The shortest turn of a job, in milliseconds.
const TURN_MS: f64 = 2_000.0;

/// The expected duration of requests. Clients choose the time per point, so the runner adds what points took beyond it.
#[derive(Debug, Default)]
pub struct Costs {
    /// The overhead per process and point of the latest measurements, in milliseconds.
    overheads: Mutex<VecDeque<f64>>,
}

impl Costs {
    /// Records that measuring `points` points took `elapsed_ms` milliseconds.
    pub fn record(&self, request: &PlannedRequest, points: usize, elapsed_ms: f64) {
        if points > 0 {
            let mut overheads = self.overheads.lock().unwrap_or_else(PoisonError::into_inner);
            let processes = f64::from(request.quality.processes);
            overheads.push_back((elapsed_ms / points as f64 - request.point_ms()) / processes);
            if overheads.len() > RETAINED {
                overheads.pop_front();
            }
        }
    }

    /// The time of a process at a point beyond the requested one, in milliseconds: the median of the latest measurements.
    fn overhead_ms(&self) -> f64 {
        let overheads = self.overheads.lock().unwrap_or_else(PoisonError::into_inner);
        let mut sorted: Vec<f64> = overheads.iter().copied().collect();
        sorted.sort_by(f64::total_cmp);
        let median = sorted.get(sorted.len() / 2).copied().unwrap_or(INITIAL_OVERHEAD_MS);
        median.clamp(OVERHEAD_MS[0], OVERHEAD_MS[1])
    }

    /// The expected duration of a request, in milliseconds.
    pub fn expected_ms(&self, request: &PlannedRequest) -> u64 {
        let processes = f64::from(request.quality.processes);
        (request.points() as f64 * (request.point_ms() + processes * self.overhead_ms())).ceil() as u64
    }

    /// The expected duration of a turn, in milliseconds: a job cannot pause in the middle of an axis value.
    pub fn turn_ms(&self, request: &PlannedRequest) -> u64 {
        let functions = request.query.functions.len() as f64;
        let of_first_calls = request.point_ms() - request.quality.point_ms;
        let of_process = request.quality.point_ms / f64::from(request.quality.processes) + of_first_calls;
        TURN_MS.max(functions * (of_process + self.overhead_ms())).ceil() as u64
    }
}
