//! Runs an installer. Its output goes to standard error, since a shell may evaluate standard output.

use std::io;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use xshell::Cmd;

pub(super) fn run(command: Cmd<'_>) -> Result<()> {
    let line = command.to_string();
    eprintln!("$ {line}");
    let status =
        Command::from(command).stdin(Stdio::null()).stdout(io::stderr()).status().with_context(|| line.clone())?;
    ensure!(status.success(), "`{line}` failed with {status}");
    Ok(())
}
