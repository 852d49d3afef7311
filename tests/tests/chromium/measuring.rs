//! The page in Chromium: the main path of a user, and every kind of failed measurement.

use anyhow::{Context, Result};
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::{Notebook, Row};
use benchbook_tests::sites::{demo, misbehaving, qualities, with_notebook};
use serde_json::json;

fn numbers(rows: &[Row]) -> Vec<f64> {
    rows.iter().filter_map(|row| row.x.parse().ok()).collect()
}

/// Calls of some milliseconds, so that the page shows the points of the first look before the first priority has completed one.
#[tokio::test]
async fn a_first_look_shows_a_curve_before_the_first_priority_completes_a_point() -> Result<()> {
    const WATCH: &str = "
        window.seen = [];
        new MutationObserver(() => {
            const { priority, points } = document.querySelector('[data-test=progress]').dataset;
            const rows = document.querySelectorAll('[data-test=table] tbody tr').length;
            const now = `priority ${priority}: ${points} done, ${rows} shown`;
            if (seen.at(-1) !== now) seen.push(now);
        }).observe(document, { subtree: true, childList: true, attributes: true });";
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.type_into("size", "high", "1M").await?;
    notebook.type_into("size", "low", "300k").await?;
    notebook.browser.client.execute(WATCH, Vec::new()).await?;
    notebook.click("measure").await?;
    notebook.browser.until("seen.some((one) => one.startsWith('priority 2'))").await?;
    let seen: Vec<String> = serde_json::from_value(notebook.browser.value("seen").await?)?;
    // The site of this test measures two points at priority 1.
    assert!(seen.contains(&"priority 1: 0 done, 2 shown".to_owned()), "{seen:?}");
    notebook.close().await
}

#[tokio::test]
async fn measures_a_function_up_to_the_last_priority() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.pick("spread", "Reversed").await?;
    notebook.pick("spread", "Random").await?;
    notebook.type_into("size", "high", "1k").await?;
    assert_eq!(notebook.data("progress").await?["state"], "idle");
    // The click on Measure right after typing. An off-grid value has a note, which must not move the button away.
    notebook.type_and_stay("size", "low", "210").await?;
    // The reference kernel of earlier days, which varied by some per cent.
    let history = "localStorage.setItem('benchbook-history', '{\"kernel\":[[1,1600],[9000,1700]],\"points\":{}}')";
    notebook.browser.client.execute(history, Vec::new()).await?;
    let rows = notebook.measure().await?;
    let another_day = notebook.texts("another-day").await?.concat();
    assert!(another_day.contains("On another day, expect means from "), "{another_day}");
    assert_eq!(notebook.texts("repeatability-column").await?, ["on another day"]);
    let stored = "(({ kernel, points }) => [kernel.length, Object.keys(points).length])(JSON.parse(localStorage['benchbook-history']))";
    assert_eq!(notebook.browser.value(stored).await?, json!([3, 5]), "the kernel now, and each point");
    let progress = notebook.data("progress").await?;
    assert_eq!((progress["priority"].as_str(), progress["points"].as_str()), ("4", "5"));
    assert_eq!(numbers(&rows), [200.0, 300.0, 400.0, 700.0, 1000.0], "log points on the grid");
    for row in &rows {
        assert_eq!(
            (row.path.as_str(), row.machine.as_str(), row.priority.as_str()),
            ("sorting::sort_unstable", "browser", "4")
        );
        assert_eq!(row.failed, None, "at {}", row.x);
        let mean: f64 = row.mean.as_deref().context("a mean")?.parse()?;
        assert!(mean.is_finite(), "{row:?}");
    }

    notebook.generator("sorting::nearly_sorted").await?;
    notebook.vary("disorder").await?;
    notebook.type_into("size", "value", "400").await?;
    let rows = notebook.measure().await?;
    assert_eq!((numbers(&rows).first(), numbers(&rows).last()), (Some(&0.0), Some(&50.0)), "another axis");
    assert!(rows.iter().all(|row| row.failed.is_none()), "{rows:?}");
    notebook.close().await
}

