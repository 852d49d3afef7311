//! Counts of the memory that a suite holds, and the bound on it. The allocator updates them.
//!
//! The counts are kept by thread and added up when they have grown: an atomic addition with each allocation would
//! show in the figures of functions that allocate.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// How far a thread's count may be off before it is added to the common one, in bytes.
const SLACK: i64 = 64 * 1024;

/// The most bytes that may be held at once.
static BOUND: AtomicI64 = AtomicI64::new(i64::MAX);
/// Bytes held, as far as threads have told.
static HELD: AtomicI64 = AtomicI64::new(0);
/// Whether a refusal was reported since the last message.
static REPORTED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Bytes that this thread has not told yet.
    static UNTOLD: Cell<i64> = const { Cell::new(0) };
    /// Allocations of this thread since it began.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// Sets the bound in bytes.
pub(crate) fn set_bound(bytes: u64) {
    BOUND.store(i64::try_from(bytes).unwrap_or(i64::MAX), Ordering::Relaxed);
}

/// The next refusal will be reported again.
pub(crate) fn report_again() {
    REPORTED.store(false, Ordering::Relaxed);
}

/// Bytes held, up to what other threads have not told; 0 for ever in a program without [`Bounded`].
pub(crate) fn live_bytes() -> i64 {
    HELD.load(Ordering::Relaxed) + UNTOLD.get()
}

/// Allocations of this thread since it began.
pub(crate) fn allocations() -> u64 {
    ALLOCATIONS.get()
}

/// Counts `bytes` more, or says that they would pass the bound. A thread that is ending counts no more.
pub(crate) fn admit(bytes: i64) -> bool {
    let counted = UNTOLD.try_with(|untold| {
        let sum = untold.get().saturating_add(bytes);
        if HELD.load(Ordering::Relaxed).saturating_add(sum) > BOUND.load(Ordering::Relaxed) {
            return false;
        }
        count(untold, sum);
        true
    });
    counted.unwrap_or(true)
}

pub(crate) fn release(bytes: i64) {
    // A thread that is ending has no count any more; what it frees then is small.
    let _ = UNTOLD.try_with(|untold| count(untold, untold.get() - bytes));
}

fn count(untold: &Cell<i64>, sum: i64) {
    if sum.abs() > SLACK {
        HELD.fetch_add(sum, Ordering::Relaxed);
        untold.set(0);
    } else {
        untold.set(sum);
    }
}

/// Counts an allocation of this thread.
pub(crate) fn count_allocation() {
    let _ = ALLOCATIONS.try_with(|allocations| allocations.set(allocations.get() + 1));
}

/// Returns the bound if a rejected allocation has to be reported: once per message.
pub(crate) fn bound_to_report() -> Option<u64> {
    let reported = REPORTED.swap(true, Ordering::Relaxed);
    (!reported).then(|| BOUND.load(Ordering::Relaxed) as u64)
}
