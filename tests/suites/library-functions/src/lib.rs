//! Measured functions in a library crate, in modules that nothing calls.

pub mod numbers;
pub mod words;
