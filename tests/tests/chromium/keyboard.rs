//! The main path with the keyboard alone.

use anyhow::{Context, Result};
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::sites::{demo, misbehaving};
use fantoccini::key::Key;

/// Presses Tab until the selected element has the focus, which is visible.
async fn tab_to(notebook: &Notebook, selector: &str) -> Result<()> {
    for _ in 0..60 {
        notebook.press(Key::Tab).await?;
        let there = notebook.browser.value(&format!("document.activeElement.matches(\"{selector}\")")).await?;
        if there == true {
            anyhow::ensure!(notebook.focused().await?.1, "no visible focus on {selector}");
            return Ok(());
        }
    }
    anyhow::bail!("{selector} cannot be reached by Tab")
}

async fn type_text(notebook: &Notebook, text: &str) -> Result<()> {
    Ok(notebook.browser.client.active_element().await?.send_keys(text).await?)
}

#[tokio::test]
async fn main_path_works_without_a_mouse() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.until_shown("function").await?;
    type_text(&notebook, "/").await?;
    type_text(&notebook, "sort_unst").await?;
    let first = notebook.browser.value("document.querySelector('[data-test=function]').dataset.path").await?;
    assert_eq!(first, "sorting::sort_unstable", "matching paths come before matching documentation");
    notebook.press(Key::Enter).await?;
    notebook
        .browser
        .until("document.querySelector('[data-test=cell]')?.dataset.path === 'sorting::sort_unstable'")
        .await?;

    tab_to(&notebook, "[data-test=generator]").await?;
    tab_to(&notebook, "[data-name=size] [data-test=axis]").await?;
    tab_to(&notebook, "[data-name=size] [type=range]").await?;
    tab_to(&notebook, "[data-name=size] [data-test=high]").await?;
    type_text(&notebook, &format!("{}30k", Key::Control + "a" + &char::from(Key::Null).to_string())).await?;
    tab_to(&notebook, "[data-name=spread] input").await?;
    notebook.press(Key::Right).await?;
    tab_to(&notebook, "[data-test=compare]").await?;
    // The first entry adds all alternatives, the second one a single function.
    for _ in 0..2 {
        notebook.press(Key::Down).await?;
    }
    assert!(notebook.texts("partner").await?.is_empty(), "selecting does not add");
    tab_to(&notebook, "[data-test=compare-add]").await?;
    notebook.press(Key::Enter).await?;
    assert_eq!(notebook.texts("partner").await?.len(), 1);
    tab_to(&notebook, "[data-test=measure]").await?;
    notebook.press(Key::Enter).await?;
    notebook.until_state("done").await?;
    assert!(notebook.texts("caption").await?[0].contains("size 1\u{202f}000 to 30\u{202f}000, spread Sorted"));

    tab_to(&notebook, "[data-test=tab-plot]").await?;
    for (key, expected) in [
        (Key::Right, "table"),
        (Key::End, "assembly"),
        (Key::Left, "profile"),
        (Key::Left, "samples"),
        (Key::Left, "table"),
        (Key::Left, "plot"),
    ] {
        notebook.press(key).await?;
        let focused = "[document.activeElement.dataset.test, document.querySelector('[role=tabpanel]:not([hidden])').dataset.test].join()";
        notebook.browser.until(&format!("{focused} === 'tab-{expected},panel-{expected}'")).await?;
    }
    tab_to(&notebook, "[data-test=scale-y]").await?;
    tab_to(&notebook, "[data-test=plot] canvas").await?;
    type_text(&notebook, ".").await?;
    notebook.until_shown("reading").await?;
    notebook.close().await
}

