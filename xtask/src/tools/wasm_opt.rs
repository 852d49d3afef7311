//! wasm-opt, which optimises wasm.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::platform::Platform;
use super::requirement::{Installation, Requirement};
use super::{cache, debian, npm};
use benchbook_build::tool::{Tool, ToolQuery, query_version};

/// The oldest release tested with the page and the demo suite. Release 116 rejects the page ("invalid code after misc prefix:
/// 17"): it lacks the instruction `table.fill` in wasm-bindgen's output.
const OLDEST: u64 = 120;

/// The release that trunk requires, in trunk's cache folder.
pub(super) struct WasmOpt {
    release: u64,
    folder: PathBuf,
}

impl WasmOpt {
    pub(super) fn new(release: u64) -> Result<Self> {
        Ok(Self { release, folder: cache::trunk_folder()?.join(format!("wasm-opt-version_{release}")) })
    }

    /// The required release, or else a suitable one on PATH.
    pub(super) fn find(&self) -> Option<Tool> {
        self.find_release().or_else(|| self.find_another())
    }

    fn find_release(&self) -> Option<Tool> {
        let version = format!("={}", self.release).parse().ok()?;
        ToolQuery { names: &["wasm-opt"], version, cached: Some(self.executable()) }.find()
    }

    fn find_another(&self) -> Option<Tool> {
        ToolQuery { names: &["wasm-opt"], version: format!(">={OLDEST}").parse().ok()?, cached: None }.find()
    }

    fn executable(&self) -> PathBuf {
        self.folder.join("bin").join(cache::executable("wasm-opt"))
    }

    /// npm's `binaryen` contains wasm-opt as an executable script for Node.js.
    fn with_npm(&self) -> Result<()> {
        cache::fill(&self.folder, |folder| {
            npm::install(&format!("binaryen@{}", self.release), folder)?;
            // Trunk expects it in `bin`. The link is relative, since the folder is moved later.
            fs::create_dir(folder.join("bin"))?;
            link(Path::new("../node_modules/binaryen/bin/wasm-opt"), &folder.join("bin/wasm-opt"))
        })?;
        let starts = query_version(&self.executable()).is_some();
        ensure!(starts, "the installed wasm-opt does not start: `node` is too old, or broken");
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
                bail!("the system's package is release {release}; {OLDEST} or later is required")
            }
            None => bail!("the system has no package `binaryen`"),
        }
        self.find_another().map(drop).context("wasm-opt was installed, but an older one precedes it on PATH")
    }
}

impl Requirement for WasmOpt {
    fn name(&self) -> String {
        format!("wasm-opt {}", self.release)
    }

    fn is_installed(&self) -> Result<bool> {
        Ok(self.find_release().is_some())
    }

    fn installations(&self) -> Vec<Installation<'_>> {
        let mut installations = Vec::new();
        if has_npm() {
            let description = format!("Installing wasm-opt {} with npm: a few seconds, once", self.release);
            installations.push(Installation { description, install: Box::new(|| self.with_npm()) });
        }
        if let Some(other) = self.find_another() {
            let description =
                format!("Using wasm-opt {} from PATH instead of release {}", other.version.major, self.release);
            installations.push(Installation { description, install: Box::new(|| Ok(())) });
        }
        if debian::can_install() {
            let description = match has_npm() {
                true => "Installing wasm-opt with apt-get: about a minute, once".to_owned(),
                false => {
                    format!("Installing npm with apt-get, then wasm-opt {} with npm: two minutes, once", self.release)
                }
            };
            installations.push(Installation { description, install: Box::new(|| self.with_apt()) });
        }
        installations
    }

    fn fix(&self, platform: Platform) -> String {
        fix(self.release, platform, has_npm())
    }
}

fn fix(release: u64, platform: Platform, npm: bool) -> String {
    let command = match platform {
        _ if npm => format!("npm install --global binaryen@{release}"),
        Platform::Debian | Platform::Linux => npm::fix(platform).to_owned(),
        Platform::Mac => "brew install binaryen".to_owned(),
        Platform::Windows => format!("{}\nnpm install --global binaryen@{release}", npm::fix(platform)),
    };
    format!("{command}\n(or put wasm-opt {OLDEST} or later on PATH; it is part of Binaryen)")
}

/// Whether npm can install it. On Windows npm creates no executable that trunk would find in its cache.
fn has_npm() -> bool {
    cfg!(unix) && npm::is_installed()
}

#[cfg(unix)]
fn link(target: &Path, link: &Path) -> Result<()> {
    Ok(std::os::unix::fs::symlink(target, link)?)
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> Result<()> {
    bail!("this system has no symbolic links")
}

#[cfg(test)]
mod tests {
    use super::super::platform;
    use super::*;

    #[test]
    fn every_platform_has_a_command_and_the_oldest_release() {
        for (platform, command) in platform::ALL.into_iter().zip(["apt-get", "dnf", "brew", "winget"]) {
            let fix = fix(132, platform, false);
            assert!(fix.contains(command) && fix.contains("120 or later"), "{fix}");
        }
        assert!(fix(132, Platform::Debian, true).contains("npm install --global binaryen@132"));
    }
}
