//! Builds the suites as shipped: from the same sources a wasm module for the page and a native executable for a runner,
//! which must list the same functions.

mod catalog;
mod native;
mod optimise;
mod wasm;
mod without_wasm;

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context, Result, anyhow};
use benchbook_build::compile::{self, Executables};
use xtask::sizes::kilobytes;
use xtask::workspace::{SuitePackage, Workspace};

use crate::tools::{self, Need, Tool};

/// Build only the suites
///
/// Each suite is built for both targets: as a wasm module and as an executable in target/suites. Both must have the same
/// functions. A suite that does not compile for wasm is built for a runner only.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask suites --into dist/suites                    every suite under suites/
  cargo xtask suites --into mine --package my-suite        the suites of one package of the workspace")]
pub(crate) struct SuitesOptions {
    /// The output folder of the wasm modules
    #[arg(long, value_name = "DIR")]
    into: PathBuf,
    /// A package of the workspace to build; repeat it for several [default: every one under suites/]
    #[arg(long, value_name = "NAME")]
    package: Vec<String>,
}

pub(crate) fn run(workspace: &Workspace, options: &SuitesOptions) -> Result<()> {
    build(workspace, options.into.clone(), &options.package)
}

/// Builds the suites of these packages, or all under `suites/` if there are none, with their wasm modules in `into`.
pub(crate) fn build(workspace: &Workspace, into: PathBuf, chosen: &[String]) -> Result<()> {
    tools::ensure(workspace, &[Need::Suites])?;
    let build = SuiteBuild { workspace, wasm_opt: tools::wasm_opt(workspace)?, into };
    for package in packages(workspace, chosen)? {
        build.package(&package)?;
    }
    Ok(())
}

fn packages(workspace: &Workspace, chosen: &[String]) -> Result<Vec<SuitePackage>> {
    if chosen.is_empty() {
        return workspace.suites();
    }
    chosen.iter().map(|name| workspace.suite_package(name)).collect()
}

/// The tools and folders of a build.
struct SuiteBuild<'w> {
    workspace: &'w Workspace,
    wasm_opt: Tool,
    /// The output folder of the wasm modules.
    into: PathBuf,
}

impl SuiteBuild<'_> {
    /// Builds the suites of a package, and prints a line about each.
    fn package(&self, package: &SuitePackage) -> Result<()> {
        let root = self.workspace.root();
        let modules = compile::wasm_suites(root, &package.name, &package.suites)?;
        // wasm-opt takes about as long as the compiler, and uses one core.
        let (optimised, programs) = thread::scope(|scope| {
            let optimised = scope.spawn(|| modules.as_ref().map(|modules| self.optimise(modules)));
            // An error in the suite itself fails this build too, and cargo prints it.
            let programs = compile::native_suites(root, &package.name, &package.suites);
            (optimised.join(), programs)
        });
        let programs = programs?;
        let modules = match optimised.map_err(|_| anyhow!("the thread of wasm-opt panicked"))? {
            Ok(modules) => Some(modules?),
            Err(failed) => {
                let log = self.built(&format!("{}.wasm.log", package.name));
                write(&log, failed.log())?;
                eprintln!("\nwarning: {}\n", without_wasm::advice(&package.name, failed, &log));
                None
            }
        };
        for name in &package.suites {
            let program = programs.get(name).with_context(|| format!("cargo built no executable `{name}`"))?;
            let line = match &modules {
                Some(modules) => {
                    let module = modules.get(name).with_context(|| format!("cargo built no wasm module `{name}`"))?;
                    self.both_targets(name, module, program)
                }
                None => self.native_only(name, program),
            };
            println!("{}", line.with_context(|| format!("suite `{name}`"))?);
        }
        Ok(())
    }

    /// Returns the optimised modules, by the names of the suites.
    fn optimise(&self, modules: &Executables) -> Result<Executables> {
        let optimised = |(name, module): (&String, &PathBuf)| {
            Ok((name.clone(), optimise::module(self.workspace, &self.wasm_opt, name, module)?))
        };
        modules.iter().map(optimised).collect()
    }

    /// Compares the catalogs of the module and of the executable, and installs both.
    fn both_targets(&self, name: &str, module: &Path, program: &Path) -> Result<String> {
        let bytes = fs::read(module).with_context(|| format!("reading {}", module.display()))?;
        // The module first: its errors explain a crate that calls the browser better than the executable's do.
        let wasm = wasm::describe(&bytes)?;
        let counts = catalog::compare(&native::describe(program)?, &wasm)?;
        copy(program, &self.built(&format!("{name}{EXE_SUFFIX}")))?;
        // A runner looks for a suite's module next to its executable.
        copy(module, &self.built(&format!("{name}.wasm")))?;
        copy(module, &self.into.join(format!("{name}.wasm")))?;
        Ok(format!("suite {name}: {counts}, {} KB of wasm", kilobytes(bytes.len() as u64)))
    }

    /// Installs the executable, and removes modules of earlier builds, which have other functions.
    fn native_only(&self, name: &str, program: &Path) -> Result<String> {
        let counts = catalog::count(&native::describe(program)?)?;
        copy(program, &self.built(&format!("{name}{EXE_SUFFIX}")))?;
        for folder in [&self.workspace.built_suites(), &self.into] {
            let module = folder.join(format!("{name}.wasm"));
            if module.exists() {
                fs::remove_file(&module).with_context(|| format!("deleting {}", module.display()))?;
            }
        }
        Ok(format!("suite {name}: {counts}, native only"))
    }

    /// The path of a file of the built suites.
    fn built(&self, file: &str) -> PathBuf {
        self.workspace.built_suites().join(file)
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    let writing = || format!("writing {}", path.display());
    fs::create_dir_all(path.parent().context("a file has a folder")?).with_context(writing)?;
    fs::write(path, text).with_context(writing)
}

/// Copies a file in one step, since a runner may be reading the folder. An identical file keeps its time, so that programs
/// that watch it do not restart.
fn copy(from: &Path, to: &Path) -> Result<()> {
    if fs::read(to).is_ok_and(|old| fs::read(from).is_ok_and(|new| new == old)) {
        return Ok(());
    }
    let copying = || format!("copying {} to {}", from.display(), to.display());
    let folder = to.parent().context("a file has a folder")?;
    fs::create_dir_all(folder).with_context(copying)?;
    let partial = tempfile::Builder::new().prefix(".partial-").tempfile_in(folder).with_context(copying)?;
    fs::copy(from, partial.path()).with_context(copying)?;
    partial.persist(to).with_context(copying)?;
    Ok(())
}
