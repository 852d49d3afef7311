//! Cached responses: identical as long as no better points are stored, and never outdated.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use benchbook_host::api::{Event, MeasureResponse, STREAM};
use benchbook_host::request::Request;
use benchbook_tests::metrics::metrics;
use benchbook_tests::ready_runner::{ReadyRunner, RunnerSetup};
use benchbook_tests::suites::fixture;
use reqwest::StatusCode;

const JSON: &str = "application/json";

async fn start(suites: &[&str], lines: &str) -> ReadyRunner {
    let suites = suites.iter().map(|name| fixture(name).unwrap().program).collect();
    let start = RunnerSetup { suites, lines: lines.to_owned(), timeout_ms: Some(3_600_000), ..RunnerSetup::default() };
    start.start().await.unwrap()
}

async fn request_points(ready: &ReadyRunner, request: &Request, accept: &str) -> (StatusCode, String) {
    send(ready, &serde_json::to_string(request).unwrap(), accept).await
}

async fn send(ready: &ReadyRunner, body: &str, accept: &str) -> (StatusCode, String) {
    let response = ready.runner.post("measure").header("accept", accept).body(body.to_owned()).send().await.unwrap();
    if response.status() == StatusCode::OK {
        assert_eq!(
            (&response.headers()["content-type"], &response.headers()["cache-control"]),
            (&accept.parse().unwrap(), &"no-store".parse().unwrap())
        );
    }
    (response.status(), response.text().await.unwrap())
}

/// The IDs of the results in a response.
fn results(text: &str, accept: &str) -> Vec<u64> {
    if accept == JSON {
        return serde_json::from_str::<MeasureResponse>(text).unwrap().results;
    }
    match serde_json::from_str(text.lines().last().unwrap()).unwrap() {
        Event::Done(done) => done.results,
        other => panic!("{other:?}"),
    }
}

/// The number of responses from stored points, from the runner's metrics.
async fn count_stored_responses(ready: &ReadyRunner) -> u64 {
    metrics(ready).await.unwrap()["benchbook_responses_stored_total"] as u64
}

#[tokio::test(flavor = "current_thread")]
async fn responses_are_identical_until_better_points_are_stored() {
    let ready = start(&["ladder"], "").await;
    let request = ready.request(&["rungs::one", "rungs::two"], 1);
    assert_eq!(results(&request_points(&ready, &request, JSON).await.1, JSON), [1]);
    for accept in [JSON, STREAM] {
        let first = request_points(&ready, &request, accept).await;
        assert_eq!(results(&first.1, accept), [1]);
        for _ in 0..3 {
            assert_eq!(request_points(&ready, &request, accept).await, first);
        }
    }
    assert_eq!(count_stored_responses(&ready).await, 8);

    // Measures another function, which does not affect this response, and then better points of this one.
    for (functions, priority, newest) in [(&["rungs::four"][..], 1, 1), (&["rungs::one", "rungs::two"], 2, 3)] {
        request_points(&ready, &ready.request(functions, priority), JSON).await;
        for accept in [JSON, STREAM] {
            for _ in 0..2 {
                assert_eq!(results(&request_points(&ready, &request, accept).await.1, accept), [newest]);
            }
        }
    }
    assert_eq!(count_stored_responses(&ready).await, 16);
}

#[tokio::test(flavor = "current_thread")]
async fn responses_depend_neither_on_the_client_nor_on_the_formatting() {
    let ready = start(&["ladder"], "").await;
    let request = ready.request(&["rungs::one"], 1);
    request_points(&ready, &request, JSON).await;
    let written = serde_json::to_string(&request).unwrap();
    let others = serde_json::to_string(&Request { client: "another".to_owned(), ..request.clone() }).unwrap();
    let spaced = serde_json::to_string_pretty(&request).unwrap();
    // A `Value` sorts its fields.
    let ordered = serde_json::to_value(&request).unwrap().to_string();
    assert!([&others, &spaced, &ordered].iter().all(|other| **other != written));

    let response = request_points(&ready, &request, JSON).await;
    for _ in 0..3 {
        for body in [&written, &others, &spaced, &ordered] {
            assert_eq!(send(&ready, body, JSON).await, response);
        }
    }
    assert_eq!(count_stored_responses(&ready).await, 13);

    // Other bodies are parsed, and rejected if they are damaged.
    let longer = format!("{written} ");
    assert_eq!(send(&ready, &longer, JSON).await, response);
    for damaged in [&written[1..], &written[..written.len() - 1], &format!("{written}}}")] {
        for _ in 0..2 {
            assert_eq!(send(&ready, damaged, JSON).await.0, StatusCode::BAD_REQUEST);
        }
    }
    assert_eq!(
        send(&ready, &written.replace("rungs::one", "rungs::none"), JSON).await.0,
        StatusCode::UNPROCESSABLE_ENTITY
    );

    // None of the bodies gets the outdated response.
    request_points(&ready, &ready.request(&["rungs::one"], 2), JSON).await;
    for body in [&written, &others, &spaced, &ordered, &longer] {
        assert_eq!(results(&send(&ready, body, JSON).await.1, JSON), [2]);
    }
}

#[tokio::test(flavor = "current_thread")]
async fn stored_responses_need_no_stream() {
    let ready = start(&["ladder", "misbehaving"], "[limits]\nstreams = 1\n").await;
    let request = ready.request(&["rungs::one"], 1);
    for _ in 0..2 {
        assert_eq!(request_points(&ready, &request, JSON).await.0, StatusCode::OK);
    }
    let mut only = ready.stream(&ready.request(&["processes::complains_and_hangs"], 1)).await.unwrap();
    only.until(|event| matches!(event, Event::Started(_))).await.unwrap();
    let other = Request { client: "another".to_owned(), ..request.clone() };
    for request in [&request, &other, &request] {
        assert_eq!(request_points(&ready, request, JSON).await.0, StatusCode::OK);
        assert_eq!(request_points(&ready, request, STREAM).await.0, StatusCode::OK);
    }
    let new = ready.request(&["rungs::two"], 1);
    assert_eq!(request_points(&ready, &new, JSON).await.0, StatusCode::TOO_MANY_REQUESTS);
}