/// The last priority measures in fresh workers, each with a module of its own.
#[tokio::test]
async fn the_last_priority_measures_in_several_workers() -> Result<()> {
    let _turn = turn().await;
    let mut qualities = qualities(5_000.0);
    qualities[3]["processes"] = json!(3);
    let site = with_notebook(&json!({ "suites": ["suites/demo.wasm"], "qualities": qualities }));
    let notebook = Notebook::open(site).await?;
    const COUNT_WORKERS: &str = "
        window.workers = 0;
        window.Worker = class extends Worker { constructor(...all) { super(...all); window.workers += 1; } };";
    notebook.browser.client.execute(COUNT_WORKERS, Vec::new()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.compare("sorting::sort_stable").await?;
    let rows = notebook.measure().await?;
    assert!(rows.iter().all(|row| row.priority == "4" && row.failed.is_none()), "{rows:?}");
    assert!(rows.iter().any(|row| row.ratio.is_some()), "{rows:?}");
    assert_eq!(notebook.browser.value("window.workers").await?, json!(3));
    notebook.click("tab-samples").await?;
    let caption = notebook.browser.value("document.querySelector('[data-test=samples] p').textContent").await?;
    assert!(caption.as_str().context("no caption")?.contains(", in 3 processes"), "{caption}");
    assert_eq!(notebook.texts("one-process").await?, [""; 0]);
    notebook.close().await
}

/// Measures a function of the fixture `misbehaving`, which succeeds for sizes up to 5, also after another one has failed,
/// and fails from 10 on.
async fn assert_fails(notebook: &Notebook, function: &str, generator: Option<&str>, expected: &str) -> Result<()> {
    notebook.choose(function).await?;
    if let Some(generator) = generator {
        notebook.generator(generator).await?;
    }
    let rows = notebook.measure().await.with_context(|| format!("measuring {function}"))?;
    for row in &rows {
        let size: f64 = row.x.parse()?;
        match &row.failed {
            None => assert!(size < 10.0, "{function} at {size} has figures: {row:?}"),
            Some(reason) => {
                assert!(size >= 10.0, "{function} failed at {size}: {reason}");
                assert!(
                    reason.contains(expected) || reason.starts_with("skipped: it timed out"),
                    "{function}: {reason}"
                );
            }
        }
    }
    assert!(rows.iter().any(|row| row.failed.is_some()) && rows.iter().any(|row| row.failed.is_none()), "{rows:?}");
    let texts = notebook.texts("problem").await?;
    assert!(texts.iter().any(|problem| problem.contains(expected)), "{function}: {texts:?}");
    Ok(())
}

#[tokio::test]
async fn failures_are_reported_per_point_and_the_page_recovers() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(misbehaving(5_000.0)?).await?;
    let table = [
        ("functions::panics", None, "is too much for me"),
        ("functions::traps", None, "unreachable"),
        ("functions::recurs", None, "call stack"),
        ("functions::exhausts", None, "out of memory"),
        ("generators::takes", Some("generators::panics_later"), "the generator panicked"),
        ("generators::takes", Some("generators::panics_after_a_call"), "a hook of the generator panicked"),
    ];
    for (function, generator, expected) in table {
        assert_fails(&notebook, function, generator, expected).await?;
        if function == "functions::panics" {
            for tab in ["table", "plot"] {
                notebook.click(&format!("tab-{tab}")).await?;
                notebook.assert_accessible(&format!("failed points, {tab}")).await?;
            }
        }
    }
    notebook.choose("functions::well").await?;
    notebook.compare("functions::panics").await?;
    let rows = notebook.measure().await?;
    let (well, panics): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.path == "functions::well");
    assert!(well.iter().all(|row| row.failed.is_none()), "{well:?}");
    assert!(panics.iter().any(|row| row.failed.is_some()) && panics.iter().any(|row| row.mean.is_some()), "{panics:?}");
    notebook.close().await
}

#[tokio::test]
async fn endless_calls_time_out_and_the_next_points_are_skipped() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(misbehaving(1_000.0)?).await?;
    assert_fails(&notebook, "functions::hangs", None, "timed out").await?;
    notebook.hover((0.97, 0.5)).await?;
    notebook.until_text("reading", "skipped: it timed out").await?;
    notebook.close().await
}
