//! Comparing functions: together, and beside each other.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::{Notebook, Row};
use benchbook_tests::sites::{demo, misbehaving, qualities, with_notebook};
use fantoccini::Locator;
use serde_json::json;

fn axis_values(rows: &[Row]) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut values: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for row in rows {
        values.entry(&row.path).or_default().insert(&row.x);
    }
    values
}

async fn series(notebook: &Notebook) -> Result<Vec<(String, String)>> {
    let series =
        "[...document.querySelectorAll('[data-test=series]')].map(row => [row.dataset.path, row.dataset.unpaired])";
    Ok(serde_json::from_value(notebook.browser.value(series).await?)?)
}

#[tokio::test]
async fn functions_of_one_generator_are_measured_together() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.type_into("size", "high", "3000").await?;
    notebook.compare("sorting::sort_stable").await?;
    let rows = notebook.measure().await?;
    let values = axis_values(&rows);
    assert_eq!(values.keys().copied().collect::<Vec<_>>(), ["sorting::sort_stable", "sorting::sort_unstable"]);
    assert_eq!(values["sorting::sort_stable"], values["sorting::sort_unstable"]);
    assert!(rows.iter().all(|row| row.failed.is_none() && row.unpaired.is_none() && row.priority == "4"), "{rows:?}");
    let paired = |path: &str| (path.to_owned(), "false".to_owned());
    assert_eq!(series(&notebook).await?, [paired("sorting::sort_unstable"), paired("sorting::sort_stable")]);
    notebook.close().await
}

#[tokio::test]
async fn a_curve_with_other_arguments_is_drawn_beside_and_marked_as_unpaired() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.type_into("size", "high", "3000").await?;
    notebook.measure().await?;
    notebook.pick("spread", "Sorted").await?;
    notebook.measure().await?;
    let select = notebook.browser.client.find(Locator::Css("[data-test=compare]")).await?;
    select.select_by_value("beside:0").await?;
    notebook.click("compare-add").await?;
    notebook.browser.until("document.querySelectorAll('[data-test=series]').length === 2").await?;
    let path = || "sorting::sort_unstable".to_owned();
    assert_eq!(series(&notebook).await?, [(path(), "false".to_owned()), (path(), "true".to_owned())]);
    let rows = notebook.rows().await?;
    let (unpaired, own): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.unpaired.is_some());
    assert!(!unpaired.is_empty() && unpaired.len() == own.len(), "{rows:?}");
    let legend = notebook.texts("series").await?;
    assert!(legend[1].contains("spread Random") && legend[1].contains("unpaired"), "{legend:?}");

    notebook.browser.client.find(Locator::Css("[data-test=overlay] button")).await?.click().await?;
    notebook.browser.until("document.querySelectorAll('[data-test=series]').length === 0").await?;
    notebook.close().await
}

#[tokio::test]
async fn a_curve_of_another_generator_is_drawn_beside_too() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("numbers::sum").await?;
    notebook.measure().await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.type_into("size", "high", "3000").await?;
    notebook.measure().await?;
    notebook.browser.client.find(Locator::Css("[data-test=compare]")).await?.select_by_value("beside:0").await?;
    notebook.click("compare-add").await?;
    notebook.browser.until("document.querySelectorAll('[data-test=series]').length === 2").await?;
    assert_eq!(series(&notebook).await?[1], ("numbers::sum".to_owned(), "true".to_owned()));
    notebook.close().await
}

#[tokio::test]
async fn what_one_function_does_leaves_the_other_its_figures() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(misbehaving(5_000.0)?).await?;
    notebook.choose("functions::well").await?;
    notebook.compare("functions::panics").await?;
    let rows = notebook.measure().await?;
    let (well, panics): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.path == "functions::well");
    assert!(well.iter().all(|row| row.failed.is_none()), "{well:?}");
    assert!(panics.iter().any(|row| row.failed.is_some()) && panics.iter().any(|row| row.mean.is_some()), "{panics:?}");
    notebook.close().await
}

#[tokio::test]
async fn one_press_on_the_start_measures_an_example() -> Result<()> {
    let _turn = turn().await;
    let example = json!({
        "question": "Which sort?",
        "link": "suite=demo&function=sorting::sort_unstable&with=sorting::sort_stable&arg.size=100..2000",
    });
    let notebook = json!({ "suites": ["suites/demo.wasm"], "qualities": qualities(5_000.0), "examples": [example] });
    let notebook = Notebook::open(with_notebook(&notebook)).await?;
    notebook.browser.until("document.querySelector('[data-test=example]')").await?;
    let told = notebook.texts("start").await?;
    assert!(told[0].contains("Which sort?"), "{told:?}");
    notebook.click("example").await?;
    notebook.browser.until("document.querySelector('[data-test=progress]')").await?;
    notebook.until_state("done").await?;
    let rows = notebook.rows().await?;
    assert_eq!(axis_values(&rows).len(), 2, "{rows:?}");
    let fragment = notebook.fragment().await?;
    assert!(fragment.contains("with=sorting::sort_stable") && fragment.contains("arg.size=100..2000"), "{fragment}");
    notebook.close().await
}

#[tokio::test]
async fn a_notebook_without_examples_offers_its_first_function() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.browser.until("document.querySelector('[data-test=example]')").await?;
    notebook.click("example").await?;
    notebook.browser.until("document.querySelector('[data-test=progress]')").await?;
    notebook.until_state("done").await?;
    assert!(notebook.rows().await?.first().context("a row")?.mean.is_some());
    notebook.close().await
}

#[tokio::test]
async fn an_example_that_goes_where_nothing_can_be_measured_is_told() -> Result<()> {
    let _turn = turn().await;
    let example = |question: &str, function: &str| json!({ "question": question, "link": format!("suite=demo&function={function}") });
    let notebook = json!({
        "suites": ["suites/demo.wasm"],
        "qualities": qualities(5_000.0),
        "examples": [example("Gone?", "sorting::bogus"), example("Native?", "memory::write_file"), example("Here?", "numbers::sum")],
    });
    let notebook = Notebook::open(with_notebook(&notebook)).await?;
    notebook.browser.until("document.querySelectorAll('[data-test=problem]').length === 2").await?;
    let told = notebook.texts("problem").await?;
    assert!(told[0].contains("“Gone?”") && told[1].contains("“Native?”"), "{told:?}");
    let start = notebook.texts("start").await?;
    assert!(start[0].contains("Here?"), "the others are offered: {start:?}");
    notebook.close().await
}
