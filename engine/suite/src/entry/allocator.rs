//! The allocator of a suite: the system's, with a bound on all memory held at once. [`memory`] has the counts.

use std::alloc::{GlobalAlloc, Layout, System};

use crate::memory::{self, admit, release};

/// The system's allocator with a bound.
pub struct Bounded;

fn refuse(bytes: usize) -> *mut u8 {
    if let Some(bound) = memory::bound_to_report() {
        report(bytes as u64, bound);
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
    super::wasm::imports::send_bytes(line);
    #[cfg(not(target_arch = "wasm32"))]
    super::native::pipes::send_from_allocator(line);
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
    memory::count_allocation();
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
        memory::count_allocation();
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
