//! The folders that contain the sources of packages.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};

/// Which dependencies of the packages count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dependencies {
    /// Those that libraries and binaries are compiled with.
    Normal,
    /// Also those that examples and benches are compiled with.
    Development,
}

/// Reads the packages of the workspace that a Cargo.toml belongs to, without their dependencies.
///
/// # Errors
/// If cargo rejects the Cargo.toml.
pub fn metadata(manifest: &Path) -> Result<Metadata> {
    MetadataCommand::new()
        .manifest_path(manifest)
        // Without this, cargo downloads every dependency of every platform.
        .no_deps()
        .exec()
        .with_context(|| format!("failed to read {}", manifest.display()))
}

/// The folders of `packages` and of the local packages that they depend on, inside and outside of the workspace. `members`: the
/// packages of the workspace.
///
/// # Errors
/// If cargo rejects the Cargo.toml of a dependency.
pub fn source_folders(
    members: &[Package],
    packages: impl IntoIterator<Item = Package>,
    dependencies: Dependencies,
) -> Result<BTreeSet<PathBuf>> {
    let mut pending: Vec<(Package, Dependencies)> =
        packages.into_iter().map(|package| (package, dependencies)).collect();
    let mut folders = BTreeSet::new();
    while let Some((package, dependencies)) = pending.pop() {
        let folder = package.manifest_path.parent().context("the manifest has no folder (this is a bug)")?;
        if !folders.insert(folder.to_path_buf().into_std_path_buf()) {
            continue;
        }
        let counts = |kind| kind != DependencyKind::Development || dependencies == Dependencies::Development;
        let compiled = package.dependencies.iter().filter(|dependency| counts(dependency.kind));
        for path in compiled.filter_map(|dependency| dependency.path.as_ref()) {
            let manifest = path.join("Cargo.toml");
            let member = members.iter().find(|member| member.manifest_path == manifest).cloned();
            let package = member.map_or_else(|| package_at(manifest.as_std_path()), Ok)?;
            pending.push((package, Dependencies::Normal));
        }
    }
    Ok(folders)
}

/// Reads a package outside of the workspace.
fn package_at(manifest: &Path) -> Result<Package> {
    let packages = metadata(manifest)?.packages;
    let package = packages.into_iter().find(|package| package.manifest_path == manifest);
    package.with_context(|| format!("{} contains no package", manifest.display()))
}
