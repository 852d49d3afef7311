//! The tools alone, and how a shell finds them.

use anyhow::Result;
use xtask::workspace::Workspace;

use crate::tools::{self, Need};

/// Install the tools of the page, and print what a shell evaluates to find them
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  eval \"$(cargo xtask tools)\" && trunk serve             in a shell of Unix
  cargo xtask tools | Out-String | Invoke-Expression     in PowerShell")]
pub(crate) struct Options {}

pub(crate) fn run(workspace: &Workspace, _: &Options) -> Result<()> {
    tools::ensure(workspace, &[Need::Page])?;
    print!("{}", tools::environment(workspace)?.script()?);
    Ok(())
}
