//! Runs [schemathesis](https://schemathesis.io), which generates requests from an OpenAPI document and checks the responses.

use std::env;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

/// The environment variable with the path of the Python that has schemathesis, set by `cargo xtask test`.
const PYTHON: &str = "SCHEMATHESIS_PYTHON";

/// Runs a command of schemathesis on the document at this address.
///
/// # Errors
/// If it does not start, or finds a failure; the error contains its report.
pub fn check(document: &str, command: &str, options: &[&str]) -> Result<()> {
    let python = env::var(PYTHON).with_context(|| format!("{PYTHON} is not set: run `cargo xtask test --only api`"))?;
    // For the files that it stores.
    let folder = TempDir::new()?;
    let output = Command::new(python)
        .current_dir(folder.path())
        .args(["-m", "schemathesis.cli", command, document])
        .args(options)
        .output()
        .context("starting schemathesis")?;
    let report = String::from_utf8_lossy(&output.stdout);
    println!("{report}");
    ensure!(output.status.success(), "{}: {report}{}", output.status, String::from_utf8_lossy(&output.stderr));
    Ok(())
}
