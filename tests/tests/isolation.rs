//! The page isolates itself where its host does not, in a real Chromium.

use std::fs;

use anyhow::Result;
use benchbook_host::fingerprint::fingerprint;
use benchbook_tests::browser::{Browser, turn};
use benchbook_tests::notebook::{DESKTOP, Notebook};
use benchbook_tests::server::{OTHER_PAGE, Site, dist};
use serde_json::json;

/// The page in a folder of a host that sends no headers.
fn plain() -> Site {
    let quality = json!({
        "points": 3,
        "precision": 0.5,
        "point_ms": 10.0,
        "warm_up": { "at_least": 5, "at_most": 20, "ms": 2.5 },
        "samples": { "at_least": 5, "at_most": 50 },
        "processes": 1,
        "timeout_ms": 5_000.0,
    });
    let notebook = json!({ "suites": ["suites/demo.wasm"], "qualities": [quality, quality, quality, quality] });
    Site {
        notebook: Some(notebook.to_string()),
        service_worker: true,
        folder: Some("/some/folder".to_owned()),
        ..Site::default()
    }
}

const LISTED: &str = "document.querySelector('[data-test=function]') !== null";

/// Opens the page and waits until it has isolated itself.
async fn isolated(fragment: &str) -> Result<Notebook> {
    let notebook = Notebook::load(Browser::start(DESKTOP.0, DESKTOP.1).await?, plain(), fragment).await?;
    notebook.browser.until_loaded_again(&format!("crossOriginIsolated && {LISTED}")).await?;
    Ok(notebook)
}

async fn measures(notebook: &Notebook) -> Result<()> {
    notebook.browser.until(LISTED).await?;
    notebook.choose("numbers::sum").await?;
    let rows = notebook.measure().await?;
    assert!(rows.len() > 1 && rows.iter().all(|row| row.failed.is_none()), "{rows:?}");
    Ok(())
}

#[tokio::test]
async fn on_a_plain_file_server_the_page_isolates_itself() -> Result<()> {
    let _turn = turn().await;
    let notebook = isolated("#kept").await?;
    assert_eq!(notebook.browser.value("location.hash").await?, "#kept");
    let clock = notebook.data("clock").await?;
    assert_eq!(clock["isolated"], "true");
    // It is the worker's clock, which Chromium lets step by 100 µs where the worker is not isolated.
    assert!(clock["resolution"].parse::<f64>()? < 100_000.0, "{clock:?}");
    measures(&notebook).await?;

    notebook.browser.client.refresh().await?;
    measures(&notebook).await?;
    assert_eq!(notebook.data("clock").await?["isolated"], "true");
    notebook.close().await
}

#[tokio::test]
async fn where_the_service_worker_is_refused_the_page_stays_as_it_is() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(Site { service_worker: false, ..plain() }).await?;
    measures(&notebook).await?;
    assert_eq!(notebook.data("clock").await?["isolated"], "false");
    let loaded = notebook.browser.value("performance.getEntriesByType('navigation')[0].type").await?;
    assert_eq!(loaded, "navigate", "it was not loaded again");
    notebook.close().await
}

#[tokio::test]
async fn a_page_that_cannot_be_isolated_is_loaded_again_once() -> Result<()> {
    const NEVER_ISOLATED: &str = "
        Object.defineProperty(self, 'crossOriginIsolated', { value: false });
        sessionStorage.setItem('loads', 1 + Number(sessionStorage.getItem('loads')));";
    let _turn = turn().await;
    let browser = Browser::start(DESKTOP.0, DESKTOP.1).await?;
    browser.ask("Page.addScriptToEvaluateOnNewDocument", json!({ "source": NEVER_ISOLATED })).await?;
    let notebook = Notebook::load(browser, plain(), "").await?;
    notebook.browser.until_loaded_again("sessionStorage.getItem('loads') === '2'").await?;
    measures(&notebook).await?;

    notebook.browser.client.refresh().await?;
    measures(&notebook).await?;
    assert_eq!(notebook.browser.value("sessionStorage.getItem('loads')").await?, "3", "the third load was ours");
    notebook.close().await
}

