//! trunk, which bundles and serves the page.

use std::path::PathBuf;

use anyhow::Result;
use xshell::{Shell, cmd};

use super::cache;
use super::find::{Tool, Wanted};
use super::platform::Platform;
use super::requirement::{Requirement, Way};

/// The newest that our Rust compiles: 0.22 wants 1.96.
const VERSION: &str = "0.21.14";

pub(super) struct Trunk {
    place: PathBuf,
}

impl Trunk {
    pub(super) fn new() -> Result<Self> {
        Ok(Self { place: cache::ours()?.join(format!("trunk-{VERSION}")) })
    }

    pub(super) fn find(&self) -> Option<Tool> {
        let cached = self.place.join("bin").join(cache::executable("trunk"));
        Wanted { names: &["trunk"], version: format!("~{VERSION}").parse().ok()?, cached: Some(cached) }.find()
    }

    fn with_cargo(&self) -> Result<()> {
        cache::fill(&self.place, |folder| {
            let shell = Shell::new()?;
            // As optimised as it is released, it takes 8 minutes; it waits for cargo nearly all of its life.
            shell.set_var("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1");
            shell.set_var("CARGO_PROFILE_RELEASE_LTO", "off");
            shell.set_var("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
            shell.set_var("CARGO_PROFILE_RELEASE_DEBUG", "0");
            cache::cargo_install(cmd!(shell, "cargo install --locked trunk --version {VERSION}"), folder)
        })
    }
}

impl Requirement for Trunk {
    fn name(&self) -> String {
        format!("trunk {VERSION}")
    }

    fn is_there(&self) -> Result<bool> {
        Ok(self.find().is_some())
    }

    fn ways(&self) -> Vec<Way<'_>> {
        let says = format!("Installing trunk {VERSION} with cargo: about 5 minutes on two cores, once");
        vec![Way { says, go: Box::new(|| self.with_cargo()) }]
    }

    fn remedy(&self, platform: Platform) -> String {
        let alone = match platform {
            Platform::Mac => "or: brew install trunk",
            _ => "or put another 0.21 from that on upon PATH",
        };
        format!("cargo install --locked trunk --version {VERSION}\n{alone}")
    }
}
