//! The folder of notebook files that the runner offers. The runner only reads it.

mod folder;
mod open;
mod path;
mod search;
mod titles;

pub use folder::{NotebookFile, NotebookFolder, UnreadableNotebooks};
