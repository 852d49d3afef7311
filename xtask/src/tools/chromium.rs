//! Chromium and its driver.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use semver::VersionReq;
use xshell::{PushEnv, Shell};

use super::debian;
use super::platform::Platform;
use super::requirement::{Installation, Requirement};
use benchbook_build::tool::{Tool, ToolQuery, query_version};

const NAMES: &[&str] = &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// The names of Chromium without a user interface.
const HEADLESS_NAMES: &[&str] = &["chromium-headless-shell", "chrome-headless-shell"];

/// The browser's path on macOS, which is not on PATH.
const MAC: &str = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/// Chromium and a driver of the same major version.
#[derive(Debug)]
pub(crate) struct Chromium {
    browser: PathBuf,
    driver: PathBuf,
}

impl Chromium {
    /// Sets the variables in which the tests find browser and driver, until the result is dropped.
    pub(crate) fn set_variables<'s>(&self, shell: &'s Shell) -> [PushEnv<'s>; 2] {
        self.variables().map(|(name, path)| shell.push_env(name, path))
    }

    /// The names and values of these variables.
    pub(crate) fn variables(&self) -> [(&'static str, &Path); 2] {
        [("CHROMIUM", &self.browser), ("CHROMEDRIVER", &self.driver)]
    }

    /// The paths in CHROMIUM and CHROMEDRIVER take precedence, whatever their version.
    pub(super) fn find() -> Result<Option<Self>> {
        let any_driver = ToolQuery { names: &["chromedriver"], version: VersionReq::STAR, cached: None };
        let driver = path_in_variable("CHROMEDRIVER")?.or_else(|| Some(any_driver.find()?.path));
        let Some(driver) = driver else { return Ok(None) };
        let browser = path_in_variable("CHROMIUM")?.or_else(|| Some(browser_for(&driver)?.path));
        Ok(browser.map(|browser| Self { browser, driver }))
    }
}

/// Chromium's headless shell, of the same major version as the driver.
pub(super) fn find_headless_shell() -> Result<Option<PathBuf>> {
    let Some(Chromium { driver, .. }) = Chromium::find()? else { return Ok(None) };
    Ok(tool_for(&driver, HEADLESS_NAMES, None).map(|shell| shell.path))
}

fn browser_for(driver: &Path) -> Option<Tool> {
    tool_for(driver, NAMES, Some(MAC.into()))
}

/// A driver rejects a browser of another major version, with an unclear error.
fn tool_for(driver: &Path, names: &[&str], cached: Option<PathBuf>) -> Option<Tool> {
    let version = format!("={}", query_version(driver)?.major).parse().ok()?;
    ToolQuery { names, version, cached }.find()
}

fn path_in_variable(variable: &str) -> Result<Option<PathBuf>> {
    let Some(path) = env::var_os(variable).map(PathBuf::from) else { return Ok(None) };
    ensure!(path.is_file(), "{variable} is {}, but there is no such file", path.display());
    Ok(Some(path))
}

/// The requirement of the tests of the page.
pub(super) struct ChromiumRequirement;

impl Requirement for ChromiumRequirement {
    fn name(&self) -> String {
        "Chromium (or Chrome) and chromedriver, of the same major version".to_owned()
    }

    fn is_installed(&self) -> Result<bool> {
        Ok(Chromium::find()?.is_some())
    }

    fn installations(&self) -> Vec<Installation<'_>> {
        if !debian::can_install() {
            return Vec::new();
        }
        let install = || {
            debian::install(&["chromium", "chromium-driver"])?;
            Chromium::find()?.map(drop).context("the installed packages do not start, or their versions differ")
        };
        let description = "Installing Chromium and chromedriver with apt-get: about a minute, once".to_owned();
        vec![Installation { description, install: Box::new(install) }]
    }

    fn fix(&self, platform: Platform) -> String {
        let command = match platform {
            Platform::Debian => "sudo apt-get install --no-install-recommends chromium chromium-driver",
            Platform::Linux => "your package manager, such as: sudo dnf install chromium chromedriver",
            Platform::Mac => "brew install --cask google-chrome chromedriver",
            Platform::Windows => "winget install Google.Chrome Chromium.ChromeDriver",
        };
        format!("{command}\n(or set CHROMIUM and CHROMEDRIVER to the paths of your installation)")
    }
}

/// The optional browser of the stage `browser`.
pub(super) struct HeadlessShellRequirement;

impl Requirement for HeadlessShellRequirement {
    fn name(&self) -> String {
        "Chromium's headless shell, of the same major version as chromedriver (it speeds up the stage `browser`)"
            .to_owned()
    }

    fn is_installed(&self) -> Result<bool> {
        Ok(find_headless_shell()?.is_some())
    }

    fn installations(&self) -> Vec<Installation<'_>> {
        if !debian::can_install() {
            return Vec::new();
        }
        let install = || {
            debian::install(&["chromium-headless-shell"])?;
            find_headless_shell()?.map(drop).context("the installed package does not start, or has another version")
        };
        let description = "Installing Chromium's headless shell with apt-get: about a minute, once".to_owned();
        vec![Installation { description, install: Box::new(install) }]
    }

    fn fix(&self, platform: Platform) -> String {
        let command = match platform {
            Platform::Debian => "sudo apt-get install --no-install-recommends chromium-headless-shell",
            Platform::Linux | Platform::Mac | Platform::Windows => {
                "npx @puppeteer/browsers install chrome-headless-shell@stable"
            }
        };
        format!("{command}\n(it must be on PATH)")
    }
}

#[cfg(test)]
mod tests {
    use super::super::platform;
    use super::*;

    #[test]
    fn every_platform_has_a_command_for_the_headless_shell() {
        for (platform, command) in platform::ALL.into_iter().zip(["apt-get", "npx", "npx", "npx"]) {
            let fix = HeadlessShellRequirement.fix(platform);
            assert!(fix.contains(command) && fix.contains("PATH"), "{fix}");
        }
    }

    #[test]
    fn every_platform_has_a_command() {
        for (platform, command) in platform::ALL.into_iter().zip(["apt-get", "dnf", "brew", "winget"]) {
            let fix = ChromiumRequirement.fix(platform);
            assert!(fix.contains(command) && fix.contains("CHROMEDRIVER"), "{fix}");
        }
    }
}
