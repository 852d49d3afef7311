//! What disturbs the machine is told: tried for real.

use std::time::Duration;

use anyhow::Result;
use benchbook_tests::browser::turn;
use benchbook_tests::debugger::attach_to_worker;
use benchbook_tests::disturb::{Disturbance, neighbours, pulses};
use benchbook_tests::notebook::Notebook;
use benchbook_tests::server::Site;
use benchbook_tests::sites::with_notebook;
use serde_json::{Value, json};

/// Two points of half a second and more at each priority, which no precision ends early.
fn site() -> Site {
    let quality = json!({
        "points": 2,
        "precision": 0.01,
        "point_ms": 500.0,
        "warm_up": { "at_least": 5, "at_most": 100, "ms": 50.0 },
        "samples": { "at_least": 4_999, "at_most": 5_000 },
        "processes": 1,
    });
    with_notebook(&json!({ "suites": ["suites/demo.wasm"], "qualities": vec![quality; 4] }))
}

/// What is told of a function that is measured under a disturbance, and the medians of its points.
async fn told(disturb: impl AsyncFnOnce(&Notebook) -> Result<Option<Disturbance>>) -> Result<(String, Vec<f64>)> {
    let notebook = Notebook::open(site()).await?;
    notebook.choose("numbers::sum").await?;
    let disturbance = disturb(&notebook).await?;
    let rows = notebook.measure().await?;
    drop(disturbance);
    let medians = rows.iter().filter_map(|row| row.median.as_deref()?.parse().ok()).collect();
    let warnings: Value =
        notebook.browser.value("document.querySelector('[data-test=warnings]')?.innerText ?? ''").await?;
    notebook.close().await?;
    Ok((warnings.as_str().unwrap_or_default().to_owned(), medians))
}

/// What is said of samples during which something else had the processor.
const INTERRUPTED: &str = "Something else had the processor for";

#[tokio::test]
async fn a_neighbour_that_burns_all_cores_is_told() -> Result<()> {
    let _turn = turn().await;
    let cores = std::thread::available_parallelism()?.get();
    let (warnings, medians) = told(async |_| Ok(Some(neighbours(2 * cores)))).await?;
    assert!(warnings.contains(INTERRUPTED) && warnings.contains("close what else is running"), "{warnings}");
    assert_eq!(medians.len(), 2, "there are figures all the same");
    Ok(())
}

/// As where a person has the developer tools open, and looks at the worker.
#[tokio::test]
async fn developer_tools_that_are_attached_to_the_worker_are_told() -> Result<()> {
    let _turn = turn().await;
    let (warnings, _) = told(async |notebook| {
        attach_to_worker(&notebook.browser).await?;
        Ok(None)
    })
    .await?;
    assert!(
        warnings.contains("slow code") && warnings.contains("Close them, reload, and measure again."),
        "{warnings}"
    );
    Ok(())
}

#[tokio::test]
async fn good_code_is_not_told_to_be_slow() -> Result<()> {
    let _turn = turn().await;
    let (warnings, medians) = told(async |_| Ok(None)).await?;
    assert!(!warnings.contains("slow code"), "{warnings}");
    assert_eq!(medians.len(), 2);
    Ok(())
}

/// As where a laptop sleeps, a debugger stops the browser, or a virtual machine is not scheduled.
#[tokio::test]
async fn a_browser_that_is_stopped_time_and_again_is_told() -> Result<()> {
    let _turn = turn().await;
    let (_, undisturbed) = told(async |_| Ok(None)).await?;
    let (warnings, medians) = told(async |notebook| {
        let renderers = notebook.browser.renderers()?;
        assert!(!renderers.is_empty(), "the page runs in a process of its own");
        Ok(Some(pulses(renderers, Duration::from_millis(30), Duration::from_millis(120))))
    })
    .await?;
    assert!(warnings.contains(INTERRUPTED), "{warnings}");
    assert_eq!((medians.len(), undisturbed.len()), (2, 2), "{medians:?} {undisturbed:?}");
    // One sample in hundreds is struck: the median does not see it.
    for (median, undisturbed) in medians.iter().zip(&undisturbed) {
        assert!(median / undisturbed < 2.0, "{medians:?} beside {undisturbed:?}");
    }
    Ok(())
}
