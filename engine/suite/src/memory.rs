//! The memory that a suite holds, the bound on it, and the memory use of counted calls. The allocator updates the counters.
//!
//! Each thread counts separately and adds its count to the total only when it exceeds a limit: an atomic addition per
//! allocation would distort the times of functions that allocate. Everything else is on the slow path beyond the limits:
//! the bound is checked there, and while a call is counted, limits that no operation fits send each one there.

mod call_counter;

use std::cell::Cell;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use benchbook_contract::protocol::Counts;

pub(crate) use call_counter::CallCounter;

/// The net number of bytes, allocated or freed, beyond which a thread adds its count to the total.
const MAX_PENDING: i64 = 64 * 1024;

/// A limit that sends every operation to the slow path. Differences from it do not overflow.
const BEYOND_ALL: i64 = i64::MAX / 2;

/// The maximum number of bytes held at once.
static BOUND: AtomicI64 = AtomicI64::new(i64::MAX);
/// Bytes held, excluding the threads' pending counts.
static HELD: AtomicI64 = AtomicI64::new(0);
/// Whether a rejected allocation was reported since the last message.
static IS_REPORTED: AtomicBool = AtomicBool::new(false);

thread_local! {
    static THREAD: ThreadMemory = const { ThreadMemory::new() };
}

/// The counters of one thread.
struct ThreadMemory {
    /// Bytes that are not in [`HELD`] yet.
    pending: Cell<i64>,
    /// An operation that takes `pending` below this limit is on the slow path.
    lowest: Cell<i64>,
    /// An operation that takes `pending` above this limit is on the slow path.
    highest: Cell<i64>,
    /// The call that is counted.
    call: Cell<Option<CallCounter>>,
}

impl ThreadMemory {
    /// A thread's first allocation is on the slow path, which sets the limits.
    const fn new() -> Self {
        Self { pending: Cell::new(0), lowest: Cell::new(0), highest: Cell::new(-1), call: Cell::new(None) }
    }

    #[cold]
    #[inline(never)]
    fn admit_slowly(&self, bytes: i64) -> bool {
        let sum = self.pending.get().saturating_add(bytes);
        if HELD.load(Ordering::Relaxed).saturating_add(sum) > BOUND.load(Ordering::Relaxed) {
            return false;
        }
        self.set_pending(sum);
        self.count(|call| call.allocate(bytes));
        true
    }

    #[cold]
    #[inline(never)]
    fn release_slowly(&self, bytes: i64, count: impl FnOnce(&mut CallCounter)) {
        self.set_pending(self.pending.get() - bytes);
        self.count(count);
    }

    /// Sets the pending count to `sum`, or adds `sum` to the total if it exceeds [`MAX_PENDING`].
    fn set_pending(&self, sum: i64) {
        if sum.abs() > MAX_PENDING {
            HELD.fetch_add(sum, Ordering::Relaxed);
            self.pending.set(0);
        } else {
            self.pending.set(sum);
        }
        self.set_limits();
    }

    /// Sets the limits of the fast path.
    fn set_limits(&self) {
        if self.call.get().is_some() {
            self.lowest.set(BEYOND_ALL);
            self.highest.set(-BEYOND_ALL);
        } else {
            let remaining = BOUND.load(Ordering::Relaxed).saturating_sub(HELD.load(Ordering::Relaxed));
            self.lowest.set(-MAX_PENDING);
            self.highest.set(remaining.min(MAX_PENDING));
        }
    }

    fn count(&self, count: impl FnOnce(&mut CallCounter)) {
        if let Some(mut call) = self.call.get() {
            count(&mut call);
            self.call.set(Some(call));
        }
    }
}

/// Sets the bound in bytes.
pub(crate) fn set_bound(bytes: u64) {
    BOUND.store(i64::try_from(bytes).unwrap_or(i64::MAX), Ordering::Relaxed);
    THREAD.with(ThreadMemory::set_limits);
}

/// Lets [`bound_to_report`] report the next rejected allocation.
pub(crate) fn enable_report() {
    IS_REPORTED.store(false, Ordering::Relaxed);
}

/// Returns the bytes held, excluding the pending counts of other threads. Always 0 if the suite's allocator is not
/// installed, as in tests.
pub(crate) fn live_bytes() -> i64 {
    HELD.load(Ordering::Relaxed) + THREAD.with(|thread| thread.pending.get())
}

