//! Checks profiles with the tools of others: callgrind's order of functions, dhat's allocations, and readers of the exported files.

mod dhat;
mod order;
mod readers;

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use xtask::workspace::Workspace;

use super::environment::remove_package_variables;
use crate::tools::{self, Need};

/// Runs all checks.
///
/// # Errors
/// If a check fails.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    tools::ensure(workspace, &[Need::Suites, Need::Valgrind, Need::ProfileReaders])?;
    let folder = workspace.target().join("bench-profile");
    std::fs::create_dir_all(&folder).with_context(|| format!("failed to create {}", folder.display()))?;
    readers::check(workspace, &folder)?;
    order::check(workspace)?;
    dhat::check(workspace, &folder)
}

/// What `cargo benchbook profile --json` prints.
#[derive(Debug, Deserialize)]
struct Report {
    shown: usize,
    functions: Vec<Row>,
    profile: Profile,
}

#[derive(Debug, Deserialize)]
struct Profile {
    points: Vec<Point>,
}

#[derive(Debug, Deserialize)]
struct Point {
    calls: u64,
}

/// A function of a profile.
#[derive(Debug, Deserialize)]
struct Row {
    name: String,
    own: Vec<Amounts>,
    total: Vec<Amounts>,
    native_share: Option<f64>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct Amounts {
    instructions: i64,
    loads: i64,
    allocations: i64,
    peak: i64,
}

impl Report {
    fn parse(output: &str) -> Result<Self> {
        serde_json::from_str(output).context("the profile is not the expected JSON")
    }

    fn calls(&self) -> u64 {
        self.profile.points[self.shown].calls
    }

    /// What the measured function executed in all counted calls.
    fn total(&self) -> Result<Amounts> {
        Ok(self.functions.first().context("the profile has no functions")?.total[self.shown])
    }
}

/// Profiles a function with the tool of this checkout, and returns what it prints. `folder`: of the suite's workspace.
fn profile(workspace: &Workspace, folder: &Path, package: &str, arguments: &[&str]) -> Result<String> {
    let mut cargo = Command::new("cargo");
    cargo.args(["run", "--quiet", "--manifest-path"]).arg(workspace.root().join("Cargo.toml"));
    cargo.args(["--package", "cargo-benchbook", "--", "benchbook", "profile", "--package", package]);
    remove_package_variables(&mut cargo);
    let output = cargo.args(arguments).current_dir(folder).stderr(Stdio::inherit()).output();
    let output = output.context("failed to start cargo")?;
    ensure!(output.status.success(), "`cargo benchbook profile {}` failed", arguments.join(" "));
    String::from_utf8(output.stdout).context("the profile is no text")
}
