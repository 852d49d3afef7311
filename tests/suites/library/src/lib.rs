//! Measured functions in a library crate, in modules without callers.

pub mod numbers;
pub mod words;
