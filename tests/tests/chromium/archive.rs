//! The archive of a runner in the page: each of its views has a link.

use anyhow::{Context, Result};
use benchbook_host::api::MeasureResponse;
use benchbook_host::response::Outcome;
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::runner_site::RunnerSite;
use benchbook_tests::suites;
use serde_json::json;

const SORT: &str = "sorting::sort_unstable";
const STABLE: &str = "sorting::sort_stable";
const OF_SORT: &str = "archive=all&suite=demo&function=sorting::sort_unstable";
const OF_KEYS: &str = "archive=all&suite=demo&function=sorting::sort_unstable&generator=sorting::keys";

/// Measures functions through the runner's API, which stores the result.
async fn measure(runner: &RunnerSite, functions: &[&str]) -> Result<MeasureResponse> {
    let request = json!({
        "suite": "demo", "functions": functions, "generator": "sorting::keys",
        "arguments": { "size": { "low": 100, "high": 300 }, "spread": "Random" },
        "priority": 1, "client": "a-script", "seed": 1,
    });
    let response = runner.program.post("measure").json(&request).send().await?.error_for_status()?;
    response.json().await.context("parsing the response")
}

/// Waits until the archive shows the view with this heading.
async fn until_at(notebook: &Notebook, name: &str) -> Result<()> {
    let heading = "document.querySelector('[data-test=archive] h1')?.textContent";
    notebook
        .browser
        .until(&format!("{heading} === '{name}' && !document.querySelector('[data-test=archive-status]')"))
        .await
}

/// The rows of a list: names and links.
async fn list(notebook: &Notebook) -> Result<Vec<(String, String)>> {
    let rows = "[...document.querySelectorAll('[data-test=stored] a')].map(a => [a.textContent, a.hash.slice(1)])";
    Ok(serde_json::from_value(notebook.browser.value(rows).await?)?)
}

/// Follows the first link of the list.
async fn follow_first(notebook: &Notebook) -> Result<()> {
    notebook.click("stored] a[href").await
}

/// The number of samples in the plot of samples.
async fn drawn_samples(notebook: &Notebook) -> Result<u64> {
    let drawn =
        "document.querySelector('[data-test=in-order] canvas')?.ariaLabel.split(' samples')[0].replace(/\\D/g, '')";
    notebook.browser.until(&format!("Number({drawn}) > 0")).await?;
    let count = notebook.browser.value(&format!("Number({drawn})")).await?;
    count.as_f64().map(|count| count as u64).context("not a number")
}

#[tokio::test]
async fn links_open_every_view() -> Result<()> {
    let _turn = turn().await;
    let runner = RunnerSite::start(&suites::demo()?, 5, &[])?;
    let response = measure(&runner, &[SORT, STABLE]).await?;
    let id = *response.results.first().context("no stored result")?;
    let notebook = runner.open().await?;

    runner.go(&notebook, "archive=all").await?;
    until_at(&notebook, "Stored results").await?;
    let names: Vec<String> = list(&notebook).await?.into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["demo::sorting::sort_stable", "demo::sorting::sort_unstable"]);
    notebook.assert_accessible("the archive").await?;
    runner.go(&notebook, OF_SORT).await?;
    until_at(&notebook, "demo::sorting::sort_unstable").await?;
    assert_eq!(list(&notebook).await?, [("sorting::keys".to_owned(), OF_KEYS.to_owned())]);
    runner.go(&notebook, OF_KEYS).await?;
    until_at(&notebook, "sorting::keys").await?;
    assert_eq!(list(&notebook).await?, [(format!("result {id}"), format!("archive={id}"))]);

    // A result shows the measured figures unchanged.
    runner.go(&notebook, &format!("archive={id}")).await?;
    until_at(&notebook, &format!("result {id}")).await?;
    let rows = notebook.rows().await?;
    assert_eq!(rows.len(), response.points.len());
    for point in &response.points {
        let Outcome::Measured(measured) = &point.outcome else { panic!("not measured: {point:?}") };
        let row = rows.iter().find(|row| row.path == point.function && row.x == point.x.to_string());
        let mean: f64 = row.and_then(|row| row.mean.as_deref()).context("no mean")?.parse()?;
        assert_eq!(mean, measured.summary.mean, "{point:?}");
    }

    notebook.click("runner").await?;
    notebook.assert_accessible("a stored result, and the choice of a runner").await?;

    // The raw samples of one point.
    let point =
        response.points.iter().rfind(|point| point.function == STABLE).context("a point of the second function")?;
    let Outcome::Measured(measured) = &point.outcome else { panic!("not measured: {point:?}") };
    let samples: usize = measured.runs.iter().map(|run| run.samples.len()).sum();
    runner.go(&notebook, &format!("archive={id}&view=samples&point=1,{}", point.x)).await?;
    assert_eq!(drawn_samples(&notebook).await?, samples as u64);
    notebook.assert_accessible("stored samples").await?;

    // An unknown result is reported.
    runner.go(&notebook, "archive=4711").await?;
    notebook.until_text("archive-status", "There is no result 4711").await?;
    notebook.close().await
}

#[tokio::test]
async fn history_includes_the_archive() -> Result<()> {
    let _turn = turn().await;
    let runner = RunnerSite::start(&suites::demo()?, 5, &[])?;
    let response = measure(&runner, &[SORT]).await?;
    let id = response.results.first().context("no stored result")?;
    let (result, notebook) = (format!("result {id}"), runner.open().await?);
    notebook.click("runner").await?;
    notebook.click("open-archive").await?;
    let way = ["Stored results", "demo::sorting::sort_unstable", "sorting::keys", &result];
    for name in &way[..3] {
        until_at(&notebook, name).await?;
        follow_first(&notebook).await?;
    }
    until_at(&notebook, &result).await?;
    let client = &notebook.browser.client;
    for name in way[..3].iter().rev() {
        client.back().await?;
        until_at(&notebook, name).await?;
        assert!(!list(&notebook).await?.is_empty());
    }
    client.back().await?;
    notebook.until_shown("start").await?;
    for name in way {
        client.forward().await?;
        until_at(&notebook, name).await?;
    }
    // Changing the tab does not add an entry to the history.
    notebook.click("tab-samples").await?;
    drawn_samples(&notebook).await?;
    client.back().await?;
    until_at(&notebook, "sorting::keys").await?;
    // "Again" leads from a result to a new measurement; the browser's back button leads back.
    client.forward().await?;
    notebook.until_shown("again").await?;
    notebook.click("again").await?;
    notebook.browser.until(&format!("document.querySelector(\"[data-test=cell][data-path='{SORT}']\")")).await?;
    client.back().await?;
    until_at(&notebook, &result).await?;
    notebook.close().await
}
