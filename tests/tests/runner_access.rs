//! How a page comes to a runner: the token, the origin, the browser's own permission, and a runner that comes back.

use std::fs;

use anyhow::{Context, Result};
use benchbook::api::STREAM;
use benchbook_tests::browser::{Browser, turn};
use benchbook_tests::notebook::{DESKTOP, Notebook};
use benchbook_tests::runner_site::RunnerSite;
use benchbook_tests::server::Server;
use benchbook_tests::sites::demo;
use benchbook_tests::suites;
use serde_json::json;
use tempfile::TempDir;

const TOKEN: &str = "a-token-of-sufficient-length-0123";

/// A runner that wants [`TOKEN`], and the folder of the file that has it.
fn guarded() -> Result<(RunnerSite, TempDir)> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("token");
    fs::write(&file, TOKEN)?;
    let runner = RunnerSite::start(&suites::demo()?, 20, &["--token-file", &file.to_string_lossy()])?;
    Ok((runner, folder))
}

/// Waits until the runner's card says this of a trouble; it is open.
async fn until_trouble(notebook: &Notebook, told: &str) -> Result<()> {
    let trouble = "document.querySelector('[data-test=runner-trouble]')?.textContent";
    notebook.browser.until(&format!("{trouble}.includes('{told}')")).await
}

/// What the chip says.
async fn chip(notebook: &Notebook) -> Result<String> {
    let told = notebook.browser.value("document.querySelector('[data-test=runner] summary').textContent").await?;
    Ok(told.as_str().unwrap_or_default().to_owned())
}

/// Has the page look at once how it stands with the runner, as where a network comes back.
async fn look(notebook: &Notebook) -> Result<()> {
    notebook.browser.client.execute("dispatchEvent(new Event('online'))", Vec::new()).await?;
    Ok(())
}

#[tokio::test]
async fn a_wrong_token_is_told_and_the_right_one_is_kept_until_it_is_taken_out() -> Result<()> {
    let _turn = turn().await;
    let (runner, _token) = guarded()?;
    let (site, address) = (demo(), runner.program.url().to_owned());
    let notebook = Notebook::load(Browser::start(DESKTOP.0, DESKTOP.1).await?, site, "").await?;
    runner.load(&notebook, "").await?;
    notebook.until_runner("refused").await?;
    assert_eq!(chip(&notebook).await?, "runner refuses");
    notebook.click("runner").await?;
    until_trouble(&notebook, "requires a token").await?;
    notebook.assert_accessible("a runner that wants a token").await?;

    notebook.connect(&address, "another-token-of-that-length-0123").await?;
    until_trouble(&notebook, "requires a token").await?;
    notebook.connect(&address, TOKEN).await?;
    notebook.until_runner("ready").await?;
    assert_eq!(chip(&notebook).await?, "runner bench-01 · idle");
    // What is there can be read with it, also in a page that begins.
    runner.go(&notebook, "archive=all").await?;
    notebook
        .browser
        .until("document.querySelector('[data-test=archive-told]').textContent.includes('Nothing')")
        .await?;

    notebook.click("runner").await?;
    let kept = notebook.browser.value("document.querySelector('[data-test=runner-token]').value").await?;
    assert_eq!(kept, TOKEN);
    notebook.connect(&address, "").await?;
    notebook.until_runner("refused").await?;
    runner.load(&notebook, "").await?;
    notebook.until_runner("refused").await?;
    notebook.close().await
}

#[tokio::test]
async fn a_link_brings_the_token_and_the_address_loses_it() -> Result<()> {
    let _turn = turn().await;
    let (runner, _token) = guarded()?;
    let notebook = Notebook::load(Browser::start(DESKTOP.0, DESKTOP.1).await?, demo(), "").await?;
    runner.go(&notebook, &format!("archive=all&token={TOKEN}")).await?;
    assert_eq!(notebook.fragment().await?, "archive=all");
    runner.go(&notebook, "archive=all").await?;
    // Another link in the page that is open: with a token that opens nothing, so that what is shown comes from it.
    let follow = "location.hash = '#suite=demo&function=numbers::sum&token=another-token-of-that-length-0123'";
    notebook.browser.client.execute(follow, Vec::new()).await?;
    notebook
        .browser
        .until_loaded_again(
            "document.querySelector('[data-test=runner]')?.dataset.state === 'refused' \
             && document.querySelector('[data-test=cell]')?.dataset.path === 'numbers::sum' \
             && !location.hash.includes('token')",
        )
        .await?;
    assert!(notebook.texts("problem").await?.is_empty());
    notebook.close().await
}

