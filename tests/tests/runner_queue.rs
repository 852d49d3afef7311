//! The runner's queue, by the real program: turns, what is asked for by several, those who read slowly, and limits.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use benchbook_host::api::{Done, Event, Load, STREAM, StoredResult};
use benchbook_host::request::Request;
use benchbook_tests::openapi::Document;
use benchbook_tests::ready::{Events, Ready, Start};
use benchbook_tests::suites::fixture;
use reqwest::StatusCode;

/// What holds the core until it is no longer wanted: it hangs at its last axis value.
const HANGS: &str = "functions::hangs";

/// The program keeps 400 KB of what it cannot send, and the system tens of it.
const MORE_THAN_A_CONNECTION_HOLDS: usize = 1 << 20;

/// A runner with two suites, one of which misbehaves, that waits for them as long as a test takes.
async fn start(lines: &str) -> Ready {
    let suites = ["misbehaving", "ladder"].map(|name| fixture(name).unwrap().program).to_vec();
    let start = Start { suites, lines: lines.to_owned(), timeout_ms: Some(3_600_000), ..Start::default() };
    start.start().await.unwrap()
}

fn of(client: &str, request: Request) -> Request {
    Request { client: client.to_owned(), ..request }
}

fn is_started(event: &Event) -> bool {
    matches!(event, Event::Started(_))
}

fn is_queued(event: &Event) -> bool {
    matches!(event, Event::Queued { .. })
}

/// Occupies the core, until what this gives is dropped.
async fn occupy(ready: &Ready) -> Events {
    let mut events = ready.stream(&of("occupier", ready.request(&[HANGS], 1))).await.unwrap();
    events.until(is_started).await.unwrap();
    events
}

/// Asks while the core is occupied; the runner has taken it when this is done.
async fn ask(ready: &Ready, client: &str, function: &str, priority: u8) -> Events {
    let mut events = ready.stream(&of(client, ready.request(&[function], priority))).await.unwrap();
    events.until(is_queued).await.unwrap();
    events
}

