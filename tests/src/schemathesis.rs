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
fn config(cases: u32) -> String {
    format!(
        "\
[checks.positive_data_acceptance]
expected-statuses = [\"2xx\", \"3xx\", 401, 403, 404, 409, 413, 422, 429, \"5xx\"]
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, \"5xx\"]
[[operations]]
include-name = \"POST /history\"
generation.max-examples = {}
",
        cases / 4
    )
}

/// Checks the operations of the document at this address: first the systematic cases, then random ones from a fixed seed. The error contains its
/// report.
///
/// * `cases`: the maximum number of random cases of each operation.
/// * `selection`: options that select operations.
pub fn check(document: &str, cases: u32, selection: &[&str]) -> Result<()> {
    let python =
        env::var(PYTHON).with_context(|| format!("{PYTHON} is not set: run `cargo xtask test --only suites`"))?;
    // For its configuration, and the files that it stores.
    let folder = TempDir::new()?;
    fs::write(folder.path().join("schemathesis.toml"), config(cases))?;
    let output = Command::new(python)
        .current_dir(folder.path())
        .args(["-m", "schemathesis.cli", "run", document, "--phases", "examples,coverage,fuzzing"])
        .args(["--seed", "1", "--generation-deterministic", "--max-examples", &cases.to_string()])
        .args(selection)
        .output()
        .context("failed to start schemathesis")?;
    let report = String::from_utf8_lossy(&output.stdout);
    println!("{report}");
    ensure!(output.status.success(), "{}: {report}{}", output.status, String::from_utf8_lossy(&output.stderr));
    Ok(())
}
