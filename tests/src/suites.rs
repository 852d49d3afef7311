//! The suites under test, built when they are first asked for.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use cargo_metadata::{Message, MetadataCommand};

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
    let target = target()?;
    let program = target.join("suites/demo");
    if let Some(dist) = env::var_os(DIST) {
        return Ok(Faces { program, module: Path::new(&dist).join("suites/demo.wasm") });
    }
    let into = target.join("tests-suites");
    once("demo", || {
        let mut xtask = cargo();
        xtask.args(["xtask", "suites", "--package", "demo", "--into"]).arg(&into);
        run(xtask).map(|_| Executables::new())
    })?;
    Ok(Faces { program, module: into.join("demo.wasm") })
}

/// A suite from `tests/suites/`: compiled like those that are shipped, but left as the compiler made it.
///
/// # Errors
/// Where it can't be built.
pub fn fixture(package: &str) -> Result<Faces> {
    Ok(Faces { program: executable(package, package, &[])?, module: executable(package, package, &WASM)? })
}

/// An executable from `tests/suites/impostors/`.
///
/// # Errors
/// Where it can't be built.
pub fn impostor(name: &str) -> Result<PathBuf> {
    executable("impostors", name, &[])
}

const WASM: [&str; 2] = ["--target", "wasm32-unknown-unknown"];

/// By name.
type Executables = BTreeMap<String, PathBuf>;

/// One of a package's executables.
fn executable(package: &str, name: &str, target: &[&str]) -> Result<PathBuf> {
    let executables = once(&format!("{package} {}", target.join(" ")), || compile(package, target))?;
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

/// Compiles the executables of a package in the suites' profile.
fn compile(package: &str, target: &[&str]) -> Result<Executables> {
    let mut build = cargo();
    build.args(["build", "--profile", "suite", "--package", package, "--bins"]).args(target);
    build.arg("--message-format=json-render-diagnostics");
    if !target.is_empty() {
        build.env("CARGO_ENCODED_RUSTFLAGS", "-Ctarget-feature=+simd128");
    }
    let output = run(build)?;
    let made = Message::parse_stream(output.as_slice()).filter_map(Result::ok).filter_map(|message| match message {
        Message::CompilerArtifact(artifact) => Some((artifact.target.name, artifact.executable?.into())),
        _ => None,
    });
    Ok(made.collect())
}

fn cargo() -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(ROOT);
    cargo
}

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// What the command wrote to its standard output.
fn run(mut command: Command) -> Result<Vec<u8>> {
    let output = command.output().with_context(|| format!("starting {command:?}"))?;
    ensure!(output.status.success(), "{command:?} failed:\n{}", String::from_utf8_lossy(&output.stderr));
    Ok(output.stdout)
}

fn target() -> Result<PathBuf> {
    let metadata = MetadataCommand::new().current_dir(ROOT).no_deps().exec().context("asking cargo for its folders")?;
    Ok(metadata.target_directory.into())
}
