//! Sentences about results: warnings, failures, and the verdicts of comparisons. Pure functions over the engine's types.

mod at;
pub mod counters;
pub mod exact_growth;
pub mod failures;
pub mod growth;
pub mod interference;
pub mod largest;
pub mod machines;
mod rounded;
pub mod stability;
pub mod verdicts;
pub mod warnings;
