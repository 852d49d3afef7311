//! wasm-bindgen's command, which trunk calls; its version must be the library's.

use std::fs;
use std::path::PathBuf;

use anyhow::Result;
use semver::Version;
use xshell::{Shell, cmd};

use super::cache;
use super::find::{Tool, Wanted};
use super::platform::Platform;
use super::requirement::{Requirement, Way};

/// Kept where trunk looks for it.
pub(super) struct WasmBindgen {
    version: Version,
    place: PathBuf,
}

impl WasmBindgen {
    pub(super) fn new(version: Version) -> Result<Self> {
        let place = cache::trunks()?.join(format!("wasm-bindgen-{version}"));
        Ok(Self { version, place })
    }

    pub(super) fn find(&self) -> Option<Tool> {
        let version = format!("={}", self.version).parse().ok()?;
        let cached = self.place.join(cache::executable("wasm-bindgen"));
        Wanted { names: &["wasm-bindgen"], version, cached: Some(cached) }.find()
    }

    fn with_cargo(&self) -> Result<()> {
        let version = self.version.to_string();
        cache::fill(&self.place, |folder| {
            let shell = Shell::new()?;
            // Not `--locked`: the versions that it was published with can no longer all be had.
            cache::cargo_install(cmd!(shell, "cargo install wasm-bindgen-cli --version {version}"), folder)?;
            // Where trunk expects it: its release archives have no `bin`.
            let name = cache::executable("wasm-bindgen");
            Ok(fs::rename(folder.join("bin").join(&name), folder.join(&name))?)
        })
    }
}

impl Requirement for WasmBindgen {
    fn name(&self) -> String {
        format!("wasm-bindgen {}", self.version)
    }

    fn is_there(&self) -> Result<bool> {
        Ok(self.find().is_some())
    }

    fn ways(&self) -> Vec<Way<'_>> {
        let says = format!("Installing wasm-bindgen {} with cargo: about 2 minutes on two cores, once", self.version);
        vec![Way { says, go: Box::new(|| self.with_cargo()) }]
    }

    fn remedy(&self, _: Platform) -> String {
        format!("cargo install wasm-bindgen-cli --version {}", self.version)
    }
}
