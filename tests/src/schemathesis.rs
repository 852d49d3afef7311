//! Runs [schemathesis](https://schemathesis.io), which generates requests from an OpenAPI document and checks the responses.

use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

/// The environment variable with the path of the Python that has schemathesis, set by `cargo xtask test`.
const PYTHON: &str = "SCHEMATHESIS_PYTHON";

/// The statuses for requests that match the document and for those that do not, with those that the
/// defaults lack: a request may match the document but not the suite (422), and either may be too large (413). Accepted results are deeply
/// nested, so that each example of them takes as long as several of the other operations.
const CONFIG: &str = "\
[checks.positive_data_acceptance]
expected-statuses = [\"2xx\", \"3xx\", 401, 403, 404, 409, 413, 422, 429, \"5xx\"]
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, \"5xx\"]
[[operations]]
include-name = \"POST /history\"
generation.max-examples = 100
";

/// Runs a command of schemathesis on the document at this address.
///
/// # Errors
/// If it does not start, or finds a failure; the error contains its report.
pub fn check(document: &str, command: &str, options: &[&str]) -> Result<()> {
    let python =
        env::var(PYTHON).with_context(|| format!("{PYTHON} is not set: run `cargo xtask test --only suites`"))?;
    // For its configuration, and the files that it stores.
    let folder = TempDir::new()?;
    fs::write(folder.path().join("schemathesis.toml"), CONFIG)?;
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
