//! The suites under test, built on first use.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
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
    pub fn wasm(&self) -> Result<Vec<u8>> {
        fs::read(&self.module).with_context(|| format!("failed to read {}", self.module.display()))
    }
}

/// The checkout. Its metadata are read once per test program.
pub fn workspace() -> Result<&'static Workspace> {
    static WORKSPACE: OnceLock<Workspace> = OnceLock::new();
    if let Some(workspace) = WORKSPACE.get() {
        return Ok(workspace);
    }
    let workspace = Workspace::find()?;
    Ok(WORKSPACE.get_or_init(|| workspace))
}

/// The demo suite, as shipped.
pub fn demo() -> Result<SuiteBuilds> {
    let workspace = workspace()?;
    let program = workspace.built_suites().join("demo");
    if let Some(dist) = env::var_os(DIST) {
        return Ok(SuiteBuilds { program, module: Path::new(&dist).join("suites/demo.wasm") });
    }
    let into = workspace.target().join("tests-suites");
    build_once("demo", || {
        let mut xtask = Command::new("cargo");
        xtask.current_dir(workspace.root()).args(["xtask", "suites", "--package", "demo", "--into"]).arg(&into);
        let output = xtask.output().context("failed to start cargo")?;
        ensure!(output.status.success(), "{xtask:?} failed:\n{}", String::from_utf8_lossy(&output.stderr));
        Ok(Executables::new())
    })?;
    Ok(SuiteBuilds { program, module: into.join("demo.wasm") })
}

/// The native build of the demo suite or of a fixture.
pub fn native(package: &str) -> Result<PathBuf> {
    executable(workspace()?.root(), package, package, Target::Native)
}

/// A suite from `suites/` or `tests/suites/`, compiled with the profile of shipped suites, but without `wasm-opt`, and natively without link-time
/// optimisation.
pub fn fixture(package: &str) -> Result<SuiteBuilds> {
    builds(workspace()?.root(), package)
}

/// As [`fixture`], of a package with several suites.
pub fn fixture_of(package: &str, name: &str) -> Result<SuiteBuilds> {
    builds_of(workspace()?.root(), package, name)
}

/// As [`fixture`], in the workspace at `root`.
pub fn builds(root: &Path, package: &str) -> Result<SuiteBuilds> {
    builds_of(root, package, package)
}

fn builds_of(root: &Path, package: &str, name: &str) -> Result<SuiteBuilds> {
    Ok(SuiteBuilds {
        program: executable(root, package, name, Target::Native)?,
        module: executable(root, package, name, Target::Wasm)?,
    })
}

/// A link to the executable of `tests/suites/impostors/`, which behaves by the name of the link.
pub fn impostor(name: &str) -> Result<PathBuf> {
    let program = program("impostors", "dev")?;
    let folder = program.with_extension("links");
    let link = folder.join(name);
    fs::create_dir_all(&folder)?;
    match std::os::unix::fs::symlink(&program, &link) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error).context("failed to link to an impostor"),
        _ => Ok(link),
    }
}

/// The programs that most test programs start: built together, since cargo takes seconds to find that nothing has changed.
const PROGRAMS: [&str; 2] = ["benchbook-server", "impostors"];

/// An executable of the workspace that is not a suite. With the profile `release` its package must have the same name.
pub fn program(name: &str, profile: &str) -> Result<PathBuf> {
    let workspace = workspace()?;
    let alone = [name];
    let names: &[&str] = if PROGRAMS.contains(&name) { &PROGRAMS } else { &alone };
    let programs = match profile {
        "dev" => build_once(&names.join(", "), || programs_for_tests(workspace, names))?,
        _ => build_once(&format!("{name}, {profile}"), || {
            compile::programs(workspace.root(), &["--package", name, "--bin", name], profile)
        })?,
    };
    programs.get(name).cloned().with_context(|| format!("there is no executable `{name}`"))
}

/// Builds executables of the workspace with the profile of tests.
fn programs_for_tests(workspace: &Workspace, names: &[&str]) -> Result<Executables> {
    // With a test of the workspace: without it, cargo would compile the dependencies again, with only the features that they need.
    let mut selection = vec!["--workspace", "--test", "source"];
    selection.extend(names.iter().flat_map(|name| ["--bin", name]));
    compile::programs(workspace.root(), &selection, "dev")
}

/// Link fixtures in two seconds instead of ten. Modules need link-time optimisation: without it, the linker drops registered functions.
const FASTER_LINK: [&str; 4] = ["--config", "profile.suite.lto=\"off\"", "--config", "profile.suite.codegen-units=16"];

/// Executables by name.
type Executables = BTreeMap<String, PathBuf>;

/// A build that several threads may request; absent until one of them has completed it.
type SharedBuild = Arc<Mutex<Option<Executables>>>;

/// Builds a package and returns one of its executables.
fn executable(root: &Path, package: &str, name: &str, target: Target) -> Result<PathBuf> {
    // What is shipped is tested as it is shipped.
    let faster = if target == Target::Native && package != "demo" { &FASTER_LINK[..] } else { &[] };
    let build = || compile::executables(root, package, target, faster);
    let executables = build_once(&format!("{package}, {target:?}"), build)?;
    executables.get(name).cloned().with_context(|| format!("package `{package}` has no executable `{name}`"))
}

/// Caches the result of `build` for this process. Concurrent callers with the same key wait; others, such as those of builds that are
/// complete, do not.
fn build_once(key: &str, build: impl FnOnce() -> Result<Executables>) -> Result<Executables> {
    static BUILDS: Mutex<BTreeMap<String, SharedBuild>> = Mutex::new(BTreeMap::new());
    let entry = Arc::clone(BUILDS.lock().unwrap_or_else(PoisonError::into_inner).entry(key.to_owned()).or_default());
    let mut built = entry.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(executables) = &*built {
        return Ok(executables.clone());
    }
    let executables = build().with_context(|| format!("failed to build {key}"))?;
    Ok(built.insert(executables).clone())
}
