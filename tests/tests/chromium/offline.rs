//! A hosted page works without a network after its first visit, and offers a later version, in Chromium.

use std::fs;
use std::net::TcpStream;

use anyhow::{Result, ensure};
use axum::http::HeaderMap;
use benchbook_tests::accepted_history::{FUNCTION, accepted_history, site_files};
use benchbook_tests::browser::{Browser, turn};
use benchbook_tests::hosted::{HostedSite, notebook_with};
use benchbook_tests::notebook::{DESKTOP, Notebook};
use benchbook_tests::server::{Server, Site, isolation};
use benchbook_tests::sites::{long_first_priority, qualities};
use serde_json::{Value, json};

const LISTED: &str = "document.querySelector('[data-test=function]') !== null";
const OFFERED: &str = "document.querySelector('[data-test=update]') !== null";
const VERSION: &str = "document.querySelector('meta[name=version]').content";

/// The page itself is stored after all other files.
const STORED: &str = "caches.match('./').then((page) => page !== undefined)";

/// The addresses of all stored files, relative to the page.
const STORED_FILES: &str = "(async () => {
    const requests = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => url.replace(new URL('.', location).href, '')).sort();
})()";

/// Requests the service worker's script, as the browser does after a navigation.
const UPDATE: &str =
    "navigator.serviceWorker.getRegistration().then((registration) => registration.update()).then(() => true)";

/// As [`UPDATE`], and returns the state of the new service worker after its installation.
const INSTALL: &str = "
    const done = arguments[0];
    navigator.serviceWorker.getRegistration().then((registration) => {
        registration.addEventListener('updatefound', () => {
            const worker = registration.installing;
            worker.addEventListener('statechange', () => done(worker.state));
        });
        registration.update().catch(() => {});
    });";

/// Opens the page for the first time, and waits until it is isolated and stored.
async fn visit(site: &HostedSite) -> Result<Notebook> {
    let notebook = site.open().await?;
    notebook.browser.until_reloaded(&format!("crossOriginIsolated && {LISTED} && {STORED}")).await?;
    Ok(notebook)
}

/// Waits until the page has loaded in this version.
async fn until_version(notebook: &Notebook, version: &str) -> Result<()> {
    notebook.browser.until_reloaded(&format!("{VERSION} === '{version}' && {LISTED}")).await
}

/// Stops the server. Without the browser's HTTP cache, only the service worker has copies of the files.
async fn disconnect(site: &mut HostedSite, notebook: &Notebook) -> Result<()> {
    site.stop()?;
    ensure!(TcpStream::connect(("127.0.0.1", site.port())).is_err(), "the server still runs");
    notebook.browser.devtools("Network.clearBrowserCache", json!({})).await.map(drop)
}

async fn assert_measures(notebook: &Notebook) -> Result<()> {
    notebook.assert_measures().await?;
    assert!(notebook.clock().await?.is_isolated);
    Ok(())
}

async fn assert_edits_stores_and_shares(notebook: &Notebook) -> Result<()> {
    notebook.add_text("Without a network").await?;
    notebook.until_saved().await?;
    notebook.browser.client.refresh().await?;
    notebook
        .browser
        .until("document.querySelector('[data-test=text]')?.textContent.trim() === 'Without a network'")
        .await?;
    notebook.intercept().await?;
    notebook.share("share-page").await?;
    let page = notebook.intercepted("file").await?;
    assert!(page.starts_with("<!doctype html>") && page.len() > 500_000, "{} bytes: {page:.200}", page.len());
    Ok(())
}

/// A `notebook.json` with points that take a minute.
fn endless() -> String {
    notebook_with("Endless", &["suites/demo.wasm"], &long_first_priority(5_000.0, 60_000.0))
}

async fn start_endless_measurement(notebook: &Notebook) -> Result<()> {
    notebook.choose("numbers::sum").await?;
    notebook.click("measure").await?;
    notebook.until_state("measuring").await
}

async fn caches(notebook: &Notebook) -> Result<Vec<String>> {
    Ok(serde_json::from_value(notebook.browser.value("caches.keys()").await?)?)
}

