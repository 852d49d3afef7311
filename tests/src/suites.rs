//! The suites under test, built when they are first asked for.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use xtask::compile::{self, Target};
use xtask::workspace::Workspace;

/// Names the folder of the built page, as `cargo xtask test` does: the demo suite is then the one that stands there.
const DIST: &str = "BENCHBOOK_DIST";

/// Both faces of a suite.
#[derive(Clone, Debug)]
pub struct Faces {
    /// The native executable.
    pub program: PathBuf,
    /// The wasm module.
    pub module: PathBuf,
}

impl Faces {
    /// The bytes of the module.
    ///
    /// # Errors
    /// Where it can't be read.
    pub fn wasm(&self) -> Result<Vec<u8>> {
        fs::read(&self.module).with_context(|| format!("reading {}", self.module.display()))
    }
}

/// The demo suite as it is shipped.
///
/// # Errors
/// Where it can't be built.
pub fn demo() -> Result<Faces> {
    let workspace = Workspace::find()?;
    let program = workspace.built_suites().join("demo");
    if let Some(dist) = env::var_os(DIST) {
        return Ok(Faces { program, module: Path::new(&dist).join("suites/demo.wasm") });
    }
    let into = workspace.target().join("tests-suites");
    once("demo", || {
        let mut xtask = Command::new("cargo");
        xtask.current_dir(workspace.root()).args(["xtask", "suites", "--package", "demo", "--into"]).arg(&into);
        let output = xtask.output().context("starting cargo")?;
        ensure!(output.status.success(), "{xtask:?} failed:\n{}", String::from_utf8_lossy(&output.stderr));
        Ok(Executables::new())
    })?;
    Ok(Faces { program, module: into.join("demo.wasm") })
}

/// The native face alone, of the demo suite or one from `tests/suites/`.
///
/// # Errors
/// Where it can't be built.
pub fn native(package: &str) -> Result<PathBuf> {
    executable(Workspace::find()?.root(), package, package, Target::Native)
}

/// A suite from `tests/suites/`: compiled like those that are shipped, but left as the compiler made it.
///
/// # Errors
/// Where it can't be built.
pub fn fixture(package: &str) -> Result<Faces> {
    faces(Workspace::find()?.root(), package)
}

/// The same, of the workspace in `root`.
///
/// # Errors
/// Where it can't be built.
pub fn faces(root: &Path, package: &str) -> Result<Faces> {
    Ok(Faces {
        program: executable(root, package, package, Target::Native)?,
        module: executable(root, package, package, Target::Wasm)?,
    })
}

/// An executable from `tests/suites/impostors/`.
///
/// # Errors
/// Where it can't be built.
pub fn impostor(name: &str) -> Result<PathBuf> {
    executable(Workspace::find()?.root(), "impostors", name, Target::Native)
}

/// A program of the workspace that is no suite, compiled with cargo's `profile`: `dev` or `release`.
///
/// # Errors
/// Where it can't be built.
pub fn program(package: &str, profile: &str) -> Result<PathBuf> {
    let root = Workspace::find()?;
    let programs = once(&format!("{package}, {profile}"), || compile::programs(root.root(), package, profile))?;
    programs.get(package).cloned().with_context(|| format!("package `{package}` has no executable of that name"))
}

/// By name.
type Executables = BTreeMap<String, PathBuf>;

/// One of a package's executables.
fn executable(root: &Path, package: &str, name: &str, target: Target) -> Result<PathBuf> {
    let executables = once(&format!("{package}, {target:?}"), || compile::executables(root, package, target))?;
    executables.get(name).cloned().with_context(|| format!("package `{package}` has no executable `{name}`"))
}

/// What `build` gives, built once a process; whoever comes meanwhile waits.
fn once(key: &str, build: impl FnOnce() -> Result<Executables>) -> Result<Executables> {
    static BUILT: Mutex<BTreeMap<String, Executables>> = Mutex::new(BTreeMap::new());
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(executables) = built.get(key) {
        return Ok(executables.clone());
    }
    let executables = build().with_context(|| format!("building {key}"))?;
    built.insert(key.to_owned(), executables.clone());
    Ok(executables)
}
