//! axe-core, the script that looks in a page for what keeps people from using it.

use std::path::PathBuf;

use anyhow::Result;
use xshell::{PushEnv, Shell};

use super::platform::Platform;
use super::requirement::{Requirement, Way};
use super::{cache, debian, npm};

/// Pinned: another version knows other rules.
const VERSION: &str = "4.14.1";

pub(crate) struct Axe {
    place: PathBuf,
}

impl Axe {
    pub(super) fn new() -> Result<Self> {
        Ok(Self { place: cache::ours()?.join(format!("axe-core-{VERSION}")) })
    }

    /// Tells a test where the script is, until the answer is dropped.
    pub(crate) fn variable<'s>(&self, shell: &'s Shell) -> PushEnv<'s> {
        shell.push_env("AXE", self.script())
    }

    fn script(&self) -> PathBuf {
        self.place.join("node_modules/axe-core/axe.min.js")
    }

    fn with_npm(&self) -> Result<()> {
        cache::fill(&self.place, |folder| npm::install(&format!("axe-core@{VERSION}"), folder))
    }

    fn with_apt(&self) -> Result<()> {
        npm::from_debian()?;
        self.with_npm()
    }
}

impl Requirement for Axe {
    fn name(&self) -> String {
        format!("axe-core {VERSION}")
    }

    fn is_there(&self) -> Result<bool> {
        Ok(self.script().is_file())
    }

    fn ways(&self) -> Vec<Way<'_>> {
        if npm::is_there() {
            let says = format!("Installing axe-core {VERSION} with npm: some seconds, once");
            return vec![Way { says, go: Box::new(|| self.with_npm()) }];
        }
        if debian::can_install() {
            let says = format!("Installing npm with apt-get, axe-core {VERSION} with npm: two minutes, once");
            return vec![Way { says, go: Box::new(|| self.with_apt()) }];
        }
        Vec::new()
    }

    fn remedy(&self, platform: Platform) -> String {
        let place = self.place.display();
        format!("{}\nnpm installs it then, into {place}", npm::remedy(platform))
    }
}

#[cfg(test)]
mod tests {
    use super::super::platform;
    use super::*;

    #[test]
    fn every_platform_has_a_command() {
        let axe = Axe { place: "cache".into() };
        for (platform, command) in platform::ALL.into_iter().zip(["apt-get", "dnf", "brew", "winget"]) {
            let remedy = axe.remedy(platform);
            assert!(remedy.contains(command) && remedy.contains("into cache"), "{remedy}");
        }
    }
}
