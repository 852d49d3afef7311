//! Why a function is slower than in an earlier build: the cell, and its search by time.

use std::rc::Rc;

use anyhow::Result;
use benchbook_contract::parameter::Range;
use benchbook_notebook::cell::{Cell, CellContent, MeasurementCell};
use benchbook_notebook::file;
use benchbook_notebook::id::Id;
use benchbook_notebook::notebook::Notebook as Document;
use benchbook_notebook::result::SharedValue;
use benchbook_notebook::setup::CellSetup;
use benchbook_pinpoint::FindLimits;
use benchbook_tests::browser::{Browser, turn};
use benchbook_tests::notebook::{DESKTOP, Notebook, PHONE};
use benchbook_tests::server::{ServedFile, Site};
use benchbook_tests::sites::with_notebook;
use benchbook_tests::slower::Slower;
use serde_json::json;

use crate::profile::text;

/// The items that are counted: about 20 ms.
const SIZE: f64 = 10_000_000.0;

/// The iterations of `foo`: about 50 ms.
const WORK: f64 = 30_000_000.0;

/// A page with the comparison as its article.
fn site(slower: &Slower, limits: FindLimits) -> Result<Site> {
    let report = slower.report(SIZE, WORK, limits)?;
    let measurement = MeasurementCell {
        title: "Why is run slower?".to_owned(),
        setup: CellSetup::repeating(&slower.request(Range { low: SIZE / 2.0, high: SIZE }, WORK)?),
        pinpoint: Some(SharedValue(Rc::new(serde_json::to_value(report)?))),
        ..MeasurementCell::default()
    };
    let content = CellContent::Measurement(Box::new(measurement));
    let cell = Rc::new(Cell { id: Id::from_random(1), is_collapsed: false, content });
    let document = Document { title: "Slower".to_owned(), cells: vec![cell] };
    let mut site = with_notebook(&json!({ "title": "Slower", "suites": [], "article": "article.benchbook.json" }));
    site.files.push(("article.benchbook.json".to_owned(), ServedFile::Text(file::write(&document))));
    for (name, module) in ["before", "after"].into_iter().zip(slower.ranges()?) {
        site.files.push((format!("pinpoint/{name}.wasm"), ServedFile::Bytes(module)));
    }
    Ok(site)
}

/// The ranges that were compared, in words.
async fn ranges(notebook: &Notebook) -> Result<Vec<String>> {
    notebook.texts("pinpoint-range").await
}

#[tokio::test]
async fn the_slow_call_is_found_by_counts_and_by_time() -> Result<()> {
    let _turn = turn().await;
    let slower = Slower::build()?;
    let limits = FindLimits { depth: Some(2), ..FindLimits::default() };
    let notebook = Notebook::load(Browser::reuse(DESKTOP.0, DESKTOP.1).await?, site(&slower, limits)?, "").await?;
    notebook.until_shown("pinpoint-chain").await?;
    let answer = text(&notebook, "answer").await?;
    assert!(answer.starts_with("The body of Buf::size has changed"), "{answer}");
    notebook.assert_accessible("a comparison of builds").await?;

    notebook.click("pinpoint-start").await?;
    notebook.until_shown("pinpoint-found").await?;
    let found = text(&notebook, "pinpoint-found").await?;
    let compared = ranges(&notebook).await?;
    println!("{found}\n{}", compared.join("\n"));
    assert_eq!(found, "Most of the added time is in run > bridge > Failure::run. The search goes no deeper.");
    // The whole; of the two calls of `run`, the first, and the other one; the same for `bridge`. A linear search compares as many here.
    let expected = [
        "run",
        "run, call 1 of 2: ok",
        "run > bridge",
        "run > bridge, call 1 of 2: foo",
        "run > bridge > Failure::run",
    ];
    assert_eq!(compared, expected);
    notebook.assert_accessible("what was found by time").await?;
    notebook.browser.resize(PHONE.0, PHONE.1).await?;
    notebook.assert_accessible("a comparison of builds on a phone").await?;
    notebook.close().await
}
