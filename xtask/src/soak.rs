//! Long trials that look for what no single run shows.

use anyhow::{Context, Result};
use xshell::cmd;
use xtask::workspace::{Workspace, as_if_by_hand};

/// Try for long what must never go wrong
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask soak kill                  200 kills: some four minutes
  cargo xtask soak kill --cycles 1000
  cargo xtask soak fuzz                  a million requests and a million suites: some forty minutes
  cargo xtask soak fuzz --seed 2         as many others")]
pub(crate) struct Options {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// Kills a runner under load at random moments: everything that it acknowledged must be there afterwards, once
    Kill {
        /// How often it is killed
        #[arg(long, default_value_t = 200)]
        cycles: u32,
        /// Where the random moments start
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Sends a runner, and answers its host, whatever could be sent: nothing may panic, and each gets an answer or an
    /// outcome. `cargo xtask test` tries some thousands of the same cases
    Fuzz {
        /// How many requests, and how many suites
        #[arg(long, default_value_t = 1_000_000)]
        cases: u64,
        /// Where their randomness starts
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
}

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    match options.what {
        What::Kill { cycles, seed } => kill(workspace, cycles, seed),
        What::Fuzz { cases, seed } => fuzz(workspace, cases, seed),
    }
}

fn kill(workspace: &Workspace, cycles: u32, seed: u64) -> Result<()> {
    let shell = workspace.shell()?;
    let (cycles, seed) = (cycles.to_string(), seed.to_string());
    as_if_by_hand(cmd!(shell, "cargo run --release --package benchbook-tests --bin soak-kill -- {cycles} {seed}"))
        .run()
        .context("the runner lost something, or could not be tried")
}

/// The tests tell by these variables how many cases they are to try: `benchbook_tests::fuzz`.
fn fuzz(workspace: &Workspace, cases: u64, seed: u64) -> Result<()> {
    let shell = workspace.shell()?;
    shell.set_var("BENCHBOOK_FUZZ_CASES", cases.to_string());
    shell.set_var("BENCHBOOK_FUZZ_SEED", seed.to_string());
    let tests = ["--test", "fuzz_requests", "--test", "fuzz_protocol"];
    // Unoptimised: there arithmetic that overflows panics.
    as_if_by_hand(cmd!(shell, "cargo test --package benchbook-tests {tests...} -- --nocapture"))
        .run()
        .context("a case shows what must not be; it is told above, and is the same with this seed")
}
