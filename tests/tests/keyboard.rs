//! The main path, by keyboard alone.

use anyhow::{Context, Result};
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::sites::demo;
use fantoccini::key::Key;

/// Presses Tab until the focus is on what the selector finds.
async fn tab_to(notebook: &Notebook, selector: &str) -> Result<()> {
    for _ in 0..60 {
        notebook.press(Key::Tab).await?;
        let there = notebook.browser.value(&format!("document.activeElement.matches(\"{selector}\")")).await?;
        if there.as_bool() == Some(true) {
            return is_seen(notebook, selector).await;
        }
    }
    anyhow::bail!("Tab does not reach {selector}")
}

/// Whoever moves the focus sees where it is.
async fn is_seen(notebook: &Notebook, selector: &str) -> Result<()> {
    let (_, is_outlined) = notebook.focused().await?;
    anyhow::ensure!(is_outlined, "the focus on {selector} cannot be seen");
    Ok(())
}

async fn type_text(notebook: &Notebook, text: &str) -> Result<()> {
    Ok(notebook.browser.client.active_element().await?.send_keys(text).await?)
}

#[tokio::test]
async fn a_function_is_found_set_measured_and_read() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.browser.until("document.querySelector('[data-test=function]')").await?;
    type_text(&notebook, "/").await?;
    type_text(&notebook, "sort_unst").await?;
    let first = notebook.browser.value("document.querySelector('[data-test=function]').dataset.path").await?;
    assert_eq!(first, "sorting::sort_unstable", "a path that matches comes before docs that do");
    notebook.press(Key::Enter).await?;
    notebook
        .browser
        .until("document.querySelector('[data-test=cell]')?.dataset.path === 'sorting::sort_unstable'")
        .await?;

    tab_to(&notebook, "[data-test=generator]").await?;
    tab_to(&notebook, "[data-name=size] [data-test=axis]").await?;
    tab_to(&notebook, "[data-name=size] [type=range]").await?;
    tab_to(&notebook, "[data-name=size] [data-test=high]").await?;
    type_text(&notebook, &format!("{}3k", Key::Control + "a" + &char::from(Key::Null).to_string())).await?;
    tab_to(&notebook, "[data-name=spread] input").await?;
    notebook.press(Key::Right).await?;
    tab_to(&notebook, "[data-test=compare]").await?;
    // The first entry is all alternatives, the second one of them.
    for _ in 0..2 {
        notebook.press(Key::Down).await?;
    }
    assert!(notebook.texts("partner").await?.is_empty(), "choosing is not adding");
    tab_to(&notebook, "[data-test=compare-add]").await?;
    notebook.press(Key::Enter).await?;
    assert_eq!(notebook.texts("partner").await?.len(), 1);
    tab_to(&notebook, "[data-test=measure]").await?;
    notebook.press(Key::Enter).await?;
    notebook.until_state("done").await?;
    assert!(notebook.texts("caption").await?[0].contains("size 1\u{202f}000 to 3\u{202f}000, spread Sorted"));

    tab_to(&notebook, "[data-test=tab-plot]").await?;
    tab_to(&notebook, "[data-test=show-mean]").await?;
    tab_to(&notebook, "[data-test=plot] canvas").await?;
    type_text(&notebook, ".").await?;
    assert!(!notebook.texts("reading").await?.is_empty());
    notebook.close().await
}

#[tokio::test]
async fn measure_stop_and_help_have_keys() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("numbers::sum").await?;
    type_text(&notebook, "?").await?;
    notebook.browser.until("document.querySelector('[data-test=help-text][open]')").await?;
    let told = notebook.texts("help-text").await?.remove(0);
    for word in ["Keys", "find a function", "Priorities", "quartile", "WebAssembly", "unpaired"] {
        assert!(told.to_lowercase().contains(&word.to_lowercase()), "{word}: {told}");
    }
    notebook.press(Key::Escape).await?;
    notebook.browser.until("!document.querySelector('[data-test=help-text]')").await?;
    type_text(&notebook, &(Key::Control + &char::from(Key::Enter).to_string() + &char::from(Key::Null).to_string()))
        .await?;
    notebook.until_state("measuring").await?;
    notebook.press(Key::Escape).await?;
    notebook.until_state("stopped").await?;
    notebook.close().await
}

#[tokio::test]
async fn keys_end_what_is_nearest() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("numbers::sum").await?;
    // A dialog has its own keys, and gives the focus back.
    notebook.browser.client.execute("document.querySelector('[data-test=measure]').focus()", Vec::new()).await?;
    type_text(&notebook, "?").await?;
    notebook.browser.until("document.querySelector('[data-test=help-text][open]')").await?;
    // The button that has the focus would take the key: so it goes to the dialog itself.
    let enter = "document.querySelector('dialog').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }))";
    notebook.browser.client.execute(enter, Vec::new()).await?;
    assert_eq!(notebook.data("progress").await?["state"], "idle", "what lies behind a dialog is not reached");
    type_text(&notebook, "?").await?;
    notebook.browser.until("!document.querySelector('[data-test=help-text]')").await?;
    notebook.browser.until("document.activeElement.dataset.test === 'measure'").await?;

    notebook.click("measure").await?;
    notebook.until_state("measuring").await?;
    notebook.click("clock").await?;
    notebook.press(Key::Escape).await?;
    notebook.browser.until("!document.querySelector('[data-test=clock]').open").await?;
    notebook.find_function("sum").await?;
    notebook.press(Key::Escape).await?;
    assert_ne!(notebook.data("progress").await?["state"], "stopped", "a card and a search come first");
    notebook.click("stop").await?;
    notebook.until_state("stopped").await?;
    notebook.browser.until("document.activeElement.dataset.test === 'measure'").await?;
    notebook.close().await
}

#[tokio::test]
async fn the_search_finds_by_path_by_suite_and_by_docs() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    let all = notebook.texts("function").await?.len();
    for (wanted, least, most) in
        [("demo", all, all), ("unstable", 1, all - 1), ("SORTING", 2, all - 1), ("no such thing", 0, 0)]
    {
        notebook.find_function(wanted).await?;
        let found = notebook.texts("function").await?.len();
        assert!((least..=most).contains(&found), "{wanted}: {found}");
    }
    let told = notebook.browser.value("document.querySelector('nav').innerText").await?;
    assert!(told.as_str().context("a text")?.contains("No function matches"), "{told}");
    notebook.close().await
}
