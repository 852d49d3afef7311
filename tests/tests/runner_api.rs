//! The runner's API, by the real program on loopback: what is told in which order, what is stored, and who may ask.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::path::PathBuf;

use benchbook_host::analyze::statistics::Summary;
use benchbook_host::api::{ErrorBody, Event, Load, STREAM, StoredResult, StoredSamples};
use benchbook_host::quality::Priority;
use benchbook_host::request::Request;
use benchbook_tests::ready::{Ready, Start};
use benchbook_tests::runner::RunnerProgram;
use benchbook_tests::suites::fixture;
use reqwest::{Response, StatusCode};
use rustix::process::Signal;
use serde_json::{Value, json};

/// A runner with the fixture `suite` and more lines of configuration.
async fn start(suite: &str, lines: &str) -> Ready {
    let start = Start { lines: lines.to_owned(), ..Start::with(&fixture(suite).unwrap().program) };
    start.start().await.unwrap()
}

/// All that a stream tells.
async fn all_told(ready: &Ready, request: &Request) -> Vec<Event> {
    ready.stream(request).await.unwrap().rest().await.unwrap()
}

#[tokio::test(flavor = "current_thread")]
async fn a_stream_tells_all_in_order_and_what_is_stored_is_not_measured_again() {
    let started = start("ladder", "").await;
    let request = started.request(&["rungs::one", "rungs::two"], 2);
    let told = all_told(&started, &request).await;
    let places: Vec<u8> = told
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
    assert!(places.is_sorted() && places.contains(&1) && places.last() == Some(&3), "{told:?}");
    assert_eq!(places.iter().filter(|place| **place == 2).count(), 10);
    let Some(Event::Done(first)) = told.last() else { panic!("{told:?}") };
    assert_eq!((first.results.len(), first.comparisons.len()), (1, 1));

    let again = all_told(&started, &request).await;
    let Event::Started(card) = &again[0] else { panic!("{again:?}") };
    assert_eq!((card.stored, card.of, card.machine.name.as_str()), (10, 10, "bench-01"));
    assert_eq!(again.last(), told.last());
    let points = |events: &[Event]| {
        let mut points: Vec<Value> =
            events.iter().filter(|event| matches!(event, Event::Point { .. })).map(|event| json!(event)).collect();
        points.sort_by_key(ToString::to_string);
        points
    };
    assert_eq!(points(&again), points(&told));

    // A lower priority is answered by the higher one, at the axis values of the higher.
    let lower = started.measure(&Request { priority: Priority::FIRST, ..request.clone() }).await.unwrap();
    assert_eq!((lower.priority.number(), lower.results.clone()), (2, first.results.clone()));
    assert_eq!((lower.points.len(), lower.data.len(), lower.units.y.as_str()), (10, 5, "ns"));
    // Of a higher priority only what is not there is measured; what is there is not precise enough here.
    let higher = started.measure(&Request { priority: Priority::LAST, ..request }).await.unwrap();
    assert_eq!((higher.priority, higher.points.len()), (Priority::LAST, 18));
}

#[tokio::test(flavor = "current_thread")]
async fn the_compact_form_has_the_figures_of_the_first_function() {
    let ready = start("ladder", "").await;
    let answer = ready.measure(&ready.request(&["rungs::two", "rungs::one"], 2)).await.unwrap();
    let (mut expected, mut differ) = (Vec::new(), false);
    for point in answer.points.iter().filter(|point| point.function == "rungs::two") {
        let Summary { mean, sd, q1, median, q3, .. } = point.measured().unwrap().summary;
        differ |= sd > 0.0 && q1 < median && median < q3;
        expected.push(json!([point.x, [mean - sd, mean, mean + sd], [q1, median, q3]]));
    }
    assert!(expected.len() == 5 && differ, "a figure in another's place would not be seen: {expected:?}");
    assert_eq!(json!(answer.data), json!(expected));
    assert_eq!((answer.units.x.as_str(), answer.units.y.as_str()), ("steps", "ns"));

    // What failed has no row.
    let ready = start("misbehaving", "").await;
    let failing = ready.measure(&ready.request(&["functions::panics"], 1)).await.unwrap();
    let measured = failing.points.iter().filter(|point| point.measured().is_some());
    let rows: Vec<f64> = failing.data.iter().map(|row| row.0).collect();
    assert_eq!(rows, measured.map(|point| point.x).collect::<Vec<f64>>());
    assert!(rows.len() < failing.points.len());
}

