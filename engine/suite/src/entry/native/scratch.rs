//! Scratch folders of native workloads.

use std::path::PathBuf;

use benchbook_contract::environment::SCRATCH_VARIABLE;

use crate::entry::peer::Scratch;

/// Scratch folders in a common folder of this process.
pub(super) struct ScratchFolders {
    parent: PathBuf,
}

impl ScratchFolders {
    pub(super) fn new(suite: &str) -> Self {
        let parent = std::env::var_os(SCRATCH_VARIABLE).map_or_else(std::env::temp_dir, PathBuf::from);
        Self { parent: parent.join(format!("benchbook-{suite}-{}", std::process::id())) }
    }

    fn path(&self, slot: u32) -> PathBuf {
        self.parent.join(slot.to_string())
    }
}

impl Scratch for ScratchFolders {
    fn create(&mut self, slot: u32) -> Option<PathBuf> {
        let folder = self.path(slot);
        std::fs::create_dir_all(&folder).ok()?;
        Some(folder)
    }

    fn remove(&mut self, slot: u32) {
        // The host removes any remains together with its own folder.
        let _ = std::fs::remove_dir_all(self.path(slot));
        let _ = std::fs::remove_dir(&self.parent);
    }
}
