//! wasm-opt, which makes wasm smaller and faster.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::find::{Tool, Wanted, ask_version};
use super::platform::Platform;
use super::requirement::{Requirement, Way};
use super::{cache, debian, npm};

/// The oldest that was tried with the page and the demo suite. 116 stops at the page ("invalid code after misc prefix:
/// 17"): it does not know the `table.fill` of what wasm-bindgen writes.
const OLDEST: u64 = 120;

/// The release that trunk asks for, kept where trunk looks for it.
pub(super) struct WasmOpt {
    release: u64,
    place: PathBuf,
}

impl WasmOpt {
    pub(super) fn new(release: u64) -> Result<Self> {
        Ok(Self { release, place: cache::trunks()?.join(format!("wasm-opt-version_{release}")) })
    }

    /// The release asked for; or, where that could not be had, another on PATH that will do.
    pub(super) fn find(&self) -> Option<Tool> {
        self.find_release().or_else(|| self.find_another())
    }

    fn find_release(&self) -> Option<Tool> {
        let version = format!("={}", self.release).parse().ok()?;
        Wanted { names: &["wasm-opt"], version, cached: Some(self.executable()) }.find()
    }

    fn find_another(&self) -> Option<Tool> {
        Wanted { names: &["wasm-opt"], version: format!(">={OLDEST}").parse().ok()?, cached: None }.find()
    }

    fn executable(&self) -> PathBuf {
        self.place.join("bin").join(cache::executable("wasm-opt"))
    }

    /// npm's `binaryen` has wasm-opt as one script for Node.js; who calls it cannot tell it from a program.
    fn with_npm(&self) -> Result<()> {
        cache::fill(&self.place, |folder| {
            npm::install(&format!("binaryen@{}", self.release), folder)?;
            // Where trunk expects it. The link is relative, since the folder is moved when it is whole.
            fs::create_dir(folder.join("bin"))?;
            link(Path::new("../node_modules/binaryen/bin/wasm-opt"), &folder.join("bin/wasm-opt"))
        })?;
        let starts = ask_version(&self.executable()).is_some();
        ensure!(starts, "it was installed, and does not start: `node` is too old for it, or broken");
        Ok(())
    }

    fn with_apt(&self) -> Result<()> {
        if !has_npm() {
            npm::from_debian()?;
            return self.with_npm();
        }
        match debian::candidate("binaryen")? {
            Some(release) if release >= OLDEST => debian::install(&["binaryen"])?,
            Some(release) => {
                bail!("the system's package is release {release}, and {OLDEST} is the oldest that will do")
            }
            None => bail!("the system has no package of it"),
        }
        self.find_another().map(drop).context("it was installed, and another wasm-opt stands before it on PATH")
    }
}

impl Requirement for WasmOpt {
    fn name(&self) -> String {
        format!("wasm-opt {}", self.release)
    }

    fn is_there(&self) -> Result<bool> {
        Ok(self.find_release().is_some())
    }

    fn ways(&self) -> Vec<Way<'_>> {
        let mut ways = Vec::new();
        if has_npm() {
            let says = format!("Installing wasm-opt {} with npm: some seconds, once", self.release);
            ways.push(Way { says, go: Box::new(|| self.with_npm()) });
        }
        if let Some(other) = self.find_another() {
            let says = format!("Taking wasm-opt {} from PATH in the place of {}", other.version.major, self.release);
            ways.push(Way { says, go: Box::new(|| Ok(())) });
        }
        if debian::can_install() {
            let says = match has_npm() {
                true => "Looking for a newer wasm-opt with apt-get: about a minute, once".to_owned(),
                false => format!("Installing npm with apt-get, wasm-opt {} with npm: two minutes, once", self.release),
            };
            ways.push(Way { says, go: Box::new(|| self.with_apt()) });
        }
        ways
    }

    fn remedy(&self, platform: Platform) -> String {
        remedy(self.release, platform, has_npm())
    }
}

fn remedy(release: u64, platform: Platform, npm: bool) -> String {
    let get = match platform {
        _ if npm => format!("npm install --global binaryen@{release}"),
        Platform::Debian | Platform::Linux => npm::remedy(platform).to_owned(),
        Platform::Mac => "brew install binaryen".to_owned(),
        Platform::Windows => format!("{}\nnpm install --global binaryen@{release}", npm::remedy(platform)),
    };
    format!("{get}\n(any wasm-opt from {OLDEST} on that is on PATH will do: it is part of Binaryen)")
}

/// Whether npm can install it for us. On Windows it makes no executables that trunk would find in its cache.
fn has_npm() -> bool {
    cfg!(unix) && npm::is_there()
}

#[cfg(unix)]
fn link(target: &Path, link: &Path) -> Result<()> {
    Ok(std::os::unix::fs::symlink(target, link)?)
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> Result<()> {
    bail!("links are made on Unix only")
}

#[cfg(test)]
mod tests {
    use super::super::platform;
    use super::*;

    #[test]
    fn every_platform_has_a_command_and_the_oldest_that_will_do() {
        for (platform, command) in platform::ALL.into_iter().zip(["apt-get", "dnf", "brew", "winget"]) {
            let remedy = remedy(132, platform, false);
            assert!(remedy.contains(command) && remedy.contains("from 120 on"), "{remedy}");
        }
        assert!(remedy(132, Platform::Debian, true).contains("npm install --global binaryen@132"));
    }
}
