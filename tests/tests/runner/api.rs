//! The runner's API: the order of events, stored results, cancellation, and access.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::path::PathBuf;

use benchbook_host::analyze::statistics::Summary;
use benchbook_host::api::{ErrorBody, Event, QueueLoad, STREAM, StoredResult, StoredSamples};
use benchbook_host::quality::Priority;
use benchbook_host::request::Request;
use benchbook_tests::ready_runner::{ReadyRunner, RunnerSetup};
use benchbook_tests::runner::RunnerProgram;
use benchbook_tests::suites::fixture;
use reqwest::{Response, StatusCode};
use rustix::process::Signal;
use serde_json::{Value, json};

/// Starts a runner with a fixture and additional configuration.
async fn start(suite: &str, lines: &str) -> ReadyRunner {
    let start = RunnerSetup { lines: lines.to_owned(), ..RunnerSetup::with(&fixture(suite).unwrap().program) };
    start.start().await.unwrap()
}

/// All events of a stream.
async fn all_events(ready: &ReadyRunner, request: &Request) -> Vec<Event> {
    ready.stream(request).await.unwrap().rest().await.unwrap()
}

#[tokio::test(flavor = "current_thread")]
async fn events_are_in_order_and_stored_points_are_not_measured_again() {
    let ready = start("ladder", "").await;
    let request = ready.request(&["rungs::one", "rungs::two"], 2);
    let events = all_events(&ready, &request).await;
    let order: Vec<u8> = events
        .iter()
        .filter_map(|event| match event {
            Event::Queued { .. } => Some(0),
            Event::Started(_) => Some(1),
            Event::Progress(_) => None,
            Event::Point { .. } => Some(2),
            Event::Done(_) => Some(3),
            Event::Failed { .. } | Event::Stopped { .. } => Some(9),
        })
        .collect();
    assert!(order.is_sorted() && order.contains(&1) && order.last() == Some(&3), "{events:?}");
    assert_eq!(order.iter().filter(|index| **index == 2).count(), 10);
    let Some(Event::Done(first)) = events.last() else { panic!("{events:?}") };
    assert_eq!((first.results.len(), first.comparisons.len()), (1, 1));

    let again = all_events(&ready, &request).await;
    let Event::Started(card) = &again[0] else { panic!("{again:?}") };
    assert_eq!((card.stored, card.total, card.machine.name.as_str()), (10, 10, "bench-01"));
    assert_eq!(again.last(), events.last());
    let points = |events: &[Event]| {
        let mut points: Vec<Value> =
            events.iter().filter(|event| matches!(event, Event::Point { .. })).map(|event| json!(event)).collect();
        points.sort_by_key(ToString::to_string);
        points
    };
    assert_eq!(points(&again), points(&events));

    // A request with a lower priority gets the stored points, including their axis values.
    let lower = ready.measure(&Request { priority: Priority::FIRST, ..request.clone() }).await.unwrap();
    assert_eq!((lower.priority.number(), lower.results.clone()), (2, first.results.clone()));
    assert_eq!((lower.points.len(), lower.data.len(), lower.units.y.as_str()), (10, 5, "ns"));
    // A request with a higher priority measures all points, since the stored ones are not precise enough.
    let higher = ready.measure(&Request { priority: Priority::LAST, ..request }).await.unwrap();
    assert_eq!((higher.priority, higher.points.len()), (Priority::LAST, 18));
}

#[tokio::test(flavor = "current_thread")]
async fn responses_are_compressed_and_streams_are_not() {
    let ready = start("ladder", "").await;
    let request = ready.request(&["rungs::one"], 1);
    // The first response is measured, and the others are stored.
    for _ in 0..2 {
        for (accept, encoding) in [(STREAM, None), ("application/json", Some("br"))] {
            let post = ready.runner.post("measure").header("accept", accept).header("accept-encoding", "gzip, br");
            let response = post.json(&request).send().await.unwrap();
            assert_eq!(response.status(), StatusCode::OK);
            let found =
                response.headers().get("content-encoding").map(|encoding| encoding.to_str().unwrap().to_owned());
            assert_eq!(found.as_deref(), encoding, "{accept}");
            assert_eq!(response.text().await.is_ok_and(|text| text.contains("rungs::one")), encoding.is_none());
        }
    }
}