#[tokio::test]
async fn the_service_worker_gives_way_to_a_host_that_sends_the_headers() -> Result<()> {
    const SCOPES: &str =
        "navigator.serviceWorker.getRegistrations().then((all) => arguments[0](all.map((one) => one.scope)));";
    let _turn = turn().await;
    let notebook = isolated("").await?;
    let scopes = notebook.browser.client.execute_async(SCOPES, Vec::new()).await?;
    assert_eq!(scopes, json!([notebook.server.url()]), "the folder of the page");

    // What the browser has kept of a file lacks the headers.
    notebook.server.isolate();
    notebook.browser.client.refresh().await?;
    measures(&notebook).await?;

    notebook.browser.ask("Network.clearBrowserCache", json!({})).await?;
    notebook.browser.client.refresh().await?;
    measures(&notebook).await?;
    let scopes = notebook.browser.client.execute_async(SCOPES, Vec::new()).await?;
    assert_eq!(scopes, json!([]));

    notebook.browser.client.refresh().await?;
    measures(&notebook).await?;
    assert_eq!(notebook.data("clock").await?["isolated"], "true");
    notebook.close().await
}

#[tokio::test]
async fn other_pages_of_the_host_stay_as_they_are() -> Result<()> {
    const OTHER: &str = "[document.title, crossOriginIsolated, navigator.serviceWorker.controller !== null]";
    let _turn = turn().await;
    let notebook = isolated("").await?;
    let page = notebook.server.url();
    notebook.browser.client.goto(&format!("{page}{OTHER_PAGE}")).await?;
    assert_eq!(notebook.browser.value(OTHER).await?, json!(["Another page", false, true]), "in scope, and let through");
    for ours in ["index.html", "?as=well", ""] {
        notebook.browser.client.goto(&format!("{page}{ours}")).await?;
        assert_eq!(notebook.browser.value("crossOriginIsolated").await?, true, "{ours}");
    }
    measures(&notebook).await?;
    notebook.close().await
}

#[tokio::test]
async fn what_was_begun_is_not_discarded_for_isolation() -> Result<()> {
    /// The service worker is there only when `arrive` is called, as on a slow host.
    const SLOW: &str = "
        const container = navigator.serviceWorker;
        const arrived = new Promise((resolve) => { self.arrive = resolve; });
        const register = container.register.bind(container);
        container.register = async (script) => { await arrived; return register(script); };";
    /// When the page's own script has seen that the service worker is ready.
    const READY: &str = "const done = arguments[0]; self.arrive(); navigator.serviceWorker.ready.then(() => done());";
    let _turn = turn().await;
    let browser = Browser::start(DESKTOP.0, DESKTOP.1).await?;
    browser.ask("Page.addScriptToEvaluateOnNewDocument", json!({ "source": SLOW })).await?;
    let notebook = Notebook::load(browser, plain(), "").await?;
    notebook.browser.until(LISTED).await?;
    notebook.choose("numbers::sum").await?;
    notebook.browser.client.execute("self.isTheSame = true;", Vec::new()).await?;
    notebook.browser.client.execute_async(READY, Vec::new()).await?;
    let rows = notebook.measure().await?;
    assert!(rows.len() > 1 && rows.iter().all(|row| row.failed.is_none()), "{rows:?}");
    assert_eq!(notebook.browser.value("[self.isTheSame, crossOriginIsolated]").await?, json!([true, false]));

    notebook.browser.client.refresh().await?;
    measures(&notebook).await?;
    assert_eq!(notebook.data("clock").await?["isolated"], "true", "the next visit");
    notebook.close().await
}

/// Plain http gives a page no cryptography.
#[tokio::test]
async fn a_suite_has_its_fingerprint_over_plain_http_too() -> Result<()> {
    const NO_CRYPTOGRAPHY: &str = "Object.defineProperty(crypto, 'subtle', { value: undefined });";
    let _turn = turn().await;
    let binary = fingerprint(&fs::read(dist()?.join("suites/demo.wasm"))?);
    for script in ["", NO_CRYPTOGRAPHY] {
        let browser = Browser::start(DESKTOP.0, DESKTOP.1).await?;
        browser.ask("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script })).await?;
        let notebook = Notebook::load(browser, Site { service_worker: false, ..plain() }, "").await?;
        measures(&notebook).await?;
        let foot = notebook.browser.value("document.querySelector('.foot').textContent").await?.to_string();
        assert!(foot.contains(&format!("demo {}…", &binary[..4])), "{foot}");
        notebook.close().await?;
    }
    Ok(())
}
