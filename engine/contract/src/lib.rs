//! What a Benchbook suite and its host share: the messages of `docs/suite-contract.md`, the catalog and its validation,
//! parameters and their arguments, seeded random numbers, and the orders that a host gives a native suite.

pub mod catalog;
pub mod compilation;
pub mod guard;
pub mod parameter;
pub mod protocol;
pub mod rng;
