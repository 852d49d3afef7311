//! Clients that join a measurement, leave it, cancel it, or read nothing, as the network shows them. The queue and the hub have
//! tests of their own.

use std::time::Duration;

use benchbook_host::api::{Event, QueueLoad, STREAM, StoredResult};
use benchbook_host::request::Request;
use benchbook_tests::ready_runner::{ReadyRunner, RunnerSetup};
use benchbook_tests::suites::native;
use futures_util::future::join_all;
use reqwest::{Method, StatusCode};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// The server buffers 400 KB per connection, the system a few tens of KB.
const MORE_THAN_A_CONNECTION_HOLDS: usize = 1 << 20;

/// The time limit for the runner to enforce its own limit of two seconds.
const TIMEOUT: Duration = Duration::from_secs(60);

pub fn for_client(client: &str, request: &Request) -> Request {
    Request { client: client.to_owned(), ..request.clone() }
}

fn is_started(event: &Event) -> bool {
    matches!(event, Event::Started(_))
}

async fn load(ready: &ReadyRunner) -> QueueLoad {
    ready.runner.get("queue").send().await.unwrap().json().await.unwrap()
}

/// Several threads: the disconnection is processed while the test waits for the log.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn disconnecting_and_cancelling_free_the_core_and_complete_points_remain() {
    let suites = vec![native("misbehaving").unwrap()];
    let ready = RunnerSetup { suites, timeout_ms: Some(3_600_000), ..RunnerSetup::default() }.start().await.unwrap();
    let request = ready.request(&["functions::hangs"], 1);
    let is_point = |event: &Event| matches!(event, Event::Point { .. });
    let mut first = ready.stream(&for_client("a", &request)).await.unwrap();
    let mut before = vec![first.until(is_started).await.unwrap()];
    // Two of three points: the third one hangs.
    for _ in 0..2 {
        before.push(first.until(is_point).await.unwrap());
    }
    let mut late = ready.stream(&for_client("b", &request)).await.unwrap();
    for event in &before {
        assert_eq!(late.next().await.unwrap().as_ref(), Some(event), "late subscribers receive earlier events");
    }
    // The first client may disconnect; the late one still waits.
    drop(first);
    let cancelled = ready.runner.request(Method::DELETE, "clients/b").send().await.unwrap();
    assert_eq!(cancelled.status(), StatusCode::NO_CONTENT);
    let last = late.until(|event| !matches!(event, Event::Progress(_))).await.unwrap();
    assert!(matches!(&last, Event::Stopped { reason } if reason.contains("cancelled its request")), "{last:?}");
    ready.runner.wait_for_log("no client is waiting for it").unwrap();

    // The completed points are stored, so that a later request continues from them.
    let [id] = ready.results().await.unwrap()[..] else { panic!("there is not exactly one result") };
    let stored: StoredResult = ready.runner.get(&format!("results/{id}")).send().await.unwrap().json().await.unwrap();
    assert_eq!(stored.response.points.len(), 2);
    let mut again = ready.stream(&for_client("c", &request)).await.unwrap();
    let Event::Started(started) = again.until(is_started).await.unwrap() else { unreachable!() };
    assert_eq!((started.stored, started.total), (2, 3));
    for _ in 0..2 {
        let found = again.next().await.unwrap();
        assert!(before.contains(found.as_ref().unwrap()), "{found:?}");
    }
    drop(again);
    ready.runner.wait_for_log("no client is waiting for it").unwrap();
    let load = load(&ready).await;
    assert_eq!((load.waiting, load.clients), (0, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_read_or_send_nothing_delay_no_others_and_are_disconnected() {
    let suites = vec![native("ladder").unwrap()];
    let lines = "[limits]\npatience_seconds = 2\nstreams_per_client = 1\n".to_owned();
    let ready = RunnerSetup { suites, lines, samples: 3_000, ..RunnerSetup::default() }.start().await.unwrap();
    let functions = ["rungs::one", "rungs::percent_100", "rungs::percent_101", "nothing::empty_shared"];
    let large = Request { point_ms: Some(100.0), ..ready.request(&functions, 4) };
    let stalled = ready.stream_unread(&for_client("slow", &large)).await.unwrap();
    let until_taken = async { while load(&ready).await.clients == 0 {} };
    timeout(TIMEOUT, until_taken).await.unwrap();
    let small = for_client("slow", &ready.request(&["rungs::two"], 1));
    let request_again = || ready.runner.post("measure").header("accept", STREAM).json(&small).send();
    let taken = request_again().await.unwrap().status();
    assert_eq!(taken, StatusCode::TOO_MANY_REQUESTS, "the stalled client has its only stream");

    let response = ready.measure(&for_client("quick", &large)).await.unwrap();
    assert_eq!((response.points.len(), response.results.len()), (36, 1));
    let bytes = serde_json::to_string(&response).unwrap().len();
    assert!(bytes > MORE_THAN_A_CONNECTION_HOLDS, "{bytes} bytes");
    // The response exceeds the connection's buffers, so the client would occupy its stream forever.
    let until_free = async { while request_again().await.unwrap().status() != StatusCode::OK {} };
    timeout(TIMEOUT, until_free).await.unwrap();
    // Stored points are streamed by a different code path.
    let again = ready.stream_unread(&for_client("slow", &large)).await.unwrap();
    let response = ready.measure(&for_client("quick", &ready.request(&["rungs::four"], 1))).await.unwrap();
    assert_eq!(response.points.len(), 3);
    drop((stalled, again));

    // No bytes, the start of either version of HTTP, and half of a request head.
    let beginnings = ["", "P", "POST /api/v1/measure HTTP/1.1\r\n"];
    let address = ready.address();
    join_all(beginnings.map(|beginning| async move {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(beginning.as_bytes()).await.unwrap();
        let mut response = String::new();
        let ended = timeout(TIMEOUT, stream.read_to_string(&mut response)).await;
        ended.unwrap_or_else(|_| panic!("the connection remains open after `{beginning}`")).unwrap();
        assert_eq!(response, "");
    }))
    .await;
}
