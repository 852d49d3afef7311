//! The source of the library `benchbook` and of the crates for other harnesses.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use toml_edit::InlineTable;

/// The source of the library `benchbook`.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct LibraryOptions {
    /// Use the library `benchbook` in this folder instead of the published one
    #[arg(long, value_name = "DIR", env = "BENCHBOOK_PATH", help_heading = "Build")]
    benchbook_path: Option<PathBuf>,
}

impl LibraryOptions {
    /// A dependency on a package of the library. `folder`: its folder next to the library; empty for `benchbook` itself.
    ///
    /// # Errors
    /// If the user's folder does not exist.
    pub(crate) fn dependency(&self, folder: &str) -> Result<InlineTable> {
        let mut table = InlineTable::new();
        match &self.benchbook_path {
            Some(path) => {
                let path = fs::canonicalize(path).with_context(|| format!("failed to read {}", path.display()))?;
                let path = if folder.is_empty() { path } else { path.join(folder) };
                table.insert("path", unicode(&path)?.into());
            }
            None => {
                table.insert("version", env!("CARGO_PKG_VERSION").into());
            }
        }
        Ok(table)
    }
}

fn unicode(path: &Path) -> Result<&str> {
    path.to_str().with_context(|| format!("the path {} must be Unicode", path.display()))
}
