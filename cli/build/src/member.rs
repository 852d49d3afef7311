//! The members of a workspace by the names that cargo cannot confuse with others.

use std::path::Path;

use anyhow::{Context, Result};
use cargo_metadata::MetadataCommand;

/// The specification of a member's package for cargo's option `--package`. Its name alone is ambiguous if a dependency has the same one:
/// users also measure crates on which Benchbook depends. `root`: the folder of the workspace.
///
/// # Errors
/// If cargo cannot read the workspace, or if it has no such member.
pub(crate) fn specification(root: &Path, package: &str) -> Result<String> {
    let metadata = MetadataCommand::new().current_dir(root).no_deps().exec().context("reading the workspace")?;
    let member = metadata.packages.into_iter().find(|member| *member.name == package);
    Ok(member.with_context(|| format!("the workspace has no package `{package}`"))?.id.repr)
}
