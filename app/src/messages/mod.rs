//! Sentences about results: warnings, failures, and the verdicts of comparisons. Pure functions over the engine's types.

pub(crate) mod failures;
pub(crate) mod verdicts;
pub(crate) mod warnings;
