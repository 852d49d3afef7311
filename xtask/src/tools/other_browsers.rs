//! Firefox and WebKit with their drivers, for the stage `outside`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use semver::VersionReq;
use walkdir::{DirEntry, WalkDir};
use xshell::{PushEnv, Shell};

use super::platform::Platform;
use super::requirement::{Installation, Requirement};
use super::{cache, debian};
use benchbook_build::tool::ToolQuery;

/// Pinned: it must support the Firefox of Debian's current release.
const GECKODRIVER: &str = "0.37.1";

/// Firefox and geckodriver.
pub(crate) struct Firefox {
    browser: PathBuf,
    driver: PathBuf,
}

impl Firefox {
    /// Sets the variables in which the tests find browser and driver, until the result is dropped.
    pub(crate) fn set_variables<'s>(&self, shell: &'s Shell) -> [PushEnv<'s>; 2] {
        [shell.push_env("FIREFOX", &self.browser), shell.push_env("GECKODRIVER", &self.driver)]
    }

    pub(super) fn find() -> Result<Option<Self>> {
        let cached = driver_folder()?.join("bin").join(cache::executable("geckodriver"));
        let find = |names, cached| ToolQuery { names, version: VersionReq::STAR, cached }.find();
        let (browser, driver) = (find(&["firefox-esr", "firefox"], None), find(&["geckodriver"], Some(cached)));
        Ok(browser.zip(driver).map(|(browser, driver)| Self { browser: browser.path, driver: driver.path }))
    }
}

fn driver_folder() -> Result<PathBuf> {
    Ok(cache::benchbook_folder()?.join(format!("geckodriver-{GECKODRIVER}")))
}

/// The requirement of the smoke test in Firefox.
pub(super) struct FirefoxRequirement;

impl FirefoxRequirement {
    fn install() -> Result<()> {
        if which::which("firefox-esr").or_else(|_| which::which("firefox")).is_err() {
            debian::install(&["firefox-esr"])?;
        }
        if Firefox::find()?.is_none() {
            cache::fill(&driver_folder()?, |folder| {
                cache::cargo_install_fast("geckodriver", GECKODRIVER, &[], folder)
            })?;
        }
        Firefox::find()?.map(drop).context("the installed programs do not start")
    }
}

impl Requirement for FirefoxRequirement {
    fn name(&self) -> String {
        "Firefox and geckodriver".to_owned()
    }

    fn is_installed(&self) -> Result<bool> {
        Ok(Firefox::find()?.is_some())
    }

    fn installations(&self) -> Vec<Installation<'_>> {
        if !debian::can_install() {
            return Vec::new();
        }
        let description =
            "Installing Firefox with apt-get and geckodriver with cargo: about 5 minutes on two cores, once".to_owned();
        vec![Installation { description, install: Box::new(Self::install) }]
    }

    fn fix(&self, platform: Platform) -> String {
        let command = match platform {
            Platform::Debian => "sudo apt-get install firefox-esr",
            Platform::Linux => "your package manager, such as: sudo dnf install firefox",
            Platform::Mac => "brew install --cask firefox",
            Platform::Windows => "winget install Mozilla.Firefox",
        };
        format!("{command}\ncargo install --locked geckodriver --version {GECKODRIVER}")
    }
}

/// WebKitGTK's test browser and its driver, and the display server that they require.
pub(crate) struct WebKit {
    browser: PathBuf,
    driver: PathBuf,
    display: PathBuf,
}

impl WebKit {
    /// Sets the variables in which the tests find the programs, until the result is dropped.
    pub(crate) fn set_variables<'s>(&self, shell: &'s Shell) -> [PushEnv<'s>; 3] {
        [
            shell.push_env("WEBKIT", &self.browser),
            shell.push_env("WEBKIT_DRIVER", &self.driver),
            shell.push_env("XVFB", &self.display),
        ]
    }

    pub(super) fn find() -> Option<Self> {
        let (driver, display) = (which::which("WebKitWebDriver").ok()?, which::which("Xvfb").ok()?);
        Some(Self { browser: test_browser(Path::new("/usr"))?, driver, display })
    }
}

/// MiniBrowser of the newest WebKitGTK, such as `lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser`.
fn test_browser(prefix: &Path) -> Option<PathBuf> {
    let folders = ["lib", "lib64", "libexec"].map(|folder| prefix.join(folder));
    let entries = folders.iter().flat_map(|folder| WalkDir::new(folder).max_depth(3)).flatten();
    let browsers = entries.filter(|entry| entry.file_name() == "MiniBrowser").map(DirEntry::into_path);
    browsers.filter(|path| path.to_string_lossy().contains("/webkit")).max()
}

/// The requirement of the smoke test in WebKit.
pub(super) struct WebKitRequirement;

impl Requirement for WebKitRequirement {
    fn name(&self) -> String {
        "WebKitGTK's MiniBrowser and WebKitWebDriver, and Xvfb".to_owned()
    }

    fn is_installed(&self) -> Result<bool> {
        Ok(WebKit::find().is_some())
    }

    fn installations(&self) -> Vec<Installation<'_>> {
        if !debian::can_install() {
            return Vec::new();
        }
        let install = || {
            debian::install(&["webkit2gtk-driver", "xvfb"])?;
            WebKit::find().map(drop).context("the installed packages contain no MiniBrowser, WebKitWebDriver or Xvfb")
        };
        let description = "Installing WebKitGTK's driver and Xvfb with apt-get: about a minute, once".to_owned();
        vec![Installation { description, install: Box::new(install) }]
    }

    fn fix(&self, platform: Platform) -> String {
        match platform {
            Platform::Debian => "sudo apt-get install webkit2gtk-driver xvfb",
            Platform::Linux => "your package manager, such as: sudo dnf install webkitgtk6.0 xorg-x11-server-Xvfb",
            Platform::Mac | Platform::Windows => "WebKitGTK runs on Linux only",
        }
        .to_owned()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::platform;
    use super::*;

    #[test]
    fn every_platform_has_a_command_for_firefox() {
        for (platform, command) in platform::ALL.into_iter().zip(["apt-get", "dnf", "brew", "winget"]) {
            let fix = FirefoxRequirement.fix(platform);
            assert!(fix.contains(command) && fix.contains("cargo install --locked geckodriver"), "{fix}");
        }
    }

    #[test]
    fn every_platform_has_a_fix_for_webkit() {
        for (platform, fix) in platform::ALL.into_iter().zip(["apt-get", "dnf", "Linux only", "Linux only"]) {
            assert!(WebKitRequirement.fix(platform).contains(fix));
        }
    }

    #[test]
    fn finds_the_newest_test_browser() {
        let prefix = tempfile::tempdir().unwrap();
        assert_eq!(test_browser(prefix.path()), None);
        for folder in ["lib/x86_64-linux-gnu/webkit2gtk-4.0", "lib/x86_64-linux-gnu/webkit2gtk-4.1", "lib/other"] {
            let folder = prefix.path().join(folder);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("MiniBrowser"), "").unwrap();
        }
        let newest = prefix.path().join("lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser");
        assert_eq!(test_browser(prefix.path()), Some(newest));
    }
}
