//! Benchmarks that a program finds by running its own code, as those of criterion and divan.

pub(crate) mod input_calls;
pub(crate) mod inputs;
pub(crate) mod parts;
pub(crate) mod program;
pub(crate) mod routines;
