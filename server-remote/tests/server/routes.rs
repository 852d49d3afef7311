//! The routes of a runner without suites and results, and requests to them.

use std::io::Read;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request};
use axum::response::Response;
use benchbook_server::measure::runner::Runner;
use benchbook_server::metrics::Metrics;
use benchbook_server::setup::Setup;
use benchbook_store_support::MemoryStore;
use flate2::read::GzDecoder;
use tower::ServiceExt;

/// A runner without suites and results.
pub fn runner() -> Runner {
    Runner::new(Setup::default(), Arc::new(MemoryStore::default()), Metrics::default())
}

/// Sends a request.
pub async fn send(routes: &Router, method: &str, path: &str, headers: &[(&str, &str)]) -> Response {
    let request = Request::builder().method(method).uri(path);
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let request = request.body(Body::empty()).expect("a valid request");
    routes.clone().oneshot(request).await.expect("a router never fails")
}

/// Reads the whole body of a response.
pub async fn body(response: Response) -> Vec<u8> {
    to_bytes(response.into_body(), 1 << 20).await.expect("a complete body").to_vec()
}

/// The value of a header.
pub fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).map(|value| value.to_str().expect("a text header"))
}

/// Decodes a body with this `content-encoding`.
pub fn decode(encoding: Option<&str>, body: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::new();
    let read = match encoding {
        Some("br") => brotli::Decompressor::new(body, 4_096).read_to_end(&mut decoded),
        Some(_) => GzDecoder::new(body).read_to_end(&mut decoded),
        None => return body.to_vec(),
    };
    read.expect("the body can be decoded");
    decoded
}
