//! `cargo xtask tools`: installs the tools of the page and prints the settings of a shell that finds them.

use anyhow::Result;
use xtask::workspace::Workspace;

use crate::tools::{self, Need};

/// Install the tools of the page, and print shell commands that put them on PATH
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  eval \"$(cargo xtask tools)\" && trunk serve             in a Unix shell
  cargo xtask tools | Out-String | Invoke-Expression     in PowerShell")]
pub(crate) struct ToolsOptions {}

pub(crate) fn run(workspace: &Workspace, _: &ToolsOptions) -> Result<()> {
    tools::ensure(workspace, &[Need::Page])?;
    print!("{}", tools::environment(workspace)?.script()?);
    Ok(())
}
