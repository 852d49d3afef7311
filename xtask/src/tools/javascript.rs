//! Packages in JavaScript: libraries that measure functions, which are the peers of Benchbook in the browser, and a reader of profiles.

use std::path::PathBuf;

use anyhow::Result;

use super::platform::Platform;
use super::requirement::{Installation, Requirement};
use super::{cache, debian, npm};

/// A package of npm with one script, in the user's cache folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JavaScriptLibrary {
    package: &'static str,
    /// Pinned: the tables of docs/peers.md apply to these versions, and the reader's output changes.
    version: &'static str,
    /// The path of the script in the package.
    script: &'static str,
}

impl JavaScriptLibrary {
    pub(crate) const TINYBENCH: Self = Self { package: "tinybench", version: "6.2.3", script: "dist/index.js" };
    pub(crate) const MITATA: Self = Self { package: "mitata", version: "1.0.34", script: "src/lib.mjs" };
    pub(crate) const PROFILER_CLI: Self =
        Self { package: "@firefox-devtools/profiler-cli", version: "0.10.0", script: "dist/profiler-cli.js" };

    /// The script, which imports no other file.
    pub(crate) fn script(self) -> Result<PathBuf> {
        Ok(self.folder()?.join("node_modules").join(self.package).join(self.script))
    }

    fn folder(self) -> Result<PathBuf> {
        Ok(cache::benchbook_folder()?.join(self.name().replace([' ', '/'], "-")))
    }

    fn with_npm(self) -> Result<()> {
        cache::fill(&self.folder()?, |folder| npm::install(&format!("{}@{}", self.package, self.version), folder))
    }

    fn with_apt(self) -> Result<()> {
        npm::from_debian()?;
        self.with_npm()
    }
}

impl Requirement for JavaScriptLibrary {
    fn name(&self) -> String {
        format!("{} {}", self.package, self.version)
    }

    fn is_installed(&self) -> Result<bool> {
        Ok(self.script()?.is_file())
    }

    fn installations(&self) -> Vec<Installation<'_>> {
        let name = self.name();
        if npm::is_installed() {
            let description = format!("Installing {name} with npm: a few seconds, once");
            return vec![Installation { description, install: Box::new(|| self.with_npm()) }];
        }
        if debian::can_install() {
            let description = format!("Installing npm with apt-get, then {name} with npm: two minutes, once");
            return vec![Installation { description, install: Box::new(|| self.with_apt()) }];
        }
        Vec::new()
    }

    fn fix(&self, platform: Platform) -> String {
        format!("{}\nThen this command installs {} with npm", npm::fix(platform), self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::super::platform;
    use super::*;

    #[test]
    fn every_platform_has_a_command() {
        for (platform, command) in platform::ALL.into_iter().zip(["apt-get", "dnf", "brew", "winget"]) {
            let fix = JavaScriptLibrary::MITATA.fix(platform);
            assert!(fix.contains(command) && fix.contains("installs mitata 1.0.34"), "{fix}");
        }
    }
}
