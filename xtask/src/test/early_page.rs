//! Compiles the page during the stages before it is needed.

use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};
use benchbook_build::{WASM, without_package_variables};
use xshell::{Shell, cmd};

/// A build of the page's program in the background. Its link-time optimisation keeps one core busy for over a minute, and
/// the other stages leave one idle as often.
///
/// It only fills cargo's cache. trunk cannot run here: it also writes files that other stages compile.
pub(super) struct EarlyPage(Child);

impl EarlyPage {
    pub(super) fn start(shell: &Shell) -> Result<Self> {
        // As trunk calls it for index.html, so that trunk finds everything compiled.
        let cargo = cmd!(shell, "cargo build --quiet --manifest-path app/Cargo.toml --profile page --target {WASM}");
        let mut cargo: Command = without_package_variables(cargo).into();
        let child = cargo.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        Ok(Self(child.context("starting cargo")?))
    }

    /// Waits for the build. Its errors are left to trunk, which finds and prints them again.
    pub(super) fn wait(mut self) -> Result<()> {
        self.0.wait().context("waiting for cargo")?;
        Ok(())
    }
}

impl Drop for EarlyPage {
    fn drop(&mut self) {
        // If it has ended, there is nothing to stop.
        let _ended = self.0.kill();
        let _status = self.0.wait();
    }
}