/// As [`live_bytes`]; 0 instead of less.
pub(crate) fn held_bytes() -> usize {
    usize::try_from(live_bytes()).unwrap_or(0)
}

/// Adds this thread's pending count to the total. A thread that ends without it would falsify the total.
pub(crate) fn end_thread() {
    THREAD.with(|thread| {
        HELD.fetch_add(thread.pending.take(), Ordering::Relaxed);
        thread.set_limits();
    });
}

/// Starts to count the memory use of a call on this thread. `held`: the bytes held now, which a counting module reads.
#[inline(never)]
pub(crate) fn begin_call(held: usize) {
    black_box(held);
    THREAD.with(|thread| {
        thread.call.set(Some(CallCounter::NEW));
        thread.set_limits();
    });
}

/// Stops counting, and returns the memory use since [`begin_call`].
#[inline(never)]
pub(crate) fn end_call() -> CallCounter {
    THREAD.with(|thread| {
        let call = thread.call.take();
        thread.set_limits();
        call.unwrap_or_default()
    })
}

/// Whether the program's global allocator is the suite's: a program with `suite!` has it, one with benches for another harness may not.
pub fn is_counted() -> bool {
    begin_call(0);
    drop(black_box(Box::new(0_u8)));
    let mut counts = Counts::default();
    end_call().add_to(&mut counts);
    counts.allocations > 0
}

/// Counts an allocation of `bytes`, or the growth of a reallocation. Returns false, and does not count it, if it would
/// exceed the bound. A thread that is ending has no counters any more: returns true without counting.
#[inline(always)]
pub(crate) fn admit(bytes: i64) -> bool {
    let is_admitted = THREAD.try_with(|thread| {
        let pending = thread.pending.get();
        if bytes > thread.highest.get() - pending {
            return thread.admit_slowly(bytes);
        }
        thread.pending.set(pending + bytes);
        true
    });
    is_admitted.unwrap_or(true)
}

/// Counts a deallocation of `bytes`, or an admitted allocation that failed.
#[inline(always)]
pub(crate) fn release(bytes: i64) {
    release_as(bytes, |call| call.release(bytes));
}

/// Counts a reallocation that shrinks by `bytes`.
#[inline(always)]
pub(crate) fn shrink(bytes: i64) {
    release_as(bytes, |call| call.shrink(bytes));
}

#[inline(always)]
fn release_as(bytes: i64, count: impl FnOnce(&mut CallCounter)) {
    // A thread that is ending has no counters any more; it frees little.
    let _ = THREAD.try_with(|thread| {
        let sum = thread.pending.get() - bytes;
        if sum < thread.lowest.get() {
            thread.release_slowly(bytes, count);
        } else {
            thread.pending.set(sum);
        }
    });
}

/// Returns the bound in bytes if the suite has to report a rejected allocation, which it does once per message.
pub(crate) fn bound_to_report() -> Option<u64> {
    let is_reported = IS_REPORTED.swap(true, Ordering::Relaxed);
    (!is_reported).then(|| BOUND.load(Ordering::Relaxed) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counts of a call on this thread.
    fn counts(call: impl FnOnce()) -> Counts {
        begin_call(0);
        call();
        let mut counts = Counts::default();
        end_call().add_to(&mut counts);
        counts
    }

    #[test]
    fn only_counted_calls_of_this_thread_count() {
        let counts = counts(|| {
            assert!(admit(100));
            let other = std::thread::spawn(|| {
                assert!(admit(1_000));
                release(1_000);
            });
            other.join().expect("the thread does not panic");
            assert!(admit(50));
            release(150);
        });
        assert!(admit(7));
        release(7);
        assert_eq!((counts.allocations, counts.bytes, counts.peak), (2, 150, 150));
    }

    #[test]
    fn live_bytes_are_exact_on_both_paths() {
        let before = live_bytes();
        for bytes in [1, MAX_PENDING, MAX_PENDING + 1, 10 * MAX_PENDING] {
            for is_counted in [false, true] {
                if is_counted {
                    begin_call(0);
                }
                assert!(admit(bytes));
                assert_eq!(live_bytes() - before, bytes);
                shrink(1);
                assert_eq!(live_bytes() - before, bytes - 1);
                release(bytes - 1);
                assert_eq!(live_bytes(), before);
                end_call();
            }
        }
    }
}
