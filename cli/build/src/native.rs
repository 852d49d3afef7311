//! Reads the catalog of a suite's native executable.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::catalog::{CatalogSummary, HOST_VARIABLE, PROTOCOL};
use crate::run_environment::RunEnvironment;

/// Returns the catalog of the executable.
pub(crate) fn describe(program: &Path, environment: &RunEnvironment) -> Result<CatalogSummary> {
    CatalogSummary::request(|message| replies(program, environment, message)).context("the native executable")
}

/// Sends a message to the executable, which exits at the end of its input.
fn replies(program: &Path, environment: &RunEnvironment, message: &str) -> Result<(Vec<String>, Result<()>)> {
    let starting = || format!("failed to start {}", program.display());
    let mut command = Command::new(program);
    environment.apply(&mut command);
    command.env(HOST_VARIABLE, PROTOCOL.to_string()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().with_context(starting)?;
    let mut input = child.stdin.take().context("standard input is not piped (this is a bug)")?;
    // If the program has exited already, its output explains more than the broken pipe.
    let _ = writeln!(input, "{message}");
    drop(input);
    let output = child.wait_with_output().with_context(starting)?;
    let replies = String::from_utf8_lossy(&output.stdout);
    ensure!(!replies.is_empty(), "the executable sent no message ({}): {}", output.status, program.display());
    Ok((replies.lines().map(str::to_owned).collect(), Ok(())))
}
