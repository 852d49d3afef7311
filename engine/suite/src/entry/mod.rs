//! The two faces of a suite, wasm and native, what they share, and the allocator.
//!
//! `unsafe` is allowed here, and each block says why it is sound.

#![allow(unsafe_code)]

pub(crate) mod allocator;
pub(crate) mod bits;
pub(crate) mod peer;
pub(crate) mod stage;

#[cfg(not(target_arch = "wasm32"))]
pub mod native;
#[cfg(target_arch = "wasm32")]
pub mod wasm;
