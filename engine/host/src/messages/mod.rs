//! Sentences about results: the quality of figures, failures, and the verdicts of comparisons. Pure functions over the engine's types.

pub mod another_day;
pub mod answer;
pub mod at;
pub mod exact_growth;
pub mod failures;
#[cfg(test)]
pub(crate) mod golden;
pub mod growth;
pub mod largest;
pub mod lists;
pub mod machines;
pub mod quality_report;
pub mod reproduction;
pub mod stability;
pub mod verdicts;
