//! What the measurements in Chromium need: the program that drives it, both modules, and the libraries.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use benchbook_build::Target;
use benchbook_build::compile;
use xtask::workspace::Workspace;

use super::browser;
use super::environment::WORKSPACE;
use super::harness::Harness;
use crate::tools::{self, Chromium, JavaScriptLibrary, Need};

/// The program, and the files that it reads.
#[derive(Debug)]
pub(super) struct BrowserPrograms {
    program: PathBuf,
    chromium: Chromium,
    /// The wasm module of the suite.
    suite: PathBuf,
    /// The functions as raw exports.
    functions: PathBuf,
    tinybench: PathBuf,
    mitata: PathBuf,
}

impl BrowserPrograms {
    /// Builds the program and the modules, and installs Chromium and the libraries if they are missing.
    pub(super) fn build(workspace: &Workspace) -> Result<Self> {
        tools::ensure(workspace, &[Need::Suites, Need::Chromium, Need::JavaScript])?;
        let root = workspace.root().join(WORKSPACE);
        let module = |package: &str| {
            let modules = compile::executables(&root, package, Target::Wasm, &[])?;
            modules.get(package).cloned().with_context(|| format!("{WORKSPACE} has no module `{package}`"))
        };
        let programs = compile::programs(workspace.root(), &["--package", "benchbook-programs", "--bins"], "release")?;
        Ok(Self {
            program: programs.get("peer-browser").context("the tests have no program `peer-browser`")?.clone(),
            chromium: tools::chromium()?,
            suite: module("peer-suite")?,
            functions: module("peer-wasm")?,
            tinybench: JavaScriptLibrary::TINYBENCH.script()?,
            mitata: JavaScriptLibrary::MITATA.script()?,
        })
    }

    /// The command that measures a function. The browser uses all cores: on a single one, its own processes would compete
    /// with the worker that measures.
    pub(super) fn command(&self, function: &str, harness: Harness, is_reference: bool) -> Result<Command> {
        let seconds = |seconds| (!is_reference).then_some(seconds);
        let (functions, suite): (&Path, &Path) = (&self.functions, &self.suite);
        let arguments = match harness {
            Harness::BrowserTinybenchTime => {
                browser::benchbook_arguments(suite, function, seconds(browser::TINYBENCH_SECONDS))
            }
            Harness::BrowserMitataTime => {
                browser::benchbook_arguments(suite, function, seconds(browser::MITATA_SECONDS))
            }
            Harness::Tinybench => browser::tinybench_arguments(functions, &self.tinybench, function, is_reference),
            Harness::Mitata => browser::mitata_arguments(functions, &self.mitata, function, is_reference),
            native => bail!("{} does not run in a browser", native.title()),
        };
        let mut command = Command::new(&self.program);
        command.args(arguments).envs(self.chromium.variables());
        Ok(command)
    }
}
