//! npm, which installs tools that are scripts.

use std::path::Path;

use anyhow::Result;
use xshell::{Shell, cmd};

use super::debian;
use super::platform::Platform;
use super::run::run;

/// Whether npm and Node.js are on PATH.
pub(super) fn is_installed() -> bool {
    which::which("node").is_ok() && which::which("npm").is_ok()
}

/// Installs a package, as `name@version`, into `node_modules` of the folder, without running its scripts.
pub(super) fn install(package: &str, folder: &Path) -> Result<()> {
    let shell = Shell::new()?;
    run(cmd!(
        shell,
        "npm install --ignore-scripts --no-audit --no-fund --no-save --loglevel error --prefix {folder} {package}"
    ))
}

/// Installs npm itself from Debian's packages.
pub(super) fn from_debian() -> Result<()> {
    // Debian's Node.js trusts the system's certificates, but its package only recommends them.
    debian::install(&["nodejs", "npm", "ca-certificates"])
}

/// How the user installs npm.
pub(super) fn fix(platform: Platform) -> &'static str {
    match platform {
        Platform::Debian => "sudo apt-get install nodejs npm",
        Platform::Linux => "Node.js with npm from your package manager, such as: sudo dnf install nodejs npm",
        Platform::Mac => "brew install node",
        Platform::Windows => "winget install OpenJS.NodeJS",
    }
}