#[tokio::test(flavor = "current_thread")]
async fn results_are_there_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("results.sqlite");
    let suite = fixture("ladder").unwrap().program;
    let mut before = None;
    for _ in 0..2 {
        let start = Start { database: Some(database.clone()), ..Start::with(&suite) };
        let started = start.start().await.unwrap();
        let answer = started.measure(&started.request(&["rungs::one"], 1)).await.unwrap();
        assert_eq!(started.results().await.unwrap().len(), 1);
        let address = format!("results/{}", answer.results[0]);
        let result: StoredResult = started.runner.get(&address).send().await.unwrap().json().await.unwrap();
        assert_eq!(result.response.points.len(), answer.points.len());
        for point in &answer.points {
            let address = format!("{address}/samples?function={}&x={}", point.function, point.x);
            let samples: StoredSamples = started.runner.get(&address).send().await.unwrap().json().await.unwrap();
            assert_eq!(samples.runs, point.measured().unwrap().runs);
        }
        let before = before.get_or_insert_with(|| answer.clone());
        assert_eq!((&before.points, &before.results), (&answer.points, &answer.results));
        let (status, log) = started.runner.terminate().unwrap();
        assert!(status.success(), "{status}: {log:?}");
    }
}

/// What a stream tells until its job is at work: one that still waits is forgotten without a word.
async fn until_started(answer: &mut Response) -> Vec<u8> {
    let mut told = Vec::new();
    while !String::from_utf8_lossy(&told).contains("\"started\"") {
        told.extend(answer.chunk().await.unwrap().unwrap());
    }
    told
}

// Several threads: what hangs up goes on while the test waits for the log.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_hangs_up_or_takes_back_frees_the_core() {
    let started = start("misbehaving", "").await;
    let hangs = started.request(&["functions::hangs"], 1);
    let accepts = started.runner.post("measure").header("accept", STREAM).json(&hangs);
    let mut answer = accepts.try_clone().unwrap().send().await.unwrap();
    until_started(&mut answer).await;
    drop(answer);
    started.runner.log_has("nobody waits for it").unwrap();

    let mut answer = accepts.send().await.unwrap();
    let mut told = until_started(&mut answer).await;
    let url = format!("{}/api/v1/clients/{}", started.runner.url(), hangs.client);
    let client = reqwest::Client::new();
    assert_eq!(client.delete(&url).send().await.unwrap().status(), StatusCode::NO_CONTENT);
    while let Some(chunk) = answer.chunk().await.unwrap() {
        told.extend(chunk);
    }
    let last = String::from_utf8(told).unwrap();
    let last: Event = serde_json::from_str(last.lines().last().unwrap()).unwrap();
    assert!(matches!(&last, Event::Stopped { reason } if reason.contains("took back")), "{last:?}");
    started.runner.log_has("nobody waits for it").unwrap();
    let load: Load = started.runner.get("queue").send().await.unwrap().json().await.unwrap();
    assert_eq!((load.waiting, load.clients), (0, 0));
}

#[tokio::test(flavor = "current_thread")]
async fn a_runner_that_ends_tells_those_who_wait() {
    // As a service manager ends it, and as a person at a terminal does.
    for signal in [Signal::TERM, Signal::INT] {
        let started = start("misbehaving", "").await;
        let hangs = started.request(&["functions::hangs"], 1);
        let mut answer = started.runner.post("measure").header("accept", STREAM).json(&hangs).send().await.unwrap();
        assert!(answer.chunk().await.unwrap().is_some());
        // The same for another, who wants it whole.
        let others = Request { client: "another".to_owned(), ..hangs };
        let whole = tokio::spawn(started.runner.post("measure").json(&others).send());
        while started.runner.get("queue").send().await.unwrap().json::<Load>().await.unwrap().clients < 2 {}
        let ended = tokio::task::spawn_blocking(move || started.runner.end_by(signal));
        let mut told = Vec::new();
        while let Some(chunk) = answer.chunk().await.unwrap() {
            told.extend(chunk);
        }
        let (status, log) = ended.await.unwrap().unwrap();
        assert!(status.success(), "{status} by {signal:?}: {log:?}");
        let last: Event = serde_json::from_str(String::from_utf8(told).unwrap().lines().last().unwrap()).unwrap();
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
async fn others_need_the_token_and_a_known_origin_and_host() {
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
        let mut asked = runner.get("catalog");
        for (name, value) in headers {
            asked = asked.header(*name, *value);
        }
        let answer = asked.send().await.unwrap();
        assert_eq!(answer.status().as_u16(), status, "{headers:?}");
        if status != 200 {
            let refusal: ErrorBody = answer.json().await.unwrap();
            assert!(!refusal.error.is_empty());
        }
    }
}
