//! The scratch folder of a child process.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::entry::native::SCRATCH_VARIABLE;

/// A folder for the files of one process, deleted with what a killed one left in it.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    pub(super) fn new() -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let parent = std::env::var_os(SCRATCH_VARIABLE).map_or_else(std::env::temp_dir, PathBuf::from);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = parent.join(format!("benchbook-host-{}-{number}", std::process::id()));
        // One that is there already is that of a host which died, and had the same number.
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder)?;
        Ok(Self(folder))
    }

    /// What a child is to see as [`SCRATCH_VARIABLE`].
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be deleted harms nobody.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
