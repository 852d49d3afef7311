//! The scratch folder of a child process.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use benchbook_contract::environment::SCRATCH_VARIABLE;
use benchbook_isolate::UserIds;

/// The prefix of the names of scratch folders.
const PREFIX: &str = "benchbook-host-";

/// A folder for the files of one process. It is deleted even if the process was killed. Its name is random, so that no
/// other program can have created it in advance.
#[derive(Debug)]
pub(super) struct ScratchFolder(TempDir);

impl ScratchFolder {
    /// Creates a folder in `parent`; if absent, in the system's temporary folder. It belongs to `owner`, or else to this
    /// process's user.
    pub(super) fn new(parent: Option<&Path>, owner: Option<UserIds>) -> io::Result<Self> {
        let temporary = || std::env::var_os(SCRATCH_VARIABLE).map_or_else(std::env::temp_dir, PathBuf::from);
        let parent = parent.map_or_else(temporary, Path::to_owned);
        let prefix = format!("{PREFIX}{}-", std::process::id());
        let folder = tempfile::Builder::new().prefix(&prefix).tempdir_in(parent)?;
        #[cfg(unix)]
        if let Some(UserIds { user, group }) = owner {
            std::os::unix::fs::chown(&folder, Some(user), Some(group))?;
        }
        #[cfg(not(unix))]
        let _ = owner;
        Ok(Self(folder))
    }

    /// The value of [`SCRATCH_VARIABLE`] for the child.
    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }
}

/// Whether a path may be that of a scratch folder.
pub(super) fn is_scratch_path(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    path.is_absolute() && name.is_some_and(|name| name.starts_with(PREFIX))
}
