//! Builds the static page.

use anyhow::{Context, Result};
use xshell::{Shell, cmd};
use xtask::sizes::Sizes;
use xtask::workspace::Workspace;

use crate::tools::{self, Need};

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    tools::ensure(workspace, &[Need::Page])?;
    let environment = tools::environment(workspace)?;
    let shell = environment.shell(workspace)?;
    build(&shell)?;
    print_sizes(workspace)?;
    println!("The page is in {}", workspace.dist().display());
    environment.print_advice();
    Ok(())
}

/// Builds the page and its suites as shipped.
pub(crate) fn build(shell: &Shell) -> Result<()> {
    cmd!(shell, "trunk build --release").run().context("the build of the page failed")
}

/// Prints the download sizes of the page and its suites.
pub(crate) fn print_sizes(workspace: &Workspace) -> Result<()> {
    print!("\n{}", Sizes::of_page(&workspace.dist())?);
    Ok(())
}
