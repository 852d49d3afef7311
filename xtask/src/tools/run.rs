//! Running an installer: what it prints goes to standard error, since standard output may be a shell's to evaluate.

use std::io;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use xshell::Cmd;

pub(super) fn run(command: Cmd<'_>) -> Result<()> {
    let said = command.to_string();
    eprintln!("$ {said}");
    let status =
        Command::from(command).stdin(Stdio::null()).stdout(io::stderr()).status().with_context(|| said.clone())?;
    ensure!(status.success(), "`{said}` ended with {status}");
    Ok(())
}
