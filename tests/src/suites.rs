//! The suites under test, built on first use.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use benchbook_build::Target;
use benchbook_build::compile;
use xtask::workspace::Workspace;

/// The environment variable with the folder of the built page, set by `cargo xtask test`; it contains the demo suite.
const DIST: &str = "BENCHBOOK_DIST";

/// Both builds of a suite.
#[derive(Clone, Debug)]
pub struct SuiteBuilds {
    /// The native executable.
    pub program: PathBuf,
    /// The wasm module.
    pub module: PathBuf,
}

impl SuiteBuilds {
    /// Reads the module.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn wasm(&self) -> Result<Vec<u8>> {
        fs::read(&self.module).with_context(|| format!("reading {}", self.module.display()))
    }
}

/// The demo suite, as shipped.
///
/// # Errors
/// If it cannot be built.
pub fn demo() -> Result<SuiteBuilds> {
    let workspace = Workspace::find()?;
    let program = workspace.built_suites().join("demo");
    if let Some(dist) = env::var_os(DIST) {
        return Ok(SuiteBuilds { program, module: Path::new(&dist).join("suites/demo.wasm") });
    }
    let into = workspace.target().join("tests-suites");
    build_once("demo", || {
        let mut xtask = Command::new("cargo");
        xtask.current_dir(workspace.root()).args(["xtask", "suites", "--package", "demo", "--into"]).arg(&into);
        let output = xtask.output().context("starting cargo")?;
        ensure!(output.status.success(), "{xtask:?} failed:\n{}", String::from_utf8_lossy(&output.stderr));
        Ok(Executables::new())
    })?;
    Ok(SuiteBuilds { program, module: into.join("demo.wasm") })
}

/// The native build of the demo suite or of a fixture.
///
/// # Errors
/// If it cannot be built.
pub fn native(package: &str) -> Result<PathBuf> {
    executable(Workspace::find()?.root(), package, package, Target::Native)
}

/// A suite from `suites/` or `tests/suites/`, compiled with the profile of shipped suites but without `wasm-opt`.
///
/// # Errors
/// If it cannot be built.
pub fn fixture(package: &str) -> Result<SuiteBuilds> {
    builds(Workspace::find()?.root(), package)
}

/// As [`fixture`], in the workspace at `root`.
///
/// # Errors
/// If it cannot be built.
pub fn builds(root: &Path, package: &str) -> Result<SuiteBuilds> {
    Ok(SuiteBuilds {
        program: executable(root, package, package, Target::Native)?,
        module: executable(root, package, package, Target::Wasm)?,
    })
}

/// An executable from `tests/suites/impostors/`. All of them are built together.
///
/// # Errors
/// If they cannot be built.
pub fn impostor(name: &str) -> Result<PathBuf> {
    let build = || {
        let workspace = Workspace::find()?;
        let package = workspace.packages().iter().find(|package| package.name.as_str() == "impostors");
        let targets = &package.context("there is no package `impostors`")?.targets;
        let names: Vec<&str> =
            targets.iter().filter(|target| target.is_bin()).map(|target| target.name.as_str()).collect();
        programs_for_tests(&workspace, &names)
    };
    let programs = build_once("impostors", build)?;
    programs.get(name).cloned().with_context(|| format!("there is no executable `{name}`"))
}

/// An executable of a fixture that has several.
///
/// # Errors
/// If it cannot be built.
pub fn fixture_program(package: &str, name: &str) -> Result<PathBuf> {
    executable(Workspace::find()?.root(), package, name, Target::Native)
}

/// An executable of the workspace that is not a suite. With the profile `release` its package must have the same name.
///
/// # Errors
/// If it cannot be built.
pub fn program(name: &str, profile: &str) -> Result<PathBuf> {
    let workspace = Workspace::find()?;
    let build = || match profile {
        "dev" => programs_for_tests(&workspace, &[name]),
        _ => compile::programs(workspace.root(), &["--package", name, "--bin", name], profile),
    };
    let programs = build_once(&format!("{name}, {profile}"), build)?;
    programs.get(name).cloned().with_context(|| format!("there is no executable `{name}`"))
}

/// Builds executables of the workspace with the profile of tests.
fn programs_for_tests(workspace: &Workspace, names: &[&str]) -> Result<Executables> {
    // With a test of the workspace: without it, cargo would compile the dependencies again, with only the features that they need.
    let mut selection = vec!["--workspace", "--test", "structure"];
    selection.extend(names.iter().flat_map(|name| ["--bin", name]));
    compile::programs(workspace.root(), &selection, "dev")
}

/// Executables by name.
type Executables = BTreeMap<String, PathBuf>;

/// Builds a package and returns one of its executables.
fn executable(root: &Path, package: &str, name: &str, target: Target) -> Result<PathBuf> {
    let executables = build_once(&format!("{package}, {target:?}"), || compile::executables(root, package, target))?;
    executables.get(name).cloned().with_context(|| format!("package `{package}` has no executable `{name}`"))
}

/// Caches the result of `build` for this process. Concurrent callers wait.
fn build_once(key: &str, build: impl FnOnce() -> Result<Executables>) -> Result<Executables> {
    static BUILT: Mutex<BTreeMap<String, Executables>> = Mutex::new(BTreeMap::new());
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(executables) = built.get(key) {
        return Ok(executables.clone());
    }
    let executables = build().with_context(|| format!("building {key}"))?;
    built.insert(key.to_owned(), executables.clone());
    Ok(executables)
}
