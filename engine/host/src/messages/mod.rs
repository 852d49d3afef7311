//! Sentences about results: warnings, failures, and the verdicts of comparisons. Pure functions over the engine's types.

pub mod failures;
pub mod verdicts;
pub mod warnings;
