//! The memory that a suite holds, and the bound on it. The allocator updates the counters.
//!
//! Each thread counts separately and adds its count to the total only when it exceeds a limit: an atomic addition per
//! allocation would distort the times of functions that allocate.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// The net number of bytes, allocated or freed, beyond which a thread adds its count to the total.
const MAX_PENDING: i64 = 64 * 1024;

/// The maximum number of bytes held at once.
static BOUND: AtomicI64 = AtomicI64::new(i64::MAX);
/// Bytes held, excluding the threads' pending counts.
static HELD: AtomicI64 = AtomicI64::new(0);
/// Whether a rejected allocation was reported since the last message.
static IS_REPORTED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Bytes that this thread has not added to [`HELD`] yet.
    static PENDING: Cell<i64> = const { Cell::new(0) };
    /// Allocations of this thread since it started.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// Sets the bound in bytes.
pub(crate) fn set_bound(bytes: u64) {
    BOUND.store(i64::try_from(bytes).unwrap_or(i64::MAX), Ordering::Relaxed);
}

/// Lets [`bound_to_report`] report the next rejected allocation.
pub(crate) fn enable_report() {
    IS_REPORTED.store(false, Ordering::Relaxed);
}

/// Returns the bytes held, excluding the pending counts of other threads. Always 0 if the suite's allocator is not
/// installed, as in tests.
pub(crate) fn live_bytes() -> i64 {
    HELD.load(Ordering::Relaxed) + PENDING.get()
}

/// Returns the number of allocations of this thread since it started.
pub(crate) fn allocations() -> u64 {
    ALLOCATIONS.get()
}

/// Counts an allocation of `bytes`. Returns false, and does not count it, if it would exceed the bound. A thread that
/// is ending has no counter any more: returns true without counting.
pub(crate) fn admit(bytes: i64) -> bool {
    let is_admitted = PENDING.try_with(|pending| {
        let sum = pending.get().saturating_add(bytes);
        if HELD.load(Ordering::Relaxed).saturating_add(sum) > BOUND.load(Ordering::Relaxed) {
            return false;
        }
        set_pending(pending, sum);
        true
    });
    is_admitted.unwrap_or(true)
}

/// Counts a deallocation of `bytes`.
pub(crate) fn release(bytes: i64) {
    // A thread that is ending has no counter any more; it frees little.
    let _ = PENDING.try_with(|pending| set_pending(pending, pending.get() - bytes));
}

/// Sets this thread's count to `sum`, or adds `sum` to the total if it exceeds [`MAX_PENDING`].
fn set_pending(pending: &Cell<i64>, sum: i64) {
    if sum.abs() > MAX_PENDING {
        HELD.fetch_add(sum, Ordering::Relaxed);
        pending.set(0);
    } else {
        pending.set(sum);
    }
}

/// Increments the number of allocations of this thread.
pub(crate) fn count_allocation() {
    let _ = ALLOCATIONS.try_with(|allocations| allocations.set(allocations.get() + 1));
}

/// Returns the bound in bytes if the suite has to report a rejected allocation, which it does once per message.
pub(crate) fn bound_to_report() -> Option<u64> {
    let is_reported = IS_REPORTED.swap(true, Ordering::Relaxed);
    (!is_reported).then(|| BOUND.load(Ordering::Relaxed) as u64)
}
