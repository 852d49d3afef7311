//! The samples of a point: in order, as a histogram, and as text.

use anyhow::{Context, Result};
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::plot::VisibleRange;
use benchbook_tests::stored_sorts::{COUNTED, SORTS, WARM_UP};
use fantoccini::Locator;
use fantoccini::key::Key;

/// Whether a line starts with a time and its unit, or with a range of times.
fn is_time(line: &str) -> bool {
    let time = line.split(": ").next().and_then(|times| times.split(' ').next_back()).unwrap_or_default();
    time.split_once('\u{202f}')
        .is_some_and(|(digits, unit)| digits.parse::<f64>().is_ok() && ["ns", "µs", "ms", "s"].contains(&unit))
}

#[tokio::test]
async fn plots_and_text_contain_the_same_samples_and_can_be_zoomed_moved_and_read() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open_sorts(&SORTS).await?;
    notebook.click("tab-samples").await?;
    let client = &notebook.browser.client;
    let select = client.find(Locator::Css("[data-test=point]")).await?;
    for ordinal in 0..2 {
        select.select_by_value(&format!("{ordinal} 3000")).await?;
        let time = if ordinal == 0 { 30_000.0 } else { 45_000.0 };
        let text = "document.querySelector('[data-test=raw-samples]').value";
        notebook.browser.until_reloaded(&format!("{text}.startsWith('{:.1} w')", 2.0 * time)).await?;
        let text = notebook.browser.value(text).await?;
        let (warm_up, counted): (Vec<&str>, Vec<&str>) =
            text.as_str().context("not a text")?.lines().partition(|line| line.ends_with(" w"));
        assert_eq!((warm_up.len(), counted.len()), (WARM_UP, COUNTED), "{text}");
        let in_order = format!("{} samples in measurement order, {WARM_UP} of them warm-up", WARM_UP + COUNTED);
        assert!(notebook.chart_label("in-order").await?.starts_with(&in_order), "{in_order}");
        let histogram = format!("Histogram of {COUNTED} samples, without warm-up");
        assert!(notebook.chart_label("histogram").await?.starts_with(&histogram), "{histogram}");
    }
    for chart in ["in-order", "histogram"] {
        let canvas = client.find(Locator::Css(&format!("[data-test={chart}] canvas"))).await?;
        canvas.send_keys("+").await?;
        notebook.until_zoomed(chart, true).await?;
        let label = notebook.chart_label(chart).await?;
        canvas.send_keys(&char::from(Key::Right).to_string()).await?;
        let (zoomed, moved): (VisibleRange, VisibleRange) =
            (label.parse()?, notebook.label_after(chart, &label).await?.parse()?);
        assert!(moved.x.0 > zoomed.x.0 && moved.x.1 > zoomed.x.1, "to the right: {moved:?} from {zoomed:?}");
        assert_eq!(moved.y, zoomed.y, "the vertical axis has moved");
        canvas.send_keys("0").await?;
        notebook.until_zoomed(chart, false).await?;
        canvas.send_keys(".").await?;
        let lines = format!(
            "[...document.querySelectorAll('[data-test={chart}] [data-test=reading] p')].map(line => line.textContent)"
        );
        notebook.browser.until(&format!("{lines}.length > 0")).await?;
        let text: Vec<String> = serde_json::from_value(notebook.browser.value(&lines).await?)?;
        assert!(text.iter().any(|line| line.contains("sample")), "{chart}: {text:?}");
        assert!(text.iter().any(|line| is_time(line)), "{chart}: {text:?}");
        let is_warm_up = text.iter().any(|line| line == "warm-up");
        assert_eq!(is_warm_up, chart == "in-order", "the first sample is from the warm-up: {text:?}");
    }
    notebook.close().await
}
