//! The samples of a point: in order, as a histogram, and as text.

use anyhow::{Context, Result};
use benchbook_host::units::count;
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::sites::demo;
use fantoccini::Locator;
use fantoccini::key::Key;

/// Opens the page, measures one function, or compares it with another, and shows the samples.
async fn open_samples(compared_with: Option<&str>) -> Result<Notebook> {
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.type_into("size", "high", "3000").await?;
    if let Some(other) = compared_with {
        notebook.compare(other).await?;
    }
    notebook.measure().await?;
    notebook.click("tab-samples").await?;
    Ok(notebook)
}

/// The lines of the text of samples, and the number of those from the warm-up.
async fn text(notebook: &Notebook) -> Result<(Vec<String>, usize)> {
    let text = notebook.browser.value("document.querySelector('[data-test=raw-samples]').value").await?;
    let lines: Vec<String> = text.as_str().context("not a text")?.lines().map(str::to_owned).collect();
    let warm_up = lines.iter().filter(|line| line.ends_with(" w")).count();
    Ok((lines, warm_up))
}

#[tokio::test]
async fn plots_and_text_contain_the_same_samples() -> Result<()> {
    let _turn = turn().await;
    let notebook = open_samples(Some("sorting::sort_stable")).await?;
    let counts = "[...document.querySelectorAll('[data-test=table] tbody tr')].map(row => [row.dataset.path, row.dataset.x, Number(row.cells[9].textContent.replace(/[^0-9]/g, ''))])";
    let counts: Vec<(String, String, usize)> = serde_json::from_value(notebook.browser.value(counts).await?)?;
    let select = notebook.browser.client.find(Locator::Css("[data-test=point]")).await?;
    let mut most_warm_up = 0;
    for (ordinal, path) in [(0, "sorting::sort_unstable"), (1, "sorting::sort_stable")] {
        select.select_by_value(&format!("{ordinal} 3000")).await?;
        let (lines, warm_up) = text(&notebook).await?;
        let counted = counts.iter().find(|(p, x, _)| p == path && x == "3000").context("no row")?.2;
        assert_eq!(lines.len() - warm_up, counted, "{path}");
        most_warm_up = most_warm_up.max(warm_up);
        let in_order = format!("{} samples in measurement order, {warm_up} of them warm-up", count(lines.len() as u64));
        assert!(notebook.chart_label("in-order").await?.starts_with(&in_order), "{in_order}");
        let histogram = format!("Histogram of {} samples, without warm-up", count(counted as u64));
        assert!(notebook.chart_label("histogram").await?.starts_with(&histogram), "{histogram}");
    }
    // If one function's batches are lengthened to compare it with the other, its warm-up is discarded; the other's is not.
    assert!(most_warm_up > 0);
    notebook.close().await
}

/// Whether a line starts with a time and its unit, or with a range of times.
fn is_time(line: &str) -> bool {
    let time = line.split(": ").next().and_then(|times| times.split(' ').next_back()).unwrap_or_default();
    time.split_once('\u{202f}')
        .is_some_and(|(digits, unit)| digits.parse::<f64>().is_ok() && ["ns", "µs", "ms", "s"].contains(&unit))
}

#[tokio::test]
async fn samples_can_be_zoomed_moved_and_read() -> Result<()> {
    let _turn = turn().await;
    let notebook = open_samples(None).await?;
    let client = &notebook.browser.client;
    for chart in ["in-order", "histogram"] {
        let canvas = client.find(Locator::Css(&format!("[data-test={chart}] canvas"))).await?;
        canvas.send_keys("+").await?;
        notebook.until_zoomed(chart, true).await?;
        if chart == "in-order" {
            let zoomed = notebook.visible_in(chart).await?;
            canvas.send_keys(&char::from(Key::Right).to_string()).await?;
            let moved = notebook.visible_in(chart).await?;
            assert!(moved.x.0 > zoomed.x.0 && moved.x.1 > zoomed.x.1, "to the right: {moved:?} from {zoomed:?}");
            assert_eq!(moved.y, zoomed.y, "the times have moved");
        }
        canvas.send_keys("0").await?;
        notebook.until_zoomed(chart, false).await?;
        canvas.send_keys(".").await?;
        let lines = format!(
            "[...document.querySelectorAll('[data-test={chart}] [data-test=reading] p')].map(line => line.textContent)"
        );
        let text: Vec<String> = serde_json::from_value(notebook.browser.value(&lines).await?)?;
        assert!(text.iter().any(|line| line.contains("sample")), "{chart}: {text:?}");
        assert!(text.iter().any(|line| is_time(line)), "{chart}: {text:?}");
        let is_warm_up = text.iter().any(|line| line == "warm-up");
        assert_eq!(is_warm_up, chart == "in-order", "the first sample is from the warm-up: {text:?}");
    }
    notebook.close().await
}

#[tokio::test]
async fn a_link_shows_the_samples_of_a_point() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.visit("suite=demo&function=sorting::sort_unstable&arg.size=100..3000&view=samples&point=0,3000").await?;
    notebook.browser.until("document.querySelector('[data-test=cell]')").await?;
    notebook.measure().await?;
    let seen = "(panel => !panel.hidden && panel.querySelector('[data-test=point]').value)(document.querySelector('[data-test=panel-samples]'))";
    assert_eq!(notebook.browser.value(seen).await?, "0 3000");
    notebook.close().await
}
