//! `HEAD` has the status and the headers of `GET`, without a body.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context, Result};
use benchbook_server::http::routes::app;
use benchbook_server::measure::runner::Runner;
use benchbook_server::metrics::Metrics;
use benchbook_server::notebooks::NotebookFolder;
use benchbook_server::setup::Setup;
use benchbook_server::store::Store;
use benchbook_store_support::MemoryStore;
use benchbook_store_support::synthetic::World;
use benchbook_tests::openapi::Document;
use reqwest::header::HeaderValue;
use reqwest::{Method, Response};

use crate::routes::{Routes, ladder};

/// The headers of a response, without its length, which a server need not know before it has sent the body.
fn stable_headers(response: &Response) -> BTreeMap<&str, &HeaderValue> {
    let headers = response.headers().iter().map(|(name, value)| (name.as_str(), value));
    headers.filter(|(name, _)| *name != "content-length").collect()
}

#[tokio::test(flavor = "current_thread")]
async fn head_responds_as_get_does() -> Result<()> {
    let notebooks = tempfile::tempdir()?;
    let notebook = format!("{{\"benchbook\":1,\"cells\":[]{}}}", " ".repeat(5_000));
    std::fs::write(notebooks.path().join("a.benchbook.json"), notebook)?;
    let (setup, _) = ladder();
    let setup = Setup { notebooks: Some(NotebookFolder::new(notebooks.path().to_owned())), ..setup };
    let suites = setup.suites.current();
    let fingerprint = suites.hosted[0].entry.card.fingerprint.as_str();
    let measured = &suites.hosted[0].entry.suite.functions[0];
    let code = format!("suite=ladder&function={}&generator={}", measured.path, measured.generators[0]);
    let (store, stored) = (MemoryStore::default(), World::SMALL.result(1).response);
    store.add(&World::SMALL.result(1))?;
    let routes = Routes::of(app(Arc::new(Runner::new(setup, Arc::new(store), Metrics::default())), Arc::default()));
    let document = Document::read(&routes.send(routes.get("openapi.json")).await.text().await?)?.routes();
    let measured = stored.points.iter().find(|point| point.measured().is_some()).context("a point was measured")?;
    let (function, x) = (&measured.function, &measured.x);
    let paths = document.iter().filter_map(|route| route.strip_prefix("GET /"));
    let found: Vec<String> = paths
        .map(|path| match path.replace("{id}", "1").replace("{fingerprint}", fingerprint) {
            path if path == "results/generators" => format!("{path}?suite={}&function={function}", stored.suite.name),
            path if path == "assembly" => format!("{path}?{code}"),
            path if path == "notebooks/file" => path + "?path=a.benchbook.json",
            path if path.ends_with("/samples") => format!("{path}?function={function}&x={x}"),
            path => path,
        })
        .collect();
    assert!(found.len() > 8, "{found:?}");
    // The suites of this runner are fixed.
    let status = |path: &str| if path == "builds" { 404 } else { 200 };
    let found = found.iter().map(|path| (path.as_str(), status(path)));
    let others = [
        // Outside of the API.
        ("../../healthz", 200),
        ("../../metrics", 200),
        ("results/first", 400),
        ("nothing", 404),
        ("notebooks/file?path=absent", 404),
    ];
    for (path, status) in found.chain(others) {
        for accepted in ["identity", "br"] {
            let send = |method| routes.send(routes.request(method, path).header("accept-encoding", accepted));
            let (get, head) = (send(Method::GET).await, send(Method::HEAD).await);
            assert_eq!((get.status().as_u16(), head.status().as_u16()), (status, status), "{path}");
            assert_eq!(stable_headers(&get), stable_headers(&head), "{path} {accepted}");
            assert!(!get.bytes().await?.is_empty() && head.bytes().await?.is_empty(), "{path}");
        }
    }
    Ok(())
}
