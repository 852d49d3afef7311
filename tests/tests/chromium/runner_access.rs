//! Connecting a page to a runner: token, origin, the browser's permission, and reconnection.

use std::fs;

use anyhow::{Context, Result};
use benchbook_host::api::STREAM;
use benchbook_tests::browser::{Browser, turn};
use benchbook_tests::notebook::{DESKTOP, Notebook, Row};
use benchbook_tests::runner_site::RunnerSite;
use benchbook_tests::server::Server;
use benchbook_tests::sites::demo;
use benchbook_tests::suites;
use serde_json::json;
use tempfile::TempDir;

const TOKEN: &str = "a-token-of-sufficient-length-0123";

/// Starts a runner that requires [`TOKEN`]. Returns it with the folder of the token's file.
fn start_with_token() -> Result<(RunnerSite, TempDir)> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("token");
    fs::write(&file, TOKEN)?;
    let runner = RunnerSite::start(&suites::demo()?, 20, &["--token-file", &file.to_string_lossy()])?;
    Ok((runner, folder))
}

/// The text of the runner's chip.
async fn chip(notebook: &Notebook) -> Result<String> {
    let text = notebook.browser.value("document.querySelector('[data-test=runner] summary').textContent").await?;
    Ok(text.as_str().unwrap_or_default().to_owned())
}

/// Makes the page check its connection at once, as if the network had returned.
async fn check_connection(notebook: &Notebook) -> Result<()> {
    notebook.browser.client.execute("dispatchEvent(new Event('online'))", Vec::new()).await?;
    Ok(())
}

#[tokio::test]
async fn a_wrong_token_is_reported_and_the_right_one_is_saved() -> Result<()> {
    let _turn = turn().await;
    let (runner, _token) = start_with_token()?;
    let (site, address) = (demo(), runner.program.url().to_owned());
    let notebook = Notebook::load(Browser::reuse(DESKTOP.0, DESKTOP.1).await?, site, "").await?;
    runner.load(&notebook, "").await?;
    notebook.until_runner("runner unavailable").await?;
    assert_eq!(chip(&notebook).await?, "runner unavailable");
    notebook.click("runner").await?;
    notebook.until_text("runner-trouble", "requires a token").await?;
    notebook.assert_accessible("a runner that requires a token").await?;

    notebook.connect(&address, "another-token-of-that-length-0123").await?;
    notebook.until_text("runner-trouble", "requires a token").await?;
    notebook.connect(&address, TOKEN).await?;
    notebook.until_runner("idle").await?;
    assert_eq!(chip(&notebook).await?, "bench-01 · idle");
    // With the token, the archive can be read even after a reload.
    runner.go(&notebook, "archive=all").await?;
    notebook.until_text("archive-status", "No stored results yet").await?;

    notebook.click("runner").await?;
    let stored = notebook.browser.value("document.querySelector('[data-test=runner-token]').value").await?;
    assert_eq!(stored, TOKEN);
    notebook.connect(&address, "").await?;
    notebook.until_runner("runner unavailable").await?;
    runner.load(&notebook, "").await?;
    notebook.until_runner("runner unavailable").await?;
    notebook.close().await
}

#[tokio::test]
async fn a_links_token_is_saved_and_removed_from_the_address() -> Result<()> {
    let _turn = turn().await;
    let (runner, _token) = start_with_token()?;
    let notebook = Notebook::load(Browser::reuse(DESKTOP.0, DESKTOP.1).await?, demo(), "").await?;
    runner.go(&notebook, &format!("archive=all&token={TOKEN}")).await?;
    assert_eq!(notebook.fragment().await?, "archive=all");
    runner.go(&notebook, "archive=all").await?;
    // Following another link within the page, with an invalid token: the page must use the new token.
    let follow = "location.hash = '#suite=demo&function=numbers::sum&token=another-token-of-that-length-0123'";
    notebook.browser.client.execute(follow, Vec::new()).await?;
    notebook
        .browser
        .until_reloaded(
            "document.querySelector('[data-test=runner] summary')?.textContent === 'runner unavailable' \
             && document.querySelector('[data-test=cell]')?.dataset.path === 'numbers::sum' \
             && !location.hash.includes('token')",
        )
        .await?;
    assert!(notebook.texts("problem").await?.is_empty());

    // It applies to the page's own runner, even if the user has chosen another one.
    runner.load(&notebook, "").await?;
    notebook.click("runner").await?;
    // No runner listens there, but this address remains the saved choice.
    notebook.connect("http://127.0.0.1:9", "").await?;
    notebook.until_runner("runner unreachable").await?;
    runner.go(&notebook, &format!("token={TOKEN}")).await?;
    let stored = notebook.browser.value("JSON.stringify(localStorage['benchbook-runner http://127.0.0.1:9/'])").await?;
    assert_eq!(stored, "\"\"", "the token is not saved for another runner");
    notebook.close().await
}

