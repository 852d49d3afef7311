//! Measuring Benchbook itself.

use anyhow::{Context, Result};
use clap::ValueEnum;
use xshell::cmd;
use xtask::workspace::Workspace;

use crate::page;
use crate::tools::{self, Need};

/// Measure Benchbook itself, as it is shipped
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask bench page             everything: some five minutes
  cargo xtask bench page loading     one part of it")]
pub(crate) struct Options {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// The page in Chromium: loading, presses of Measure, frames, memory, and what a visitor downloads
    Page {
        /// What to measure [default: all of it]
        #[arg(value_name = "PART")]
        parts: Vec<Part>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// How soon the page shows something, and how soon it can be used
    Loading,
    /// How soon Measure shows a point and a curve, and how soon Stop answers
    Presses,
    /// What frames cost while 100 000 raw samples are zoomed and moved
    Frames,
    /// What the page holds after many measurements
    Memory,
}

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    match &options.what {
        What::Page { parts } => bench_page(workspace, parts),
    }
}

fn bench_page(workspace: &Workspace, parts: &[Part]) -> Result<()> {
    tools::ensure(workspace, &[Need::Page, Need::Browser])?;
    let shell = tools::environment(workspace)?.shell(workspace)?;
    page::build(&shell)?;
    let browser = tools::browser()?;
    let _browser = browser.variables(&shell);
    let _page = shell.push_env("BENCHBOOK_DIST", workspace.dist());
    let parts = parts.iter().filter_map(Part::to_possible_value).map(|part| part.get_name().to_owned());
    let parts: Vec<String> = parts.collect();
    cmd!(shell, "cargo run --release --package benchbook-tests --bin bench-page -- {parts...}")
        .run()
        .context("the page could not be measured")
}
