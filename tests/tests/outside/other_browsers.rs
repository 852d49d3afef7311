//! The main paths of the page in Firefox and WebKit: measure, count, zoom, share as a link, a file, an image and a standalone page, edit in
//! two tabs, open a file, and measure it again. In Firefox also: a hosted page without a network. WebKit's driver cannot treat a host
//! as one with https, which service workers require.

use std::fs;

use anyhow::{Context, Result};
use benchbook_contract::parameter::Range;
use benchbook_tests::browser::{Browser, quiet_turn, turn};
use benchbook_tests::hosted::HostedSite;
use benchbook_tests::notebook::{DESKTOP, Notebook};
use benchbook_tests::other_browsers::{firefox, firefox_with, webkit};
use benchbook_tests::reference_counts::assert_counts;
use benchbook_tests::sites::demo;
use benchbook_tests::slowed_curve::slow_down;
use fantoccini::Locator;
use fantoccini::key::Key;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The warning about the wrong numbers of its compiler for wasm.
const WEBKIT_WARNING: &str =
    "document.querySelector('[data-test=browser-bug]')?.textContent.startsWith('Figures may be wrong')";

/// The functions that are compared.
const SORTS: [&str; 2] = ["sorting::sort_unstable", "sorting::sort_stable"];

#[tokio::test]
async fn the_page_measures_in_firefox() -> Result<()> {
    let _turn = turn().await;
    let Some(browser) = firefox(DESKTOP.0, DESKTOP.1).await? else { return skipped("Firefox and geckodriver") };
    measured(browser).await?.close().await
}

#[tokio::test]
async fn the_page_measures_in_webkit() -> Result<()> {
    let _turn = turn().await;
    let Some(browser) = webkit(DESKTOP.0, DESKTOP.1).await? else { return skipped("WebKitGTK's driver and Xvfb") };
    let notebook = measured(browser).await?;
    notebook.browser.until(WEBKIT_WARNING).await?;
    notebook.close().await
}

#[tokio::test]
#[ignore = "nightly: Firefox beyond the smoke test"]
async fn the_page_works_in_firefox() -> Result<()> {
    let _turn = quiet_turn().await;
    let Some(browser) = firefox(DESKTOP.0, DESKTOP.1).await? else { return skipped("Firefox and geckodriver") };
    use_page(measured(browser).await?).await
}

#[tokio::test]
#[ignore = "nightly: WebKit beyond the smoke test"]
async fn the_page_works_in_webkit() -> Result<()> {
    let _turn = quiet_turn().await;
    let Some(browser) = webkit(DESKTOP.0, DESKTOP.1).await? else { return skipped("WebKitGTK's driver and Xvfb") };
    use_page(measured(browser).await?).await
}

fn skipped(programs: &str) -> Result<()> {
    println!("Skipped: {programs} are not installed.");
    Ok(())
}

/// Compares two functions on the page, and returns it.
async fn measured(browser: Browser) -> Result<Notebook> {
    let notebook = Notebook::load(browser, demo(), "").await?;
    let browser = &notebook.browser;
    browser.until("document.querySelector('[data-test=function]')").await?;
    notebook.choose(SORTS[0]).await?;
    fill(&notebook, "low", "200").await?;
    fill(&notebook, "high", "3k").await?;
    notebook.compare(SORTS[1]).await?;

    let rows = notebook.measure().await?;
    assert!(rows.iter().all(|row| row.failed.is_none() && row.mean.is_some()), "{rows:?}");
    assert_eq!((rows[0].x.as_str(), rows[0].machine.as_str()), ("200", "browser"));
    assert!(rows.iter().any(|row| row.path == "sorting::sort_stable"), "{rows:?}");
    // A blank canvas has one colour, axes alone a few shades of grey.
    let coloured = "(() => {
        const canvas = document.querySelector('[data-test=plot] canvas');
        const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
        let count = 0;
        for (let i = 0; i < pixels.length; i += 4) {
            const [red, green, blue] = [pixels[i], pixels[i + 1], pixels[i + 2]];
            if (pixels[i + 3] > 0 && Math.max(red, green, blue) - Math.min(red, green, blue) > 60) count += 1;
        }
        return count;
    })()";
    // The plot is drawn with the next frame.
    browser.until_reloaded(&format!("{coloured} > 300")).await?;
    Ok(notebook)
}

