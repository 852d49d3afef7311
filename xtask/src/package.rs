//! `cargo xtask package`: the packages as crates.io receives them.

use std::fs;

use anyhow::{Context, Result, ensure};
use xshell::cmd;
use xtask::sizes::kilobytes;
use xtask::workspace::Workspace;

use crate::page;
use crate::tools::{self, Need};

/// The largest package that crates.io accepts, in bytes.
const MAX_BYTES: u64 = 10 << 20;

/// Package all crates that are published, with the built page inside the programs
///
/// The packages are written to target/package. Each is checked against crates.io's limit of 10 MB. A nightly test
/// installs the programs from them.
#[derive(clap::Args)]
pub(crate) struct PackageOptions {
    /// Use the page as it was built before
    #[arg(long)]
    no_page: bool,
}

pub(crate) fn run(workspace: &Workspace, options: &PackageOptions) -> Result<()> {
    if !options.no_page {
        page::run(workspace)?;
    }
    let has_page = workspace.embedded_page().join("index.html").is_file();
    ensure!(has_page, "the programs would contain no page. Omit --no-page");
    tools::ensure(workspace, &[Need::Suites])?;
    let published = workspace.published();
    let selected = published.iter().flat_map(|package| ["--package", package.name.as_str()]);
    let selected: Vec<&str> = selected.collect();
    // The built page is not in git, which cargo would report. The packages are compiled when they are installed.
    let shell = workspace.shell()?;
    cmd!(shell, "cargo package {selected...} --no-verify --allow-dirty").run()?;
    for package in published {
        let file = workspace.target().join(format!("package/{}-{}.crate", package.name, package.version));
        let bytes = fs::metadata(&file).with_context(|| format!("failed to read {}", file.display()))?.len();
        println!("{:>6} KB  {} {}", kilobytes(bytes), package.name, package.version);
        ensure!(bytes <= MAX_BYTES, "crates.io accepts at most 10 MB: {}", file.display());
    }
    println!("The packages are in {}", workspace.target().join("package").display());
    Ok(())
}
