//! The self-test of this machine: natively that of the tool, and in Chromium.

use anyhow::{Context, Result};
use benchbook_build::{Target, without_package_variables};
use xshell::cmd;
use xtask::workspace::Workspace;

use crate::targets::run_on_targets;

const FAILED: &str = "the self-test failed; its output says what to do";

/// Test whether this machine, at this moment, yields reliable figures
///
/// Measures equal functions, functions that do nothing, and functions with known ratios. Reports false differences, intervals
/// that miss the true value, and the time that other programs took; and what to do about them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask self-test                 natively, as `cargo benchbook self-test`: about 30 seconds
  cargo xtask self-test native wasm     also in Chromium
  cargo xtask self-test --tries 100     with more comparisons of equal functions; each takes a second

Exits with 1 if a check fails.")]
pub(crate) struct SelfTestOptions {
    /// The number of comparisons of equal functions
    #[arg(long, default_value_t = 20)]
    tries: u32,
    /// The targets to measure [default: native]
    #[arg(value_name = "TARGET")]
    targets: Vec<Target>,
}

pub(crate) fn run(workspace: &Workspace, options: &SelfTestOptions) -> Result<()> {
    let SelfTestOptions { tries, targets } = options;
    let tries = tries.to_string();
    if targets.is_empty() || targets.contains(&Target::Native) {
        let shell = workspace.shell()?;
        let tool = cmd!(shell, "cargo run --release --package cargo-benchbook -- self-test --tries {tries}");
        without_package_variables(tool).run().context(FAILED)?;
    }
    if targets.contains(&Target::Wasm) {
        run_on_targets(workspace, "self-test", &[tries], &[Target::Wasm]).context(FAILED)?;
    }
    Ok(())
}