#[tokio::test]
async fn the_list_of_functions_is_one_tab_stop_with_arrow_keys() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.until_shown("function").await?;
    const ROWS: &str =
        "[...document.querySelectorAll('nav .suites [data-row]')].filter((row) => row.checkVisibility())";
    const FOCUSED: &str = "document.activeElement";
    let row = async |index: &str| notebook.browser.value(&format!("{ROWS}.indexOf({FOCUSED}) === {index}")).await;
    tab_to(&notebook, "nav .suites [data-test=function]").await?;
    // A module, its functions, and the next module.
    assert_eq!(row("1").await?, true);
    let whole = notebook.browser.value(&format!("{ROWS}.length")).await?;
    for (key, index) in [(Key::Up, "0"), (Key::Down, "1"), (Key::Left, "0"), (Key::Left, "0"), (Key::Down, "1")] {
        notebook.press(key).await?;
        assert_eq!(row(index).await?, true, "{key:?}");
    }
    let collapsed = notebook.browser.value(&format!("{ROWS}.length")).await?;
    assert!(collapsed.as_u64() < whole.as_u64(), "{collapsed} of {whole} rows: the first module is collapsed");
    for (key, index) in [(Key::Home, "0"), (Key::Right, "0"), (Key::Down, "1")] {
        notebook.press(key).await?;
        assert_eq!(row(index).await?, true, "{key:?}");
    }
    assert_eq!(notebook.browser.value(&format!("{ROWS}.length")).await?, whole);
    notebook.press(Key::Right).await?;
    assert_eq!(notebook.browser.value(&format!("{FOCUSED}.dataset.test")).await?, "add-function");
    notebook.press(Key::Left).await?;
    assert_eq!(row("1").await?, true);
    notebook.press(Key::End).await?;
    assert_eq!(row(&format!("{ROWS}.length - 1")).await?, true);
    notebook.press(Key::Tab).await?;
    assert_eq!(notebook.browser.value(&format!("{FOCUSED}.closest('.entry, [data-row]') === null")).await?, true);
    notebook.close().await
}

/// Presses a key with Control, and with Shift if `shift`.
async fn press_with_control(notebook: &Notebook, shift: bool, key: &str) -> Result<()> {
    let shift = if shift { char::from(Key::Shift).to_string() } else { String::new() };
    type_text(notebook, &format!("{}{shift}{key}{}", char::from(Key::Control), char::from(Key::Null))).await
}

/// Opens the Share menu and chooses an entry, which closes it.
async fn choose_in_share_menu(notebook: &Notebook, entry: &str) -> Result<()> {
    const MENU: &str = "document.querySelector('[data-test=share-menu]')";
    notebook.browser.client.execute(&format!("{MENU}.querySelector('summary').focus()"), Vec::new()).await?;
    notebook.press(Key::Enter).await?;
    tab_to(notebook, &format!("[data-test={entry}]")).await?;
    notebook.press(Key::Enter).await?;
    notebook.browser.until(&format!("!{MENU}.open")).await
}

#[tokio::test]
async fn a_notebook_is_written_and_shared_without_a_mouse() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.until_shown("function").await?;
    // A headless browser's clipboard and downloads cannot be read, so both are intercepted.
    let intercept = "window.offered = []; \
        navigator.clipboard.writeText = (text) => { offered.push(['copied', text.slice(0, 4)]); return Promise.resolve(); }; \
        HTMLAnchorElement.prototype.click = function () { offered.push(['file', this.download]); };";
    notebook.browser.client.execute(intercept, Vec::new()).await?;

    type_text(&notebook, "/").await?;
    type_text(&notebook, "numbers::sum").await?;
    notebook.press(Key::Enter).await?;
    notebook.browser.until("document.querySelector('[data-test=cell]')?.dataset.path === 'numbers::sum'").await?;
    choose_in_share_menu(&notebook, "share-export").await?;
    notebook.until_text("share-outcome", "no results").await?;
    press_with_control(&notebook, false, &char::from(Key::Enter).to_string()).await?;
    notebook.until_state("done").await?;
    tab_to(&notebook, "[data-test=insert-text]").await?;
    notebook.press(Key::Enter).await?;
    notebook.browser.until("document.activeElement.matches('textarea')").await?;
    type_text(&notebook, "A question").await?;
    notebook.press(Key::Escape).await?;
    notebook.browser.until("document.querySelector('[data-test=text]')?.textContent.trim() === 'A question'").await?;
    tab_to(&notebook, "[data-test=title]").await?;
    type_text(&notebook, "Sums").await?;
    tab_to(&notebook, "[data-test=share-menu] summary").await?;
    for entry in ["share-text", "share-page"] {
        choose_in_share_menu(&notebook, entry).await?;
    }
    for (shift, key) in [(false, "s"), (true, "l")] {
        press_with_control(&notebook, shift, key).await?;
    }
    notebook.browser.until_reloaded("offered.length === 4").await?;
    let offered = notebook.browser.value("offered.map(([kind, value]) => `${kind} ${value}`).sort()").await?;
    assert_eq!(
        offered,
        serde_json::json!(["copied http", "copied {\"be", "file Sums.benchbook.json", "file Sums.html"])
    );

    choose_in_share_menu(&notebook, "share-export").await?;
    notebook.browser.until("document.querySelector('[data-test=export-menu]').open").await?;
    tab_to(&notebook, "[data-format=markdown] [data-test=export-copy]").await?;
    notebook.press(Key::Enter).await?;
    notebook.browser.until("document.querySelector('[data-test=export-outcome]').textContent === 'Copied'").await?;
    notebook.close().await
}

