//! Pictures of the page, for looking at what a change did to it.

use std::path::{self, PathBuf};

use anyhow::{Context, Result};
use xshell::cmd;
use xtask::workspace::{Workspace, as_if_by_hand};

use crate::page;
use crate::tools::{self, Need};

/// Take pictures of the page in its states, in Chromium: from start to failed points, dark, narrow, wide
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask screenshots
  cargo xtask screenshots /tmp/before")]
pub(crate) struct Options {
    /// Where they go [default: target/screenshots]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    let folder = match &options.folder {
        Some(folder) => path::absolute(folder).with_context(|| format!("finding {}", folder.display()))?,
        None => workspace.target().join("screenshots"),
    };
    tools::ensure(workspace, &[Need::Page, Need::Browser])?;
    let shell = tools::environment(workspace)?.shell(workspace)?;
    page::build(&shell)?;
    let browser = tools::browser()?;
    let _browser = browser.variables(&shell);
    let _page = shell.push_env("BENCHBOOK_DIST", workspace.dist());
    as_if_by_hand(cmd!(shell, "cargo run --package benchbook-tests --bin screenshots -- {folder}"))
        .run()
        .context("not every picture could be taken")
}
