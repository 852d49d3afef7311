//! Requests generated from the OpenAPI document: none fails, and each response is one that the document describes.

use anyhow::Result;
use benchbook_tests::ready_runner::RunnerSetup;
use benchbook_tests::schemathesis::check;
use benchbook_tests::suites::fixture;

/// Bounds the time that a request may demand.
const LIMITS: &str = "[limits]\nqueued_seconds = 1\n";

/// Checks the operations that `selection` (options of schemathesis) matches: first the systematic cases, then random ones from a fixed seed.
async fn check_operations(selection: &'static [&'static str]) -> Result<()> {
    let history = tempfile::tempdir()?;
    let lines = format!("history = {:?}\n{LIMITS}", history.path());
    let ready = RunnerSetup { lines, ..RunnerSetup::with(&fixture("ladder")?.program) }.start().await?;
    ready.measure(&ready.request(&["rungs::one"], 1)).await?;
    let document = format!("{}/api/v1/openapi.json", ready.runner.url());
    let cases = ["--seed", "1", "--generation-deterministic", "--max-examples", "400"];
    let options = [&cases[..], selection, &["--phases", "examples,coverage,fuzzing"]].concat();
    tokio::task::spawn_blocking(move || check(&document, "run", &options)).await??;
    let (status, log) = ready.runner.terminate()?;
    assert!(status.success(), "{status}: {log:?}");
    Ok(())
}

// Two tests, so that they run in parallel: schemathesis uses only one core.

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn generated_gets_receive_documented_responses() -> Result<()> {
    check_operations(&["--include-method", "GET"]).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn generated_posts_and_deletes_receive_documented_responses() -> Result<()> {
    // If it excluded GET, schemathesis would not check that the paths of these operations reject it.
    check_operations(&["--include-method-regex", "^(?!GET$)"]).await
}
