//! What happened since the runner started, in numbers.

use std::sync::atomic::{AtomicU64, Ordering};

use benchbook_host::response::Point;

/// Counts that only grow.
#[derive(Debug, Default)]
pub struct Counted {
    stored: AtomicU64,
    done: AtomicU64,
    failed: AtomicU64,
    failed_points: AtomicU64,
}

impl Counted {
    /// An answer was found in the store.
    pub fn count_stored(&self) {
        self.stored.fetch_add(1, Ordering::Relaxed);
    }

    /// A measurement was done, with these points.
    pub fn count_done(&self, points: &[Point]) {
        self.done.fetch_add(1, Ordering::Relaxed);
        let failed = points.iter().filter(|point| point.measured().is_none()).count();
        self.failed_points.fetch_add(failed as u64, Ordering::Relaxed);
    }

    /// A measurement could not be finished.
    pub fn count_failed(&self) {
        self.failed.fetch_add(1, Ordering::Relaxed);
    }

    /// Answers found in the store.
    pub fn stored(&self) -> u64 {
        self.stored.load(Ordering::Relaxed)
    }

    /// Measurements done.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Measurements that could not be finished.
    pub fn failed(&self) -> u64 {
        self.failed.load(Ordering::Relaxed)
    }

    /// Points without figures.
    pub fn failed_points(&self) -> u64 {
        self.failed_points.load(Ordering::Relaxed)
    }
}
