//! Accepted results in files, for the runner and for `cargo benchbook`.

#[cfg(test)]
mod examples;
mod folder;
mod shared;

pub use folder::{HistoryFolder, ReadHistory, UnwrittenResult};
pub use shared::{HistoryFilter, RunnerHistory, UnavailableHistory};
