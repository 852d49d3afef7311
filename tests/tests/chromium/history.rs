//! The history of a function in the page: its steps, the curves on both sides, and a link for each view. The results are those of a
//! runner, or files of a hosted page.

use anyhow::{Context, Result, ensure};
use benchbook_tests::accepted_history::{FUNCTION, accepted_history, first_after_step, site_files, write_history};
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::{Notebook, PHONE};
use benchbook_tests::runner_site::RunnerSite;
use benchbook_tests::server::{ServedFile, Site};
use benchbook_tests::sites::{qualities, with_notebook};
use benchbook_tests::suites;
use fantoccini::Locator;
use fantoccini::key::Key;
use serde_json::json;

/// The texts of the answers, with ordinary spaces.
async fn answers(notebook: &Notebook) -> Result<Vec<String>> {
    let texts = notebook.texts("history-answer").await?;
    Ok(texts.into_iter().map(|text| text.replace('\u{202f}', " ")).collect())
}

/// A hosted page whose folder of accepted results has these files.
fn site(files: Vec<(String, ServedFile)>) -> Site {
    let config = json!({ "suites": ["suites/demo.wasm"], "history": "history/", "qualities": qualities(5_000.0) });
    Site { files, ..with_notebook(&config) }
}

#[tokio::test]
async fn a_step_opens_the_curves_on_both_sides_and_has_a_link() -> Result<()> {
    let _turn = turn().await;
    let folder = tempfile::tempdir()?;
    write_history(folder.path(), &accepted_history())?;
    std::fs::write(folder.path().join("damaged.json"), "{")?;
    let runner = RunnerSite::start(&suites::demo()?, 5, &["--history", &folder.path().to_string_lossy()])?;
    let notebook = runner.open().await?;
    assert_history(&notebook, &["damaged.json was ignored"], "").await?;
    notebook.close().await
}

#[tokio::test]
async fn a_hosted_page_shows_its_own_results_as_those_of_a_runner() -> Result<()> {
    let _turn = turn().await;
    let files = site_files(accepted_history())?.into_iter().map(|(name, text)| (name, ServedFile::Text(text)));
    let notebook = Notebook::open(site(files.collect())).await?;
    assert_history(&notebook, &[], " on a hosted page").await?;
    notebook.close().await
}

/// Opens the history from the cell of its function, a step from the plot, and the links to both.
async fn assert_history(notebook: &Notebook, warnings: &[&str], place: &str) -> Result<()> {
    let results = accepted_history();
    let id = first_after_step(&results).context("there is a step")?.id();
    notebook.choose(FUNCTION).await?;
    notebook.until_shown("open-history").await?;
    notebook.click("open-history").await?;
    notebook.until_shown("history-table").await?;
    let [latest, other] = &answers(notebook).await?[..] else { panic!("an answer for each machine") };
    assert_eq!(
        latest,
        "AMD EPYC 9R14: sort_stable has become 12% slower at size 100 000 with 77c0a41f on 3 March 2026."
    );
    assert!(other.starts_with("Neoverse V2: sort_stable takes ") && other.contains("no step in 5"), "{other}");
    let shown = notebook.texts("history-warning").await?;
    assert!(
        shown.len() == warnings.len() && shown.iter().zip(warnings).all(|(shown, part)| shown.contains(part)),
        "{shown:?}"
    );
    // The table has the plotted values, and the plot a link at the step.
    let rows = "document.querySelectorAll('[data-test=history-table] tbody tr').length";
    assert_eq!(notebook.browser.value(rows).await?, 25);
    let steps =
        "[...document.querySelectorAll('[data-test=history-table] [data-step]')].map(row => row.dataset.id).join()";
    assert_eq!(notebook.browser.value(steps).await?, id.as_str());
    notebook.assert_accessible(&format!("history{place}")).await?;

    // Enter on the mark in the plot.
    let mark = notebook.browser.client.find(Locator::Css("[data-test=chart-mark]")).await?;
    mark.send_keys(&Key::Enter.to_string()).await?;
    notebook.until_shown("sides-table").await?;
    let ratios = "[...document.querySelectorAll('[data-test=sides-table] tbody tr')].map(row => \
        [row.dataset.x, Math.round(100 * row.dataset.ratio)].join(' ')).join()";
    let expected = "1000 103,10000 108,100000 112";
    assert_eq!(notebook.browser.value(ratios).await?, expected);

    // Back returns to the history and to the cell.
    let client = &notebook.browser.client;
    client.back().await?;
    notebook.browser.until("!document.querySelector('[data-test=history-sides]')").await?;
    notebook.until_shown("history-table").await?;
    client.back().await?;
    notebook.until_shown("cell").await?;
    assert_eq!(notebook.data("cell").await?["path"], FUNCTION);
    client.forward().await?;
    notebook.until_shown("history-table").await?;
    client.forward().await?;
    notebook.until_shown("sides-table").await?;
    notebook.assert_accessible(&format!("sides of a step{place}")).await?;
    notebook.browser.resize(PHONE.0, PHONE.1).await?;
    notebook.assert_accessible(&format!("sides of a step on a phone{place}")).await?;
    let is_wide = "document.documentElement.scrollWidth > innerWidth";
    assert_eq!(notebook.browser.value(is_wide).await?, false, "the page scrolls sideways");

    // The link opens the same view, and so does the one at another axis value.
    let link = notebook.fragment().await?;
    assert!(link.contains("at=100000") && link.contains(&format!("step={id}")), "{link}");
    follow(notebook, &link).await?;
    notebook.until_shown("sides-table").await?;
    assert_eq!(notebook.browser.value(ratios).await?, expected);
    follow(notebook, &link.replace("at=100000", "at=1000")).await?;
    notebook.until_shown("history-at").await?;
    assert_eq!(notebook.browser.value("document.querySelector('[data-test=history-at]').value").await?, "1000");
    Ok(())
}

