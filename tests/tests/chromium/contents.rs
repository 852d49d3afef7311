//! The contents on a phone: a sheet with the outline and the list of functions.

use anyhow::Result;
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::{Notebook, PHONE};
use benchbook_tests::sites::misbehaving;
use fantoccini::key::Key;

const HANGING: &str = "functions::hangs";

/// Waits until the sheet is open, or until it is closed. The document does not change then, so this polls.
async fn until_open(notebook: &Notebook, is_open: bool) -> Result<()> {
    let shown = "document.querySelector('[data-test=contents-sheet]').matches(':popover-open')";
    notebook.browser.until_reloaded(&format!("{shown} === {is_open}")).await
}

async fn assert_focus_on(notebook: &Notebook, test: &str) -> Result<()> {
    assert_eq!(notebook.browser.value("document.activeElement.dataset.test").await?, test);
    Ok(())
}

#[tokio::test]
async fn a_button_opens_the_contents_and_choosing_an_entry_closes_them() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(misbehaving(600_000.0)?).await?;
    let is_shown = "document.querySelector('[data-test=contents-sheet]').offsetHeight > 0";
    assert_eq!(notebook.browser.value(is_shown).await?, true, "the sidebar of a wide screen");
    notebook.browser.resize(PHONE.0, PHONE.1).await?;
    assert_eq!(notebook.browser.value(is_shown).await?, false, "the notebook has the whole screen");

    notebook.click("contents").await?;
    until_open(&notebook, true).await?;
    notebook.assert_accessible("the contents on a phone").await?;
    let width = "document.querySelector('[data-test=contents-sheet]').getBoundingClientRect().width < innerWidth";
    assert_eq!(notebook.browser.value(width).await?, true, "the notebook remains visible next to the sheet");
    notebook.click("close-contents").await?;
    until_open(&notebook, false).await?;

    notebook.choose(HANGING).await?;
    until_open(&notebook, false).await?;
    notebook.click("contents").await?;
    notebook.browser.click("[data-test=outline-item] button").await?;
    until_open(&notebook, false).await?;
    notebook.assert_accessible("a cell on a phone").await?;
    notebook.close().await
}

#[tokio::test]
async fn the_contents_work_by_keys_and_escape_closes_them_first() -> Result<()> {
    let _turn = turn().await;
    // This function hangs, so the measurement continues.
    let notebook = Notebook::open(misbehaving(600_000.0)?).await?;
    notebook.browser.resize(PHONE.0, PHONE.1).await?;
    notebook.choose(HANGING).await?;
    notebook.click("measure").await?;
    notebook.until_state("measuring").await?;

    let focus = "document.querySelector('[data-test=contents]').focus()";
    notebook.browser.client.execute(focus, Vec::new()).await?;
    notebook.press(Key::Enter).await?;
    until_open(&notebook, true).await?;
    notebook.press(Key::Tab).await?;
    let is_inside = "document.activeElement.closest('[data-test=contents-sheet]') !== null";
    assert_eq!(notebook.browser.value(is_inside).await?, true, "Tab reaches the sheet next");
    notebook.press(Key::Escape).await?;
    until_open(&notebook, false).await?;
    assert_focus_on(&notebook, "contents").await?;
    assert_eq!(notebook.data("progress").await?["state"], "measuring", "Escape closes the sheet only");

    notebook.find("body").await?.send_keys("/").await?;
    until_open(&notebook, true).await?;
    assert_focus_on(&notebook, "search").await?;
    notebook.browser.client.active_element().await?.send_keys("panics").await?;
    notebook.press(Key::Enter).await?;
    until_open(&notebook, false).await?;
    notebook.browser.until("document.querySelector('[data-current]').dataset.path === 'functions::panics'").await?;
    notebook.close().await
}
