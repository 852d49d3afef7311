//! trunk, which bundles and serves the page.

use std::path::PathBuf;

use super::cache;
use super::platform::Platform;
use super::requirement::{Installation, Requirement};
use anyhow::Result;
use benchbook_build::tool::{Tool, ToolQuery};

/// The newest version that our Rust compiles: 0.22 requires 1.96.
const VERSION: &str = "0.21.14";

pub(super) struct Trunk {
    folder: PathBuf,
}

impl Trunk {
    pub(super) fn new() -> Result<Self> {
        Ok(Self { folder: cache::benchbook_folder()?.join(format!("trunk-{VERSION}")) })
    }

    pub(super) fn find(&self) -> Option<Tool> {
        let cached = self.folder.join("bin").join(cache::executable("trunk"));
        ToolQuery { names: &["trunk"], version: format!("~{VERSION}").parse().ok()?, cached: Some(cached) }.find()
    }

    fn with_cargo(&self) -> Result<()> {
        // With the profile of its release it takes 8 minutes.
        cache::fill(&self.folder, |folder| cache::cargo_install_fast("trunk", VERSION, folder))
    }
}

impl Requirement for Trunk {
    fn name(&self) -> String {
        format!("trunk {VERSION}")
    }

    fn is_installed(&self) -> Result<bool> {
        Ok(self.find().is_some())
    }

    fn installations(&self) -> Vec<Installation<'_>> {
        let description = format!("Installing trunk {VERSION} with cargo: about 5 minutes on two cores, once");
        vec![Installation { description, install: Box::new(|| self.with_cargo()) }]
    }

    fn remedy(&self, platform: Platform) -> String {
        let alternative = match platform {
            Platform::Mac => "or: brew install trunk",
            _ => "or put a later release of 0.21 on PATH",
        };
        format!("cargo install --locked trunk --version {VERSION}\n{alternative}")
    }
}
