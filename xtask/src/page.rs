//! The static page.

use anyhow::{Context, Result};
use xshell::{Shell, cmd};

use crate::sizes;
use crate::tools;
use crate::workspace::Workspace;

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let shell = tools::for_page(workspace)?.shell(workspace)?;
    build(workspace, &shell)?;
    println!("The page is in {}", workspace.dist().display());
    Ok(())
}

/// Builds the page and its suites as they are shipped, and prints their sizes.
pub(crate) fn build(workspace: &Workspace, shell: &Shell) -> Result<()> {
    cmd!(shell, "trunk build --release").run().context("the page cannot be built")?;
    print!("\n{}", sizes::table(&workspace.dist())?);
    Ok(())
}