async fn done(events: Events) -> Done {
    match events.rest().await.unwrap().pop() {
        Some(Event::Done(done)) => *done,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_take_turns_and_their_quick_ones_come_first() {
    let ready = start("").await;
    let occupier = occupy(&ready).await;
    let mut asked = Vec::new();
    for (client, function, priority) in [
        ("a", "rungs::one", 3),
        ("a", "rungs::two", 1),
        ("a", "rungs::four", 2),
        ("b", "rungs::eight", 2),
        ("b", "rungs::sixteen", 1),
        ("c", "rungs::percent_100", 4),
    ] {
        asked.push((function, ask(&ready, client, function, priority).await));
    }
    drop(occupier);
    // The results are numbered in the order in which they were measured.
    let mut results = Vec::new();
    for (function, events) in asked {
        results.push((done(events).await.results[0], function));
    }
    results.sort_unstable();
    let order: Vec<&str> = results.into_iter().map(|(_, function)| function).collect();
    let quick_first = ["rungs::two", "rungs::sixteen", "rungs::percent_100"];
    assert_eq!(order, [&quick_first[..], &["rungs::four", "rungs::eight", "rungs::one"]].concat());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_several_ask_for_is_measured_once() {
    let ready = start("").await;
    let occupier = occupy(&ready).await;
    let mut asked = Vec::new();
    for client in ["a", "b", "c"] {
        asked.push(ask(&ready, client, "rungs::one", 1).await);
    }
    let load: Load = ready.runner.get("queue").send().await.unwrap().json().await.unwrap();
    assert_eq!((load.running, load.waiting, load.clients), (1, 1, 4));
    drop(occupier);
    let mut told = Vec::new();
    for events in asked {
        let mut events = events.rest().await.unwrap();
        events.retain(|event| !matches!(event, Event::Queued { .. } | Event::Progress(_)));
        assert!(matches!(events.last(), Some(Event::Done(done)) if done.results.len() == 1), "{events:?}");
        told.push(events);
    }
    assert!(told.iter().all(|events| events == &told[0]));
    let (status, log) = ready.runner.terminate().unwrap();
    assert!(status.success());
    assert_eq!(log.iter().filter(|line| line.contains(": done points=3")).count(), 1, "{log:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_comes_late_gets_what_was_told_before() {
    let ready = start("").await;
    let request = ready.request(&[HANGS], 1);
    let is_point = |event: &Event| matches!(event, Event::Point { .. });
    let mut first = ready.stream(&of("a", request.clone())).await.unwrap();
    let mut before = vec![first.until(is_started).await.unwrap()];
    // Two of three: the third never comes.
    for _ in 0..2 {
        before.push(first.until(is_point).await.unwrap());
    }
    let mut late = ready.stream(&of("b", request)).await.unwrap();
    for event in &before {
        assert_eq!(late.next().await.unwrap().as_ref(), Some(event));
    }
    // Whoever asked first may go; the late one still waits for it.
    drop(first);
    let url = format!("{}/api/v1/clients/b", ready.runner.url());
    assert_eq!(reqwest::Client::new().delete(url).send().await.unwrap().status(), StatusCode::NO_CONTENT);
    assert!(matches!(late.until(|event| !matches!(event, Event::Progress(_))).await.unwrap(), Event::Stopped { .. }));
    ready.runner.log_has("no client is waiting for it").unwrap();
    // What was done by then is kept: one may take it up again.
    let [id] = ready.results().await.unwrap()[..] else { panic!("nothing is kept") };
    let mut again = ready.stream(&of("c", ready.request(&[HANGS], 1))).await.unwrap();
    let Event::Started(started) = again.until(is_started).await.unwrap() else { unreachable!() };
    assert_eq!((started.stored, started.of), (2, 3));
    for told in &before[1..] {
        let kept: StoredResult = ready.runner.get(&format!("results/{id}")).send().await.unwrap().json().await.unwrap();
        let Event::Point { point } = told else { unreachable!() };
        assert!(kept.response.points.iter().any(|kept| (&kept.function, kept.x) == (&point.function, point.x)));
        assert_eq!(kept.response.points.len(), 2);
        let found = again.next().await.unwrap();
        assert!(before.contains(found.as_ref().unwrap()), "{found:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_reads_nothing_delays_nobody() {
    let suites = vec![fixture("ladder").unwrap().program];
    let ready = Start { suites, samples: 3_000, ..Start::default() }.start().await.unwrap();
    let functions = ["rungs::one", "rungs::percent_100", "rungs::percent_101", "nothing::empty_shared"];
    let large = Request { point_ms: Some(100.0), ..ready.request(&functions, 4) };
    let slow = ready.ask_and_read_nothing(&of("slow", large.clone())).await.unwrap();
    let answer = ready.measure(&of("quick", large.clone())).await.unwrap();
    assert_eq!((answer.points.len(), answer.results.len()), (36, 1));
    let bytes = serde_json::to_string(&answer).unwrap().len();
    assert!(bytes > MORE_THAN_A_CONNECTION_HOLDS, "{bytes} bytes");
    // What is stored is told by another way.
    let again = ready.ask_and_read_nothing(&of("slow", large)).await.unwrap();
    let answer = ready.measure(&of("quick", ready.request(&["rungs::two"], 1))).await.unwrap();
    assert_eq!(answer.points.len(), 3);
    drop((slow, again));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn beyond_a_limit_one_is_told_when_to_come_again() {
    let text = start("").await.runner.get("openapi.json").send().await.unwrap().text().await.unwrap();
    let mut document = Document::read(&text).unwrap();
    for (limit, client, told) in [
        ("queued_seconds = 1", "occupier", "s per client"),
        ("clients = 1", "another", "The queue is full: 1 clients are waiting"),
        ("streams = 1", "another", "as its limit allows (`streams`)"),
    ] {
        let ready = start(&format!("[limits]\n{limit}\n")).await;
        let occupier = occupy(&ready).await;
        // Three points of 330 ms, beside the three milliseconds of the one at work.
        let long = Request { point_ms: Some(330.0), ..of(client, ready.request(&["rungs::one"], 1)) };
        for accept in [STREAM, "application/json"] {
            let answer = ready.runner.post("measure").header("accept", accept).json(&long).send().await.unwrap();
            assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS, "{limit}");
            let seconds: u64 = answer.headers()["retry-after"].to_str().unwrap().parse().unwrap();
            assert!(seconds >= 1);
            let text = answer.text().await.unwrap();
            assert!(text.contains(told) && text.contains(&format!("\"retry_after\":{seconds}")), "{text}");
            document.hold("POST", "/measure", 429, "application/json", &text).unwrap();
        }
        // What was refused left nothing behind, and there is room again.
        drop(occupier);
        ready.runner.log_has("no client is waiting for it").unwrap();
        assert_eq!(ready.measure(&Request { point_ms: None, ..long }).await.unwrap().points.len(), 3);
    }
    let ready = start("[limits]\npoints = 8\n").await;
    let many = ready.runner.post("measure").json(&ready.request(&["rungs::one"], 4)).send().await.unwrap();
    assert_eq!(many.status(), StatusCode::PAYLOAD_TOO_LARGE);
    document.hold("POST", "/measure", 413, "application/json", &many.text().await.unwrap()).unwrap();
}
