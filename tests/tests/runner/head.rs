//! `HEAD` has the status and the headers of `GET`, without a body.

use std::collections::BTreeMap;

use anyhow::Result;
use benchbook_tests::openapi::Document;
use benchbook_tests::ready_runner::RunnerSetup;
use benchbook_tests::suites::fixture;
use reqwest::header::HeaderValue;
use reqwest::{Client, Method, Response};

/// The headers of a response, without those that differ between two responses to equal requests.
fn stable_headers(response: &Response) -> BTreeMap<&str, &HeaderValue> {
    let headers = response.headers().iter().map(|(name, value)| (name.as_str(), value));
    headers.filter(|(name, _)| !["date", "content-length", "transfer-encoding"].contains(name)).collect()
}

#[tokio::test(flavor = "current_thread")]
async fn head_responds_as_get_does() -> Result<()> {
    let notebooks = tempfile::tempdir()?;
    let notebook = format!("{{\"benchbook\":1,\"cells\":[]{}}}", " ".repeat(5_000));
    std::fs::write(notebooks.path().join("a.benchbook.json"), notebook)?;
    let lines = format!("notebooks = {:?}\n", notebooks.path());
    let ready = RunnerSetup { lines, ..RunnerSetup::with(&fixture("ladder")?.program) }.start().await?;
    let stored = ready.measure(&ready.request(&["rungs::one"], 1)).await?;
    let document = ready.runner.get("openapi.json").send().await?.text().await?;
    let routes = Document::read(&document)?.routes();
    let fingerprint = stored.suite.fingerprint.as_str();
    let paths = routes.iter().filter_map(|route| route.strip_prefix("GET /"));
    let found: Vec<String> = paths
        .map(|path| match path.replace("{id}", "1").replace("{fingerprint}", fingerprint) {
            path if path == "results/generators" => path + "?suite=ladder&function=rungs::one",
            path if path == "notebooks/file" => path + "?path=a.benchbook.json",
            path if path.ends_with("/samples") => format!("{path}?function=rungs::one&x={}", stored.points[0].x),
            path => path,
        })
        .collect();
    assert!(found.len() > 8, "{found:?}");
    // The suites of this runner are fixed.
    let status = |path: &str| if path == "builds" { 404 } else { 200 };
    let found = found.iter().map(|path| (format!("api/v1/{path}"), status(path)));
    let others = [
        ("healthz", 200),
        ("metrics", 200),
        ("api/v1/nothing", 404),
        ("api/v1/results/first", 400),
        ("api/v1/results/1000", 404),
        ("api/v1/notebooks/file?path=absent", 404),
    ];
    let others = others.map(|(path, status)| (path.to_owned(), status));
    for (path, status) in found.chain(others) {
        for accepted in ["identity", "br"] {
            let send = |method: Method| {
                let url = format!("{}/{path}", ready.runner.url());
                Client::new().request(method, url).header("accept-encoding", accepted).send()
            };
            let (get, head) = (send(Method::GET).await?, send(Method::HEAD).await?);
            assert_eq!((get.status().as_u16(), head.status().as_u16()), (status, status), "{path}");
            assert_eq!(stable_headers(&get), stable_headers(&head), "{path} {accepted}");
            let has_length = |response: &Response| response.headers().contains_key("content-length");
            assert_eq!(has_length(&get), has_length(&head), "{path} {accepted}");
            assert!(!get.bytes().await?.is_empty() && head.bytes().await?.is_empty(), "{path}");
        }
    }
    Ok(())
}
