//! The cache folders of installed tools.

use std::env;
use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use directories::{BaseDirs, ProjectDirs};
use xshell::{Cmd, Shell, cmd};

use super::run::run;

/// Our folder in the user's cache.
pub(super) fn benchbook_folder() -> Result<PathBuf> {
    Ok(BaseDirs::new().context(NO_HOME)?.cache_dir().join("benchbook"))
}

/// Trunk's folder in the user's cache. A plain `trunk serve` finds the tools that we install there in trunk's layout.
pub(super) fn trunk_folder() -> Result<PathBuf> {
    Ok(ProjectDirs::from("dev", "trunkrs", "trunk").context(NO_HOME)?.cache_dir().to_path_buf())
}

const NO_HOME: &str = "there is no home folder for the cache: set HOME";

pub(super) fn executable(name: &str) -> String {
    format!("{name}{EXE_SUFFIX}")
}

/// Installs into a new folder next to `folder`, and then renames it, so that an interrupted installation leaves nothing
/// that looks like a tool.
pub(super) fn fill(folder: &Path, install: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let parent = folder.parent().context("the tool's folder has no parent (this is a bug)")?;
    let in_parent = || format!("failed to write to {}", parent.display());
    std::fs::create_dir_all(parent).with_context(in_parent)?;
    let partial = tempfile::Builder::new().prefix("partial-").tempdir_in(parent).with_context(in_parent)?;
    install(partial.path())?;
    if folder.exists() {
        std::fs::remove_dir_all(folder).with_context(|| format!("replacing {}", folder.display()))?;
    }
    std::fs::rename(partial.keep(), folder).with_context(|| format!("moving the tool to {}", folder.display()))
}

/// Runs `cargo install …`, which puts the executables into `bin` of the folder.
pub(super) fn cargo_install(install: Cmd<'_>, folder: &Path) -> Result<()> {
    // With the folder on PATH, cargo does not advise the user to add it: it is about to be moved.
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths(env::split_paths(&path).chain([folder.join("bin")]))?;
    run(install.arg("--no-track").arg("--root").arg(folder).env("PATH", path))
}

/// Installs a program with few optimisations, in a fraction of the time: trunk takes 8 minutes with the profile of its release.
pub(super) fn cargo_install_fast(name: &str, version: &str, arguments: &[&str], folder: &Path) -> Result<()> {
    let shell = Shell::new()?;
    shell.set_var("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1");
    shell.set_var("CARGO_PROFILE_RELEASE_LTO", "off");
    shell.set_var("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    shell.set_var("CARGO_PROFILE_RELEASE_DEBUG", "0");
    cargo_install(cmd!(shell, "cargo install --locked {name} --version {version} {arguments...}"), folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_installation_leaves_no_files() {
        let cache = tempfile::tempdir().unwrap();
        let folder = cache.path().join("deep/tool-1");
        let result = fill(&folder, |partial| {
            std::fs::write(partial.join("half"), "")?;
            anyhow::bail!("interrupted")
        });
        assert_eq!(result.unwrap_err().to_string(), "interrupted");
        assert_eq!(std::fs::read_dir(folder.parent().unwrap()).unwrap().count(), 0);
    }

    #[test]
    fn replaces_a_broken_tool() {
        let cache = tempfile::tempdir().unwrap();
        let folder = cache.path().join("tool-1");
        for content in ["broken", "whole"] {
            fill(&folder, |partial| Ok(std::fs::write(partial.join("tool"), content)?)).unwrap();
        }
        assert_eq!(std::fs::read_to_string(folder.join("tool")).unwrap(), "whole");
        assert_eq!(std::fs::read_dir(cache.path()).unwrap().count(), 1);
    }
}
