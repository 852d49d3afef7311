//! Cells in frames of other pages.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use benchbook_tests::browser::{Browser, turn};
use benchbook_tests::documentation::leave_fitted_frame;
use benchbook_tests::notebook::{DESKTOP, Notebook};
use benchbook_tests::server::Site;
use benchbook_tests::sites::{BLOG, blog, demo, with_blog};
use fantoccini::Locator;
use fantoccini::key::Key;
use serde_json::json;

/// The HTML that the page offers for a cell.
async fn embed_code() -> Result<String> {
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.type_into("size", "high", "3000").await?;
    notebook.intercept().await?;
    notebook.share("embed").await?;
    let code = notebook.intercepted("copied").await?;

    // Without the permission to copy, the user copies from a field.
    const BLOCK: &str = "navigator.clipboard.writeText = () => Promise.reject(); document.execCommand = () => false;";
    notebook.browser.client.execute(BLOCK, Vec::new()).await?;
    notebook.share("embed").await?;
    notebook.browser.until("document.activeElement.dataset.test === 'text-to-copy'").await?;
    const SELECTED: &str = "(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))(document.activeElement)";
    assert_eq!(notebook.browser.value(SELECTED).await?, json!(code));
    notebook.assert_accessible("a text to copy").await?;
    notebook.find("[data-test=text-to-copy]").await?.send_keys(&char::from(Key::Escape).to_string()).await?;
    notebook
        .browser
        .until("document.activeElement.dataset.test === 'embed' && !document.querySelector('.text-to-copy')")
        .await?;

    let page = notebook.server.url().to_owned();
    notebook.close().await?;
    assert!(code.contains(&format!("src=\"{page}?embed#suite=demo&amp;function=sorting::sort_unstable")), "{code}");
    // From the host of the other page.
    Ok(code.replace(&page, "./"))
}

#[tokio::test]
async fn a_cell_is_measured_in_a_frame_whose_height_follows_it() -> Result<()> {
    let _turn = turn().await;
    let site = blog(&embed_code().await?);
    let notebook = Notebook::load(Browser::reuse(DESKTOP.0, DESKTOP.1).await?, site, BLOG).await?;
    let Notebook { browser, .. } = &notebook;
    const HEIGHT: &str = "document.querySelector('iframe').clientHeight";
    browser.until(&format!("{HEIGHT} !== 480")).await?;
    let frame = browser.client.find(Locator::Css("iframe")).await?;
    frame.enter_frame().await?;
    browser.until("document.querySelector('[data-test=measure]:enabled')").await?;
    for absent in ["header", "nav", "[data-test=insert]", "[data-test=embed]"] {
        assert_eq!(browser.value(&format!("document.querySelector('{absent}')")).await?, json!(null), "{absent}");
    }
    notebook.measure().await?;
    assert!(notebook.rows().await?.iter().all(|row| row.failed.is_none()));
    let note = notebook.texts("clock-note").await?.concat();
    assert!(
        note.starts_with("The clock of this frame advances in steps of ") && note.contains("coarser than"),
        "{note}"
    );
    let heading = browser.value("document.querySelector('h1').textContent").await?;
    assert_eq!(heading, "sort_unstable", "without the progress, unlike the title of a tab");
    browser.emulate_print().await?;
    assert_eq!(browser.value("matchMedia('print').matches").await?, true);
    let position = browser.value("getComputedStyle(document.querySelector('h1')).position").await?;
    assert_eq!(position, "absolute", "the heading is not printed: the cell has the name");
    notebook.assert_accessible("a frame").await?;
    let link = browser.client.find(Locator::Css("[data-test=open-outside]")).await?.attr("href").await?;
    assert!(link.context("a link")?.contains("/#suite=demo&function=sorting::sort_unstable"));
    assert_eq!(
        browser.value("indexedDB.databases().then((all) => all.length)").await?,
        0,
        "a frame stores no notebook"
    );
    assert_eq!(browser.value("localStorage.length").await?, 0, "and no identifier");
    leave_fitted_frame(browser, "iframe").await?;
    notebook.close().await
}

/// As `cargo xtask docs` writes it: the script of the page puts a frame into each place that the Markdown marks.
#[tokio::test]
async fn a_document_shows_a_measurement_in_a_frame() -> Result<()> {
    let _turn = turn().await;
    const MARK: &str = "<div class=\"benchbook-cell\"";
    let document = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/method.md"))?;
    let cell = document.lines().find(|line| line.starts_with(MARK)).context("the document marks a place")?;
    // The page as it is shipped, whose notebook.json lists the notebook.
    let site = with_blog(Site::default(), &format!("{cell}<script src=\"docs.js\"></script>"));
    let notebook = Notebook::load(Browser::reuse(DESKTOP.0, DESKTOP.1).await?, site, BLOG).await?;
    let Notebook { browser, .. } = &notebook;
    browser.until("document.querySelector('.benchbook-cell iframe')").await?;
    browser.client.find(Locator::Css("iframe")).await?.enter_frame().await?;
    browser.until("document.querySelector('[data-test=answer]')?.textContent.includes('fastest')").await?;
    browser.until("document.querySelector('[data-test=measure]:enabled')").await?;
    notebook.click("measure").await?;
    browser.until("[...document.querySelectorAll('[data-test=result-origin]')].some((one) => one.textContent.includes('Chrome'))").await?;
    notebook.click("stop").await?;
    leave_fitted_frame(browser, ".benchbook-cell iframe").await?;
    notebook.close().await
}

#[tokio::test]
async fn a_frame_without_storage_measures_and_one_without_scripts_states_it() -> Result<()> {
    let _turn = turn().await;
    let address = "./?embed#suite=demo&amp;function=numbers::sum";
    let html = format!(
        "<iframe id=\"opaque\" sandbox=\"allow-scripts\" src=\"{address}\"></iframe><iframe id=\"still\" sandbox=\"allow-same-origin\" src=\"{address}\"></iframe><iframe id=\"nothing\" src=\"./?embed\"></iframe>"
    );
    let site = Site { is_shared: true, ..blog(&html) };
    let notebook = Notebook::load(Browser::reuse(DESKTOP.0, DESKTOP.1).await?, site, BLOG).await?;
    let Notebook { browser, .. } = &notebook;
    browser.client.find(Locator::Css("#still")).await?.enter_frame().await?;
    browser.until("document.body.innerText.includes('Enable JavaScript')").await?;
    browser.client.clone().enter_parent_frame().await?;
    browser.client.find(Locator::Css("#nothing")).await?.enter_frame().await?;
    browser.until("document.body.innerText.includes('names no cell')").await?;
    browser.client.clone().enter_parent_frame().await?;
    browser.client.find(Locator::Css("#opaque")).await?.enter_frame().await?;
    browser.until("document.querySelector('[data-test=measure]:enabled')").await?;
    notebook.measure().await?;
    assert!(notebook.rows().await?.iter().all(|row| row.failed.is_none()));
    assert!(notebook.texts("problem").await?.is_empty(), "blocked storage is no problem: nothing is stored");
    notebook.close().await
}
