//! wasm-opt, which makes wasm smaller and faster.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use semver::Version;
use xshell::{Shell, cmd};

use super::find::{Tool, Wanted};
use super::{cache, debian};

/// The oldest that was tried with what rustc writes today; Debian 12 has it.
const OLDEST: &str = ">=108";

pub(super) fn get(version: &Version) -> Result<Tool> {
    let number = version.major;
    let place = cache::trunks()?.join(format!("wasm-opt-version_{number}"));
    let wanted = Wanted {
        names: &["wasm-opt"],
        version: OLDEST.parse()?,
        cached: Some(place.join("bin").join(cache::executable("wasm-opt"))),
    };
    wanted.find_or(|| {
        let remedy = || {
            format!(
                "wasm-opt {OLDEST} is needed: install Node.js with npm and repeat the command, which then gets it with \
                 `npm install binaryen@{number}`; or put `bin` of Binaryen's release {number} on PATH"
            )
        };
        if cfg!(unix) && which::which("node").is_ok() && which::which("npm").is_ok() {
            cache::fill(&place, |folder| from_npm(folder, number)).with_context(remedy)
        } else if debian::can_install() {
            debian::install(&["binaryen"]).with_context(remedy)
        } else {
            bail!(remedy())
        }
    })
}

/// npm's `binaryen` has wasm-opt as one script for Node.js; who calls it cannot tell it from a program.
fn from_npm(folder: &Path, number: u64) -> Result<()> {
    println!("Installing wasm-opt {number} with npm: some seconds, once");
    let shell = Shell::new()?;
    let package = format!("binaryen@{number}");
    cmd!(shell, "npm install --no-audit --no-fund --no-save --loglevel error --prefix {folder} {package}").run()?;
    // Where trunk expects it. The link is relative, since the folder is moved when it is whole.
    fs::create_dir(folder.join("bin"))?;
    #[cfg(unix)]
    std::os::unix::fs::symlink("../node_modules/binaryen/bin/wasm-opt", folder.join("bin/wasm-opt"))?;
    Ok(())
}
