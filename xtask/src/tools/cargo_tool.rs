//! Programs from crates.io that wait for others most of the time, so that they are built with few optimisations.

use std::path::PathBuf;

use anyhow::Result;
use benchbook_build::tool::{Tool, ToolQuery};

use super::cache;
use super::platform::Platform;
use super::requirement::{Installation, Requirement};

/// A program that `cargo install` installs.
pub(super) struct CargoTool {
    /// The name of the package and of the program.
    name: &'static str,
    /// This version, or a later one that is compatible.
    version: &'static str,
    /// Further arguments of `cargo install`.
    arguments: &'static [&'static str],
    /// How long that takes on two cores.
    duration: &'static str,
}

impl CargoTool {
    /// Bundles and serves the page. The newest version that our Rust compiles: 0.22 requires 1.96.
    pub(super) const TRUNK: Self =
        Self { name: "trunk", version: "0.21.14", arguments: &[], duration: "about 5 minutes" };

    /// Writes the documents as a book.
    pub(super) const MDBOOK: Self = Self {
        name: "mdbook",
        version: "0.5.4",
        arguments: &["--no-default-features", "--features", "search"],
        duration: "about 2 minutes",
    };

    /// Checks licences and sources of dependencies.
    pub(super) const DENY: Self =
        Self { name: "cargo-deny", version: "0.20.2", arguments: &[], duration: "about 4 minutes" };

    fn folder(&self) -> Result<PathBuf> {
        Ok(cache::benchbook_folder()?.join(format!("{}-{}", self.name, self.version)))
    }

    /// Finds it on PATH or in the cache folder.
    ///
    /// # Errors
    /// If there is no home folder.
    pub(super) fn find(&self) -> Result<Option<Tool>> {
        let cached = self.folder()?.join("bin").join(cache::executable(self.name));
        let version = format!("~{}", self.version).parse()?;
        Ok(ToolQuery { names: &[self.name], version, cached: Some(cached) }.find())
    }

    fn with_cargo(&self) -> Result<()> {
        cache::fill(&self.folder()?, |folder| {
            cache::cargo_install_fast(self.name, self.version, self.arguments, folder)
        })
    }
}

impl Requirement for CargoTool {
    fn name(&self) -> String {
        format!("{} {}", self.name, self.version)
    }

    fn is_installed(&self) -> Result<bool> {
        Ok(self.find()?.is_some())
    }

    fn installations(&self) -> Vec<Installation<'_>> {
        let description = format!("Installing {} with cargo: {} on two cores, once", self.name(), self.duration);
        vec![Installation { description, install: Box::new(|| self.with_cargo()) }]
    }

    fn fix(&self, _: Platform) -> String {
        let Self { name, version, arguments, .. } = self;
        let arguments: String = arguments.iter().map(|one| format!(" {one}")).collect();
        format!(
            "cargo install --locked {name} --version {version}{arguments}\nor put a later compatible release on PATH"
        )
    }
}