#[tokio::test]
async fn shortcuts_measure_stop_and_open_the_help_and_escape_closes_the_innermost_element_first() -> Result<()> {
    let _turn = turn().await;
    // The function hangs, so that the measurement continues.
    let notebook = Notebook::open(misbehaving(600_000.0)?).await?;
    notebook.choose("functions::hangs").await?;
    // A dialog handles its own keys and returns the focus when it closes.
    notebook.browser.client.execute("document.querySelector('[data-test=measure]').focus()", Vec::new()).await?;
    type_text(&notebook, "?").await?;
    notebook.browser.until("document.querySelector('[data-test=help-text][open]')").await?;
    let text = notebook.texts("help-text").await?.remove(0);
    for word in ["Keys", "find a function", "Priorities", "quartile", "WebAssembly", "separately"] {
        assert!(text.to_lowercase().contains(&word.to_lowercase()), "{word}: {text}");
    }
    // The focused button would handle the key, so the event is sent to the dialog itself.
    let enter = "document.querySelector('dialog').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }))";
    notebook.browser.client.execute(enter, Vec::new()).await?;
    assert_eq!(notebook.data("progress").await?["state"], "idle", "keys do not reach the page behind a dialog");
    notebook.press(Key::Escape).await?;
    notebook.browser.until("!document.querySelector('[data-test=help-text]')").await?;
    notebook.browser.until("document.activeElement.dataset.test === 'measure'").await?;

    press_with_control(&notebook, false, &char::from(Key::Enter).to_string()).await?;
    notebook.until_state("measuring").await?;
    notebook.click("clock").await?;
    notebook.press(Key::Escape).await?;
    notebook.browser.until("!document.querySelector('[data-test=clock]').open").await?;
    notebook.find_function("hangs").await?;
    notebook.press(Key::Escape).await?;
    assert_eq!(notebook.data("progress").await?["state"], "measuring", "cards and searches close first");
    notebook.press(Key::Escape).await?;
    notebook.until_state("stopped").await?;

    notebook.click("measure").await?;
    notebook.until_state("measuring").await?;
    notebook.click("stop").await?;
    notebook.until_state("stopped").await?;
    notebook.browser.until("document.activeElement.dataset.test === 'measure'").await?;
    // Stopping a hanging function frees the worker for another one.
    notebook.add_cell("functions::well").await?;
    assert!(!notebook.measure().await?.is_empty());
    notebook.close().await
}

#[tokio::test]
async fn search_matches_paths_suites_and_documentation() -> Result<()> {
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
    let text = notebook.browser.value("document.querySelector('nav').innerText").await?;
    assert!(text.as_str().context("not a text")?.contains("No function matches"), "{text}");
    notebook.close().await
}

#[tokio::test]
async fn a_closed_panel_returns_the_focus_to_the_button_that_opened_it() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open_sorts(&["sorting::sort_unstable", "sorting::sort_stable"]).await?;
    for button in ["toggle-controls", "open-about", "open-notes", "open-comparisons"] {
        let selector = format!("[data-test={button}]");
        let focus = format!("document.querySelector('{selector}').focus()");
        notebook.browser.client.execute(&focus, Vec::new()).await?;
        notebook.press(Key::Enter).await?;
        notebook.browser.until(&format!("document.querySelector('{selector}').ariaExpanded === 'true'")).await?;
        let focus = "document.querySelector('.panel:not([hidden]) [data-test=close-panel]').focus()";
        notebook.browser.client.execute(focus, Vec::new()).await?;
        notebook.press(Key::Enter).await?;
        notebook.browser.until(&format!("document.activeElement.matches('{selector}[aria-expanded=false]')")).await?;
    }
    notebook.close().await
}
