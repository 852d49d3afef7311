//! Lists of values, single values, and functions without parameters, in Chromium.

use anyhow::Result;
use benchbook_host::api::StoredResults;
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::{Notebook, Row};
use benchbook_tests::runner_site::RunnerSite;
use benchbook_tests::sites::{qualities, with_notebook};
use benchbook_tests::suites;
use serde_json::json;

/// The axis values of a function, in the order of the table.
fn values_of<'r>(rows: &'r [Row], path: &str) -> Vec<&'r str> {
    rows.iter().filter(|row| row.path == path).map(|row| row.x.as_str()).collect()
}

fn assert_measured(rows: &[Row]) {
    assert!(rows.iter().all(|row| row.failed.is_none() && row.mean.is_some() && row.priority == "4"), "{rows:?}");
}

#[tokio::test]
async fn measures_lists_of_numbers_and_choices_and_single_values() -> Result<()> {
    let _turn = turn().await;
    // Long enough that no block has a negative time.
    let mut qualities = qualities(5_000.0);
    qualities[3]["point_ms"] = json!(100.0);
    let site = with_notebook(&json!({ "suites": ["suites/demo.wasm"], "qualities": qualities }));
    let notebook = Notebook::open(site).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.compare("sorting::sort_stable").await?;

    notebook.set_role("size", "list").await?;
    notebook.type_into("size", "values", "3000; 100").await?;
    let rows = notebook.measure().await?;
    assert_measured(&rows);
    for path in ["sorting::sort_unstable", "sorting::sort_stable"] {
        assert_eq!(values_of(&rows, path), ["100", "3000"]);
    }
    assert!(notebook.fragment().await?.contains("&args.size=3000&args.size=100"));

    notebook.vary("spread").await?;
    notebook.pick("spread", "FewDistinct").await?;
    notebook.type_into("size", "value", "1000").await?;
    let rows = notebook.measure().await?;
    assert_measured(&rows);
    assert_eq!(values_of(&rows, "sorting::sort_stable"), ["Random", "Sorted", "Reversed"]);
    // Each value has a ratio, or the reason why not: a batch of sorted keys is so short that a stall can hide its time.
    for value in ["Random", "Sorted", "Reversed"] {
        let has_ratio = |row: &&Row| row.x == value && (row.ratio.is_some() || row.unavailable.is_some());
        assert!(rows.iter().any(|row| has_ratio(&row)), "{value}: {rows:?}");
    }
    let verdicts = notebook.texts("verdict").await?;
    if rows.iter().all(|row| row.unavailable.is_none()) {
        assert_eq!(verdicts.len(), 3, "one for each value: {verdicts:?}");
        assert!(verdicts[1].contains(" at Sorted"), "{verdicts:?}");
    }
    notebook.assert_accessible("a list of choices").await?;
    let label = notebook.chart_label("plot").await?;
    assert!(label.contains("Random to Reversed"), "{label}");

    notebook.set_role("spread", "one value").await?;
    let rows = notebook.measure().await?;
    assert_measured(&rows);
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert!(rows.iter().all(|row| row.x.is_empty()), "{rows:?}");
    let medians: Vec<f64> =
        rows.iter().filter_map(|row| row.median.as_deref()).map(str::parse).collect::<Result<_, _>>()?;
    assert!(medians.is_sorted(), "the fastest is first: {medians:?}");
    let fragment = notebook.settings().await?;
    assert!(fragment.contains("&arg.size=1000&arg.spread=Random") && !fragment.contains("args."), "{fragment}");
    let verdicts = notebook.texts("verdict").await?;
    // On a busy machine, the verdict may be "Undecided between …".
    assert!(verdicts[0].contains("sort_stable") && !verdicts[0].contains(" at "), "{verdicts:?}");
    notebook.click("tab-samples").await?;
    let caption = notebook.browser.value("document.querySelector('[data-test=samples] p').textContent").await?;
    assert!(caption.as_str().is_some_and(|caption| caption.contains("blocks")), "{caption}");
    notebook.close().await
}

#[tokio::test]
async fn a_runner_stores_lists_and_single_values() -> Result<()> {
    let _turn = turn().await;
    let runner = RunnerSite::start(&suites::demo()?, 20, &[])?;
    let notebook = runner.open().await?;
    for (link, values) in [
        (
            "suite=demo&function=sorting::sort_unstable&arg.size=1000&args.spread=Sorted&args.spread=Random",
            ["Sorted", "Random"].as_slice(),
        ),
        ("suite=demo&function=strings::string_from_literal", &[""]),
    ] {
        runner.go(&notebook, link).await?;
        notebook.until_shown("cell").await?;
        let rows = notebook.measure().await?;
        let native: Vec<&str> = rows.iter().filter(|row| row.machine == "native").map(|row| row.x.as_str()).collect();
        assert_eq!(native, values, "{rows:?}");
    }
    let listed: StoredResults = runner.program.get("results").send().await?.json().await?;
    let newest = listed.results.iter().filter(|card| card.request.priority.number() == 4);
    for (card, values) in newest.zip([[""].as_slice(), &["Sorted", "Random"]]) {
        runner.go(&notebook, &format!("archive={}&view=samples", card.id)).await?;
        notebook.browser.until("document.querySelector('[data-test=raw-samples]')?.value.length > 10").await?;
        let rows = notebook.rows().await?;
        assert_eq!(rows.iter().map(|row| row.x.as_str()).collect::<Vec<_>>(), values, "{rows:?}");
    }
    notebook.close().await
}
