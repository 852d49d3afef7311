//! Programs that measure one or both targets of a suite.

use anyhow::Result;
use benchbook_build::Target;
use benchbook_build::without_package_variables;
use clap::ValueEnum;
use xshell::cmd;
use xtask::workspace::Workspace;

use crate::tools::{self, Need};

/// Runs a program of the test package with arguments and the names of targets. It builds the suites that it needs.
pub(crate) fn run_on_targets(
    workspace: &Workspace,
    program: &str,
    arguments: &[String],
    targets: &[Target],
) -> Result<()> {
    let shell = workspace.shell()?;
    let mut chromium = None;
    if targets.contains(&Target::Wasm) {
        tools::ensure(workspace, &[Need::Suites, Need::Chromium])?;
        chromium = Some(tools::chromium()?);
    }
    let _chromium = chromium.as_ref().map(|chromium| chromium.set_variables(&shell));
    let names = targets.iter().filter_map(ValueEnum::to_possible_value).map(|value| value.get_name().to_owned());
    without_package_variables(cmd!(
        shell,
        "cargo run --release --package benchbook-programs --bin {program} -- {arguments...} {names...}"
    ))
    .run()?;
    Ok(())
}
