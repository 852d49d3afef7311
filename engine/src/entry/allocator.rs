//! The allocator of a suite: the system's, with a bound on all that is held at once, and counts.
//!
//! The counts are kept by thread and added up when they have grown: an atomic addition with each allocation would
//! show in the figures of functions that allocate.

use std::alloc::{GlobalAlloc, Layout, System};
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

/// The system's allocator with a bound.
pub struct Bounded;

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
fn admit(bytes: i64) -> bool {
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

fn release(bytes: i64) {
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

fn refuse(bytes: usize) -> *mut u8 {
    if !REPORTED.swap(true, Ordering::Relaxed) {
        report(bytes as u64, BOUND.load(Ordering::Relaxed) as u64);
    }
    std::ptr::null_mut()
}

/// Sends the refusal without allocating.
fn report(bytes: u64, bound: u64) {
    let mut line = Line { bytes: [0; 96], len: 0 };
    let form = format_args!(r#"{{"type":"refused","bytes":{bytes},"bound":{bound}}}"#);
    // The text is shorter than the line, so writing it cannot fail.
    let _ = std::fmt::Write::write_fmt(&mut line, form);
    let line = &line.bytes[..line.len];
    #[cfg(target_arch = "wasm32")]
    super::wasm::send_bytes(line);
    #[cfg(not(target_arch = "wasm32"))]
    super::native::send_from_allocator(line);
}

/// A line on the stack.
struct Line {
    bytes: [u8; 96],
    len: usize,
}

impl std::fmt::Write for Line {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let end = self.len + text.len();
        self.bytes.get_mut(self.len..end).ok_or(std::fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

fn allocate(bytes: usize, from_system: impl FnOnce() -> *mut u8) -> *mut u8 {
    if !admit(bytes as i64) {
        return refuse(bytes);
    }
    let _ = ALLOCATIONS.try_with(|allocations| allocations.set(allocations.get() + 1));
    let place = from_system();
    if place.is_null() {
        release(bytes as i64);
        return refuse(bytes);
    }
    place
}

// None of these may be inlined: with link-time optimisation into a caller on wasm, LLVM took the allocator's own header
// for memory that nobody else writes, and `free` found it broken (rustc 1.95: "assertion failed: psize >= size +
// min_overhead" in dlmalloc).
//
// SAFETY: every request goes to `System`, which keeps the contract; null, which the contract allows, is the only
// answer of our own. Counting neither allocates nor panics: the thread-locals are constants without destructors.
unsafe impl GlobalAlloc for Bounded {
    #[inline(never)]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps `alloc`'s contract, which is the same for `System`.
        allocate(layout.size(), || unsafe { System.alloc(layout) })
    }

    #[inline(never)]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as for `alloc`.
        allocate(layout.size(), || unsafe { System.alloc_zeroed(layout) })
    }

    #[inline(never)]
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        release(layout.size() as i64);
        // SAFETY: the caller got `place` from us with this layout, and we got it from `System`.
        unsafe { System.dealloc(place, layout) }
    }

    #[inline(never)]
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let grown = new_size as i64 - layout.size() as i64;
        if grown > 0 && !admit(grown) {
            return refuse(new_size);
        }
        let _ = ALLOCATIONS.try_with(|allocations| allocations.set(allocations.get() + 1));
        // SAFETY: the caller got `place` from us with this layout, and we got it from `System`; `new_size` is checked
        // by the caller.
        let moved = unsafe { System.realloc(place, layout, new_size) };
        match (moved.is_null(), grown > 0) {
            (true, true) => {
                release(grown);
                refuse(new_size)
            }
            (false, false) => {
                release(-grown);
                moved
            }
            _ => moved,
        }
    }
}
