//! The browser that the tests drive, and its driver.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use semver::VersionReq;
use xshell::{PushEnv, Shell};

use super::debian;
use super::find::{Tool, Wanted, ask_version};

const NAMES: &[&str] = &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

const REMEDY: &str = "\
Chromium and chromedriver, of the same version, are needed to test the page. On Debian this gets them:
  sudo apt-get install --no-install-recommends chromium chromium-driver
Or set CHROMIUM and CHROMEDRIVER to the paths of what you have.";

/// Chromium and the driver of the same version.
pub(crate) struct Browser {
    pub(crate) chromium: PathBuf,
    pub(crate) driver: PathBuf,
}

impl Browser {
    pub(crate) fn get() -> Result<Self> {
        if let Some(browser) = Self::find()? {
            return Ok(browser);
        }
        if !debian::can_install() {
            bail!(REMEDY);
        }
        debian::install(&["chromium", "chromium-driver"]).context(REMEDY)?;
        Self::find()?.context(REMEDY)
    }

    /// Tells a test where the browser, its driver and the built page are, until the answer is dropped.
    pub(crate) fn variables<'s>(&self, shell: &'s Shell, dist: &Path) -> [PushEnv<'s>; 3] {
        [
            shell.push_env("CHROMIUM", &self.chromium),
            shell.push_env("CHROMEDRIVER", &self.driver),
            shell.push_env("BENCHBOOK_DIST", dist),
        ]
    }

    /// What CHROMIUM and CHROMEDRIVER name is taken as it is.
    fn find() -> Result<Option<Self>> {
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
    Wanted { names: NAMES, version, cached: None }.find()
}

fn named_by(variable: &str) -> Result<Option<PathBuf>> {
    let Some(path) = env::var_os(variable).map(PathBuf::from) else { return Ok(None) };
    ensure!(path.is_file(), "{variable} is set to {}, and there is no such file", path.display());
    Ok(Some(path))
}
