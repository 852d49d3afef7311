//! A client's first curve does not wait for the many or long requests of others.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::net::{IpAddr, Ipv4Addr};

use benchbook_host::api::{Event, QueueLoad, STREAM};
use benchbook_host::request::Request;
use benchbook_tests::ready_runner::{EventStream, ReadyRunner, RunnerSetup};
use benchbook_tests::suites::fixture;
use reqwest::{Client, Response, StatusCode};

/// A function that every priority measures in milliseconds.
const FUNCTION: &str = "rungs::one";

async fn start(lines: &str) -> ReadyRunner {
    let suites = vec![fixture("ladder").unwrap().program];
    RunnerSetup { suites, lines: lines.to_owned(), ..RunnerSetup::default() }.start().await.unwrap()
}

/// A request that differs from all with another seed.
fn request(ready: &ReadyRunner, client: &str, seed: u64, priority: u8) -> Request {
    Request { client: client.to_owned(), seed: Some(seed), ..ready.request(&[FUNCTION], priority) }
}

/// Sends requests from a loopback address.
fn client_at(number: u8) -> Client {
    Client::builder().local_address(IpAddr::V4(Ipv4Addr::new(127, 0, 0, number))).build().unwrap()
}

async fn send(ready: &ReadyRunner, from: &Client, request: &Request) -> Response {
    let url = format!("{}/api/v1/measure", ready.runner.url());
    from.post(url).header("accept", STREAM).json(request).send().await.unwrap()
}

/// The number of the result that a stream ends with. Results are numbered in the order of their ends.
async fn result(response: Response) -> u64 {
    let text = response.text().await.unwrap();
    match serde_json::from_str(text.lines().last().unwrap()).unwrap() {
        Event::Done(done) => done.results[0],
        other => panic!("{other:?}"),
    }
}

/// How many requests of others end between the admission of a first curve's request and its result.
async fn others_first(ready: &ReadyRunner, others: Vec<Response>, from: &Client) -> u64 {
    let before = ready.results().await.unwrap().len() as u64;
    let own = result(send(ready, from, &request(ready, "well-behaved", 1_000, 1)).await).await;
    drop(others);
    own - before
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_curve_does_not_wait_for_a_client_with_200_requests() {
    let ready = start("").await;
    let greedy = client_at(1);
    let mut others = Vec::new();
    for seed in 0..200 {
        others.push(send(&ready, &greedy, &request(&ready, "greedy", seed, 1 + (seed % 4) as u8)).await);
    }
    let load: QueueLoad = ready.runner.get("queue").send().await.unwrap().json().await.unwrap();
    assert!(load.waiting > 20, "most requests are still waiting: {load:?}");
    // The one being measured, and one that was next.
    let first = others_first(&ready, others, &client_at(1)).await;
    assert!(first <= 4, "{first} requests came first");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_curve_does_not_wait_for_200_clients() {
    for (priorities, address) in [(1..=4, 2), (2..=4, 1)] {
        let ready = start("").await;
        let crowd = client_at(1);
        let mut others = Vec::new();
        for seed in 0..200 {
            let priority = priorities.clone().cycle().nth(seed as usize).unwrap();
            others.push(send(&ready, &crowd, &request(&ready, &format!("client {seed}"), seed, priority)).await);
        }
        let load: QueueLoad = ready.runner.get("queue").send().await.unwrap().json().await.unwrap();
        assert!(load.waiting > 20, "most requests are still waiting: {load:?}");
        let first = others_first(&ready, others, &client_at(address)).await;
        assert!(first <= 6, "{first} requests came first");
    }
}

/// A runner whose core is occupied until the stream is dropped, by a function that hangs.
async fn start_occupied(lines: &str) -> (ReadyRunner, EventStream) {
    let suites = ["misbehaving", "ladder"].map(|name| fixture(name).unwrap().program).to_vec();
    let setup = RunnerSetup { suites, lines: lines.to_owned(), timeout_ms: Some(3_600_000), ..RunnerSetup::default() };
    let ready = setup.start().await.unwrap();
    let occupier = Request { client: "occupier".to_owned(), ..ready.request(&["functions::hangs"], 1) };
    let mut events = ready.stream(&occupier).await.unwrap();
    events.until(|event| matches!(event, Event::Started(_))).await.unwrap();
    (ready, events)
}

/// One client may not use up the streams of all, nor may one address. Stored responses need none.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_are_limited_per_client_and_address() {
    let lines = "limits = { streams = 12, streams_per_client = 8, streams_per_address = 10 }";
    let (ready, occupier) = start_occupied(lines).await;
    drop(occupier);
    let stored = request(&ready, "early", 7, 1);
    ready.measure(&stored).await.unwrap();
    let occupier = Request { client: "occupier".to_owned(), ..ready.request(&["functions::hangs"], 1) };
    let _occupier = ready.stream(&occupier).await.unwrap();
    let [one, other] = [2, 3].map(client_at);
    let mut streams = Vec::new();
    for seed in 0..8 {
        streams.push(send(&ready, &one, &request(&ready, "greedy", 100 + seed, 4)).await);
    }
    for (client, key) in [("greedy", "streams_per_client"), ("a", ""), ("b", ""), ("c", "streams_per_address")] {
        let response = send(&ready, &one, &request(&ready, client, 200, 4)).await;
        if key.is_empty() {
            assert_eq!(response.status(), StatusCode::OK);
            streams.push(response);
        } else {
            assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
            assert!(response.text().await.unwrap().contains(key));
        }
    }
    assert_eq!(send(&ready, &other, &request(&ready, "another", 201, 4)).await.status(), StatusCode::OK);
    assert_eq!(send(&ready, &one, &Request { client: "greedy".to_owned(), ..stored }).await.status(), StatusCode::OK);
}

/// The duration is not what the client claims: before any measurement was completed, a point takes at least 5 ms.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_claim_of_no_time_costs_what_points_take() {
    let (ready, _occupier) = start_occupied("limits = { queued_seconds = 1 }").await;
    let from = client_at(1);
    let mut streams = Vec::new();
    for seed in 0..30 {
        let request = Request { point_ms: Some(1e-9), ..request(&ready, "frugal", seed, 4) };
        let response = send(&ready, &from, &request).await;
        if response.status() == StatusCode::OK {
            streams.push(response);
        }
    }
    // Nine points each.
    assert_eq!(streams.len(), 21);
}
