//! Answers that the runner keeps in memory: the same bytes as long as nothing new is stored, and never older than that.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use benchbook::api::{Answer, Event, STREAM};
use benchbook::request::Request;
use benchbook_tests::ready::{Ready, Start};
use benchbook_tests::suites::fixture;
use reqwest::StatusCode;

const JSON: &str = "application/json";

async fn start(suites: &[&str], lines: &str) -> Ready {
    let suites = suites.iter().map(|name| fixture(name).unwrap().program).collect();
    let start = Start { suites, lines: lines.to_owned(), timeout_ms: Some(3_600_000), ..Start::default() };
    start.start().await.unwrap()
}

async fn ask(ready: &Ready, request: &Request, accept: &str) -> (StatusCode, String) {
    let answer = ready.runner.post("measure").header("accept", accept).json(request).send().await.unwrap();
    if answer.status() == StatusCode::OK {
        assert_eq!(
            (&answer.headers()["content-type"], &answer.headers()["cache-control"]),
            (&accept.parse().unwrap(), &"no-store".parse().unwrap())
        );
    }
    (answer.status(), answer.text().await.unwrap())
}

/// The results that an answer is of.
fn results(text: &str, accept: &str) -> Vec<u64> {
    if accept == JSON {
        return serde_json::from_str::<Answer>(text).unwrap().results;
    }
    match serde_json::from_str(text.lines().last().unwrap()).unwrap() {
        Event::Done(done) => done.results,
        other => panic!("{other:?}"),
    }
}

/// How many answers were found among what is stored, as the runner counts.
async fn found(ready: &Ready) -> u64 {
    let metrics = reqwest::get(format!("{}/metrics", ready.runner.url())).await.unwrap().text().await.unwrap();
    let line = metrics.lines().find_map(|line| line.strip_prefix("benchbook_answers_stored_total "));
    line.unwrap().parse().unwrap()
}

#[tokio::test(flavor = "current_thread")]
async fn the_same_is_answered_until_better_points_are_stored() {
    let ready = start(&["ladder"], "").await;
    let request = ready.request(&["rungs::one", "rungs::two"], 1);
    assert_eq!(results(&ask(&ready, &request, JSON).await.1, JSON), [1]);
    for accept in [JSON, STREAM] {
        let first = ask(&ready, &request, accept).await;
        assert_eq!(results(&first.1, accept), [1]);
        for _ in 0..3 {
            assert_eq!(ask(&ready, &request, accept).await, first);
        }
    }
    assert_eq!(found(&ready).await, 8);

    // Another function is measured, which changes nothing of this one; then better points of it.
    for (functions, priority, newest) in [(&["rungs::four"][..], 1, 1), (&["rungs::one", "rungs::two"], 2, 3)] {
        ask(&ready, &ready.request(functions, priority), JSON).await;
        for accept in [JSON, STREAM] {
            for _ in 0..2 {
                assert_eq!(results(&ask(&ready, &request, accept).await.1, accept), [newest]);
            }
        }
    }
    assert_eq!(found(&ready).await, 16);
}

#[tokio::test(flavor = "current_thread")]
async fn what_is_kept_is_under_the_same_limits() {
    let ready = start(&["ladder", "misbehaving"], "[limits]\nstreams = 1\n").await;
    let request = ready.request(&["rungs::one"], 1);
    for _ in 0..3 {
        assert_eq!(ask(&ready, &request, JSON).await.0, StatusCode::OK);
    }
    let mut only = ready.stream(&ready.request(&["processes::complains_and_hangs"], 1)).await.unwrap();
    only.until(|event| matches!(event, Event::Started(_))).await.unwrap();
    for accept in [JSON, STREAM] {
        assert_eq!(ask(&ready, &request, accept).await.0, StatusCode::TOO_MANY_REQUESTS);
    }
}
