//! Clients that keep the runner waiting: it waits as long as its limits say, and has their places back.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::time::Duration;

use benchbook::api::{Load, STREAM};
use benchbook::request::Request;
use benchbook_tests::ready::{Ready, Start};
use benchbook_tests::suites::fixture;
use reqwest::StatusCode;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// How long the runner may take for what it does within its own patience of a second.
const PATIENCE: Duration = Duration::from_secs(60);

async fn start(samples: u32) -> Ready {
    let suites = vec![fixture("ladder").unwrap().program];
    let lines = "[limits]\npatience_seconds = 1\nstreams = 1\n".to_owned();
    Start { suites, lines, samples, ..Start::default() }.start().await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_does_not_come_ends_its_connection() {
    let ready = start(4).await;
    // Nothing at all, what could be of either version of HTTP, and half of a head.
    for beginning in ["", "P", "POST /api/v1/measure HTTP/1.1\r\n"] {
        let mut stream = TcpStream::connect(ready.address()).await.unwrap();
        stream.write_all(beginning.as_bytes()).await.unwrap();
        let mut answer = String::new();
        let ended = timeout(PATIENCE, stream.read_to_string(&mut answer)).await;
        ended.unwrap_or_else(|_| panic!("`{beginning}` is waited for")).unwrap();
        assert_eq!(answer, "");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_takes_nothing_of_what_is_told_loses_the_place() {
    let ready = start(3_000).await;
    let functions = ["rungs::one", "rungs::percent_100", "rungs::percent_101", "nothing::empty_shared"];
    let large = Request { point_ms: Some(100.0), ..ready.request(&functions, 4) };
    let stalled = ready.ask_and_read_nothing(&large).await.unwrap();
    let small = ready.request(&["rungs::two"], 1);
    let ask = || ready.runner.post("measure").header("accept", STREAM).json(&small).send();
    let until_taken = async {
        loop {
            let load: Load = ready.runner.get("queue").send().await.unwrap().json().await.unwrap();
            if load.clients > 0 {
                break;
            }
        }
    };
    timeout(PATIENCE, until_taken).await.unwrap();
    assert_eq!(ask().await.unwrap().status(), StatusCode::TOO_MANY_REQUESTS, "the stalled one has no place");
    // More is told than the connection holds: what is left of it would keep the place for ever.
    let until_free = async { while ask().await.unwrap().status() != StatusCode::OK {} };
    timeout(PATIENCE, until_free).await.unwrap();
    drop(stalled);
}
