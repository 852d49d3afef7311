//! The runner's queue: turns, shared requests, slow readers, and limits.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use benchbook_host::api::{Done, Event, QueueLoad, STREAM, StoredResult};
use benchbook_host::request::Request;
use benchbook_tests::openapi::Document;
use benchbook_tests::ready_runner::{EventStream, ReadyRunner, RunnerSetup};
use benchbook_tests::suites::fixture;
use reqwest::StatusCode;

/// A function that occupies the core until its request is cancelled: it hangs at the last axis value.
const HANGS: &str = "functions::hangs";

/// The server buffers 400 KB per connection, the system a few tens of KB.
const MORE_THAN_A_CONNECTION_HOLDS: usize = 1 << 20;

/// Starts a runner with the fixtures `misbehaving` and `ladder`, without practical time limits for suites.
async fn start(lines: &str) -> ReadyRunner {
    let suites = ["misbehaving", "ladder"].map(|name| fixture(name).unwrap().program).to_vec();
    let start = RunnerSetup { suites, lines: lines.to_owned(), timeout_ms: Some(3_600_000), ..RunnerSetup::default() };
    start.start().await.unwrap()
}

fn for_client(client: &str, request: Request) -> Request {
    Request { client: client.to_owned(), ..request }
}

fn is_started(event: &Event) -> bool {
    matches!(event, Event::Started(_))
}

fn is_queued(event: &Event) -> bool {
    matches!(event, Event::Queued { .. })
}

/// Occupies the core until the stream is dropped.
async fn occupy(ready: &ReadyRunner) -> EventStream {
    let mut events = ready.stream(&for_client("occupier", ready.request(&[HANGS], 1))).await.unwrap();
    events.until(is_started).await.unwrap();
    events
}

/// Sends a request while the core is occupied, and waits until it is queued.
async fn request_queued(ready: &ReadyRunner, client: &str, function: &str, priority: u8) -> EventStream {
    let mut events = ready.stream(&for_client(client, ready.request(&[function], priority))).await.unwrap();
    events.until(is_queued).await.unwrap();
    events
}

