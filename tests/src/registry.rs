//! Crates from crates.io that cargo has downloaded.

use std::path::PathBuf;

use anyhow::{Context, Result};
use cargo_metadata::{MetadataCommand, Package};

use crate::suites::workspace;

/// The folder to which cargo has downloaded a dependency of this workspace, direct or not.
///
/// * `version`: one of several; without it, the newest.
pub fn sources(name: &str, version: Option<&str>) -> Result<PathBuf> {
    let manifest = workspace()?.root().join("Cargo.toml");
    let metadata = MetadataCommand::new().manifest_path(manifest).other_options(["--locked".to_owned()]).exec()?;
    let is_this = |package: &&Package| {
        package.name.as_str() == name && version.is_none_or(|version| package.version.to_string() == version)
    };
    let package = metadata.packages.iter().filter(is_this).max_by_key(|package| &package.version);
    let package = package.with_context(|| format!("no dependency {name} {}", version.unwrap_or_default()))?;
    Ok(package.manifest_path.parent().context("a manifest is in a folder")?.into())
}
