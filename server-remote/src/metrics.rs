//! Counters since startup.

use std::sync::atomic::{AtomicU64, Ordering};

use benchbook_host::response::Point;

/// Monotonic counters.
#[derive(Debug, Default)]
pub struct Metrics {
    stored_responses: AtomicU64,
    completed_measurements: AtomicU64,
    failed_measurements: AtomicU64,
    failed_points: AtomicU64,
}

impl Metrics {
    /// Counts a response from stored points.
    pub fn count_stored_response(&self) {
        self.stored_responses.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a completed measurement with these points.
    pub fn count_measurement(&self, points: &[Point]) {
        self.completed_measurements.fetch_add(1, Ordering::Relaxed);
        let failed = points.iter().filter(|point| point.measured().is_none()).count();
        self.failed_points.fetch_add(failed as u64, Ordering::Relaxed);
    }

    /// Counts a measurement that could not be completed.
    pub fn count_failure(&self) {
        self.failed_measurements.fetch_add(1, Ordering::Relaxed);
    }

    /// Responses from stored points.
    pub fn stored_responses(&self) -> u64 {
        self.stored_responses.load(Ordering::Relaxed)
    }

    /// Completed measurements.
    pub fn completed_measurements(&self) -> u64 {
        self.completed_measurements.load(Ordering::Relaxed)
    }

    /// Measurements that could not be completed.
    pub fn failed_measurements(&self) -> u64 {
        self.failed_measurements.load(Ordering::Relaxed)
    }

    /// Points without figures.
    pub fn failed_points(&self) -> u64 {
        self.failed_points.load(Ordering::Relaxed)
    }
}
