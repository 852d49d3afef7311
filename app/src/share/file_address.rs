//! Addresses of notebook files that the page opens read-only.

/// The address of a notebook file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileAddress {
    /// An address relative to the page, which `notebook.json` lists. A standalone page contains its notebook: there, the
    /// address is empty.
    Site(String),
    /// A path in the runner's folder of notebooks.
    Runner(String),
}
