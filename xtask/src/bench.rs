//! Measuring Benchbook itself.

use anyhow::{Context, Result};
use xshell::cmd;

use crate::page;
use crate::tools;
use crate::tools::browser::Browser;
use crate::workspace::Workspace;

/// Measure Benchbook itself, as it is shipped
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  cargo xtask bench page")]
pub(crate) struct Options {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// The page: how soon it shows a first curve, and how smooth it stays
    Page,
}

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    match options.what {
        What::Page => bench_page(workspace),
    }
}

fn bench_page(workspace: &Workspace) -> Result<()> {
    let browser = Browser::get()?;
    let shell = tools::for_page(workspace)?.shell(workspace)?;
    page::build(workspace, &shell)?;
    let _variables = browser.variables(&shell, &workspace.dist());
    cmd!(shell, "cargo run --release --package benchbook-tests --bin bench-page")
        .run()
        .context("the page could not be measured")
}
