//! The entry points of the wasm and the native target, their common part, and the allocator.
//!
//! Only this module, `bits` and `wasm_imports` may contain `unsafe`. Each block documents why it is sound.

#![allow(unsafe_code)]

pub(crate) mod allocator;
pub(crate) mod peer;

#[cfg(not(target_arch = "wasm32"))]
pub mod native;
#[cfg(target_arch = "wasm32")]
pub mod wasm;