#[tokio::test]
async fn a_visited_page_works_without_a_network() -> Result<()> {
    let _turn = turn().await;
    for (folder, headers) in [("some/folder/", HeaderMap::new()), ("", isolation()?)] {
        let mut site = HostedSite::start_with(folder, headers)?;
        let notebook = visit(&site).await?;
        let stored = "caches.keys().then(([name]) => caches.open(name)).then((cache) => cache.keys()).then((all) => all.map(({ url }) => url))";
        let stored: Vec<String> = serde_json::from_value(notebook.browser.value(stored).await?)?;
        let is_unneeded = |url: &String| url.ends_with("ladder.wasm") || url.ends_with(".benchbook.json");
        assert!(stored.len() > 5 && !stored.iter().any(is_unneeded), "{stored:?}");
        disconnect(&mut site, &notebook).await?;
        notebook.browser.client.refresh().await?;
        assert_measures(&notebook).await?;
        if !folder.is_empty() {
            assert_edits_stores_and_shares(&notebook).await?;
        }
        for address in ["index.html", "?as=well", ""] {
            notebook.browser.client.goto("about:blank").await?;
            notebook.browser.client.goto(&format!("{}{address}", site.url())).await?;
            notebook.browser.until(LISTED).await?;
            assert_eq!(notebook.browser.value("crossOriginIsolated").await?, true, "{address}");
        }
        for file in ["suites/demo.wasm", "manifest.webmanifest", "icon-192.png", "isolation.js"] {
            assert_eq!(
                notebook.browser.value(&format!("fetch('{file}').then(({{ ok }}) => ok)")).await?,
                true,
                "{file}"
            );
        }
        assert_eq!(notebook.browser.value(OFFERED).await?, false);
        notebook.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_visited_article_is_read_and_measured_without_a_network() -> Result<()> {
    const RANKING: &str = "document.querySelector('[data-test=ranking], [data-test=table]') !== null";
    let _turn = turn().await;
    let mut site = HostedSite::start("blog/")?;
    let notebook = fs::read_to_string(site.path("notebooks/sorts.benchbook.json"))?;
    site.write("which-sort.benchbook.json", &notebook)?;
    let config = json!({ "suites": ["suites/demo.wasm"], "qualities": qualities(5_000.0), "article": "which-sort.benchbook.json" });
    site.write("notebook.json", &config.to_string())?;
    let notebook = site.open().await?;
    notebook.browser.until_reloaded(&format!("crossOriginIsolated && {RANKING} && {STORED}")).await?;
    disconnect(&mut site, &notebook).await?;
    notebook.browser.client.goto("about:blank").await?;
    notebook.browser.client.goto(&site.url()).await?;
    notebook.browser.until(RANKING).await?;
    notebook.browser.until("document.querySelector('[data-test=measure]:enabled')").await?;
    notebook.close().await
}

#[tokio::test]
async fn a_page_that_cannot_be_stored_is_isolated_and_stored_at_a_later_visit() -> Result<()> {
    let _turn = turn().await;
    let site = HostedSite::start("")?;
    let icon = fs::read(site.path("icon-192.png"))?;
    fs::remove_file(site.path("icon-192.png"))?;
    let notebook = site.open().await?;
    notebook.browser.until_reloaded(&format!("crossOriginIsolated && {LISTED}")).await?;
    assert_measures(&notebook).await?;
    assert_eq!(caches(&notebook).await?, Vec::<String>::new());
    fs::write(site.path("icon-192.png"), icon)?;
    notebook.browser.client.refresh().await?;
    notebook.browser.until_reloaded(STORED).await?;
    notebook.close().await
}

#[tokio::test]
async fn a_later_version_is_offered_and_waits_for_the_end_of_a_measurement() -> Result<()> {
    const COUNT_LOADS: &str = "sessionStorage.setItem('loads', 1 + Number(sessionStorage.getItem('loads')));";
    const LOADS: &str = "Number(sessionStorage.getItem('loads'))";
    const IS_DISABLED: &str = "document.querySelector('[data-test=update-now]').disabled";
    let _turn = turn().await;
    let site = HostedSite::start("some/folder/")?;
    site.write("notebook.json", &endless())?;
    let notebook = visit(&site).await?;
    let old = site.version()?;
    // Of another page on the same host.
    let others = ["another page's", &format!("benchbook {}deeper/ 1", site.url())];
    for other in others {
        notebook.browser.value(&format!("caches.open({}).then(() => true)", json!(other))).await?;
    }
    notebook.browser.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": COUNT_LOADS })).await?;

    let new = site.release()?;
    start_endless_measurement(&notebook).await?;
    notebook.browser.value(UPDATE).await?;
    notebook.browser.until(OFFERED).await?;
    assert_eq!(notebook.browser.value(IS_DISABLED).await?, true);
    let text = notebook.texts("update").await?.concat();
    assert!(text.contains("after the measurement"), "{text}");
    notebook.click("stop").await?;
    notebook.browser.until(&format!("!{IS_DISABLED}")).await?;
    notebook.assert_accessible("an offered version").await?;
    assert_eq!(notebook.browser.value(LOADS).await?, 0);

    // Without the user's consent, the old version stays.
    notebook.browser.client.refresh().await?;
    until_version(&notebook, &old).await?;
    notebook.browser.until(OFFERED).await?;
    assert_eq!(notebook.browser.value(LOADS).await?, 1);

    notebook.click("update-now").await?;
    until_version(&notebook, &new).await?;
    start_endless_measurement(&notebook).await?;
    assert_eq!(
        notebook.browser.value(&format!("[{LOADS}, {OFFERED}, crossOriginIsolated]")).await?,
        json!([2, false, true])
    );
    let caches = caches(&notebook).await?;
    assert_eq!(caches, [others[0], others[1], &format!("benchbook {} {new}", site.url())], "in the order of creation");
    notebook.close().await
}

#[tokio::test]
async fn a_version_accepted_in_one_tab_does_not_reload_another() -> Result<()> {
    let _turn = turn().await;
    let site = HostedSite::start("")?;
    site.write("notebook.json", &endless())?;
    let notebook = visit(&site).await?;
    let client = &notebook.browser.client;
    let measuring = client.window().await?;
    start_endless_measurement(&notebook).await?;
    notebook.browser.open_tab(&site.url()).await?;
    notebook.browser.until(LISTED).await?;
    let new = site.release()?;
    notebook.browser.value(UPDATE).await?;
    notebook.browser.until(OFFERED).await?;
    notebook.click("update-now").await?;
    until_version(&notebook, &new).await?;

    client.switch_to_window(measuring).await?;
    assert_ne!(notebook.browser.value(VERSION).await?, json!(new));
    notebook.until_state("measuring").await?;
    notebook.click("stop").await?;
    notebook.browser.until("!document.querySelector('[data-test=update-now]').disabled").await?;
    notebook.click("update-now").await?;
    until_version(&notebook, &new).await?;
    notebook.close().await
}

#[tokio::test]
async fn an_incomplete_version_leaves_the_old_one_working() -> Result<()> {
    let _turn = turn().await;
    let mut site = HostedSite::start("some/folder/")?;
    let notebook = visit(&site).await?;
    let old = site.version()?;
    let page = fs::read_to_string(site.path("index.html"))?;
    let before = caches(&notebook).await?;

    let new = site.release()?;
    let released = ["index.html", "worker.js", "icon-192.png"].map(|name| (name, site.path(name)));
    let mut contents = Vec::new();
    for (name, path) in &released {
        contents.push((*name, path, fs::read(path)?));
    }
    // Missing, or not yet replaced on the host.
    for (name, path, content) in contents {
        match name {
            "index.html" => fs::write(path, &page)?,
            "worker.js" => fs::write(path, "// Of another build.")?,
            _ => fs::remove_file(path)?,
        }
        let state = notebook.browser.client.execute_async(INSTALL, Vec::new()).await?;
        assert_eq!(state, "redundant", "{name}");
        assert_eq!(caches(&notebook).await?, before, "{name}");
        fs::write(path, content)?;
    }
    assert_eq!(notebook.browser.value(OFFERED).await?, false);
    disconnect(&mut site, &notebook).await?;
    notebook.browser.client.refresh().await?;
    assert_measures(&notebook).await?;
    assert_eq!(notebook.browser.value(VERSION).await?, json!(old));

    site.restart()?;
    notebook.browser.value(UPDATE).await?;
    notebook.browser.until(OFFERED).await?;
    notebook.click("update-now").await?;
    until_version(&notebook, &new).await?;
    notebook.close().await
}

#[tokio::test]
async fn changes_of_a_site_and_an_opened_history_are_visible_at_once_and_available_offline() -> Result<()> {
    const PATHS: &str = "[...document.querySelectorAll('[data-test=function]')].map(({ dataset }) => dataset.path)";
    const IS_CHANGED: &str = "document.querySelector('header').textContent.includes('Another title')";
    let _turn = turn().await;
    let mut site = HostedSite::start("")?;
    let notebook = visit(&site).await?;
    fs::copy(site.path("suites/ladder.wasm"), site.path("suites/own.wasm"))?;
    for (name, text) in site_files(accepted_history())? {
        site.write(&name, &text)?;
    }
    let suites = ["suites/demo.wasm", "suites/own.wasm"];
    let config =
        json!({ "title": "Another title", "suites": suites, "qualities": qualities(5_000.0), "history": "history/" });
    site.write("notebook.json", &config.to_string())?;
    let history = format!("{}#history=time&suite=demo&function={FUNCTION}", site.url());
    for is_online in [true, false] {
        if !is_online {
            disconnect(&mut site, &notebook).await?;
        }
        notebook.browser.client.refresh().await?;
        notebook.browser.until(&format!("{IS_CHANGED} && {PATHS}.includes('rungs::one')")).await?;
        assert_eq!(notebook.texts("problem").await?, [""; 0]);
        for (address, shown) in [(&history, "history-table"), (&site.url(), "function")] {
            notebook.browser.client.goto("about:blank").await?;
            notebook.browser.client.goto(address).await?;
            notebook.until_shown(shown).await?;
        }
    }
    assert_measures(&notebook).await?;
    site.restart()?;
    site.write("notebook.json", "{")?;
    notebook.browser.client.refresh().await?;
    notebook.until_text("problem", "notebook.json").await?;
    notebook.close().await
}

#[tokio::test]
async fn requests_to_runners_and_other_pages_are_not_stored() -> Result<()> {
    let _turn = turn().await;
    let mut site = HostedSite::start("")?;
    site.write("api/v1/machine", "{}")?;
    site.write("other/index.html", "<!doctype html><title>Another page</title>")?;
    site.write("other/data.json", "{}")?;
    let other_host = HostedSite::start("")?;
    let notebook = visit(&site).await?;
    let before = notebook.browser.value(STORED_FILES).await?;
    let cross_origin = format!("http://127.0.0.1:{}/suites/demo.wasm", other_host.port());
    let requests = ["api/v1/machine", "other/", "other/data.json", &cross_origin, "suites/none.wasm"];
    let fetch =
        |address: &str| format!("fetch('{address}', {{ cache: 'no-store' }}).then(({{ ok }}) => ok, () => null)");
    for address in requests {
        let expected = address != "suites/none.wasm";
        assert_eq!(notebook.browser.value(&fetch(address)).await?, expected, "{address}");
    }
    notebook.browser.client.goto(&format!("{}other/", site.url())).await?;
    const OTHER: &str = "[document.title, crossOriginIsolated, navigator.serviceWorker.controller !== null]";
    assert_eq!(notebook.browser.value(OTHER).await?, json!(["Another page", false, true]), "in scope, passed through");
    notebook.browser.client.goto(&site.url()).await?;
    notebook.browser.until(LISTED).await?;
    assert_eq!(notebook.browser.value(STORED_FILES).await?, before);
    disconnect(&mut site, &notebook).await?;
    for address in &requests[..3] {
        assert_eq!(notebook.browser.value(&fetch(address)).await?, Value::Null, "{address}");
    }
    notebook.close().await
}

#[tokio::test]
async fn nothing_is_stored_on_loopback() -> Result<()> {
    /// Leaves a cache as an earlier version might have, and a cache of another page.
    const LEAVE: &str = "const done = arguments[0];
        Promise.all([caches.open(`benchbook ${new URL('.', location).href} 1`), caches.open('another')]).then(() => done());";
    let _turn = turn().await;
    let site = Site { service_worker: true, ..Site::default() };
    let browser = Browser::reuse(DESKTOP.0, DESKTOP.1).await?;
    let server = Server::start(site).await?;
    let notebook = Notebook { browser, server };
    // In scope, without a service worker.
    notebook.browser.client.goto(&format!("{}notebook.json", notebook.server.url())).await?;
    notebook.browser.client.execute_async(LEAVE, Vec::new()).await?;
    notebook.browser.client.goto(notebook.server.url()).await?;
    notebook.browser.until_reloaded(&format!("crossOriginIsolated && {LISTED}")).await?;
    // The service worker has received the message when it responds to the next request.
    const STORE: &str = "navigator.serviceWorker.controller.postMessage('store')";
    notebook.browser.value(STORE).await?;
    notebook.browser.client.refresh().await?;
    notebook.browser.until(LISTED).await?;
    assert_eq!(caches(&notebook).await?, ["another"]);
    notebook.close().await
}

#[tokio::test]
async fn a_hosted_page_can_be_installed() -> Result<()> {
    const ICONS: &str = "(async () => {
        const manifest = document.querySelector('link[rel=manifest]').href;
        const { icons } = await (await fetch(manifest)).json();
        return Promise.all(icons.map(async ({ src, sizes }) => {
            const { width, height } = await createImageBitmap(await (await fetch(new URL(src, manifest))).blob());
            return [sizes, width, height];
        }));
    })()";
    let _turn = turn().await;
    let site = HostedSite::start("some/folder/")?;
    let notebook = visit(&site).await?;
    let errors = notebook.browser.devtools("Page.getInstallabilityErrors", json!({})).await?;
    assert_eq!(errors["installabilityErrors"], json!([]));
    let manifest = notebook.browser.devtools("Page.getAppManifest", json!({})).await?;
    assert_eq!(manifest["errors"], json!([]));
    assert_eq!(manifest["manifest"]["startUrl"], site.url(), "{manifest}");
    assert_eq!(manifest["manifest"]["scope"], site.url());
    assert_eq!(manifest["manifest"]["display"], "kStandalone");
    // Of the icons as the manifest declares them: their sizes, and those of the images.
    let icons = notebook.browser.value(ICONS).await?;
    assert_eq!(icons, json!([["192x192", 192, 192], ["512x512", 512, 512]]));
    notebook.close().await
}
