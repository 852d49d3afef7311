//! Kills the browser while a notebook is edited, saved and measured, and checks that nothing is lost that the page showed as saved.

use anyhow::{Context, Result, ensure};
use benchbook_contract::rng::Rng;
use rand::{RngExt, SeedableRng};
use serde::Deserialize;

use crate::browser::Browser;
use crate::notebook::{DESKTOP, Notebook};
use crate::server::Server;
use crate::sites::demo;

/// The most steps before a kill. The first ones of a measurement's priorities take a few steps each.
const MAX_STEPS: usize = 25;

/// What the page shows.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShownContent {
    /// Whether the page shows everything as saved.
    is_saved: bool,
    /// The text of the text cell.
    text: String,
    /// The number of points in the table of the first cell.
    points: usize,
}

/// Reads it in one script, so that its parts belong together.
const CONTENT: &str = "({
    isSaved: document.querySelector('[data-test=saved]').dataset.state === 'saved',
    text: document.querySelector('[data-test=text-field]')?.value ?? document.querySelector('[data-test=text]').textContent.trim(),
    points: document.querySelectorAll('[data-test=table] tbody tr').length,
})";

/// Kills and reopens the browser `cycles` times. `seed` decides what happens before each kill.
///
/// # Errors
/// If something is missing that was shown as saved.
pub async fn kill_repeatedly(cycles: u32, seed: u64) -> Result<()> {
    let mut random = Rng::seed_from_u64(seed);
    let mut notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.type_into("size", "high", "3000").await?;
    notebook.add_text("a").await?;
    notebook.browser.until("document.querySelector('[data-test=saved]').dataset.state === 'saved'").await?;
    let mut saved = content(&notebook).await?;
    for cycle in 1..=cycles {
        let steps = random.random_range(1..=MAX_STEPS);
        if random.random_bool(0.5) {
            notebook.find("[data-test=cell] [data-test=measure]").await?.click().await?;
        }
        notebook.click("text-edit").await?;
        notebook.browser.until("document.querySelector('[data-test=text-field]')").await?;
        for _ in 0..steps {
            let letter = char::from(b'a' + random.random_range(0..26));
            notebook.find("[data-test=text-field]").await?.send_keys(&letter.to_string()).await?;
            let shown = content(&notebook).await?;
            if shown.is_saved {
                saved = shown;
            }
        }
        let fragment = notebook.fragment().await?;
        let Notebook { browser, server } = notebook;
        notebook = reopened(browser.killed(DESKTOP).await?, server, &fragment).await?;
        let shown = content(&notebook).await?;
        ensure!(shown.text.starts_with(&saved.text), "cycle {cycle}: {saved:?} was saved, but {shown:?} remains");
        ensure!(shown.points >= saved.points, "cycle {cycle}: {saved:?} was saved, but {shown:?} remains");
        saved = shown;
    }
    notebook.close().await
}

async fn reopened(browser: Browser, server: Server, fragment: &str) -> Result<Notebook> {
    browser.client.goto(&format!("{}#{fragment}", server.url())).await?;
    browser.until("document.querySelector('[data-test=text]') && document.querySelector('[data-test=cell] [data-test=measure]')").await?;
    let notebook = Notebook { browser, server };
    // The current cell is the text, as before.
    notebook.find("[data-test=text-cell] [data-test=text]").await?.click().await?;
    Ok(notebook)
}

async fn content(notebook: &Notebook) -> Result<ShownContent> {
    serde_json::from_value(notebook.browser.value(CONTENT).await?).context("reading what the page shows")
}
