//! Requests generated from the OpenAPI document: none fails, and each response is one that the document describes.

use anyhow::Result;
use benchbook_tests::ready_runner::RunnerSetup;
use benchbook_tests::schemathesis::check;
use benchbook_tests::suites::native;

/// Bounds the time that a request may demand.
const LIMITS: &str = "[limits]\nqueued_seconds = 1\n";

/// Checks the operations that `selection` matches.
async fn check_operations(cases: u32, selection: &'static [&'static str]) -> Result<()> {
    let history = tempfile::tempdir()?;
    let lines = format!("history = {:?}\n{LIMITS}", history.path());
    let ready = RunnerSetup { lines, ..RunnerSetup::with(&native("ladder")?) }.start().await?;
    ready.measure(&ready.request(&["rungs::one"], 1)).await?;
    let document = format!("{}/api/v1/openapi.json", ready.runner.url());
    tokio::task::spawn_blocking(move || check(&document, cases, selection)).await??;
    let (status, log) = ready.runner.terminate()?;
    assert!(status.success(), "{status}: {log:?}");
    Ok(())
}

/// `fuzz_requests.rs` sends many more random requests, in less time per request.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn generated_requests_receive_documented_responses() -> Result<()> {
    check_operations(20, &[]).await
}

// Two tests, so that they run in parallel: schemathesis uses only one core.

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "nightly: a minute of random requests"]
async fn many_generated_gets_receive_documented_responses() -> Result<()> {
    check_operations(400, &["--include-method", "GET"]).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "nightly: a minute of random requests"]
async fn many_generated_posts_and_deletes_receive_documented_responses() -> Result<()> {
    // If it excluded GET, schemathesis would not check that the paths of these operations reject it.
    check_operations(400, &["--include-method-regex", "^(?!GET$)"]).await
}