/// Counts what the functions of [`measured`] execute; zooms, shares, edits and copies the results.
async fn use_page(notebook: Notebook) -> Result<()> {
    let browser = &notebook.browser;
    choose_metric(browser, "wasm_instructions").await?;
    notebook.until_shown("ranked-counts").await?;
    notebook.until_state("done").await?;
    assert_counts(&notebook, &SORTS, Range { low: 200.0, high: 3_000.0 }).await?;
    choose_metric(browser, "time").await?;
    notebook.click("tab-plot").await?;
    // With raw samples, which a link does not contain.
    notebook.intercept().await?;
    notebook.share("share-file").await?;
    let file = notebook.intercepted("file").await?;

    let whole = notebook.visible().await?;
    notebook.drag((0.3, 0.3), (0.7, 0.7)).await?;
    notebook.until_zoomed("plot", true).await?;
    let zoomed = notebook.visible().await?;
    assert!(whole.contains(&zoomed), "{zoomed:?} is not a part of {whole:?}");
    // The address follows when the view has settled.
    browser.until("location.hash.includes('zoom=')").await?;

    // The clipboard cannot be read without a permission: record what the page writes.
    let record = "const write = navigator.clipboard.writeText.bind(navigator.clipboard);
        navigator.clipboard.writeText = text => { window.copied = text; return write(text); };";
    browser.client.execute(record, Vec::new()).await?;
    notebook.browser.click("[data-test=share-menu] summary").await?;
    notebook.click("share").await?;
    browser.until("document.querySelector('[data-test=share-outcome]').textContent.startsWith('Copied')").await?;
    let copied = browser.value("window.copied").await?;
    let (_, link) = copied.as_str().and_then(|link| link.split_once('#')).context("the link has a fragment")?;

    notebook.visit(link).await?;
    browser.until("document.querySelector('[data-test=cell]')?.dataset.path === 'sorting::sort_unstable'").await?;
    // The link contains the figures.
    let rows = notebook.rows().await?;
    assert_eq!(rows[0].x, "200");
    assert!(rows.iter().any(|row| row.path == "sorting::sort_stable"), "{rows:?}");
    let reopened = notebook.visible().await?;
    assert_eq!(reopened, zoomed);
    // It was stored in this browser, with its results.
    notebook.until_saved().await?;
    reload(browser).await?;
    browser.until("document.querySelector('[data-test=table]')").await?;
    assert_eq!(notebook.rows().await?, rows);
    edit(&notebook).await?;
    copy_image(&notebook).await?;
    let dropped = json!({ "benchbook": 1, "title": "Dropped", "cells": [{ "id": "a", "text": "A conclusion" }] });
    notebook.drop_file("dropped.benchbook.json", &dropped.to_string()).await?;
    browser.until("document.querySelector('[data-test=title]')?.value === 'Dropped'").await?;
    assert_eq!(notebook.texts("text").await?.concat().trim(), "A conclusion");
    edit_in_two_tabs(&notebook).await?;
    measure_again(&notebook, &file).await?;
    open_standalone_page(notebook).await
}

/// Chooses a metric. These drivers cannot click the options of this list.
async fn choose_metric(browser: &Browser, name: &str) -> Result<()> {
    let choose = format!(
        "const list = document.querySelector('[data-test=metric]');
        list.value = '{name}';
        list.dispatchEvent(new Event('change', {{ bubbles: true }}));"
    );
    browser.client.execute(&choose, Vec::new()).await?;
    Ok(())
}

/// Adds a text, duplicates it, undoes that, and reloads.
async fn edit(notebook: &Notebook) -> Result<()> {
    let texts = "[...document.querySelectorAll('[data-test=text]')].map((text) => text.textContent.trim()).join()";
    let until_texts = async |expected: &str| notebook.browser.until(&format!("{texts} === '{expected}'")).await;
    notebook.add_text("Which *sort*?").await?;
    until_texts("Which sort?").await?;
    notebook.choose_command("duplicate").await?;
    until_texts("Which sort?,Which sort?").await?;
    notebook.click("undo").await?;
    until_texts("Which sort?").await?;
    notebook.until_saved().await?;
    reload(&notebook.browser).await?;
    until_texts("Which sort?").await
}

