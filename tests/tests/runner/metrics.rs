//! The runner's metrics, of the real program.

use anyhow::Result;
use benchbook_tests::metrics::metrics;
use benchbook_tests::ready_runner::RunnerSetup;
use benchbook_tests::suites::native;

#[tokio::test(flavor = "current_thread")]
async fn metrics_count_measurements_processes_and_stored_results() -> Result<()> {
    let suites = vec![native("ladder")?, native("misbehaving")?];
    let ready = RunnerSetup { suites, ..RunnerSetup::default() }.start().await?;
    let before = metrics(&ready).await?;
    for (name, expected) in [("benchbook_results", 0.0), ("benchbook_processes_started_total", 0.0)] {
        assert_eq!(before.get(name), Some(&expected), "{name}");
    }
    let request = ready.request(&["rungs::one"], 1);
    let (measured, stored) = (ready.measure(&request).await?, ready.measure(&request).await?);
    assert_eq!(measured.points, stored.points);
    // Each attempt ends its process.
    let failing = ready.measure(&ready.request(&["processes::faults"], 1)).await?;
    let failed = failing.points.iter().filter(|point| point.measured().is_none()).count();
    assert!(failed > 0);

    let after = metrics(&ready).await?;
    for (name, expected) in [
        ("benchbook_measurements_running", 0.0),
        ("benchbook_measurements_waiting", 0.0),
        ("benchbook_clients", 0.0),
        ("benchbook_queue_wait_seconds", 0.0),
        ("benchbook_measurements_done_total", 2.0),
        ("benchbook_measurements_failed_total", 0.0),
        ("benchbook_measurements_stopped_total", 0.0),
        ("benchbook_turns_total", 2.0),
        ("benchbook_responses_stored_total", 1.0),
        ("benchbook_points_failed_total", failed as f64),
        ("benchbook_store_add_seconds_count", 2.0),
        ("benchbook_results", 2.0),
    ] {
        assert_eq!(after.get(name), Some(&expected), "{name}: {after:?}");
    }
    let [started, ended] =
        ["started", "failed"].map(|name| after[&format!("benchbook_processes_{name}_total")] as usize);
    assert!(started > failed && ended >= failed, "{started} started, {ended} ended early, {failed} points failed");
    assert!(after["benchbook_store_find_seconds_count"] >= 3.0, "{after:?}");
    assert!(after["benchbook_store_bytes"] > before["benchbook_store_bytes"], "{before:?} {after:?}");
    Ok(())
}
