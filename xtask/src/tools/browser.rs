//! The browser that the tests drive, and its driver.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use semver::VersionReq;
use xshell::{PushEnv, Shell};

use super::debian;
use super::find::{Tool, Wanted, ask_version};
use super::platform::Platform;
use super::requirement::{Requirement, Way};

const NAMES: &[&str] = &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// Where macOS has it, which is not on PATH.
const MAC: &str = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/// Chromium and the driver of the same version.
pub(crate) struct Browser {
    chromium: PathBuf,
    driver: PathBuf,
}

impl Browser {
    /// Tells a test where browser and driver are, until the answer is dropped.
    pub(crate) fn variables<'s>(&self, shell: &'s Shell) -> [PushEnv<'s>; 2] {
        [shell.push_env("CHROMIUM", &self.chromium), shell.push_env("CHROMEDRIVER", &self.driver)]
    }

    /// What CHROMIUM and CHROMEDRIVER name is taken as it is.
    pub(super) fn find() -> Result<Option<Self>> {
        let any_driver = Wanted { names: &["chromedriver"], version: VersionReq::STAR, cached: None };
        let driver = named_by("CHROMEDRIVER")?.or_else(|| Some(any_driver.find()?.path));
        let Some(driver) = driver else { return Ok(None) };
        let chromium = named_by("CHROMIUM")?.or_else(|| Some(browser_for(&driver)?.path));
        Ok(chromium.map(|chromium| Self { chromium, driver }))
    }
}

/// A driver refuses a browser of another major version, in words that do not say so.
fn browser_for(driver: &Path) -> Option<Tool> {
    let version = format!("={}", ask_version(driver)?.major).parse().ok()?;
    Wanted { names: NAMES, version, cached: Some(MAC.into()) }.find()
}

fn named_by(variable: &str) -> Result<Option<PathBuf>> {
    let Some(path) = env::var_os(variable).map(PathBuf::from) else { return Ok(None) };
    ensure!(path.is_file(), "{variable} is set to {}, and there is no such file", path.display());
    Ok(Some(path))
}

/// The tests of the page need it.
pub(super) struct AnyBrowser;

impl Requirement for AnyBrowser {
    fn name(&self) -> String {
        "Chromium (or Chrome) and chromedriver, of the same major version".to_owned()
    }

    fn is_there(&self) -> Result<bool> {
        Ok(Browser::find()?.is_some())
    }

    fn ways(&self) -> Vec<Way<'_>> {
        if !debian::can_install() {
            return Vec::new();
        }
        let install = || {
            debian::install(&["chromium", "chromium-driver"])?;
            Browser::find()?.map(drop).context("they were installed, and cannot be started or do not fit each other")
        };
        let says = "Installing Chromium and chromedriver with apt-get: about a minute, once".to_owned();
        vec![Way { says, go: Box::new(install) }]
    }

    fn remedy(&self, platform: Platform) -> String {
        let get = match platform {
            Platform::Debian => "sudo apt-get install --no-install-recommends chromium chromium-driver",
            Platform::Linux => "by your package manager, such as: sudo dnf install chromium chromedriver",
            Platform::Mac => "brew install --cask google-chrome chromedriver",
            Platform::Windows => "winget install Google.Chrome Chromium.ChromeDriver",
        };
        format!("{get}\n(or set CHROMIUM and CHROMEDRIVER to the paths of what you have)")
    }
}

#[cfg(test)]
mod tests {
    use super::super::platform;
    use super::*;

    #[test]
    fn every_platform_has_a_command() {
        for (platform, command) in platform::ALL.into_iter().zip(["apt-get", "dnf", "brew", "winget"]) {
            let remedy = AnyBrowser.remedy(platform);
            assert!(remedy.contains(command) && remedy.contains("CHROMEDRIVER"), "{remedy}");
        }
    }
}
