//! The history of a function in the page: its steps, the curves on both sides, and a link for each view.

use anyhow::{Context, Result};
use benchbook_tests::accepted_history::{FUNCTION, accepted_history, first_after_step, write_history};
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::runner_site::RunnerSite;
use benchbook_tests::suites;
use fantoccini::Locator;
use fantoccini::key::Key;
use tempfile::TempDir;

/// A phone in portrait orientation.
const PHONE: (u32, u32) = (390, 844);

/// A runner with a history. Returns it with the folder of the results.
fn start() -> Result<(RunnerSite, TempDir)> {
    let folder = tempfile::tempdir()?;
    write_history(folder.path(), &accepted_history())?;
    std::fs::write(folder.path().join("damaged.json"), "{")?;
    let runner = RunnerSite::start(&suites::demo()?, 5, &["--history", &folder.path().to_string_lossy()])?;
    Ok((runner, folder))
}

/// The texts of the answers, with ordinary spaces.
async fn answers(notebook: &Notebook) -> Result<Vec<String>> {
    let texts = notebook.texts("history-answer").await?;
    Ok(texts.into_iter().map(|text| text.replace('\u{202f}', " ")).collect())
}

async fn until_shown(notebook: &Notebook, test: &str) -> Result<()> {
    notebook.browser.until(&format!("document.querySelector('[data-test={test}]')")).await
}

#[tokio::test]
async fn a_step_opens_the_curves_on_both_sides_and_has_a_link() -> Result<()> {
    let _turn = turn().await;
    let (runner, _folder) = start()?;
    let results = accepted_history();
    let id = first_after_step(&results).context("there is a step")?.id();
    let notebook = runner.open().await?;
    notebook.choose(FUNCTION).await?;
    until_shown(&notebook, "open-history").await?;
    notebook.click("open-history").await?;
    until_shown(&notebook, "history-table").await?;
    let [latest, other] = &answers(&notebook).await?[..] else { panic!("an answer for each machine") };
    assert_eq!(
        latest,
        "AMD EPYC 9R14: sort_stable has become 12 % slower at size 100 000 with 77c0a41f on 3 March 2026."
    );
    assert!(other.starts_with("Neoverse V2: sort_stable takes ") && other.contains("no step in 5"), "{other}");
    assert!(notebook.texts("history-warning").await?.concat().contains("damaged.json was ignored"));
    // The table has the plotted values, and the plot a link at the step.
    let rows = "document.querySelectorAll('[data-test=history-table] tbody tr').length";
    assert_eq!(notebook.browser.value(rows).await?, 25);
    let steps =
        "[...document.querySelectorAll('[data-test=history-table] [data-step]')].map(row => row.dataset.id).join()";
    assert_eq!(notebook.browser.value(steps).await?, id.as_str());
    notebook.assert_accessible("history").await?;

    // Enter on the mark in the plot.
    let mark = notebook.browser.client.find(Locator::Css("[data-test=chart-mark]")).await?;
    mark.send_keys(&Key::Enter.to_string()).await?;
    until_shown(&notebook, "sides-table").await?;
    let ratios = "[...document.querySelectorAll('[data-test=sides-table] tbody tr')].map(row => \
        [row.dataset.x, Math.round(100 * row.dataset.ratio)].join(' ')).join()";
    let expected = "1000 103,10000 108,100000 112";
    assert_eq!(notebook.browser.value(ratios).await?, expected);
    notebook.assert_accessible("sides of a step").await?;
    notebook.browser.resize(PHONE.0, PHONE.1).await?;
    notebook.assert_accessible("sides of a step on a phone").await?;
    let is_wide = "document.documentElement.scrollWidth > innerWidth";
    assert_eq!(notebook.browser.value(is_wide).await?, false, "the page scrolls sideways");

    // The link opens the same view, and so does the one at another axis value.
    let link = notebook.fragment().await?;
    assert!(link.contains("at=100000") && link.contains(&format!("step={id}")), "{link}");
    runner.go(&notebook, &link).await?;
    until_shown(&notebook, "sides-table").await?;
    assert_eq!(notebook.browser.value(ratios).await?, expected);
    runner.go(&notebook, &link.replace("at=100000", "at=1000")).await?;
    until_shown(&notebook, "history-at").await?;
    assert_eq!(notebook.browser.value("document.querySelector('[data-test=history-at]').value").await?, "1000");
    notebook.close().await
}

#[tokio::test]
async fn back_returns_from_a_step_to_the_history_and_to_the_cell() -> Result<()> {
    let _turn = turn().await;
    let (runner, _folder) = start()?;
    let notebook = runner.open().await?;
    notebook.choose(FUNCTION).await?;
    until_shown(&notebook, "open-history").await?;
    notebook.click("open-history").await?;
    until_shown(&notebook, "step").await?;
    notebook.click("step").await?;
    until_shown(&notebook, "history-sides").await?;
    let client = &notebook.browser.client;
    client.back().await?;
    notebook.browser.until("!document.querySelector('[data-test=history-sides]')").await?;
    until_shown(&notebook, "history-table").await?;
    client.back().await?;
    until_shown(&notebook, "cell").await?;
    assert_eq!(notebook.data("cell").await?["path"], FUNCTION);
    notebook.close().await
}
