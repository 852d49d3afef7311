//! The suite's allocator: the system's allocator, or that of a benchmark's author, with a bound on total memory. [`memory`] has the counters.

use std::alloc::{GlobalAlloc, Layout, System};

use crate::memory::{self, admit, release, shrink};

/// An allocator with a bound on total memory, by default the system's.
#[derive(Debug)]
pub struct BoundedAllocator<A = System> {
    allocator: A,
    /// So that its address is no other object's: `cargo benchbook check` compares what code refers to.
    _byte: u8,
}

impl BoundedAllocator {
    /// The system's allocator with a bound.
    pub const fn system() -> Self {
        Self::new(System)
    }
}

impl<A> BoundedAllocator<A> {
    /// Adds the bound to an allocator.
    pub const fn new(allocator: A) -> Self {
        Self { allocator, _byte: 0 }
    }
}

fn reject(bytes: usize) -> *mut u8 {
    if let Some(bound) = memory::bound_to_report() {
        report(bytes as u64, bound);
    }
    std::ptr::null_mut()
}

/// Reports a rejected allocation without allocating. `cargo benchbook check` recognises it by its name, as a function that no successful call reaches.
#[cold]
#[inline(never)]
fn report(bytes: u64, bound: u64) {
    let mut line = LineBuffer { bytes: [0; 96], len: 0 };
    let form = format_args!(r#"{{"type":"refused","bytes":{bytes},"bound":{bound}}}"#);
    // The buffer is long enough for the message, so writing cannot fail.
    let _ = std::fmt::Write::write_fmt(&mut line, form);
    let line = &line.bytes[..line.len];
    #[cfg(target_arch = "wasm32")]
    crate::wasm_imports::send_bytes(line);
    #[cfg(not(target_arch = "wasm32"))]
    super::native::pipes::send_at_once(line);
}

/// A text buffer on the stack.
struct LineBuffer {
    bytes: [u8; 96],
    len: usize,
}

impl std::fmt::Write for LineBuffer {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let end = self.len + text.len();
        self.bytes.get_mut(self.len..end).ok_or(std::fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

fn allocate(bytes: usize, from_allocator: impl FnOnce() -> *mut u8) -> *mut u8 {
    if !admit(bytes as i64) {
        return reject(bytes);
    }
    let pointer = from_allocator();
    if pointer.is_null() {
        release(bytes as i64);
        return reject(bytes);
    }
    pointer
}

// Never inline these: when link-time optimisation inlined them into a caller on wasm, LLVM assumed that no other code
// writes to the allocator's header, and `free` found a corrupt header (rustc 1.95: "assertion failed: psize >= size +
// min_overhead" in dlmalloc).
//
// SAFETY: the allocator serves every request and upholds the contract; otherwise we only return null, which the contract
// allows. Counting neither allocates nor panics: the thread-locals are constants without destructors.
unsafe impl<A: GlobalAlloc> GlobalAlloc for BoundedAllocator<A> {
    #[inline(never)]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds `alloc`'s contract, which is the same for the allocator.
        allocate(layout.size(), || unsafe { self.allocator.alloc(layout) })
    }

    #[inline(never)]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as for `alloc`.
        allocate(layout.size(), || unsafe { self.allocator.alloc_zeroed(layout) })
    }

    #[inline(never)]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        release(layout.size() as i64);
        // SAFETY: the caller got `pointer` from us with this layout, and we got it from the allocator.
        unsafe { self.allocator.dealloc(pointer, layout) }
    }

    #[inline(never)]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let growth = new_size as i64 - layout.size() as i64;
        if growth >= 0 && !admit(growth) {
            return reject(new_size);
        }
        // SAFETY: the caller got `pointer` from us with this layout, and we got it from the allocator; the caller guarantees
        // that `new_size` is valid.
        let new_pointer = unsafe { self.allocator.realloc(pointer, layout, new_size) };
        match (new_pointer.is_null(), growth >= 0) {
            (true, true) => {
                release(growth);
                reject(new_size)
            }
            (false, false) => {
                shrink(-growth);
                new_pointer
            }
            _ => new_pointer,
        }
    }
}
