//! The members of a workspace.

use std::path::Path;

use anyhow::{Context, Result};
use cargo_metadata::{MetadataCommand, Package};

/// A member by its name. `root`: the folder of the workspace.
///
/// # Errors
/// If cargo cannot read the workspace, or if it has no such member.
pub(crate) fn package(root: &Path, package: &str) -> Result<Package> {
    let metadata = MetadataCommand::new().current_dir(root).no_deps().exec().context("failed to read the workspace")?;
    let member = metadata.packages.into_iter().find(|member| *member.name == package);
    member.with_context(|| format!("the workspace has no package `{package}`"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// `itoa` is also a dependency of Benchbook.
    #[test]
    fn a_member_is_named_by_its_folder_too() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("src")).unwrap();
        fs::write(folder.path().join("src/lib.rs"), "").unwrap();
        let manifest = "[package]\nname = \"itoa\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
        fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
        let found = package(folder.path(), "itoa").unwrap().id.repr;
        assert!(found.starts_with("path+file://") && found.ends_with("#itoa@0.1.0"), "{found}");
        let error = package(folder.path(), "other").unwrap_err().to_string();
        assert_eq!(error, "the workspace has no package `other`");
    }
}
