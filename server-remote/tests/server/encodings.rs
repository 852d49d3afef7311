//! Compressed responses of the API.

use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use benchbook_host::api::{MetricCard, RunnerCatalog};
use benchbook_server::http::routes::app;

use crate::routes::{body, decode, header, runner, send};

const ACCEPTED: [(&str, Option<&str>); 4] =
    [("identity", None), ("gzip", Some("gzip")), ("br, gzip", Some("br")), ("br;q=0.5, gzip", Some("gzip"))];

/// The decoded body of a response in each encoding.
async fn in_each_encoding(routes: &Router, path: &str) -> Vec<Vec<u8>> {
    let mut bodies = Vec::new();
    for (accepted, encoding) in ACCEPTED {
        let response = send(routes, "GET", path, &[("accept-encoding", accepted)]).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        let headers = response.headers().clone();
        assert_eq!(header(&headers, "content-encoding"), encoding, "{path}: {accepted}");
        assert_eq!(header(&headers, "content-type"), Some("application/json"), "{path}");
        assert_eq!(header(&headers, "cache-control"), Some("no-store"), "{path}");
        assert_eq!(header(&headers, "vary"), Some("accept-encoding"), "{path}");
        bodies.push(decode(encoding, &body(response).await));
    }
    bodies
}

#[tokio::test]
async fn the_catalog_is_the_same_in_each_encoding() {
    let runner = runner();
    let expected = RunnerCatalog {
        builds: false,
        runner: runner.setup.name.clone(),
        suites: Vec::new(),
        qualities: runner.setup.qualities.clone(),
        metrics: MetricCard::all(),
        counters: None,
        notebooks: false,
        history: false,
    };
    let routes = app(Arc::new(runner), Arc::default());
    for body in in_each_encoding(&routes, "/api/v1/catalog").await {
        assert_eq!(serde_json::from_slice::<RunnerCatalog>(&body).expect("a catalog"), expected);
    }
}

#[tokio::test]
async fn large_responses_are_compressed_and_small_ones_are_not() {
    let routes = app(Arc::new(runner()), Arc::default());
    let bodies = in_each_encoding(&routes, "/api/v1/openapi.json").await;
    assert!(bodies.iter().all(|body| *body == bodies[0] && body.starts_with(b"{")));
    let response = send(&routes, "GET", "/api/v1/queue", &[("accept-encoding", "br, gzip")]).await;
    assert_eq!(header(response.headers(), "content-encoding"), None);
}
