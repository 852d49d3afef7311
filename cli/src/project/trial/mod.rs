//! Benches for another harness, measured without an edit: in a copy of the workspace, our crate replaces the harness.

mod lock_file;
mod replaced;
mod workspace_copy;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Once;

use anyhow::Result;
use benchbook_build::progress::print_line;
use benchbook_build::source_folders::{Dependencies, source_folders};
use cargo_metadata::{Metadata, Package};

use crate::advised_command::AdvisedCommand;
use crate::project::library::LibraryOptions;
use crate::project::mirror::Mirror;
use replaced::ReplacedHarness;

/// The cache folder of the copies.
const TRIALS: &str = "trials";

/// A copy of a workspace, in which our crates replace harnesses. The workspace itself stays as it is, byte for byte.
#[derive(Clone, Debug)]
pub(crate) struct Trial {
    mirror: Mirror,
    replaced: Vec<ReplacedHarness>,
}

impl Trial {
    /// The copy for the benches of some packages of a workspace; `None` if they have no benches for a harness that a `[patch]` can replace.
    /// Creates nothing.
    ///
    /// # Errors
    /// If a source file cannot be read.
    pub(crate) fn of(workspace: &Metadata, packages: &[&Package]) -> Result<Option<Self>> {
        let root = workspace.workspace_root.as_std_path();
        let replaced = ReplacedHarness::of(packages, &root.join("Cargo.lock"))?;
        Ok((!replaced.is_empty()).then(|| Self { mirror: Mirror::new(TRIALS, root), replaced }))
    }

    /// Brings the copy up to date, and returns its root manifest. Sources are links to the originals, so that edits have an effect at once.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub(crate) fn update(&self, workspace: &Metadata, library: &LibraryOptions, is_offline: bool) -> Result<PathBuf> {
        let _lock = self.mirror.lock()?;
        workspace_copy::update(&self.mirror, workspace)?;
        let manifest = self.mirror.folder.join("Cargo.toml");
        let original = self.mirror.original.join("Cargo.toml");
        replaced::patch([&original, &manifest], &self.replaced, &self.mirror.companion("harnesses"), library)?;
        let members: Vec<Package> = workspace.workspace_packages().into_iter().cloned().collect();
        for folder in source_folders(&members, members.clone(), Dependencies::Development)? {
            self.mirror.link(&folder)?;
        }
        self.mirror.link_settings()?;
        if !self.is_resolved() {
            let replaced = lock_file::resolve(&self.mirror.folder, is_offline)?;
            if !replaced.is_empty() {
                let replaced = replaced.join(", ");
                print_line(&format!(
                    "This workspace's Cargo.lock pins versions that are too old for Benchbook's library. The copy uses newer ones: {replaced}"
                ));
            }
        }
        Ok(manifest)
    }

    /// Whether the lock file of the copy has our crates, of this version.
    fn is_resolved(&self) -> bool {
        let ours = format!("name = \"benchbook-contract\"\nversion = \"{}\"\n", env!("CARGO_PKG_VERSION"));
        fs::read_to_string(self.mirror.folder.join("Cargo.lock")).is_ok_and(|lock| lock.contains(&ours))
    }

    /// The file or folder of the workspace that corresponds to one of the copy. Other paths stay as they are.
    pub(crate) fn original(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.mirror.folder).map_or_else(|_| path.to_owned(), |path| self.mirror.original.join(path))
    }

    /// A text with the paths of the workspace in place of those of the copy.
    pub(crate) fn in_terms_of_original(&self, text: &str) -> String {
        let [copy, original] = [&self.mirror.folder, &self.mirror.original].map(|folder| folder.to_string_lossy());
        text.replace(copy.as_ref(), original.as_ref())
    }

    /// Says once that nothing of the workspace changes, and how to make the replacement permanent.
    pub(crate) fn announce(&self) {
        static ANNOUNCED: Once = Once::new();
        ANNOUNCED.call_once(|| {
            let [first, others @ ..] = self.replaced.as_slice() else { return };
            let is_one = others.iter().all(|other| other.harness.name == first.harness.name);
            let names = if is_one { first.harness.name } else { "criterion and divan" };
            print_line(&format!(
                "Benchbook runs the benches for {names} from a copy of this workspace, whose files stay as they are. To run them \
                 without the copy, use\n  {}",
                AdvisedCommand::Replace(first.harness.name)
            ));
        });
    }
}
