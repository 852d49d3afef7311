//! The scratch folder of a child process.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use benchbook_contract::guard::SCRATCH_VARIABLE;

/// How the names of such folders begin.
const PREFIX: &str = "benchbook-host-";

/// A folder for the files of one process, deleted with what a killed one left in it. Nobody else could have made it before.
#[derive(Debug)]
pub(super) struct Scratch(TempDir);

impl Scratch {
    pub(super) fn new() -> io::Result<Self> {
        let parent = std::env::var_os(SCRATCH_VARIABLE).map_or_else(std::env::temp_dir, PathBuf::from);
        let prefix = format!("{PREFIX}{}-", std::process::id());
        tempfile::Builder::new().prefix(&prefix).tempdir_in(parent).map(Self)
    }

    /// What a child is to see as [`SCRATCH_VARIABLE`].
    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }
}

/// Whether a path can be that of such a folder.
pub(super) fn is_one(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    path.is_absolute() && name.is_some_and(|name| name.starts_with(PREFIX))
}