/// Loads the page again with a fragment.
async fn follow(notebook: &Notebook, fragment: &str) -> Result<()> {
    let page = notebook.browser.value("location.origin + location.pathname").await?;
    let page = page.as_str().context("an address")?.to_owned();
    notebook.browser.client.goto("about:blank").await?;
    Ok(notebook.browser.client.goto(&format!("{page}#{}", fragment.trim_start_matches('#'))).await?)
}

#[tokio::test]
async fn damaged_results_of_a_hosted_page_are_reported_and_the_page_works() -> Result<()> {
    let _turn = turn().await;
    let [list, (name, text)] = <[_; 2]>::try_from(site_files(accepted_history())?).expect("two files");
    let list = (list.0, ServedFile::Text(list.1));
    let link = format!("history=time&suite=demo&function={FUNCTION}");
    // Some of the results, or the whole file.
    let hostile = text.replacen("\"first results\"", "\"<img src=x onerror='self.attacked = true'>\"", 1);
    let hostile = hostile.replacen("\"measured\":", "\"measured\":-", 1);
    let files = [
        (ServedFile::Text(hostile), "history-warning", "was ignored: the time is not a date"),
        (ServedFile::Text(text[..text.len() / 2].to_owned()), "history-status", "it is damaged: EOF"),
        (ServedFile::Bytes(vec![0xff]), "history-status", "not a text in UTF-8"),
        (ServedFile::Endless, "history-status", "exceeds the limit of 32 MiB"),
    ];
    for (file, test, expected) in files {
        let notebook = Notebook::open(site(vec![list.clone(), (name.clone(), file)])).await?;
        follow(&notebook, &link).await?;
        notebook.until_text(test, expected).await?;
        assert_eq!(notebook.browser.value("self.attacked").await?, json!(null));
        notebook.close().await?;
    }
    // The list.
    let list = ("history/functions.json".to_owned(), ServedFile::Text("{}".to_owned()));
    let notebook = Notebook::open(site(vec![list])).await?;
    notebook.until_shown("problem").await?;
    let problem = notebook.texts("problem").await?.concat();
    ensure!(problem.contains("history/functions.json") && problem.contains("it is damaged"), "{problem}");
    notebook.choose(FUNCTION).await?;
    let rows = notebook.measure().await?;
    assert!(rows.iter().all(|row| row.failed.is_none()), "{rows:?}");
    notebook.close().await
}
