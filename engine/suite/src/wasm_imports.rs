//! The two functions that a suite imports from its host.

#![allow(unsafe_code)]

#[link(wasm_import_module = "benchbook")]
unsafe extern "C" {
    safe fn now() -> f64;
    fn send(message: *const u8, len: usize);
}

/// Reads the host's `performance.now()`, in milliseconds.
#[inline(always)]
pub(crate) fn host_now() -> f64 {
    now()
}

/// Sends one message to the host.
pub(crate) fn send_bytes(message: &[u8]) {
    // SAFETY: the host reads `len` bytes from the slice before this returns, and keeps no pointer to it.
    unsafe { send(message.as_ptr(), message.len()) }
}
