//! Builds the suites as shipped: from the same sources a wasm module for the page and a native executable for a runner,
//! which must list the same functions.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use benchbook_build::COUNTING_MODULE;
use benchbook_build::compile::BuildOptions;
use benchbook_build::files::copy;
use benchbook_build::suite_build::{BuiltSuite, SuiteBuild};
use benchbook_build::suite_target::SuiteTarget;
use xtask::sizes::kilobytes;
use xtask::workspace::Workspace;

use crate::tools::{self, Need};

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
    let build = SuiteBuild {
        root: workspace.root().to_owned(),
        folder: workspace.built_suites(),
        wasm_opt: Some(tools::wasm_opt(workspace)?),
        builds_wasm: true,
        options: BuildOptions::default(),
    };
    for package in packages(workspace, chosen)? {
        let outcome = build.package(&package)?;
        for warning in &outcome.warnings {
            eprintln!("\nwarning: {warning}\n");
        }
        for suite in &outcome.built {
            publish(suite, &into)?;
            println!("{}", line(suite));
        }
        if !outcome.errors.is_empty() {
            bail!("{}", outcome.errors.join("\n"));
        }
    }
    Ok(())
}

/// The suites of each package.
fn packages(workspace: &Workspace, chosen: &[String]) -> Result<Vec<Vec<SuiteTarget>>> {
    if chosen.is_empty() {
        return workspace.suites();
    }
    chosen.iter().map(|name| workspace.suites_of(name)).collect()
}

/// Copies the modules of a suite for the page; without one, removes that of an earlier build, which has other functions.
fn publish(suite: &BuiltSuite, into: &Path) -> Result<()> {
    for (module, end) in [(&suite.module, "wasm"), (&suite.counted, COUNTING_MODULE)] {
        let published = into.join(format!("{}.{end}", suite.target.name));
        match module {
            Some(module) => copy(module, &published)?,
            None if published.exists() => {
                fs::remove_file(&published).with_context(|| format!("failed to delete {}", published.display()))?;
            }
            None => {}
        }
    }
    Ok(())
}

/// Describes a built suite.
fn line(suite: &BuiltSuite) -> String {
    let BuiltSuite { target, counts, .. } = suite;
    match (&suite.program, &suite.module) {
        (_, None) => format!("suite {}: {counts}, native only", target.name),
        (None, _) => format!("suite {}: {counts}, wasm only", target.name),
        _ => format!("suite {}: {counts}, {} KB of wasm", target.name, kilobytes(suite.module_bytes)),
    }
}
