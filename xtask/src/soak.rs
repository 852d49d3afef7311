//! Long randomized tests for failures that a single run rarely shows.

use anyhow::{Context, Result};
use xshell::cmd;
use xtask::workspace::{Workspace, without_package_variables};

/// Run long randomized tests
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask soak kill                  200 kills: about four minutes
  cargo xtask soak kill --cycles 1000
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
        SoakTest::Fuzz { cases, seed } => fuzz(workspace, cases, seed),
    }
}

fn kill(workspace: &Workspace, cycles: u32, seed: u64) -> Result<()> {
    let shell = workspace.shell()?;
    let (cycles, seed) = (cycles.to_string(), seed.to_string());
    without_package_variables(cmd!(
        shell,
        "cargo run --release --package benchbook-tests --bin soak-kill -- {cycles} {seed}"
    ))
    .run()
    .context("the runner lost a result, or the test could not run")
}

/// The tests read the number of cases and the seed from these variables: `benchbook_tests::fuzz`.
fn fuzz(workspace: &Workspace, cases: u64, seed: u64) -> Result<()> {
    let shell = workspace.shell()?;
    shell.set_var("BENCHBOOK_FUZZ_CASES", cases.to_string());
    shell.set_var("BENCHBOOK_FUZZ_SEED", seed.to_string());
    let tests = ["--test", "fuzz_requests", "--test", "fuzz_protocol"];
    // Unoptimised: an unoptimised build panics on arithmetic overflow.
    without_package_variables(cmd!(shell, "cargo test --package benchbook-tests {tests...} -- --nocapture"))
        .run()
        .context("a case failed; the same seed reproduces it")
}
