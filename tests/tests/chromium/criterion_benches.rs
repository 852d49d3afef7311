//! Benches written for criterion that fail, on the page.

use anyhow::Result;
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::{Notebook, Row};
use benchbook_tests::server::Site;
use benchbook_tests::sites::{qualities, with_notebook};
use benchbook_tests::suites;
use serde_json::json;

#[tokio::test]
async fn failures_of_benches_are_reported_and_the_others_are_measured() -> Result<()> {
    let _turn = turn().await;
    let module = suites::fixture("criterion_benches")?.module;
    let config = json!({ "suites": ["suites/benches.wasm"], "qualities": qualities(5_000.0) });
    let site = Site { suites: vec![("benches.wasm".to_owned(), module)], ..with_notebook(&config) };
    let notebook = Notebook::open(site).await?;
    for (path, reason) in [
        ("panics", "there is data"),
        ("exits", "unreachable"),
        ("two threads", "failed to spawn thread"),
        ("without a routine", "called no method of the bencher"),
    ] {
        notebook.choose(path).await?;
        let rows = notebook.measure().await?;
        let has_reason = |row: &Row| row.failed.as_ref().is_some_and(|failed| failed.contains(reason));
        assert!(!rows.is_empty() && rows.iter().all(has_reason), "{path}: {rows:?}");
    }
    for (path, points) in [("async::tokio", 1), ("large drop", 1), ("sum::once", 3)] {
        notebook.choose(path).await?;
        let rows = notebook.measure().await?;
        assert!(rows.len() == points && rows.iter().all(|row| row.mean.is_some()), "{path}: {rows:?}");
    }
    notebook.assert_accessible("benches written for criterion").await?;
    notebook.close().await
}