async fn done(events: EventStream) -> Done {
    match events.rest().await.unwrap().pop() {
        Some(Event::Done(done)) => *done,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_take_turns_with_their_quick_requests_first() {
    let ready = start("").await;
    let occupier = occupy(&ready).await;
    let mut streams = Vec::new();
    for (client, function, priority) in [
        ("a", "rungs::one", 3),
        ("a", "rungs::two", 1),
        ("a", "rungs::four", 2),
        ("b", "rungs::eight", 2),
        ("b", "rungs::sixteen", 1),
        ("c", "rungs::percent_100", 4),
    ] {
        streams.push((function, request_queued(&ready, client, function, priority).await));
    }
    drop(occupier);
    // Results are numbered in the order of measurement.
    let mut results = Vec::new();
    for (function, events) in streams {
        results.push((done(events).await.results[0], function));
    }
    results.sort_unstable();
    let order: Vec<&str> = results.into_iter().map(|(_, function)| function).collect();
    let quick_first = ["rungs::two", "rungs::sixteen", "rungs::percent_100"];
    assert_eq!(order, [&quick_first[..], &["rungs::four", "rungs::eight", "rungs::one"]].concat());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn identical_requests_of_several_clients_are_measured_once() {
    let ready = start("").await;
    let occupier = occupy(&ready).await;
    let mut streams = Vec::new();
    for client in ["a", "b", "c"] {
        streams.push(request_queued(&ready, client, "rungs::one", 1).await);
    }
    let load: QueueLoad = ready.runner.get("queue").send().await.unwrap().json().await.unwrap();
    assert_eq!((load.running, load.waiting, load.clients), (1, 1, 4));
    drop(occupier);
    let mut received = Vec::new();
    for events in streams {
        let mut events = events.rest().await.unwrap();
        events.retain(|event| !matches!(event, Event::Queued { .. } | Event::Progress(_)));
        assert!(matches!(events.last(), Some(Event::Done(done)) if done.results.len() == 1), "{events:?}");
        received.push(events);
    }
    assert!(received.iter().all(|events| events == &received[0]));
    let (status, log) = ready.runner.terminate().unwrap();
    assert!(status.success());
    assert_eq!(log.iter().filter(|line| line.contains(": done points=3")).count(), 1, "{log:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn late_subscribers_receive_earlier_events() {
    let ready = start("").await;
    let request = ready.request(&[HANGS], 1);
    let is_point = |event: &Event| matches!(event, Event::Point { .. });
    let mut first = ready.stream(&for_client("a", request.clone())).await.unwrap();
    let mut before = vec![first.until(is_started).await.unwrap()];
    // Two of three points: the third one hangs.
    for _ in 0..2 {
        before.push(first.until(is_point).await.unwrap());
    }
    let mut late = ready.stream(&for_client("b", request)).await.unwrap();
    for event in &before {
        assert_eq!(late.next().await.unwrap().as_ref(), Some(event));
    }
    // The first client may disconnect; the late one still waits.
    drop(first);
    let url = format!("{}/api/v1/clients/b", ready.runner.url());
    assert_eq!(reqwest::Client::new().delete(url).send().await.unwrap().status(), StatusCode::NO_CONTENT);
    assert!(matches!(late.until(|event| !matches!(event, Event::Progress(_))).await.unwrap(), Event::Stopped { .. }));
    ready.runner.wait_for_log("no client is waiting for it").unwrap();
    // The completed points are stored, so that a later request continues from them.
    let [id] = ready.results().await.unwrap()[..] else { panic!("there is not exactly one result") };
    let mut again = ready.stream(&for_client("c", ready.request(&[HANGS], 1))).await.unwrap();
    let Event::Started(started) = again.until(is_started).await.unwrap() else { unreachable!() };
    assert_eq!((started.stored, started.total), (2, 3));
    for event in &before[1..] {
        let stored: StoredResult =
            ready.runner.get(&format!("results/{id}")).send().await.unwrap().json().await.unwrap();
        let Event::Point { point } = event else { unreachable!() };
        assert!(
            stored.response.points.iter().any(|stored| (&stored.function, &stored.x) == (&point.function, &point.x))
        );
        assert_eq!(stored.response.points.len(), 2);
        let found = again.next().await.unwrap();
        assert!(before.contains(found.as_ref().unwrap()), "{found:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_readers_do_not_delay_others() {
    let suites = vec![fixture("ladder").unwrap().program];
    let ready = RunnerSetup { suites, samples: 3_000, ..RunnerSetup::default() }.start().await.unwrap();
    let functions = ["rungs::one", "rungs::percent_100", "rungs::percent_101", "nothing::empty_shared"];
    let large = Request { point_ms: Some(100.0), ..ready.request(&functions, 4) };
    let slow = ready.stream_unread(&for_client("slow", large.clone())).await.unwrap();
    let response = ready.measure(&for_client("quick", large.clone())).await.unwrap();
    assert_eq!((response.points.len(), response.results.len()), (36, 1));
    let bytes = serde_json::to_string(&response).unwrap().len();
    assert!(bytes > MORE_THAN_A_CONNECTION_HOLDS, "{bytes} bytes");
    // Stored points are streamed by a different code path.
    let again = ready.stream_unread(&for_client("slow", large)).await.unwrap();
    let response = ready.measure(&for_client("quick", ready.request(&["rungs::two"], 1))).await.unwrap();
    assert_eq!(response.points.len(), 3);
    drop((slow, again));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exceeding_a_limit_returns_retry_after() {
    let text = start("").await.runner.get("openapi.json").send().await.unwrap().text().await.unwrap();
    let mut document = Document::read(&text).unwrap();
    for (limit, client, expected) in [
        ("queued_seconds = 1", "occupier", "s per client"),
        ("clients = 1", "another", "The queue is full: 1 clients are waiting"),
        ("streams = 1", "another", "as its limit allows (`streams`)"),
    ] {
        let ready = start(&format!("[limits]\n{limit}\n")).await;
        let occupier = occupy(&ready).await;
        // Three points of 325 ms, and of 4 ms in the running job, each with an expected overhead of 5 ms.
        let long = Request { point_ms: Some(325.0), ..for_client(client, ready.request(&["rungs::one"], 1)) };
        for accept in [STREAM, "application/json"] {
            let response = ready.runner.post("measure").header("accept", accept).json(&long).send().await.unwrap();
            assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS, "{limit}");
            let seconds: u64 = response.headers()["retry-after"].to_str().unwrap().parse().unwrap();
            assert!(seconds >= 1);
            let text = response.text().await.unwrap();
            assert!(text.contains(expected) && text.contains(&format!("\"retry_after\":{seconds}")), "{text}");
            document.check_body("POST", "/measure", 429, "application/json", &text).unwrap();
        }
        // The rejected request occupies nothing, and there is capacity again.
        drop(occupier);
        ready.runner.wait_for_log("no client is waiting for it").unwrap();
        assert_eq!(ready.measure(&Request { point_ms: None, ..long }).await.unwrap().points.len(), 3);
    }
    let ready = start("[limits]\npoints = 8\n").await;
    let many = ready.runner.post("measure").json(&ready.request(&["rungs::one"], 4)).send().await.unwrap();
    assert_eq!(many.status(), StatusCode::PAYLOAD_TOO_LARGE);
    document.check_body("POST", "/measure", 413, "application/json", &many.text().await.unwrap()).unwrap();
}
