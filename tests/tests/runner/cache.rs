//! Cached responses: identical as long as no better points are stored, and never outdated.

use benchbook_host::api::{Event, MeasureResponse, STREAM};
use benchbook_host::request::Request;
use benchbook_tests::metrics::metrics;
use benchbook_tests::ready_runner::{ReadyRunner, RunnerSetup};
use benchbook_tests::suites::native;
use reqwest::StatusCode;

const JSON: &str = "application/json";

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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn responses_are_identical_until_better_points_are_stored() {
    let suites = ["ladder", "misbehaving"].map(|name| native(name).unwrap()).to_vec();
    let lines = "[limits]\nstreams = 1\n".to_owned();
    let start = RunnerSetup { suites, lines, timeout_ms: Some(3_600_000), ..RunnerSetup::default() };
    let ready = start.start().await.unwrap();
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

    // They depend neither on the client nor on the formatting.
    let written = serde_json::to_string(&request).unwrap();
    let others = serde_json::to_string(&Request { client: "another".to_owned(), ..request.clone() }).unwrap();
    let spaced = serde_json::to_string_pretty(&request).unwrap();
    // A `Value` sorts its fields.
    let ordered = serde_json::to_value(&request).unwrap().to_string();
    let longer = format!("{written} ");
    let bodies = [&written, &others, &spaced, &ordered, &longer];
    assert!(bodies[1..].iter().all(|other| **other != written));
    let response = request_points(&ready, &request, JSON).await;
    for body in bodies {
        assert_eq!(send(&ready, body, JSON).await, response);
    }
    assert_eq!(count_stored_responses(&ready).await, 14);
    // Other bodies are parsed, and rejected if they are damaged.
    for damaged in [&written[1..], &written[..written.len() - 1], &format!("{written}}}")] {
        for _ in 0..2 {
            assert_eq!(send(&ready, damaged, JSON).await.0, StatusCode::BAD_REQUEST);
        }
    }
    let unknown = written.replace("rungs::one", "rungs::none");
    assert_eq!(send(&ready, &unknown, JSON).await.0, StatusCode::UNPROCESSABLE_ENTITY);

    // They need no stream, and another client has the only one.
    let mut only = ready.stream(&ready.request(&["processes::complains_and_hangs"], 1)).await.unwrap();
    only.until(|event| matches!(event, Event::Started(_))).await.unwrap();
    for accept in [JSON, STREAM] {
        assert_eq!(request_points(&ready, &request, accept).await.0, StatusCode::OK);
        assert_eq!(send(&ready, &others, accept).await.0, StatusCode::OK);
    }
    let four = ready.request(&["rungs::four"], 1);
    assert_eq!(request_points(&ready, &four, JSON).await.0, StatusCode::TOO_MANY_REQUESTS);
    drop(only);
    ready.runner.wait_for_log("no client is waiting for it").unwrap();

    // Measures another function, which does not affect this response, and then better points of this one, which all of them get.
    let newest = async |request: &Request| results(&request_points(&ready, request, JSON).await.1, JSON)[0];
    let first = newest(&four).await;
    for accept in [JSON, STREAM] {
        assert_eq!(results(&request_points(&ready, &request, accept).await.1, accept), [1]);
    }
    let better = newest(&ready.request(&["rungs::one", "rungs::two"], 2)).await;
    assert!(better > first);
    for body in bodies {
        for accept in [JSON, STREAM] {
            for _ in 0..2 {
                assert_eq!(results(&send(&ready, body, accept).await.1, accept), [better]);
            }
        }
    }
}
