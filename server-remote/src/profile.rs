//! Profiles a function of a suite: this process becomes the suite's, which calls the function in a loop.

use std::path::absolute;
use std::process::Command;

use anyhow::{Context, Result};
use benchbook_host::child::ALLOCATOR_SETTINGS;
use benchbook_isolate::use_core;

use crate::config::Profiling;

/// Moves to the measuring core and becomes the suite. Returns only on an error, except on systems where a process cannot
/// become another one: there, the suite has ended successfully.
///
/// # Errors
/// If the suite cannot be started, or failed.
pub fn run(profiling: &Profiling) -> Result<()> {
    let command = &profiling.command;
    if let Some(core) = profiling.core
        && let Err(reason) = use_core(core)
    {
        eprintln!("warning: cannot use core {core}: {reason}");
    }
    // The system searches PATH for a bare name.
    let suite = absolute(&command.suite).unwrap_or_else(|_| command.suite.clone());
    let mut process = Command::new(&suite);
    process.arg(format!("--profile-time={}ms", command.profile_time.as_millis().max(1))).arg(&command.function);
    if let Some(generator) = &command.generator {
        process.args(["--generator", generator]);
    }
    process.args(&command.arguments).envs(ALLOCATOR_SETTINGS);
    become_process(process).with_context(|| format!("profiling {}", suite.display()))
}

#[cfg(unix)]
fn become_process(mut process: Command) -> Result<()> {
    use std::os::unix::process::CommandExt;

    Err(process.exec().into())
}

#[cfg(not(unix))]
fn become_process(mut process: Command) -> Result<()> {
    let status = process.status()?;
    anyhow::ensure!(status.success(), "the suite failed ({status})");
    Ok(())
}
