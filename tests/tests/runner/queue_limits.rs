//! What the runner does with requests that exceed a limit, or are cancelled before they are queued.

use std::sync::mpsc;

use benchbook_host::api::{ErrorBody, STREAM};
use benchbook_host::request::Request;
use benchbook_server::config::Limits;
use benchbook_server::setup::Setup;
use benchbook_tests::openapi::Document;
use benchbook_tests::requests::{for_all_priorities, quick};
use reqwest::{Method, Response, StatusCode};
use tokio::runtime::Builder;

use crate::routes::{Routes, ladder};

/// The routes of a runner with these limits and three points per request, or more, and a request.
fn limited(points: u32, limit: impl Fn(&mut Limits)) -> (Routes, Request) {
    let (mut setup, request) = ladder();
    limit(&mut setup.limits);
    (Routes::new(Setup { qualities: for_all_priorities(quick(points)), ..setup }), request)
}

async fn measure(routes: &Routes, accept: &str, request: &Request) -> Response {
    routes.send(routes.post("measure").header("accept", accept).json(request)).await
}

#[tokio::test(flavor = "current_thread")]
async fn exceeding_a_limit_returns_retry_after() {
    let with = |change: fn(&mut Limits)| limited(3, change);
    for ((routes, request), client, expected) in [
        (with(|limits| limits.queued_seconds = 1), "occupier", "s per client"),
        (with(|limits| limits.queued_seconds_per_address = 1), "another", "s per address"),
        (with(|limits| limits.clients = 1), "another", "The queue is full: 1 clients are waiting"),
        (with(|limits| limits.streams = 1), "another", "(`streams`)"),
        (with(|limits| limits.streams_per_client = 1), "occupier", "(`streams_per_client`)"),
        (with(|limits| limits.streams_per_address = 1), "another", "(`streams_per_address`)"),
    ] {
        let openapi = routes.send(routes.get("openapi.json")).await.text().await.unwrap();
        let mut document = Document::read(&openapi).unwrap();
        let occupier = Request { client: "occupier".to_owned(), ..request.clone() };
        let occupies = measure(&routes, STREAM, &occupier).await;
        assert_eq!(occupies.status(), StatusCode::OK, "{expected}");
        // Three points of 325 ms, with an expected overhead of 5 ms each.
        let long = Request { client: client.to_owned(), point_ms: Some(325.0), seed: Some(1), ..request };
        for accept in [STREAM, "application/json"] {
            let response = measure(&routes, accept, &long).await;
            assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS, "{expected}");
            let text = document.check_response("POST", "/measure", response).await.unwrap();
            let body: ErrorBody = serde_json::from_str(&text).unwrap();
            assert!(body.error.contains(expected) && body.retry_after.unwrap() >= 1, "{text}");
        }
        // The rejected requests occupy nothing, and there is capacity again.
        drop(occupies);
        assert_eq!(measure(&routes, STREAM, &long).await.status(), StatusCode::OK, "{expected}");
    }
}

/// The duration is not what the client claims: before any measurement was completed, a point takes at least 5 ms.
#[tokio::test(flavor = "current_thread")]
async fn a_claim_of_no_time_costs_what_points_take() {
    let (routes, request) = limited(9, |limits| limits.queued_seconds = 1);
    let mut streams = Vec::new();
    for seed in 0..30 {
        let request = Request { point_ms: Some(1e-9), seed: Some(seed), ..request.clone() };
        let response = measure(&routes, STREAM, &request).await;
        if response.status() == StatusCode::OK {
            streams.push(response);
        }
    }
    // Of eight points, so 41 ms each.
    assert_eq!(streams.len(), 24);
}

#[test]
fn requests_cancelled_while_the_store_is_searched_are_not_measured() {
    let (setup, mut request) = ladder();
    let routes = Routes::new(setup);
    // A single thread for access to the store.
    let runtime = Builder::new_current_thread().max_blocking_threads(1).enable_time().build().unwrap();
    for (client, status) in [("to cancel", StatusCode::CONFLICT), ("another", StatusCode::OK)] {
        request.client = client.to_owned();
        let (release, released) = mpsc::channel::<()>();
        runtime.block_on(async {
            let busy = tokio::task::spawn_blocking(move || released.recv());
            let (response, ()) = tokio::join!(
                biased;
                measure(&routes, STREAM, &request),
                async {
                    let cancel = routes.request(Method::DELETE, "clients/to%20cancel");
                    assert_eq!(routes.send(cancel).await.status(), StatusCode::NO_CONTENT);
                    release.send(()).unwrap();
                }
            );
            busy.await.unwrap().unwrap();
            assert_eq!(response.status(), status);
            if status == StatusCode::CONFLICT {
                let body: ErrorBody = response.json().await.unwrap();
                assert_eq!(body.error, "The client cancelled its request.");
            }
        });
    }
}
