//! Metrics other than the time, in Chromium: their choice above the plot, their columns, exports and links.

use anyhow::{Context, Result};
use benchbook_contract::parameter::Range;
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::reference_counts::assert_counts;
use benchbook_tests::sites::demo;
use fantoccini::Locator;

#[tokio::test]
async fn counted_memory_is_plotted_listed_and_exported() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("memory::fill_with_capacity").await?;
    notebook.compare("memory::fill_by_pushing").await?;
    notebook.measure().await?;
    let select = notebook.browser.client.find(Locator::Css("[data-test=metric]")).await?;
    select.select_by_value("allocations").await?;
    notebook
        .browser
        .until("document.querySelector('[data-test=plot] canvas').ariaLabel.startsWith('Allocations')")
        .await?;
    notebook.assert_accessible("a plot of allocations").await?;
    let fragment = notebook.settings().await?;
    assert!(fragment.contains("&metric=allocations"), "{fragment}");
    let growth = notebook.growth().await?;
    assert_eq!(growth[0], "The allocations of fill_with_capacity do not depend on count: 1 per call.");
    assert!(growth[1].starts_with("The allocations of fill_by_pushing "), "{growth:?}");

    let rows = notebook.copied_rows().await?;
    assert!(rows.len() > 4, "{rows:?}");
    for row in &rows {
        let cell = |name: &str| row.get(name).with_context(|| format!("no column {name}: {row:?}"));
        let size: f64 = cell("count")?.parse()?;
        let (allocations, bytes): (f64, f64) =
            (cell("Allocations per call")?.parse()?, cell("Allocated bytes per call")?.parse()?);
        if cell("function")? == "memory::fill_with_capacity" {
            assert_eq!((allocations, bytes), (1.0, 8.0 * size), "{row:?}");
        } else {
            assert!(allocations > 1.0 && bytes >= 8.0 * size, "{row:?}");
        }
        let rate = cell("Throughput in elements [elements/s]")?;
        if !cell("mean, upper bound [ns]")?.is_empty() {
            assert!(rate.is_empty(), "a time that is indistinguishable from zero has no throughput: {row:?}");
            continue;
        }
        let rate: f64 = rate.parse()?;
        // Few samples have no interval.
        let has_bound = !cell("Throughput in elements [elements/s], lower bound")?.is_empty();
        assert!(rate > 0.0 && has_bound != cell("precision")?.is_empty(), "{row:?}");
    }
    let columns = notebook.texts("metric-column").await?;
    assert!(columns.contains(&"Peak bytes of a call".to_owned()), "{columns:?}");
    notebook.close().await
}

#[tokio::test]
async fn first_calls_are_plotted_listed_and_exported() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.type_into("size", "high", "3000").await?;
    notebook.click("first-calls").await?;
    notebook.measure().await?;
    let select = notebook.browser.client.find(Locator::Css("[data-test=metric]")).await?;
    for (name, title) in [("compilation", "Compilation"), ("first_call", "First call")] {
        select.select_by_value(name).await?;
        let script = format!("document.querySelector('[data-test=plot] canvas').ariaLabel.startsWith('{title}')");
        notebook.browser.until(&script).await?;
    }
    notebook.assert_accessible("a plot of first calls").await?;
    let fragment = notebook.settings().await?;
    assert!(fragment.contains("&first_calls=on") && fragment.contains("&metric=first_call"), "{fragment}");
    assert_eq!(notebook.growth().await?, [""; 0]);

    for row in notebook.copied_rows().await? {
        for column in ["First call [ns]", "Compilation [ns]"] {
            let value: f64 = row.get(column).with_context(|| format!("no {column}: {row:?}"))?.parse()?;
            assert!(value > 0.0, "{row:?}");
        }
    }
    notebook.click("tab-samples").await?;
    let caption = notebook.texts("samples-caption").await?;
    assert!(caption[0].starts_with("First call: one sample per fresh process or worker. "), "{caption:?}");
    let text = notebook.browser.value("document.querySelector('[data-test=raw-samples]').value").await?;
    let lines: Vec<&str> = text.as_str().context("not a text")?.lines().collect();
    assert!(lines.len() >= 2, "{lines:?}");
    let warm_up: Vec<bool> = lines.iter().map(|line| line.ends_with(" w")).collect();
    assert!(warm_up[0] && !warm_up[1..].contains(&true), "only the first one is discarded: {lines:?}");

    // A link switches the option on.
    notebook.visit(&fragment).await?;
    let is_on = notebook.browser.value("document.querySelector('[data-test=first-calls]').checked").await?;
    assert_eq!(is_on, serde_json::Value::Bool(true));
    notebook.close().await
}

/// The browser's engine compiles, and the other one interprets; both count the same.
#[tokio::test]
async fn wasm_instructions_are_counted_as_in_another_engine() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    // The keys of the other one are random: in wasm, they are addresses.
    let functions = ["collections::btree_map_get", "collections::hash_map_get"];
    notebook.choose(functions[0]).await?;
    notebook.compare(functions[1]).await?;
    notebook.measure().await?;
    let select = notebook.browser.client.find(Locator::Css("[data-test=metric]")).await?;
    select.select_by_value("wasm_instructions").await?;
    notebook.until_shown("count-note").await?;
    notebook.until_state("done").await?;
    notebook.assert_accessible("a plot of wasm instructions").await?;
    assert!(notebook.settings().await?.contains("&metric=wasm_instructions"));

    assert_counts(&notebook, &functions, Range { low: 10.0, high: 100_000.0 }).await?;
    let ranked = notebook.texts("ranked-counts").await?;
    assert!(ranked.len() == 2 && ranked.iter().all(|counts| counts.ends_with(" wasm instructions")), "{ranked:?}");
    let notes = notebook.texts("count-note").await?;
    // Where both counts are the same by chance, another note says that the groups of its map are other code natively.
    let (two_counts, others): (Vec<_>, Vec<_>) = notes.iter().partition(|note| note.contains(" has two counts at "));
    assert!(two_counts.len() == 1 && two_counts[0].starts_with("hash_map_get "), "{notes:?}");
    assert!(others.iter().all(|note| note.starts_with("hash_map_get: native code differs")), "{notes:?}");

    // With the metric chosen, the next measurement counts as well.
    notebook.measure().await?;
    assert!(notebook.copied_rows().await?.iter().any(|row| !row["Wasm instructions per call"].is_empty()));
    notebook.close().await
}
