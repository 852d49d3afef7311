//! Stores and generated results for tests and benchmarks of the runner.
//!
//! A separate crate, so that none of it can become part of the runner's program.

pub mod conformance;
mod memory;
pub mod synthetic;

pub use memory::MemoryStore;
