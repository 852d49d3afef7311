//! Functions that several threads call at the same time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use benchbook::prelude::*;

/// Adds one under a lock.
#[measured(threads, generators(locked))]
fn lock(count: &Mutex<u64>) -> u64 {
    let mut count = count.lock().unwrap();
    *count += 1;
    *count
}

/// Adds a number.
#[measured(threads, native, generators(atomic))]
fn add(count: &AtomicU64, number: u64) {
    count.fetch_add(number, Ordering::Relaxed);
}

measure! {
    /// Of another crate.
    fn load(count: &AtomicU64, _number: u64) -> u64 = load_relaxed, threads, generators(atomic);
}

fn load_relaxed(count: &AtomicU64, _number: u64) -> u64 {
    count.load(Ordering::Relaxed)
}

/// A lock, as for a single thread.
#[generator(name = "Lock")]
fn locked(_service: &Service) -> Contended<Mutex<u64>> {
    Contended::new(1, |_| Mutex::new(0)).elements(1)
}

/// A counter and a number.
#[generator(name = "Counter")]
fn atomic(_service: &Service) -> Contended<(AtomicU64, u64)> {
    Contended::new(1, |rng| (AtomicU64::new(0), rng.random()))
}