/// Loads the page again, with its suites: until these are known, the page may replace its elements. The driver of WebKit returns
/// while the previous document is still there.
async fn reload(browser: &Browser) -> Result<()> {
    browser.client.execute("window.isPrevious = true;", Vec::new()).await?;
    browser.client.refresh().await?;
    browser.until_reloaded("!window.isPrevious && document.querySelector('[data-test=function]') !== null").await
}

/// Copies the plot as an image, which is as large as the canvas.
async fn copy_image(notebook: &Notebook) -> Result<()> {
    const RECORD: &str = "navigator.clipboard.write = (items) => { window.items = items; return Promise.resolve(); };";
    const SIZE: &str = "(async () => {
        const image = await createImageBitmap(await window.items[0].getType('image/png'));
        return [image.width, image.height];
    })()";
    let browser = &notebook.browser;
    browser.until("document.querySelector('[data-test=plot] canvas')?.width > 300").await?;
    browser.client.execute(RECORD, Vec::new()).await?;
    notebook.browser.click("[data-test=export-menu] summary").await?;
    // In one step: the open menu may be rendered again between finding the button and clicking it.
    let copy = "document.querySelector('[data-test=export][data-format=png] [data-test=export-copy]')";
    browser.until(copy).await?;
    browser.client.execute(&format!("{copy}.click();"), Vec::new()).await?;
    browser.until("window.items").await?;
    let canvas = browser
        .value("(({ width, height }) => [width, height])(document.querySelector('[data-test=plot] canvas'))")
        .await?;
    assert_eq!(browser.value(SIZE).await?, canvas);
    Ok(())
}

/// Adds a text in a second tab, which the first one then shows.
async fn edit_in_two_tabs(notebook: &Notebook) -> Result<()> {
    notebook.until_saved().await?;
    let client = &notebook.browser.client;
    let (first, address) = (client.window().await?, client.current_url().await?);
    notebook.browser.open_tab(address.as_str()).await?;
    notebook.until_shown("text").await?;
    notebook.add_text("From the second tab").await?;
    notebook.until_saved().await?;
    client.close_window().await?;
    client.switch_to_window(first).await?;
    let texts = "[...document.querySelectorAll('[data-test=text]')].map((text) => text.textContent.trim()).join()";
    notebook.browser.until(&format!("{texts} === 'A conclusion,From the second tab'")).await
}

/// Opens the results of this notebook file as those of a colleague, on whose machine one function took a hundred times as long, and
/// measures them again.
async fn measure_again(notebook: &Notebook, file: &str) -> Result<()> {
    let mut file: Value = serde_json::from_str(file)?;
    let result = &mut file["cells"][0]["measurement"]["results"][0];
    slow_down(&mut result["curves"][1]["points"])?;
    result["setup"]["machine"]["id"] = json!("colleague");
    notebook.drop_file("elsewhere.benchbook.json", &file.to_string()).await?;
    notebook.until_text("stale", "in another browser or profile").await?;
    assert_eq!(notebook.texts("measure").await?, ["Measure again here"]);
    notebook.measure().await?;
    let text = notebook.texts("reproduction").await?.concat();
    assert!(text.starts_with("0 of ") && text.contains("hold here") && text.contains("measured separately"), "{text}");
    Ok(())
}

