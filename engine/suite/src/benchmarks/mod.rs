//! Benchmarks that a program finds by running its own code, as those of criterion and divan.

pub(crate) mod inputs;
pub(crate) mod program;
pub(crate) mod routines;
