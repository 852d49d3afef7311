//! A browser that several tests use, one after another.

use anyhow::Result;
use benchbook_tests::browser::{Browser, turn};
use benchbook_tests::notebook::{DESKTOP, Notebook};
use benchbook_tests::server::Site;
use serde_json::json;

/// Whatever a test may have left behind: stored values, databases, caches, service workers and cookies.
const LEFT: &str = "(async () => [
    localStorage.length,
    (await indexedDB.databases()).length,
    (await caches.keys()).length,
    (await navigator.serviceWorker.getRegistrations()).length,
    document.cookie.length,
].every((count) => count === 0))()";

const LEAVE: &str = "const done = arguments[0];
    localStorage.setItem('a', 'b');
    document.cookie = 'a=b';
    open(location);
    indexedDB.open('a').onsuccess = () => caches.open('a').then(() => done());";

#[tokio::test]
async fn a_reused_browser_has_one_window_and_no_data() -> Result<()> {
    let _turn = turn().await;
    let site = Site { service_worker: true, ..Site::default() };
    let notebook = Notebook::load(Browser::reuse(DESKTOP.0, DESKTOP.1).await?, site, "").await?;
    notebook.browser.until_reloaded("crossOriginIsolated").await?;
    notebook.browser.client.execute_async(LEAVE, Vec::new()).await?;
    assert_eq!(notebook.browser.value(LEFT).await?, json!(false));
    notebook.browser.remove_data().await?;
    assert_eq!(notebook.browser.client.windows().await?.len(), 1);
    // In scope, without a script.
    notebook.browser.client.goto(&format!("{}notebook.json", notebook.server.url())).await?;
    assert_eq!(notebook.browser.value(LEFT).await?, json!(true));
    notebook.close().await
}
