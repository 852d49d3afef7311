//! Builds the static page.

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result};
use xshell::{Shell, cmd};
use xtask::sizes::Sizes;
use xtask::workspace::Workspace;
use xtask::{embedded_page, page_version};

use crate::suites;
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

/// Completes the page in trunk's staging folder: builds the suites, writes the version of the page, and copies it for programs
/// that contain it.
pub(crate) fn complete(workspace: &Workspace) -> Result<()> {
    let staging =
        env::var_os("TRUNK_STAGING_DIR").context("this is a part of `trunk build`: run `cargo xtask build`")?;
    let staging = PathBuf::from(staging);
    suites::build(workspace, staging.join("suites"), &[])?;
    page_version::write(&staging)?;
    embedded_page::write(&staging, &workspace.embedded_page())
}

/// Prints the download sizes of the page and its suites.
pub(crate) fn print_sizes(workspace: &Workspace) -> Result<()> {
    print!("\n{}", Sizes::of_page(&workspace.dist())?);
    Ok(())
}
