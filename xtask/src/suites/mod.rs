//! The suites as they are shipped: a wasm module for the page and a native executable for a runner, made of the same
//! source and proven to hold the same functions.

mod catalog;
mod native;
mod optimise;
mod wasm;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use xtask::compile::{self, Face};
use xtask::sizes::kilobytes;
use xtask::workspace::Workspace;

use crate::tools::{self, Need, Tool};

/// Build the suites alone; trunk calls this after it has built the page
///
/// Each suite is built twice, as a wasm module and as an executable in target/suites; both must hold the same functions.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask suites --into dist/suites                    every crate under suites/
  cargo xtask suites --into mine --package my-suite        one package of the workspace")]
pub(crate) struct Options {
    /// The folder for the wasm modules [default: suites/ in the folder that trunk names in TRUNK_STAGING_DIR]
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
    /// A package of the workspace to build; may be given several times [default: every one under suites/]
    #[arg(long, value_name = "NAME")]
    package: Vec<String>,
}

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    let into = match (&options.into, env::var_os("TRUNK_STAGING_DIR")) {
        (Some(folder), _) => folder.clone(),
        (None, Some(staging)) => Path::new(&staging).join("suites"),
        (None, None) => bail!("where to? For example: cargo xtask suites --into dist/suites"),
    };
    tools::ensure(workspace, &[Need::Suites])?;
    let wasm_opt = tools::wasm_opt(workspace)?;
    for package in packages(workspace, &options.package)? {
        for suite in build(workspace, &package, &wasm_opt, &into)? {
            println!("{suite}");
        }
    }
    Ok(())
}

fn packages(workspace: &Workspace, chosen: &[String]) -> Result<Vec<String>> {
    if chosen.is_empty() {
        return Ok(workspace.suites().iter().map(|package| package.name.to_string()).collect());
    }
    chosen.iter().map(|name| Ok(workspace.package(name)?.name.to_string())).collect()
}

/// Builds the suites of one package (each of its executables is one), and says what came of each.
fn build(workspace: &Workspace, package: &str, wasm_opt: &Tool, into: &Path) -> Result<Vec<String>> {
    let modules = compile::executables(workspace.root(), package, Face::Wasm)?;
    let programs = compile::executables(workspace.root(), package, Face::Native)?;
    ensure!(
        !modules.is_empty(),
        "package `{package}` has no executable: a suite is a crate with `benchbook::suite!(\"name\");` in src/main.rs"
    );
    modules
        .iter()
        .map(|(name, module)| {
            let program = programs.get(name).with_context(|| format!("`{name}` was built for wasm only"))?;
            finish(workspace, name, module, program, wasm_opt, into).with_context(|| format!("suite `{name}`"))
        })
        .collect()
}

/// Optimises the module, compares it with the program, and puts both in their places.
fn finish(
    workspace: &Workspace,
    name: &str,
    module: &Path,
    program: &Path,
    wasm_opt: &Tool,
    into: &Path,
) -> Result<String> {
    let optimised = optimise::module(workspace, wasm_opt, name, module)?;
    let bytes = fs::read(&optimised).with_context(|| format!("reading {}", optimised.display()))?;
    // The module first: a crate that calls the browser fails as an executable in less telling ways.
    let wasm = wasm::describe(&bytes)?;
    let counts = catalog::compare(&native::describe(program)?, &wasm)?;

    // A runner finds a suite's module beside its executable.
    let kept = workspace.built_suites();
    place(program, &kept.join(program.file_name().context("the program has a name")?))?;
    place(&optimised, &kept.join(format!("{name}.wasm")))?;
    place(&optimised, &into.join(format!("{name}.wasm")))?;
    Ok(format!("suite {name}: {counts}, {} KB of wasm", kilobytes(bytes.len() as u64)))
}

/// Puts a copy in place under its final name only when it is whole: a runner may be reading the folder. What is the same
/// already stays as it is: who watches it would begin anew.
fn place(from: &Path, to: &Path) -> Result<()> {
    if fs::read(to).is_ok_and(|there| fs::read(from).is_ok_and(|new| new == there)) {
        return Ok(());
    }
    let say = || format!("copying {} to {}", from.display(), to.display());
    let folder = to.parent().context("a place has a folder")?;
    fs::create_dir_all(folder).with_context(say)?;
    let fresh = tempfile::Builder::new().prefix(".partial-").tempfile_in(folder).with_context(say)?;
    fs::copy(from, fresh.path()).with_context(say)?;
    fresh.persist(to).with_context(say)?;
    Ok(())
}
