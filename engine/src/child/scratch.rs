//! The scratch folder of a child process.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::entry::native::SCRATCH_VARIABLE;

/// A folder for the files of one process, deleted with what a killed one left in it. Nobody else could have made it before.
#[derive(Debug)]
pub(super) struct Scratch(TempDir);

impl Scratch {
    pub(super) fn new() -> io::Result<Self> {
        let parent = std::env::var_os(SCRATCH_VARIABLE).map_or_else(std::env::temp_dir, PathBuf::from);
        let prefix = format!("benchbook-host-{}-", std::process::id());
        tempfile::Builder::new().prefix(&prefix).tempdir_in(parent).map(Self)
    }

    /// What a child is to see as [`SCRATCH_VARIABLE`].
    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }
}
