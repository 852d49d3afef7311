//! Where installed tools are kept, and how they get there.

use std::env;
use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use directories::{BaseDirs, ProjectDirs};
use xshell::Cmd;

use super::run::run;

/// Our folder in the user's cache.
pub(super) fn ours() -> Result<PathBuf> {
    Ok(BaseDirs::new().context(NO_HOME)?.cache_dir().join("benchbook"))
}

/// Trunk's folder in the user's cache: what lies there as trunk would have put it, a bare `trunk serve` finds too.
pub(super) fn trunks() -> Result<PathBuf> {
    Ok(ProjectDirs::from("dev", "trunkrs", "trunk").context(NO_HOME)?.cache_dir().to_path_buf())
}

const NO_HOME: &str = "no home folder to keep tools in: set HOME";

pub(super) fn executable(name: &str) -> String {
    format!("{name}{EXE_SUFFIX}")
}

/// Fills a folder beside `place` and moves it there when it is whole, so that an interrupted installation leaves
/// nothing that could be taken for a tool.
pub(super) fn fill(place: &Path, install: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let parent = place.parent().context("a place has a parent")?;
    let in_parent = || format!("writing to {}", parent.display());
    std::fs::create_dir_all(parent).with_context(in_parent)?;
    let fresh = tempfile::Builder::new().prefix("partial-").tempdir_in(parent).with_context(in_parent)?;
    install(fresh.path())?;
    if place.exists() {
        std::fs::remove_dir_all(place).with_context(|| format!("replacing {}", place.display()))?;
    }
    std::fs::rename(fresh.keep(), place).with_context(|| format!("moving the tool to {}", place.display()))
}

/// Lets `cargo install …` put its executables into `bin` of the folder.
pub(super) fn cargo_install(install: Cmd<'_>, folder: &Path) -> Result<()> {
    // With the place on PATH, cargo does not advise to put it there: it is about to be moved.
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths(env::split_paths(&path).chain([folder.join("bin")]))?;
    run(install.arg("--no-track").arg("--root").arg(folder).env("PATH", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_installation_leaves_nothing() {
        let cache = tempfile::tempdir().unwrap();
        let place = cache.path().join("deep/tool-1");
        let result = fill(&place, |folder| {
            std::fs::write(folder.join("half"), "")?;
            anyhow::bail!("interrupted")
        });
        assert_eq!(result.unwrap_err().to_string(), "interrupted");
        assert_eq!(std::fs::read_dir(place.parent().unwrap()).unwrap().count(), 0);
    }

    #[test]
    fn a_broken_tool_is_replaced() {
        let cache = tempfile::tempdir().unwrap();
        let place = cache.path().join("tool-1");
        for content in ["broken", "whole"] {
            fill(&place, |folder| Ok(std::fs::write(folder.join("tool"), content)?)).unwrap();
        }
        assert_eq!(std::fs::read_to_string(place.join("tool")).unwrap(), "whole");
        assert_eq!(std::fs::read_dir(cache.path()).unwrap().count(), 1);
    }
}