/// Stores the notebook as a standalone page, and opens it without the server.
async fn open_standalone_page(notebook: Notebook) -> Result<()> {
    notebook.intercept().await?;
    notebook.share("share-page").await?;
    let page = notebook.intercepted("file").await?;
    let medians = "[...document.querySelector('[data-test=table]').tBodies[0].rows].map((row) => row.dataset.median).filter(Boolean).join()";
    let expected = notebook.browser.value(medians).await?;
    let Notebook { browser, server } = notebook;
    drop(server);
    let folder = TempDir::new()?;
    let path = folder.path().join("sorts.html");
    fs::write(&path, &page)?;
    browser.client.goto(&format!("file://{}", path.display())).await?;
    // The page's policy forbids `eval`, which the other way of waiting uses.
    browser.until_reloaded("Boolean(document.querySelector('[data-test=table]'))").await?;
    assert_eq!(browser.value(medians).await?, expected);
    let requests = "performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => !name.startsWith('data:'))";
    assert_eq!(browser.value(requests).await?, json!([]), "the page requests nothing");
    let label = "document.querySelector('[data-test=plot] canvas').ariaLabel";
    browser.until_reloaded(&format!("Boolean({label})")).await?;
    let whole = browser.value(label).await?;
    browser.client.execute("document.querySelector('[data-test=plot] canvas').focus()", Vec::new()).await?;
    browser.client.active_element().await?.send_keys("+").await?;
    browser.until_reloaded(&format!("{label} !== {whole}")).await?;
    browser.close().await
}

#[tokio::test]
#[ignore = "nightly: Firefox beyond the smoke test"]
async fn a_hosted_page_works_without_a_network_in_firefox() -> Result<()> {
    const STORED: &str = "caches.match('./').then((page) => page !== undefined)";
    const LISTED: &str = "document.querySelector('[data-test=function]') !== null";
    let _turn = quiet_turn().await;
    let mut site = HostedSite::start("some/folder/")?;
    let preferences = site.firefox_preferences();
    let Some(browser) = firefox_with(DESKTOP.0, DESKTOP.1, &preferences).await? else {
        return skipped("Firefox and geckodriver");
    };
    let notebook = site.open_in(browser).await?;
    notebook.browser.until_reloaded(&format!("crossOriginIsolated && {LISTED} && {STORED}")).await?;
    site.stop()?;
    // The driver's own command for reloading circumvents the service worker.
    notebook.browser.client.execute("window.isOld = true; location.reload();", Vec::new()).await?;
    notebook.browser.until_reloaded(&format!("window.isOld !== true && {LISTED}")).await?;
    notebook.assert_measures().await?;
    assert!(notebook.clock().await?.is_isolated);
    notebook.close().await
}

#[tokio::test]
#[ignore = "nightly: Firefox and WebKit beyond the smoke tests"]
async fn a_click_hits_a_button_that_moves_at_first() -> Result<()> {
    const MOVING: &str = "<!doctype html><title>A moving button</title><div></div>\
        <button onclick='this.dataset.clicks = Number(this.dataset.clicks ?? 0) + 1'>Click</button>\
        <script>
            window.move = () => {
                const end = performance.now() + 1_000;
                const timer = setInterval(() => {
                    document.querySelector('div').style.height = `${Math.random() * 500}px`;
                    if (performance.now() > end) clearInterval(timer);
                });
            };
        </script>";
    let _turn = quiet_turn().await;
    let folder = TempDir::new()?;
    let path = folder.path().join("moving.html");
    fs::write(&path, MOVING)?;
    let browsers = [firefox(DESKTOP.0, DESKTOP.1).await?, webkit(DESKTOP.0, DESKTOP.1).await?];
    for browser in browsers.into_iter().flatten() {
        browser.client.goto(&format!("file://{}", path.display())).await?;
        for clicks in 1..=3 {
            browser.client.execute("window.move()", Vec::new()).await?;
            browser.click("button").await?;
            browser.until(&format!("document.querySelector('button').dataset.clicks === '{clicks}'")).await?;
        }
        browser.close().await?;
    }
    Ok(())
}

/// Replaces the text of a bound of the axis. These drivers do not release Ctrl before the text, so a script selects the old
/// text.
async fn fill(notebook: &Notebook, field: &str, text: &str) -> Result<()> {
    let selector = format!("[data-test=parameter][data-name=size] [data-test={field}]");
    notebook.browser.value(&format!("document.querySelector('{selector}').select()")).await?;
    let input = notebook.browser.client.find(Locator::Css(&selector)).await?;
    Ok(input.send_keys(&format!("{text}{}", char::from(Key::Tab))).await?)
}
