//! The page isolates itself if its server does not, in Chromium.

use std::fs;

use anyhow::Result;
use benchbook_host::fingerprint::fingerprint;
use benchbook_tests::browser::{Browser, turn};
use benchbook_tests::notebook::{DESKTOP, Notebook};
use benchbook_tests::server::{Site, dist};
use benchbook_tests::sites::demo;
use serde_json::json;

/// The page in a subfolder of a server without isolation headers.
fn plain_site() -> Site {
    Site { isolated: false, service_worker: true, folder: Some("/some/folder".to_owned()), ..demo() }
}

const LISTED: &str = "document.querySelector('[data-test=function]') !== null";

/// Opens the page and waits until it has isolated itself.
async fn open_isolated(fragment: &str) -> Result<Notebook> {
    let notebook = Notebook::load(Browser::reuse(DESKTOP.0, DESKTOP.1).await?, plain_site(), fragment).await?;
    notebook.browser.until_reloaded(&format!("crossOriginIsolated && {LISTED}")).await?;
    Ok(notebook)
}

#[tokio::test]
async fn page_isolates_itself_on_a_plain_file_server() -> Result<()> {
    let _turn = turn().await;
    let notebook = open_isolated("#fragment").await?;
    assert_eq!(notebook.browser.value("location.hash").await?, "#fragment");
    let clock = notebook.clock().await?;
    assert!(clock.is_isolated);
    // The worker's clock: without isolation, its resolution in Chromium is 100 µs.
    assert!(clock.resolution < 100_000.0, "{clock:?}");
    notebook.assert_measures().await?;
    let code = notebook.server.requests().iter().filter(|path| path.ends_with("_bg.wasm")).count();
    assert_eq!(code, 1, "the page that reloads itself downloads no code");

    notebook.browser.client.refresh().await?;
    notebook.assert_measures().await?;
    assert!(notebook.clock().await?.is_isolated);
    notebook.close().await
}

#[tokio::test]
async fn page_reloads_only_once_if_isolation_fails() -> Result<()> {
    const NEVER_ISOLATED: &str = "
        Object.defineProperty(self, 'crossOriginIsolated', { value: false });
        sessionStorage.setItem('loads', 1 + Number(sessionStorage.getItem('loads')));";
    let _turn = turn().await;
    let browser = Browser::reuse(DESKTOP.0, DESKTOP.1).await?;
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": NEVER_ISOLATED })).await?;
    let notebook = Notebook::load(browser, plain_site(), "").await?;
    notebook.browser.until_reloaded("sessionStorage.getItem('loads') === '2'").await?;
    notebook.assert_measures().await?;

    notebook.browser.client.refresh().await?;
    notebook.assert_measures().await?;
    assert_eq!(notebook.browser.value("sessionStorage.getItem('loads')").await?, "3", "the third load was the test's");
    notebook.close().await
}

#[tokio::test]
async fn service_worker_unregisters_if_the_server_sends_the_headers() -> Result<()> {
    const SCOPES: &str =
        "navigator.serviceWorker.getRegistrations().then((all) => arguments[0](all.map((one) => one.scope)));";
    let _turn = turn().await;
    let notebook = open_isolated("").await?;
    let scopes = notebook.browser.client.execute_async(SCOPES, Vec::new()).await?;
    assert_eq!(scopes, json!([notebook.server.url()]), "the scope is the page's folder");

    // The browser's cached files lack the headers.
    notebook.server.isolate();
    notebook.browser.client.refresh().await?;
    notebook.assert_measures().await?;

    notebook.browser.devtools("Network.clearBrowserCache", json!({})).await?;
    notebook.browser.client.refresh().await?;
    notebook.assert_measures().await?;
    let scopes = notebook.browser.client.execute_async(SCOPES, Vec::new()).await?;
    assert_eq!(scopes, json!([]));

    notebook.browser.client.refresh().await?;
    notebook.assert_measures().await?;
    assert!(notebook.clock().await?.is_isolated);
    notebook.close().await
}

#[tokio::test]
async fn isolation_does_not_discard_a_measurement() -> Result<()> {
    /// Delays the service worker until `arrive` is called, as on a slow server.
    const SLOW: &str = "
        const container = navigator.serviceWorker;
        const arrived = new Promise((resolve) => { self.arrive = resolve; });
        const register = container.register.bind(container);
        container.register = async (script) => { await arrived; return register(script); };";
    /// Resolves after the page's own script has noticed that the service worker is ready.
    const READY: &str = "const done = arguments[0]; self.arrive(); navigator.serviceWorker.ready.then(() => done());";
    let _turn = turn().await;
    let browser = Browser::reuse(DESKTOP.0, DESKTOP.1).await?;
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": SLOW })).await?;
    let notebook = Notebook::load(browser, plain_site(), "").await?;
    notebook.browser.until(LISTED).await?;
    notebook.choose("numbers::sum").await?;
    notebook.browser.client.execute("self.isTheSame = true;", Vec::new()).await?;
    notebook.browser.client.execute_async(READY, Vec::new()).await?;
    let rows = notebook.measure().await?;
    assert!(rows.len() > 1 && rows.iter().all(|row| row.failed.is_none()), "{rows:?}");
    assert_eq!(notebook.browser.value("[self.isTheSame, crossOriginIsolated]").await?, json!([true, false]));

    notebook.browser.client.refresh().await?;
    notebook.assert_measures().await?;
    assert!(notebook.clock().await?.is_isolated, "the next visit");
    notebook.close().await
}

/// Pages have no `crypto.subtle` over plain HTTP.
#[tokio::test]
async fn without_a_service_worker_the_page_works_and_suites_have_a_fingerprint() -> Result<()> {
    const NO_CRYPTOGRAPHY: &str = "Object.defineProperty(crypto, 'subtle', { value: undefined });";
    let _turn = turn().await;
    let binary = fingerprint(&fs::read(dist()?.join("suites/demo.wasm"))?);
    for script in ["", NO_CRYPTOGRAPHY] {
        let browser = Browser::reuse(DESKTOP.0, DESKTOP.1).await?;
        browser.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script })).await?;
        let notebook = Notebook::load(browser, Site { service_worker: false, ..plain_site() }, "").await?;
        notebook.assert_measures().await?;
        assert!(!notebook.clock().await?.is_isolated);
        let loaded = notebook.browser.value("performance.getEntriesByType('navigation')[0].type").await?;
        assert_eq!(loaded, "navigate", "the page was not reloaded");
        let foot =
            notebook.browser.value("document.querySelector('.cell-foot .origin').textContent").await?.to_string();
        assert!(foot.contains(&format!("demo {} ({}…)", env!("CARGO_PKG_VERSION"), &binary[..8])), "{foot}");
        notebook.close().await?;
    }
    Ok(())
}
