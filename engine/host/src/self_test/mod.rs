//! The self-test: whether a machine, at this moment, yields the figures that functions with known times must have.
//!
//! [`steps`](steps::steps) lists measurements of the suite `ladder`. A program carries them out in order and adds each response
//! to a [`SelfTest`](checks::SelfTest), whose checks are sentences with advice.

pub mod checks;
pub mod interference_tally;
pub mod resolution;
pub mod rungs;
pub mod steps;
