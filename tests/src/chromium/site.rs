//! Serves the page that runs a suite's worker: an empty document, the shipped worker script, and the module.

use std::net::SocketAddr;

use anyhow::Result;
use axum::Router;
use axum::http::{HeaderMap, header};
use axum::middleware::map_response;
use axum::response::{Html, Response};
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::server::isolation;

const PAGE: &str = "<!doctype html><title>A suite</title><script src=page.js></script>";
const PAGE_SCRIPT: &str = include_str!("page.js");
const WORKER_SCRIPT: &str = include_str!("../../../static/worker.js");

/// A running server. Dropping it stops the server.
pub(super) struct SuiteSite {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl SuiteSite {
    /// Serves a module on a free loopback port.
    pub(super) async fn start(module: Vec<u8>, isolated: bool) -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let router = router(module, if isolated { isolation()? } else { HeaderMap::new() });
        let task = tokio::spawn(async move {
            // Runs until it is aborted. If it fails, the browser cannot connect.
            let _ = axum::serve(listener, router).await;
        });
        Ok(Self { address, task })
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }
}

impl Drop for SuiteSite {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn router(module: Vec<u8>, headers: HeaderMap) -> Router {
    let file = |kind: &'static str, bytes: Vec<u8>| get(move || async move { ([(header::CONTENT_TYPE, kind)], bytes) });
    Router::new()
        .route("/", get(|| async { Html(PAGE) }))
        .route("/page.js", file("text/javascript", PAGE_SCRIPT.into()))
        .route("/worker.js", file("text/javascript", WORKER_SCRIPT.into()))
        .route("/suite.wasm", file("application/wasm", module))
        .layer(map_response(move |mut response: Response| {
            response.headers_mut().extend(headers.clone());
            async { response }
        }))
}