#[tokio::test(flavor = "current_thread")]
async fn compact_data_contains_the_figures_of_the_first_function() {
    let ready = start("ladder", "").await;
    let response = ready.measure(&ready.request(&["rungs::two", "rungs::one"], 2)).await.unwrap();
    let (mut expected, mut differ) = (Vec::new(), false);
    for point in response.points.iter().filter(|point| point.function == "rungs::two") {
        let Summary { mean, sd, q1, median, q3, .. } = point.measured().unwrap().summary;
        differ |= sd > 0.0 && q1 < median && median < q3;
        expected.push(json!([point.x, [mean - sd, mean, mean + sd], [q1, median, q3]]));
    }
    assert!(expected.len() == 5 && differ, "equal figures could hide a wrong order: {expected:?}");
    assert_eq!(json!(response.data), json!(expected));
    assert_eq!((response.units.x.as_str(), response.units.y.as_str()), ("steps", "ns"));

    // Failed points have no row.
    let ready = start("misbehaving", "").await;
    let failing = ready.measure(&ready.request(&["functions::panics"], 1)).await.unwrap();
    let measured = failing.points.iter().filter(|point| point.measured().is_some());
    let rows: Vec<f64> = failing.data.iter().filter_map(|row| row.0.number()).collect();
    assert_eq!(rows, measured.filter_map(|point| point.x.number()).collect::<Vec<f64>>());
    assert!(rows.len() < failing.points.len());
}

#[tokio::test(flavor = "current_thread")]
async fn results_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("results.sqlite");
    let suite = fixture("ladder").unwrap().program;
    let mut before = None;
    for _ in 0..2 {
        let start = RunnerSetup { database: Some(database.clone()), ..RunnerSetup::with(&suite) };
        let ready = start.start().await.unwrap();
        let response = ready.measure(&ready.request(&["rungs::one"], 1)).await.unwrap();
        assert_eq!(ready.results().await.unwrap().len(), 1);
        let address = format!("results/{}", response.results[0]);
        let result: StoredResult = ready.runner.get(&address).send().await.unwrap().json().await.unwrap();
        assert_eq!(result.response.points.len(), response.points.len());
        for point in &response.points {
            let address = format!("{address}/samples?function={}&x={}", point.function, point.x);
            let samples: StoredSamples = ready.runner.get(&address).send().await.unwrap().json().await.unwrap();
            assert_eq!(samples.runs, point.measured().unwrap().runs);
        }
        let before = before.get_or_insert_with(|| response.clone());
        assert_eq!((&before.points, &before.results), (&response.points, &response.results));
        let (status, log) = ready.runner.terminate().unwrap();
        assert!(status.success(), "{status}: {log:?}");
    }
}

/// Reads a stream until its job has ready: waiting jobs are cancelled without a log line.
async fn until_started(response: &mut Response) -> Vec<u8> {
    let mut received = Vec::new();
    while !String::from_utf8_lossy(&received).contains("\"started\"") {
        received.extend(response.chunk().await.unwrap().unwrap());
    }
    received
}

// Several threads: the disconnection is processed while the test waits for the log.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn disconnecting_and_cancelling_free_the_core() {
    let ready = start("misbehaving", "").await;
    let hangs = ready.request(&["functions::hangs"], 1);
    let accepts = ready.runner.post("measure").header("accept", STREAM).json(&hangs);
    let mut response = accepts.try_clone().unwrap().send().await.unwrap();
    until_started(&mut response).await;
    drop(response);
    ready.runner.wait_for_log("no client is waiting for it").unwrap();

    let mut response = accepts.send().await.unwrap();
    let mut received = until_started(&mut response).await;
    let url = format!("{}/api/v1/clients/{}", ready.runner.url(), hangs.client);
    let client = reqwest::Client::new();
    assert_eq!(client.delete(&url).send().await.unwrap().status(), StatusCode::NO_CONTENT);
    while let Some(chunk) = response.chunk().await.unwrap() {
        received.extend(chunk);
    }
    let last = String::from_utf8(received).unwrap();
    let last: Event = serde_json::from_str(last.lines().last().unwrap()).unwrap();
    assert!(matches!(&last, Event::Stopped { reason } if reason.contains("cancelled its request")), "{last:?}");
    ready.runner.wait_for_log("no client is waiting for it").unwrap();
    let load: QueueLoad = ready.runner.get("queue").send().await.unwrap().json().await.unwrap();
    assert_eq!((load.waiting, load.clients), (0, 0));
}

