//! The page reports interference with a measurement. The tests cause real interference; `engine/host/tests/simulated/` simulates it.

use std::time::Duration;

use anyhow::Result;
use benchbook_tests::browser::quiet_turn;
use benchbook_tests::debugger::attach_to_worker;
use benchbook_tests::interference::{Interference, busy_threads, suspend_repeatedly};
use benchbook_tests::notebook::Notebook;
use benchbook_tests::server::Site;
use benchbook_tests::sites::with_notebook;
use serde_json::json;

/// Two points, for at least half a second each at the last priority; no precision target ends them early.
fn site() -> Site {
    let quality = |samples: usize| {
        json!({
            "points": 2,
            "precision": 0.01,
            "point_ms": 500.0,
            "warm_up": { "at_least": 5, "at_most": 100, "ms": 50.0 },
            "samples": { "at_least": samples - 1, "at_most": samples },
            "processes": 1,
        })
    };
    let qualities = [quality(50), quality(50), quality(50), quality(5_000)];
    with_notebook(&json!({ "suites": ["suites/demo.wasm"], "qualities": qualities }))
}

/// Measures a function under interference. Returns the page's report on the quality and the medians of the points.
async fn measure_with(
    interfere: impl AsyncFnOnce(&Notebook) -> Result<Option<Interference>>,
) -> Result<(String, Vec<f64>)> {
    let notebook = Notebook::open(site()).await?;
    notebook.choose("numbers::sum").await?;
    // Calls of a few nanoseconds may take twice as long for other reasons, such as the addresses of loops.
    notebook.type_into("count", "low", "1000").await?;
    let interference = interfere(&notebook).await?;
    let rows = notebook.measure().await?;
    drop(interference);
    let medians = rows.iter().filter_map(|row| row.median.as_deref()?.parse().ok()).collect();
    // With the causes, which the page shows on demand.
    let quality = [notebook.texts("quality").await?, notebook.texts("cause").await?].concat().concat();
    notebook.close().await?;
    Ok((quality, medians))
}

/// A part of the sentence about interrupted samples.
const INTERRUPTED: &str = "interrupted";

#[tokio::test]
#[ignore = "nightly: depends on measured times"]
async fn busy_cores_are_reported() -> Result<()> {
    let _turn = quiet_turn().await;
    let cores = std::thread::available_parallelism()?.get();
    let (warnings, medians) = measure_with(async |_| Ok(Some(busy_threads(2 * cores)))).await?;
    assert!(
        warnings.contains(INTERRUPTED) && warnings.contains("Close other programs, then measure again."),
        "{warnings}"
    );
    assert_eq!(medians.len(), 2, "the figures are shown nevertheless");
    Ok(())
}

/// As if the user had opened the developer tools on the worker.
#[tokio::test]
#[ignore = "nightly: depends on measured times"]
async fn attached_developer_tools_are_reported() -> Result<()> {
    let _turn = quiet_turn().await;
    let (warnings, _) = measure_with(async |notebook| {
        attach_to_worker(&notebook.browser).await?;
        Ok(None)
    })
    .await?;
    assert!(
        warnings.contains("unoptimised code")
            && warnings.contains("Close the developer tools, reload, then measure again."),
        "{warnings}"
    );
    Ok(())
}

/// As if a laptop slept, a debugger stopped the browser, or a virtual machine was descheduled.
#[tokio::test]
#[ignore = "nightly: depends on measured times"]
async fn a_repeatedly_suspended_browser_is_reported() -> Result<()> {
    let _turn = quiet_turn().await;
    let (quality, undisturbed) = measure_with(async |_| Ok(None)).await?;
    assert!(!quality.contains("unoptimised code"), "{quality}");
    let (warnings, medians) = measure_with(async |notebook| {
        let renderers = notebook.browser.renderers()?;
        assert!(!renderers.is_empty(), "no renderer process");
        Ok(Some(suspend_repeatedly(renderers, Duration::from_millis(30), Duration::from_millis(120))))
    })
    .await?;
    assert!(warnings.contains(INTERRUPTED), "{warnings}");
    assert_eq!((medians.len(), undisturbed.len()), (2, 2), "{medians:?} {undisturbed:?}");
    // One in hundreds of samples is affected, so the median is not.
    for (median, undisturbed) in medians.iter().zip(&undisturbed) {
        assert!(median / undisturbed < 2.0, "{medians:?} instead of {undisturbed:?}");
    }
    Ok(())
}
