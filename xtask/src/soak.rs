//! Long randomized tests for failures that a single run rarely shows.

use anyhow::{Context, Result};
use benchbook_build::without_package_variables;
use xshell::cmd;
use xtask::workspace::Workspace;

use crate::page;
use crate::tools::{self, Need};

/// Run long randomized tests
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask soak kill                  200 kills: about four minutes
  cargo xtask soak kill --cycles 1000
  cargo xtask soak browser               50 kills of a browser: about five minutes
  cargo xtask soak fuzz                  a million requests and a million suites: about forty minutes
  cargo xtask soak fuzz --seed 2         as many other cases")]
pub(crate) struct SoakOptions {
    #[command(subcommand)]
    test: SoakTest,
}

#[derive(clap::Subcommand)]
enum SoakTest {
    /// Kill a runner under load at random times, and check that each acknowledged result is stored exactly once
    Kill {
        /// The number of kills
        #[arg(long, default_value_t = 200)]
        cycles: u32,
        /// The seed of the random times
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Kill a browser with a notebook at random moments of an edit, a save and a measurement, and check that nothing is lost that
    /// the page showed as saved. `cargo xtask test` does so five times
    Browser {
        /// The number of kills
        #[arg(long, default_value_t = 50)]
        cycles: u32,
        /// The seed of the random moments
        #[arg(long, default_value_t = 2)]
        seed: u64,
    },
    /// Send random requests to a runner and random replies to a suite's host, and check that neither panics and that
    /// each request gets a response. `cargo xtask test` runs some thousands of the same cases
    Fuzz {
        /// The number of requests, and the number of suites
        #[arg(long, default_value_t = 1_000_000)]
        cases: u64,
        /// The seed of the random cases
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
}

pub(crate) fn run(workspace: &Workspace, options: &SoakOptions) -> Result<()> {
    match options.test {
        SoakTest::Kill { cycles, seed } => kill(workspace, cycles, seed),
        SoakTest::Browser { cycles, seed } => browser(workspace, cycles, seed),
        SoakTest::Fuzz { cases, seed } => fuzz(workspace, cases, seed),
    }
}

fn browser(workspace: &Workspace, cycles: u32, seed: u64) -> Result<()> {
    tools::ensure(workspace, &[Need::Page, Need::Chromium])?;
    let shell = tools::environment(workspace)?.shell(workspace)?;
    page::build(&shell)?;
    let chromium = tools::chromium()?;
    let _chromium = chromium.set_variables(&shell);
    let _page = shell.push_env("BENCHBOOK_DIST", workspace.dist());
    let (cycles, seed) = (cycles.to_string(), seed.to_string());
    without_package_variables(cmd!(
        shell,
        "cargo run --package benchbook-programs --bin soak-browser -- {cycles} {seed}"
    ))
    .run()
    .context("the page lost what it had shown as saved, or the test could not run")
}

fn kill(workspace: &Workspace, cycles: u32, seed: u64) -> Result<()> {
    let shell = workspace.shell()?;
    let (cycles, seed) = (cycles.to_string(), seed.to_string());
    without_package_variables(cmd!(
        shell,
        "cargo run --release --package benchbook-programs --bin soak-kill -- {cycles} {seed}"
    ))
    .run()
    .context("the runner lost a result, or the test could not run")
}

/// The tests read the number of cases and the seed from these variables: `benchbook_tests::fuzz`.
fn fuzz(workspace: &Workspace, cases: u64, seed: u64) -> Result<()> {
    let shell = workspace.shell()?;
    shell.set_var("BENCHBOOK_FUZZ_CASES", cases.to_string());
    shell.set_var("BENCHBOOK_FUZZ_SEED", seed.to_string());
    // Unoptimised: an unoptimised build panics on arithmetic overflow.
    without_package_variables(cmd!(shell, "cargo test --package benchbook-tests --test suites fuzz_ -- --nocapture"))
        .run()
        .context("a case failed; the same seed reproduces it")
}
