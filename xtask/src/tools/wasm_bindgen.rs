//! wasm-bindgen's command, which trunk runs. Its version must equal that of the library.

use std::fs;
use std::path::PathBuf;

use anyhow::Result;
use semver::Version;
use xshell::{Shell, cmd};

use super::cache;
use super::platform::Platform;
use super::requirement::{Installation, Requirement};
use benchbook_build::tool::{Tool, ToolQuery};

/// The command in trunk's cache folder.
pub(super) struct WasmBindgen {
    version: Version,
    folder: PathBuf,
}

impl WasmBindgen {
    pub(super) fn new(version: Version) -> Result<Self> {
        let folder = cache::trunk_folder()?.join(format!("wasm-bindgen-{version}"));
        Ok(Self { version, folder })
    }

    pub(super) fn find(&self) -> Option<Tool> {
        let version = format!("={}", self.version).parse().ok()?;
        let cached = self.folder.join(cache::executable("wasm-bindgen"));
        ToolQuery { names: &["wasm-bindgen"], version, cached: Some(cached) }.find()
    }

    fn with_cargo(&self) -> Result<()> {
        let version = self.version.to_string();
        cache::fill(&self.folder, |folder| {
            let shell = Shell::new()?;
            // Not `--locked`: some versions of its lock file are no longer available.
            cache::cargo_install(cmd!(shell, "cargo install wasm-bindgen-cli --version {version}"), folder)?;
            // Trunk expects the layout of the release archives, which have no `bin`.
            let name = cache::executable("wasm-bindgen");
            Ok(fs::rename(folder.join("bin").join(&name), folder.join(&name))?)
        })
    }
}

impl Requirement for WasmBindgen {
    fn name(&self) -> String {
        format!("wasm-bindgen {}", self.version)
    }

    fn is_installed(&self) -> Result<bool> {
        Ok(self.find().is_some())
    }

    fn installations(&self) -> Vec<Installation<'_>> {
        let description =
            format!("Installing wasm-bindgen {} with cargo: about 2 minutes on two cores, once", self.version);
        vec![Installation { description, install: Box::new(|| self.with_cargo()) }]
    }

    fn fix(&self, _: Platform) -> String {
        format!("cargo install wasm-bindgen-cli --version {}", self.version)
    }
}
