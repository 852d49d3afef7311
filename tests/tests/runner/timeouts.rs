//! Stalled clients: the runner closes their connections after its time limit and frees their slots.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::time::Duration;

use benchbook_host::api::{QueueLoad, STREAM};
use benchbook_host::request::Request;
use benchbook_tests::ready_runner::{ReadyRunner, RunnerSetup};
use benchbook_tests::suites::fixture;
use reqwest::StatusCode;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// The time limit for the runner to enforce its own limit of a second.
const TIMEOUT: Duration = Duration::from_secs(60);

async fn start(samples: u32) -> ReadyRunner {
    let suites = vec![fixture("ladder").unwrap().program];
    let lines = "[limits]\npatience_seconds = 1\nstreams = 1\n".to_owned();
    RunnerSetup { suites, lines, samples, ..RunnerSetup::default() }.start().await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_without_a_complete_request_are_closed() {
    let ready = start(4).await;
    // No bytes, the start of either version of HTTP, and half of a request head.
    for beginning in ["", "P", "POST /api/v1/measure HTTP/1.1\r\n"] {
        let mut stream = TcpStream::connect(ready.address()).await.unwrap();
        stream.write_all(beginning.as_bytes()).await.unwrap();
        let mut response = String::new();
        let ended = timeout(TIMEOUT, stream.read_to_string(&mut response)).await;
        ended.unwrap_or_else(|_| panic!("the connection remains open after `{beginning}`")).unwrap();
        assert_eq!(response, "");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_that_are_not_read_lose_their_slot() {
    let ready = start(3_000).await;
    let functions = ["rungs::one", "rungs::percent_100", "rungs::percent_101", "nothing::empty_shared"];
    let large = Request { point_ms: Some(100.0), ..ready.request(&functions, 4) };
    let stalled = ready.stream_unread(&large).await.unwrap();
    let small = ready.request(&["rungs::two"], 1);
    let request_again = || ready.runner.post("measure").header("accept", STREAM).json(&small).send();
    let until_taken = async {
        loop {
            let load: QueueLoad = ready.runner.get("queue").send().await.unwrap().json().await.unwrap();
            if load.clients > 0 {
                break;
            }
        }
    };
    timeout(TIMEOUT, until_taken).await.unwrap();
    assert_eq!(
        request_again().await.unwrap().status(),
        StatusCode::TOO_MANY_REQUESTS,
        "the stalled client has the slot"
    );
    // The response exceeds the connection's buffers, so the client would block the slot forever.
    let until_free = async { while request_again().await.unwrap().status() != StatusCode::OK {} };
    timeout(TIMEOUT, until_free).await.unwrap();
    drop(stalled);
}
