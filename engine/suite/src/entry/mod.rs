//! The entry points of the wasm and the native target, their common part, and the allocator.
//!
//! Only this module may contain `unsafe`. Each block documents why it is sound.

#![allow(unsafe_code)]

pub(crate) mod allocator;
pub(crate) mod bits;
pub(crate) mod peer;
pub(crate) mod stage;

#[cfg(not(target_arch = "wasm32"))]
pub mod native;
#[cfg(target_arch = "wasm32")]
pub mod wasm;
