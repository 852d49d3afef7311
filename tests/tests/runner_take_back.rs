//! A client takes back what it asked while the runner still looks whether the answer is stored.

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

async fn ask(app: &Router, method: &str, path: &str, body: String) -> (StatusCode, Vec<u8>) {
    let asked = Request::builder().method(method).uri(format!("/api/v1/{path}")).header("accept", STREAM);
    let answer = app.clone().oneshot(asked.body(Body::from(body)).unwrap()).await.unwrap();
    let status = answer.status();
    // A stream that waits for its turn has no end yet.
    if status == StatusCode::OK {
        return (status, Vec::new());
    }
    (status, to_bytes(answer.into_body(), 1 << 20).await.unwrap().into())
}

#[test]
fn what_is_taken_back_while_it_is_looked_up_is_not_measured() {
    let native = NativeSuite::open(&fixture("ladder").unwrap().program).unwrap();
    let suite = native.suite();
    let generator = suite.generator(&suite.function("rungs::one").unwrap().generators[0]).unwrap();
    let mut asked = request(suite, &["rungs::one"], generator, Range { low: 100.0, high: 200.0 });
    let app = routes(native);
    // The one thread on which stores are asked.
    let runtime = Builder::new_current_thread().max_blocking_threads(1).enable_time().build().unwrap();
    for (client, status) in [("taken back", StatusCode::CONFLICT), ("another", StatusCode::OK)] {
        asked.client = client.to_owned();
        let (release, held) = mpsc::channel::<()>();
        runtime.block_on(async {
            let busy = tokio::task::spawn_blocking(move || held.recv());
            let (answer, ()) = tokio::join!(
                biased;
                ask(&app, "POST", "measure", serde_json::to_string(&asked).unwrap()),
                async {
                    let (status, _) = ask(&app, "DELETE", "clients/taken%20back", String::new()).await;
                    assert_eq!(status, StatusCode::NO_CONTENT);
                    release.send(()).unwrap();
                }
            );
            busy.await.unwrap().unwrap();
            assert_eq!(answer.0, status);
            if status == StatusCode::CONFLICT {
                let refusal: ErrorBody = serde_json::from_slice(&answer.1).unwrap();
                assert_eq!(refusal.error, "The client took back what it asked.");
            }
        });
    }
}