#[tokio::test]
async fn a_forbidden_origin_is_reported() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    let origin = notebook.server.url().trim_end_matches('/').to_owned();
    // An origin includes the port.
    let runner = RunnerSite::start(&suites::demo()?, 20, &["--origin", "http://127.0.0.1:9"])?;
    assert_eq!(chip(&notebook).await?, "Connect a runner");
    notebook.click("runner").await?;
    notebook.connect(runner.program.url(), "").await?;
    notebook.until_text("runner-trouble", &format!("list {origin} in its `origins`")).await?;
    notebook.until_runner("runner unreachable").await?;
    notebook.close().await
}

#[tokio::test]
async fn a_denied_local_network_permission_is_explained() -> Result<()> {
    let _turn = turn().await;
    let server = Server::start(demo()).await?;
    let origin = server.url().trim_end_matches('/').to_owned();
    let runner = RunnerSite::start(&suites::demo()?, 20, &["--origin", &origin])?;
    // Only pages from the public internet need the permission.
    let public = format!("--ip-address-space-overrides={}=public", origin.trim_start_matches("http://"));
    let browser = Browser::start_with(DESKTOP.0, DESKTOP.1, &[public]).await?;
    let permission =
        |setting| json!({ "permission": { "name": "loopback-network" }, "setting": setting, "origin": origin });
    browser.devtools("Browser.setPermission", permission("denied")).await?;
    browser.client.goto(server.url()).await?;
    browser.until("document.querySelector('[data-test=function]')").await?;
    let notebook = Notebook { browser, server };
    notebook.click("runner").await?;
    notebook.connect(runner.program.url(), "").await?;
    notebook.until_text("runner-trouble", "The browser blocks access to your local network. Allow it").await?;
    notebook.until_runner("runner unavailable").await?;
    // Once it is granted, the page connects.
    notebook.browser.devtools("Browser.setPermission", permission("granted")).await?;
    notebook.click("runner-connect").await?;
    notebook.until_runner("idle").await?;
    notebook.close().await
}

#[tokio::test]
async fn the_page_shows_the_load_of_the_runner_and_waits_for_its_turn() -> Result<()> {
    let _turn = turn().await;
    // The first priority takes long enough to read the chip while the function hangs.
    let qualities = [(3, 0.5, 10_000), (3, 0.4, 100), (5, 0.3, 100), (5, 0.2, 100)];
    let runner = RunnerSite::with_qualities(&suites::fixture("misbehaving")?, qualities, &[])?;
    let notebook = runner.open().await?;
    assert_eq!(chip(&notebook).await?, "bench-01 · idle");
    let request = json!({
        "suite": "misbehaving", "functions": ["functions::hangs"], "generator": "generators::sizes",
        "arguments": { "size": { "low": 1, "high": 10 } }, "priority": 1, "client": "a-script",
    });
    let sent = runner.program.post("measure").header("accept", STREAM).json(&request).send();
    let mut stream = sent.await?.error_for_status()?;
    stream.chunk().await?.context("the request is not queued")?;
    check_connection(&notebook).await?;
    notebook.until_runner("queued or running").await?;
    assert_eq!(chip(&notebook).await?, "bench-01 · 1 queued or running");
    notebook.choose("functions::well").await?;
    notebook.click("measure").await?;
    notebook.until_text("cell", "ahead of you").await?;
    // Disconnecting cancels the request, and the chip is updated.
    drop(stream);
    notebook.until_state("done").await?;
    let rows = notebook.rows().await?;
    let native: Vec<&Row> = rows.iter().filter(|row| row.machine == "native").collect();
    assert!(native.len() == 5 && native.iter().all(|row| row.priority == "4" && row.mean.is_some()), "{rows:?}");
    notebook.until_runner("idle").await?;
    notebook.close().await
}

#[tokio::test]
async fn the_page_reconnects_to_a_restarted_runner_and_repeats_its_requests() -> Result<()> {
    let _turn = turn().await;
    let mut runner = RunnerSite::start(&suites::demo()?, 20, &[])?;
    let notebook = runner.open().await?;
    runner.program.kill()?;
    check_connection(&notebook).await?;
    notebook.until_runner("runner unreachable").await?;
    assert_eq!(chip(&notebook).await?, "runner unreachable");
    // Measuring in the browser works without a runner.
    notebook.choose("numbers::sum").await?;
    notebook.type_into("count", "high", "300").await?;
    notebook.click("measure").await?;
    notebook.browser.until("document.querySelector('[data-test=table] tr[data-machine=browser]')").await?;
    notebook.click("stop").await?;
    notebook.click("runner").await?;
    notebook.until_text("runner-trouble", "The runner does not respond. Start it, or choose another one.").await?;
    notebook.click("open-archive").await?;
    notebook.until_text("archive-status", "does not respond").await?;

    runner.restart()?;
    notebook.until_runner("idle").await?;
    notebook.until_text("archive-status", "No stored results yet").await?;
    notebook.close().await
}
