//! Scratch folders of native workloads.

use std::path::PathBuf;

use benchbook_contract::guard::SCRATCH_VARIABLE;

use crate::entry::peer::Scratch;

/// Scratch folders below one of the process's own.
pub(super) struct Folders {
    parent: PathBuf,
}

impl Folders {
    pub(super) fn new(suite: &str) -> Self {
        let parent = std::env::var_os(SCRATCH_VARIABLE).map_or_else(std::env::temp_dir, PathBuf::from);
        Self { parent: parent.join(format!("benchbook-{suite}-{}", std::process::id())) }
    }

    fn of(&self, slot: u32) -> PathBuf {
        self.parent.join(slot.to_string())
    }
}

impl Scratch for Folders {
    fn make(&mut self, slot: u32) -> Option<PathBuf> {
        let folder = self.of(slot);
        std::fs::create_dir_all(&folder).ok()?;
        Some(folder)
    }

    fn remove(&mut self, slot: u32) {
        // What cannot be removed now goes with the host's own folder.
        let _ = std::fs::remove_dir_all(self.of(slot));
        let _ = std::fs::remove_dir(&self.parent);
    }
}
