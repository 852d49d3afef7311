//! Measuring Benchbook itself.

use anyhow::{Context, Result};
use xshell::cmd;
use xtask::workspace::Workspace;

use crate::page;
use crate::tools::{self, Need};

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
    /// The page in Chromium: first point, first curve, longest task, Stop, and what a visitor downloads
    Page,
}

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    match options.what {
        What::Page => bench_page(workspace),
    }
}

fn bench_page(workspace: &Workspace) -> Result<()> {
    tools::ensure(workspace, &[Need::Page, Need::Browser])?;
    let shell = tools::environment(workspace)?.shell(workspace)?;
    page::build(&shell)?;
    let browser = tools::browser()?;
    let _browser = browser.variables(&shell);
    let _page = shell.push_env("BENCHBOOK_DIST", workspace.dist());
    cmd!(shell, "cargo run --release --package benchbook-tests --bin bench-page")
        .run()
        .context("the page could not be measured")
}
