//! Measures the notebooks of `docs/notebooks/` again, in Chromium and natively, and writes their files. Run it with
//! `cargo xtask notebooks`. The arguments are the name of the machine and the files.

use std::env;
use std::fs;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use benchbook_notebook::cell::Cell;
use benchbook_notebook::file;
use benchbook_notebook::notebook::Notebook as Document;
use benchbook_tests::browser::Browser;
use benchbook_tests::notebook::{DESKTOP, Notebook};
use benchbook_tests::runner::RunnerProgram;
use benchbook_tests::server::{Site, dist};
use benchbook_tests::suites;
use tempfile::TempDir;
use tokio::time::sleep;

/// Records the file that the page copies.
const INTERCEPT: &str =
    "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); };";

#[tokio::main]
async fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let machine = arguments.next().context("expected the name of the machine, and files")?;
    for path in arguments {
        println!("{path}");
        let path = Path::new(&path);
        let measured = measure(&machine, path).await.with_context(|| format!("measuring {}", path.display()))?;
        fs::write(path, format!("{}\n", file::write(&measured)))
            .with_context(|| format!("failed to write {}", path.display()))?;
    }
    Ok(())
}

/// Measures all cells of a notebook on the page of a runner with the default qualities.
async fn measure(machine: &str, path: &Path) -> Result<Document> {
    let folder = TempDir::new()?;
    let suite = suites::demo()?;
    // The runner looks for the wasm build next to the executable.
    let program = folder.path().join("demo");
    fs::copy(&suite.program, &program)?;
    fs::copy(&suite.module, folder.path().join("demo.wasm"))?;
    let page = dist()?.to_string_lossy().into_owned();
    let options = ["--page", page.as_str(), "--name", machine];
    let runner = RunnerProgram::start_at(&folder.path().join("results.sqlite"), &[&program], &options)?;

    // The page object needs a server, which this program does not use.
    let notebook = Notebook::load(Browser::start(DESKTOP.0, DESKTOP.1).await?, Site::default(), "").await?;
    let browser = &notebook.browser;
    browser.client.goto("about:blank").await?;
    browser.client.goto(&format!("{}/", runner.url())).await?;
    notebook.until_runner("idle").await?;
    browser.until("document.querySelector('[data-test=file-picker]')").await?;
    browser.client.execute(INTERCEPT, Vec::new()).await?;
    let mut document = file::read(&fs::read_to_string(path)?)?.without_results();
    for cell in &mut document.cells {
        if cell.measurement().is_some() {
            *cell = measure_cell(&notebook, cell, folder.path()).await?;
        }
    }
    notebook.close().await?;
    Ok(document)
}

/// Measures a cell in a notebook of its own, since a file with the raw samples of all cells would be too large. Returns it without samples.
async fn measure_cell(notebook: &Notebook, cell: &Rc<Cell>, folder: &Path) -> Result<Rc<Cell>> {
    let browser = &notebook.browser;
    let path = folder.join("unmeasured.benchbook.json");
    fs::write(&path, file::write(&Document { title: String::new(), cells: vec![Rc::clone(cell)] }))?;
    notebook.click("home").await?;
    browser.until("document.querySelector('[data-test=file-picker]')").await?;
    notebook.find("[data-test=file-picker]").await?.send_keys(path.to_str().context("the path is text")?).await?;
    browser.until("document.querySelector('[data-test=measure]')").await?;
    notebook.click("measure").await?;
    println!("  {}", until_done(browser).await?);
    notebook.browser.click("[data-test=share-menu] summary").await?;
    browser.value("delete window.copied").await?;
    notebook.click("share-text").await?;
    browser.until("window.copied").await?;
    let copied = browser.value("window.copied").await?;
    let measured = file::read(copied.as_str().context("the page copied no text")?)?.without_samples();
    measured.cells.into_iter().next().context("the notebook is empty")
}

/// Waits for the end of a measurement. Returns its answer.
async fn until_done(browser: &Browser) -> Result<String> {
    loop {
        sleep(Duration::from_secs(1)).await;
        let progress = "document.querySelector('[data-test=progress]')";
        let state = browser.value(&format!("{progress}.dataset.state")).await?;
        ensure!(state != "failed", "{}", browser.value(&format!("{progress}.textContent")).await?);
        if state == "done" {
            let answer = browser.value("document.querySelector('[data-test=answer]').textContent").await?;
            return Ok(answer.as_str().unwrap_or_default().to_owned());
        }
    }
}
