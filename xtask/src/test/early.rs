//! Builds in the background, during the stages before they are needed. They only fill cargo's cache: the stage that needs a build runs cargo
//! again, which then prints any errors.

use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};
use benchbook_build::{WASM, without_package_variables};
use xshell::{Cmd, Shell, cmd};

/// A build by cargo. Dropping it ends the build.
pub(super) struct EarlyBuild(Child);

impl EarlyBuild {
    /// The page's program. Its link-time optimisation keeps one core busy for over a minute, and the stages before leave one idle as often.
    ///
    /// trunk cannot run here: it also writes files that other stages compile.
    pub(super) fn page(shell: &Shell) -> Result<Self> {
        // As trunk calls it for index.html, so that trunk finds everything compiled.
        Self::start(cmd!(shell, "cargo build --quiet --manifest-path app/Cargo.toml --profile page --target {WASM}"))
    }

    /// Test programs, while wasm-opt keeps one core busy.
    pub(super) fn tests(shell: &Shell, tests: &[&str]) -> Result<Self> {
        Self::start(cmd!(shell, "cargo test --workspace --no-run {tests...}"))
    }

    fn start(cargo: Cmd<'_>) -> Result<Self> {
        let mut cargo: Command = without_package_variables(cargo).into();
        let child = cargo.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        Ok(Self(child.context("failed to start cargo")?))
    }

    pub(super) fn wait(mut self) -> Result<()> {
        self.0.wait().context("failed to wait for cargo")?;
        Ok(())
    }
}

impl Drop for EarlyBuild {
    fn drop(&mut self) {
        // If it has ended, there is nothing to stop.
        let _ended = self.0.kill();
        let _status = self.0.wait();
    }
}
