//! Measuring the notebooks of `docs/notebooks/`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use benchbook_build::without_package_variables;
use xshell::cmd;
use xtask::workspace::Workspace;

use crate::page;
use crate::tools::{self, Need};

/// Measure the notebooks in docs/notebooks/ again, in Chromium and natively, and write their files and digests.json, which the start page shows
///
/// Keep the machine idle in the meantime. Then check each text against the new figures: `cargo test --package benchbook-notebook`
/// reports conclusions that no longer hold.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask notebooks --machine 'AMD EPYC 9R14'        all of them: about half an hour
  cargo xtask notebooks --machine 'AMD EPYC 9R14' maps   one of them")]
pub(crate) struct NotebookOptions {
    /// The name of this machine in the notebooks
    #[arg(long, value_name = "NAME")]
    machine: String,
    /// The notebooks to measure [default: all]
    #[arg(value_name = "NOTEBOOK")]
    names: Vec<String>,
}

pub(crate) fn run(workspace: &Workspace, options: &NotebookOptions) -> Result<()> {
    let files = files(workspace, &options.names)?;
    tools::ensure(workspace, &[Need::Page, Need::Chromium])?;
    let shell = tools::environment(workspace)?.shell(workspace)?;
    page::build(&shell)?;
    let chromium = tools::chromium()?;
    let _chromium = chromium.set_variables(&shell);
    let _page = shell.push_env("BENCHBOOK_DIST", workspace.dist());
    let machine = &options.machine;
    without_package_variables(cmd!(
        shell,
        "cargo run --release --package benchbook-programs --bin measure-notebooks -- {machine} {files...}"
    ))
    .run()
    .context("the notebooks were not measured")?;
    let _bless = shell.push_env("BENCHBOOK_BLESS", "1");
    without_package_variables(cmd!(shell, "cargo test --package benchbook-report --lib digest"))
        .run()
        .context("the digests of the notebooks were not written")
}

/// The files of the notebooks with these names, or of all.
fn files(workspace: &Workspace, names: &[String]) -> Result<Vec<PathBuf>> {
    const END: &str = ".benchbook.json";
    let folder = workspace.root().join("docs/notebooks");
    let mut all: Vec<PathBuf> = fs::read_dir(&folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
        .with_context(|| format!("failed to read {}", folder.display()))?;
    all.sort();
    let name = |path: &PathBuf| path.file_name()?.to_str()?.strip_suffix(END).map(str::to_owned);
    all.retain(|path| name(path).is_some_and(|name| names.is_empty() || names.contains(&name)));
    ensure!(all.len() >= names.len().max(1), "{} lacks one of {}", folder.display(), names.join(", "));
    Ok(all)
}
