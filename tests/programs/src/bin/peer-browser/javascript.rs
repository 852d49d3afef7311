//! tinybench and mitata: libraries in JavaScript that call exports of a WebAssembly module.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use axum::Router;
use axum::http::header;
use axum::middleware::map_response;
use axum::response::{Html, Response};
use axum::routing::get;
use benchbook_tests::browser::Browser;
use benchbook_tests::server::isolation;
use serde_json::json;
use tokio::net::TcpListener;

use crate::BrowserFigures;

/// Measures in several workers, one after another. Returns the means of their figures, and the time of all of them.
pub(crate) async fn measure(
    harness: &str,
    module: &Path,
    script: &Path,
    function: &str,
    workers: u32,
) -> Result<BrowserFigures> {
    ensure!(workers > 0, "expected at least one worker");
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.context("binding a port")?;
    let url = format!("http://{}/", listener.local_addr()?);
    let router = router(harness, module, script)?;
    let server = tokio::spawn(async move { axum::serve(listener, router).await });
    let browser = Browser::start(800, 600).await?;
    browser.client.goto(&url).await?;
    let mut all = Vec::new();
    for _ in 0..workers {
        let figures = browser.client.execute("return measure(...arguments)", vec![json!(harness), json!(function)]);
        let figures = figures.await.with_context(|| format!("measuring with {harness}"))?;
        all.push(serde_json::from_value::<BrowserFigures>(figures).context("failed to parse the figures")?);
    }
    browser.close().await?;
    server.abort();
    Ok(mean(&all))
}

fn mean(all: &[BrowserFigures]) -> BrowserFigures {
    let mean_of = |figure: fn(&BrowserFigures) -> Option<f64>| {
        let known: Vec<f64> = all.iter().filter_map(figure).collect();
        (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
    };
    BrowserFigures {
        estimate: mean_of(|figures| Some(figures.estimate)).unwrap_or(f64::NAN),
        median: mean_of(|figures| figures.median),
        low: mean_of(|figures| figures.low),
        high: mean_of(|figures| figures.high),
        wall_seconds: all.iter().map(|figures| figures.wall_seconds).sum(),
    }
}

/// Serves an isolated page, the module, and the library under the harness's name.
fn router(harness: &str, module: &Path, script: &Path) -> Result<Router> {
    const PAGE: &str = "<!doctype html><title>A harness</title><script src=page.js></script>";
    let read = |path: &Path| fs::read(path).with_context(|| format!("failed to read {}", path.display()));
    let file = |kind: &'static str, bytes: Vec<u8>| get(move || async move { ([(header::CONTENT_TYPE, kind)], bytes) });
    let headers = isolation()?;
    Ok(Router::new()
        .route("/", get(|| async { Html(PAGE) }))
        .route("/page.js", file("text/javascript", include_bytes!("page.js").to_vec()))
        .route("/worker.js", file("text/javascript", include_bytes!("worker.js").to_vec()))
        .route(&format!("/{harness}.js"), file("text/javascript", read(script)?))
        .route("/functions.wasm", file("application/wasm", read(module)?))
        .layer(map_response(move |mut response: Response| {
            response.headers_mut().extend(headers.clone());
            async { response }
        })))
}