#[tokio::test]
async fn the_token_of_a_link_goes_to_the_runner_that_the_page_names() -> Result<()> {
    let _turn = turn().await;
    let (runner, _token) = guarded()?;
    let notebook = Notebook::load(Browser::start(DESKTOP.0, DESKTOP.1).await?, demo(), "").await?;
    runner.load(&notebook, "").await?;
    notebook.click("runner").await?;
    // Nobody answers there; it stays the one that was chosen in this browser.
    notebook.connect("http://127.0.0.1:9", "").await?;
    notebook.until_runner("lost").await?;
    runner.go(&notebook, &format!("token={TOKEN}")).await?;
    let kept = notebook.browser.value("JSON.stringify(localStorage['benchbook-runner http://127.0.0.1:9/'])").await?;
    assert_eq!(kept, "\"\"", "no token of another's");
    notebook.close().await
}

#[tokio::test]
async fn a_page_of_an_origin_that_is_not_allowed_is_told_so() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    let origin = notebook.server.url().trim_end_matches('/').to_owned();
    // Another port is another origin.
    let runner = RunnerSite::start(&suites::demo()?, 20, &["--origin", "http://127.0.0.1:9"])?;
    assert_eq!(chip(&notebook).await?, "no runner");
    notebook.click("runner").await?;
    notebook.connect(runner.program.url(), "").await?;
    until_trouble(&notebook, &format!("is {origin} among its origins?")).await?;
    notebook.until_runner("lost").await?;
    notebook.close().await
}

#[tokio::test]
async fn a_permission_for_the_local_network_that_is_refused_is_explained() -> Result<()> {
    let _turn = turn().await;
    let server = Server::start(demo()).await?;
    let origin = server.url().trim_end_matches('/').to_owned();
    let runner = RunnerSite::start(&suites::demo()?, 20, &["--origin", &origin])?;
    // The page counts as one of the internet: only such pages need the permission.
    let public = format!("--ip-address-space-overrides={}=public", origin.trim_start_matches("http://"));
    let browser = Browser::start_with(DESKTOP.0, DESKTOP.1, &[public]).await?;
    let permission =
        |setting| json!({ "permission": { "name": "loopback-network" }, "setting": setting, "origin": origin });
    browser.ask("Browser.setPermission", permission("denied")).await?;
    browser.client.goto(server.url()).await?;
    browser.until("document.querySelector('[data-test=function]')").await?;
    let notebook = Notebook { browser, server };
    notebook.click("runner").await?;
    notebook.connect(runner.program.url(), "").await?;
    until_trouble(&notebook, "The browser blocks access to your local network. Allow it").await?;
    notebook.until_runner("refused").await?;
    // Allowed, it goes on.
    notebook.browser.ask("Browser.setPermission", permission("granted")).await?;
    notebook.click("runner-connect").await?;
    notebook.until_runner("ready").await?;
    notebook.close().await
}

#[tokio::test]
async fn the_chip_says_how_busy_the_runner_is() -> Result<()> {
    let _turn = turn().await;
    // Long enough for the chip to be read while it hangs.
    let runner = RunnerSite::start(&suites::fixture("misbehaving")?, 10_000, &[])?;
    let notebook = runner.open().await?;
    assert_eq!(chip(&notebook).await?, "runner bench-01 · idle");
    let request = json!({
        "suite": "misbehaving", "functions": ["functions::hangs"], "generator": "generators::sizes",
        "arguments": { "size": { "low": 1, "high": 10 } }, "priority": 1, "client": "a-script",
    });
    let asked = runner.program.post("measure").header("accept", STREAM).json(&request).send();
    let mut stream = asked.await?.error_for_status()?;
    stream.chunk().await?.context("it is taken")?;
    look(&notebook).await?;
    notebook.until_runner("busy").await?;
    assert_eq!(chip(&notebook).await?, "runner bench-01 · 1 at work or waiting");
    // Whoever hangs up takes back what they asked; the chip follows on its own.
    drop(stream);
    notebook.until_runner("ready").await?;
    notebook.close().await
}

#[tokio::test]
async fn a_runner_that_comes_back_is_found_and_asked_what_was_wanted_of_it() -> Result<()> {
    let _turn = turn().await;
    let mut runner = RunnerSite::start(&suites::demo()?, 20, &[])?;
    let notebook = runner.open().await?;
    runner.program.kill()?;
    look(&notebook).await?;
    notebook.until_runner("lost").await?;
    assert_eq!(chip(&notebook).await?, "runner lost");
    // Measuring here needs none.
    notebook.choose("numbers::sum").await?;
    notebook.type_into("count", "high", "300").await?;
    notebook.click("measure").await?;
    notebook.browser.until("document.querySelector('[data-test=table] tr[data-machine=browser]')").await?;
    notebook.click("stop").await?;
    notebook.click("runner").await?;
    until_trouble(&notebook, "The runner does not respond. Is it running?").await?;
    notebook.click("open-archive").await?;
    let told = "document.querySelector('[data-test=archive-told]').textContent";
    notebook.browser.until(&format!("{told}.includes('does not respond')")).await?;

    runner.restart()?;
    notebook.until_runner("ready").await?;
    notebook.browser.until(&format!("{told}.includes('Nothing is stored yet')")).await?;
    notebook.close().await
}
