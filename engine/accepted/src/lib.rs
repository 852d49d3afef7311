//! What the tool and the runner share: accepted results in files, and the card of the machine that measures them.

#[doc(hidden)]
pub mod examples;
pub mod folders;
mod history_folder;
pub mod machine;

pub use history_folder::{HistoryFolder, ReadHistory, UnwrittenResult};
