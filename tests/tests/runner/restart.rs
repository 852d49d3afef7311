//! Runners that end during a measurement or cannot write: exactly the acknowledged results are stored.

use std::path::Path;

use benchbook_host::api::Event;
use benchbook_tests::openapi::Document;
use benchbook_tests::ready_runner::{ReadyRunner, RunnerSetup};
use benchbook_tests::suites::native;
use reqwest::StatusCode;
use rustix::process::{Pid, Resource, Rlimit, prlimit};

use crate::queue::for_client;

fn start(database: &Path) -> RunnerSetup {
    let suites = ["misbehaving", "ladder"].map(|name| native(name).unwrap()).to_vec();
    RunnerSetup { suites, timeout_ms: Some(3_600_000), database: Some(database.to_owned()), ..RunnerSetup::default() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_results_survive_an_end_during_a_measurement() {
    let folder = tempfile::tempdir().unwrap();
    for is_killed in [false, true] {
        let database = folder.path().join(format!("{is_killed}.sqlite"));
        let mut ready = start(&database).start().await.unwrap();
        let acknowledged = ready.request(&["rungs::one"], 1);
        let response = ready.measure(&acknowledged).await.unwrap();
        // Two points complete, the third one hangs.
        let mut running = ready.stream(&for_client("a", &ready.request(&["functions::hangs"], 1))).await.unwrap();
        for _ in 0..2 {
            running.until(|event| matches!(event, Event::Point { .. })).await.unwrap();
        }
        // On SIGTERM the runner stores the completed points; on SIGKILL it cannot.
        let retained: &[u64] = if is_killed { &[] } else { &[2] };
        let waiting = ready.request(&["rungs::two"], 1);
        let mut waits = ready.stream(&for_client("b", &waiting)).await.unwrap();
        waits.until(|event| matches!(event, Event::Queued { .. })).await.unwrap();
        if is_killed {
            ready.runner.kill().unwrap();
            assert!(running.rest().await.is_err() && waits.rest().await.is_err());
        } else {
            let ended = tokio::task::spawn_blocking(move || ready.runner.terminate());
            for events in [running, waits] {
                let last = events.rest().await.unwrap().pop();
                assert!(matches!(&last, Some(Event::Stopped { reason }) if reason.contains("Try again")), "{last:?}");
            }
            let (status, log) = ended.await.unwrap().unwrap();
            assert!(status.success(), "{status}: {log:?}");
        }

        let ready = start(&database).start().await.unwrap();
        assert_eq!(ready.results().await.unwrap(), [retained, &[1]].concat());
        assert_eq!(ready.measure(&acknowledged).await.unwrap().points, response.points);
        let [id] = ready.measure(&waiting).await.unwrap().results[..] else { panic!("not a single result") };
        assert_eq!(ready.results().await.unwrap(), [&[id], retained, &[1]].concat());
    }
}

/// Limits the size of the runner's files to `most` bytes, or removes the limit.
fn limit_files(ready: &ReadyRunner, most: Option<u64>) {
    let runner = Pid::from_raw(i32::try_from(ready.runner.id()).unwrap()).unwrap();
    let limit = Rlimit { current: most, maximum: None };
    prlimit(Some(runner), Resource::Fsize, limit).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn results_that_cannot_be_written_are_not_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("results.sqlite");
    let start = RunnerSetup { survives_full_disk: true, ..start(&database) };
    let ready = start.start().await.unwrap();
    let text = ready.runner.get("openapi.json").send().await.unwrap().text().await.unwrap();
    let mut document = Document::read(&text).unwrap();
    let stored = ready.request(&["rungs::one"], 1);
    ready.measure(&stored).await.unwrap();

    limit_files(&ready, Some(1));
    let request = ready.request(&["rungs::two"], 1);
    let last = ready.stream(&request).await.unwrap().rest().await.unwrap().pop();
    assert!(matches!(&last, Some(Event::Failed { reason }) if reason.contains("Cannot store the result")), "{last:?}");
    let response = ready.runner.post("measure").json(&request).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::BAD_GATEWAY);
    document.check_body("POST", "/measure", 502, "application/json", &response.text().await.unwrap()).unwrap();
    // Stored results can still be read.
    assert_eq!(ready.measure(&stored).await.unwrap().results, [1]);
    assert_eq!(ready.results().await.unwrap(), [1]);

    limit_files(&ready, None);
    let response = ready.measure(&request).await.unwrap();
    let [id] = response.results[..] else { panic!("{:?}", response.results) };
    assert_eq!(ready.results().await.unwrap(), [id, 1]);
    let (status, log) = ready.runner.terminate().unwrap();
    assert!(status.success(), "{status}: {log:?}");
    let ready = start.start().await.unwrap();
    assert_eq!(ready.measure(&request).await.unwrap().points, response.points);
}