#[tokio::test(flavor = "current_thread")]
async fn shutdown_notifies_waiting_clients() {
    // As a service manager ends it, and as Ctrl+C does.
    for signal in [Signal::TERM, Signal::INT] {
        let ready = start("misbehaving", "").await;
        let hangs = ready.request(&["functions::hangs"], 1);
        let mut response = ready.runner.post("measure").header("accept", STREAM).json(&hangs).send().await.unwrap();
        assert!(response.chunk().await.unwrap().is_some());
        // Another client waits for a complete response instead of a stream.
        let others = Request { client: "another".to_owned(), ..hangs };
        let whole = tokio::spawn(ready.runner.post("measure").json(&others).send());
        while ready.runner.get("queue").send().await.unwrap().json::<QueueLoad>().await.unwrap().clients < 2 {}
        let ended = tokio::task::spawn_blocking(move || ready.runner.end_with(signal));
        let mut received = Vec::new();
        while let Some(chunk) = response.chunk().await.unwrap() {
            received.extend(chunk);
        }
        let (status, log) = ended.await.unwrap().unwrap();
        assert!(status.success(), "{status} by {signal:?}: {log:?}");
        let last: Event = serde_json::from_str(String::from_utf8(received).unwrap().lines().last().unwrap()).unwrap();
        let Event::Stopped { reason } = last else { panic!("{last:?} by {signal:?}") };
        let whole = whole.await.unwrap().unwrap();
        assert_eq!(
            (whole.status(), &whole.headers()["retry-after"]),
            (StatusCode::SERVICE_UNAVAILABLE, &"60".parse().unwrap())
        );
        assert_eq!(whole.json::<ErrorBody>().await.unwrap().error, reason);
    }
}

#[tokio::test(flavor = "current_thread")]
async fn requests_need_the_token_and_an_allowed_origin_and_host() {
    let suite = fixture("ladder").unwrap().program;
    let folder = tempfile::tempdir().unwrap();
    let config: PathBuf = folder.path().join("benchbook.toml");
    let token = "a-token-of-sufficient-length-0123";
    std::fs::write(&config, format!("token = \"{token}\"\norigins = [\"https://pages.example.org\"]\n")).unwrap();
    let runner = RunnerProgram::start(&[&suite], &["--config", config.to_str().unwrap()]).unwrap();
    let table: [(&[(&str, &str)], u16); 6] = [
        (&[], 401),
        (&[("authorization", "Bearer a-token-of-sufficient-length-0124")], 401),
        (&[("authorization", "Bearer a-token-of-sufficient-length-0123")], 200),
        (
            &[("authorization", "Bearer a-token-of-sufficient-length-0123"), ("origin", "https://pages.example.org")],
            200,
        ),
        (
            &[("authorization", "Bearer a-token-of-sufficient-length-0123"), ("origin", "https://other.example.org")],
            403,
        ),
        (&[("authorization", "Bearer a-token-of-sufficient-length-0123"), ("host", "rebound.example.org")], 403),
    ];
    for (headers, status) in table {
        let mut request = runner.get("catalog");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = request.send().await.unwrap();
        assert_eq!(response.status().as_u16(), status, "{headers:?}");
        if status != 200 {
            let body: ErrorBody = response.json().await.unwrap();
            assert!(!body.error.is_empty());
        }
    }
}
