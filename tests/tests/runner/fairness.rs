//! A client's first curve does not wait for the many or long requests of others.

use std::net::{IpAddr, Ipv4Addr};

use benchbook_host::api::{Event, QueueLoad, STREAM};
use benchbook_host::request::Request;
use benchbook_tests::ready_runner::{ReadyRunner, RunnerSetup};
use benchbook_tests::suites::native;
use reqwest::{Client, Response};

/// A request that differs from all with another seed, for a function that every priority measures in milliseconds.
fn request(ready: &ReadyRunner, client: &str, seed: u32, priority: u8) -> Request {
    Request { client: client.to_owned(), seed: Some(seed.into()), ..ready.request(&["rungs::one"], priority) }
}

/// Sends a request from a loopback address.
async fn send(ready: &ReadyRunner, address: u8, request: &Request) -> Response {
    let from = Client::builder().local_address(IpAddr::V4(Ipv4Addr::new(127, 0, 0, address))).build().unwrap();
    let url = format!("{}/api/v1/measure", ready.runner.url());
    from.post(url).header("accept", STREAM).json(request).send().await.unwrap()
}

/// The number of requests of others before that of the first curve.
const OTHERS: u32 = 40;

/// Results are numbered in the order of their ends, so the number of the first curve's result shows how many came first. All
/// others wait before the core becomes free.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_curve_does_not_wait_for_others() {
    // The clients of the other requests, their least priority, the address of the first curve's client (that of the others is 1),
    // and the last acceptable place of its request.
    type ClientName = fn(u32) -> String;
    let table: [(ClientName, u8, u8, u64); 3] = [
        (|_| "greedy".to_owned(), 1, 1, 4),
        (|number| format!("client {number}"), 1, 2, 6),
        (|number| format!("client {number}"), 2, 1, 6),
    ];
    for (client, least, address, most) in table {
        let suites = ["misbehaving", "ladder"].map(|name| native(name).unwrap()).to_vec();
        let setup = RunnerSetup { suites, timeout_ms: Some(3_600_000), ..RunnerSetup::default() };
        let ready = setup.start().await.unwrap();
        let mut occupier = ready.stream(&ready.request(&["functions::hangs"], 1)).await.unwrap();
        // Two points are complete, and stored when the client leaves; the third one hangs.
        for _ in 0..2 {
            occupier.until(|event| matches!(event, Event::Point { .. })).await.unwrap();
        }
        let mut others = Vec::new();
        for (number, priority) in (0..OTHERS).zip((least..=4).cycle()) {
            others.push(send(&ready, 1, &request(&ready, &client(number), number, priority)).await);
        }
        let own = send(&ready, address, &request(&ready, "well-behaved", OTHERS, 1)).await;
        let load: QueueLoad = ready.runner.get("queue").send().await.unwrap().json().await.unwrap();
        assert_eq!(load.waiting, OTHERS + 1);
        drop(occupier);
        let text = own.text().await.unwrap();
        let Event::Done(done) = serde_json::from_str(text.lines().last().unwrap()).unwrap() else { panic!("{text}") };
        // The first result is that of the occupier.
        assert!(done.results[0] - 1 <= most, "{:?} with others of {}", done.results, client(0));
    }
}
