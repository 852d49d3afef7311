//! axe-core, the script that checks the accessibility of a page.

use std::path::PathBuf;

use anyhow::Result;
use xshell::{PushEnv, Shell};

use super::platform::Platform;
use super::requirement::{Installation, Requirement};
use super::{cache, debian, npm};

/// Pinned: each version has other rules.
const VERSION: &str = "4.14.1";

pub(crate) struct Axe {
    folder: PathBuf,
}

impl Axe {
    pub(super) fn new() -> Result<Self> {
        Ok(Self { folder: cache::benchbook_folder()?.join(format!("axe-core-{VERSION}")) })
    }

    /// Sets the variable in which the tests find the script, until the result is dropped.
    pub(crate) fn set_variable<'s>(&self, shell: &'s Shell) -> PushEnv<'s> {
        shell.push_env("AXE", self.script())
    }

    fn script(&self) -> PathBuf {
        self.folder.join("node_modules/axe-core/axe.min.js")
    }

    fn with_npm(&self) -> Result<()> {
        cache::fill(&self.folder, |folder| npm::install(&format!("axe-core@{VERSION}"), folder))
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

    fn is_installed(&self) -> Result<bool> {
        Ok(self.script().is_file())
    }

    fn installations(&self) -> Vec<Installation<'_>> {
        if npm::is_installed() {
            let description = format!("Installing axe-core {VERSION} with npm: a few seconds, once");
            return vec![Installation { description, install: Box::new(|| self.with_npm()) }];
        }
        if debian::can_install() {
            let description =
                format!("Installing npm with apt-get, then axe-core {VERSION} with npm: two minutes, once");
            return vec![Installation { description, install: Box::new(|| self.with_apt()) }];
        }
        Vec::new()
    }

    fn fix(&self, platform: Platform) -> String {
        format!("{}\nThen this command installs it with npm into {}", npm::fix(platform), self.folder.display())
    }
}

#[cfg(test)]
mod tests {
    use super::super::platform;
    use super::*;

    #[test]
    fn every_platform_has_a_command() {
        let axe = Axe { folder: "cache".into() };
        for (platform, command) in platform::ALL.into_iter().zip(["apt-get", "dnf", "brew", "winget"]) {
            let fix = axe.fix(platform);
            assert!(fix.contains(command) && fix.contains("into cache"), "{fix}");
        }
    }
}
