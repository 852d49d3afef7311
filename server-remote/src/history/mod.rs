//! Accepted results in files, for the runner and for `cargo benchbook`.

mod folder;

pub use folder::{HistoryFolder, ReadHistory, UnwrittenResult};
