//! Comparisons: of functions that were measured together, their ranking, and those of a browser with a runner.

pub mod machines;
pub mod pairing;
pub mod ranking;
