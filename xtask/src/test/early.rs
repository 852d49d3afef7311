//! Builds in the background, during the stages before they are needed. They only fill cargo's cache: the stage that needs a build runs cargo
//! again, which then prints any errors.

use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};

use anyhow::{Context, Result};
use benchbook_build::{Target, WASM, compile, without_package_variables};
use xshell::{Cmd, Shell, cmd};
use xtask::workspace::Workspace;

/// The suites that are compiled early, and for which target. Those of the page come first, then those that take longest.
const SUITES: [(&str, Target); 15] = [
    ("demo", Target::Native),
    ("demo", Target::Wasm),
    ("misbehaving", Target::Native),
    ("ladder", Target::Native),
    ("ladder", Target::Wasm),
    ("misbehaving", Target::Wasm),
    ("criterion_benches", Target::Native),
    ("criterion_benches", Target::Wasm),
    ("divan_benches", Target::Native),
    ("divan_benches", Target::Wasm),
    ("declarations", Target::Native),
    ("declarations", Target::Wasm),
    ("allocating", Target::Native),
    ("allocating", Target::Wasm),
    ("library", Target::Native),
];

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
        Ok(Self(child.context("starting cargo")?))
    }

    pub(super) fn wait(mut self) -> Result<()> {
        self.0.wait().context("waiting for cargo")?;
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

/// Builds of suites. Unit tests keep only one core busy most of the time.
pub(super) struct EarlySuites(JoinHandle<()>);

impl EarlySuites {
    pub(super) fn start(workspace: &Workspace) -> Self {
        let root = workspace.root().to_owned();
        Self(thread::spawn(move || {
            for (suite, target) in SUITES {
                // The tests build it again, and report the errors.
                let _built = compile::executables(&root, suite, target);
            }
        }))
    }

    pub(super) fn wait(self) {
        // A panic only means that the tests compile more.
        let _panicked = self.0.join();
    }
}
