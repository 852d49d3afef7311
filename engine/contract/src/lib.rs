//! The types that Benchbook suites and hosts share: the messages of `docs/suite-contract.md`, the catalog and its
//! validation, parameters and their arguments, seeded random numbers, and the limits of a native suite's process.

pub mod axis_value;
#[cfg(test)]
mod cargo_environment;
pub mod catalog;
pub mod compilation;
pub mod environment;
pub mod number;
pub mod number_error;
pub mod parameter;
pub mod protocol;
pub mod rng;
