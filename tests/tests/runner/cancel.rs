//! A client cancels its request while the runner looks for stored points.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::sync::mpsc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use benchbook_contract::parameter::Range;
use benchbook_host::api::{ErrorBody, STREAM};
use benchbook_host::child::NativeSuite;
use benchbook_tests::requests::request;
use benchbook_tests::routes::routes;
use benchbook_tests::suites::fixture;
use tokio::runtime::Builder;
use tower::ServiceExt;

async fn send(app: &Router, method: &str, path: &str, body: String) -> (StatusCode, Vec<u8>) {
    let builder = Request::builder().method(method).uri(format!("/api/v1/{path}")).header("accept", STREAM);
    let response = app.clone().oneshot(builder.body(Body::from(body)).unwrap()).await.unwrap();
    let status = response.status();
    // A stream whose job is queued does not end.
    if status == StatusCode::OK {
        return (status, Vec::new());
    }
    (status, to_bytes(response.into_body(), 1 << 20).await.unwrap().into())
}

#[test]
fn requests_cancelled_during_the_lookup_are_not_measured() {
    let native = NativeSuite::open(&fixture("ladder").unwrap().program).unwrap();
    let suite = native.suite();
    let generator = suite.generator(&suite.function("rungs::one").unwrap().generators[0]).unwrap();
    let mut measurement = request(suite, &["rungs::one"], generator, Range { low: 100.0, high: 200.0 });
    let app = routes(native);
    // A single thread for access to the store.
    let runtime = Builder::new_current_thread().max_blocking_threads(1).enable_time().build().unwrap();
    for (client, status) in [("to cancel", StatusCode::CONFLICT), ("another", StatusCode::OK)] {
        measurement.client = client.to_owned();
        let (release, held) = mpsc::channel::<()>();
        runtime.block_on(async {
            let busy = tokio::task::spawn_blocking(move || held.recv());
            let (response, ()) = tokio::join!(
                biased;
                send(&app, "POST", "measure", serde_json::to_string(&measurement).unwrap()),
                async {
                    let (status, _) = send(&app, "DELETE", "clients/to%20cancel", String::new()).await;
                    assert_eq!(status, StatusCode::NO_CONTENT);
                    release.send(()).unwrap();
                }
            );
            busy.await.unwrap().unwrap();
            assert_eq!(response.0, status);
            if status == StatusCode::CONFLICT {
                let body: ErrorBody = serde_json::from_slice(&response.1).unwrap();
                assert_eq!(body.error, "The client cancelled its request.");
            }
        });
    }
}
