//! Requests generated from the OpenAPI document: none fails, and each response is one that the document describes.

use anyhow::Result;
use benchbook_tests::ready_runner::RunnerSetup;
use benchbook_tests::schemathesis::check;
use benchbook_tests::suites::fixture;

/// Bounds the time that a request may demand.
const LIMITS: &str = "[limits]\nqueued_seconds = 1\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn generated_requests_get_documented_responses() -> Result<()> {
    let history = tempfile::tempdir()?;
    let lines = format!("history = {:?}\n{LIMITS}", history.path());
    let ready = RunnerSetup { lines, ..RunnerSetup::with(&fixture("ladder")?.program) }.start().await?;
    ready.measure(&ready.request(&["rungs::one"], 1)).await?;
    let document = format!("{}/api/v1/openapi.json", ready.runner.url());
    // The systematic cases of each operation, and then random ones: the same in each run, for up to a minute.
    let options = ["--seed", "1", "--generation-deterministic", "--max-examples", "400"];
    tokio::task::spawn_blocking(move || {
        check(&document, "run", &[&options[..], &["--phases", "examples,coverage,fuzzing"]].concat())
    })
    .await??;
    let (status, log) = ready.runner.terminate()?;
    assert!(status.success(), "{status}: {log:?}");
    Ok(())
}
