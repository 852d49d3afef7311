//! Screenshots of the page, to review the visual effect of a change.

use std::path::{self, PathBuf};

use anyhow::{Context, Result};
use benchbook_build::without_package_variables;
use xshell::cmd;
use xtask::workspace::Workspace;

use crate::page;
use crate::tools::{self, Need};

/// Take screenshots of the page in its states, in Chromium: from the start to failed points, dark, narrow, wide
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask screenshots
  cargo xtask screenshots /tmp/before")]
pub(crate) struct ScreenshotOptions {
    /// The output folder [default: target/screenshots]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

pub(crate) fn run(workspace: &Workspace, options: &ScreenshotOptions) -> Result<()> {
    let folder = match &options.folder {
        Some(folder) => path::absolute(folder).with_context(|| format!("resolving {}", folder.display()))?,
        None => workspace.target().join("screenshots"),
    };
    tools::ensure(workspace, &[Need::Page, Need::Chromium])?;
    let shell = tools::environment(workspace)?.shell(workspace)?;
    page::build(&shell)?;
    let chromium = tools::chromium()?;
    let _chromium = chromium.set_variables(&shell);
    let _page = shell.push_env("BENCHBOOK_DIST", workspace.dist());
    without_package_variables(cmd!(shell, "cargo run --package benchbook-programs --bin screenshots -- {folder}"))
        .run()
        .context("some screenshots failed")
}
