//! A runner that also serves the page.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use benchbook_instrument::COUNTING_MODULE;
use tempfile::TempDir;

use crate::browser::Browser;
use crate::notebook::{DESKTOP, Notebook};
use crate::runner::RunnerProgram;
use crate::server::{Site, dist};
use crate::suites::SuiteBuilds;

/// The machine's name.
pub const NAME: &str = "bench-01";

/// A priority: the number of points, the precision, and the milliseconds per point.
pub type RunnerQuality = (u32, f64, u32);

/// A runner with one suite and a database that survives restarts.
pub struct RunnerSite {
    /// The process.
    pub program: RunnerProgram,
    folder: TempDir,
    more: Vec<String>,
}

impl RunnerSite {
    /// Starts a runner whose priorities have a few points of `point_ms` each; `more` contains further options.
    pub fn start(suite: &SuiteBuilds, point_ms: u32, more: &[&str]) -> Result<Self> {
        Self::with_qualities(
            suite,
            [(3, 0.5, point_ms), (3, 0.4, point_ms), (5, 0.3, point_ms), (5, 0.2, point_ms)],
            more,
        )
    }

    /// Starts a runner with these priorities.
    pub fn with_qualities(suite: &SuiteBuilds, qualities: [RunnerQuality; 4], more: &[&str]) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let mut config = String::new();
        for (points, precision, point_ms) in qualities {
            write!(
                config,
                "[[qualities]]\npoints = {points}\nprecision = {precision}\npoint_ms = {point_ms}.0\n\
                 warm_up = {{ at_least = 1, at_most = 5, ms = 1 }}\nsamples = {{ at_least = 4, at_most = 40 }}\nprocesses = 1\n"
            )?;
        }
        fs::write(folder.path().join("benchbook.toml"), config)?;
        // The runner looks for both modules next to the executable.
        fs::copy(&suite.program, folder.path().join("demo"))?;
        fs::copy(&suite.module, folder.path().join("demo.wasm"))?;
        // Fixtures have none.
        let counting = suite.module.with_extension(COUNTING_MODULE);
        if counting.exists() {
            fs::copy(counting, folder.path().join("demo").with_extension(COUNTING_MODULE))?;
        }
        let more: Vec<String> = more.iter().map(|&option| option.to_owned()).collect();
        let program = start(folder.path(), &more)?;
        Ok(Self { program, folder, more })
    }

    /// Kills the runner as a power cut would, and restarts it at the same address.
    pub fn restart(&mut self) -> Result<()> {
        self.program.kill()?;
        let port = self.program.url().rsplit(':').next().context("the address has a port")?.to_owned();
        let more = [self.more.clone(), vec!["--port".to_owned(), port]].concat();
        self.program = start(self.folder.path(), &more)?;
        Ok(())
    }

    /// Opens the runner's page and waits until it is connected.
    pub async fn open(&self) -> Result<Notebook> {
        // The page object needs a server, which this test does not use.
        let notebook = Notebook::load(Browser::reuse(DESKTOP.0, DESKTOP.1).await?, Site::default(), "").await?;
        self.go(&notebook, "").await?;
        Ok(notebook)
    }

    /// Loads the runner's page at a fragment and waits until it is connected.
    pub async fn go(&self, notebook: &Notebook, fragment: &str) -> Result<()> {
        self.load(notebook, fragment).await?;
        notebook.until_runner("idle").await
    }

    /// Loads the runner's page at a fragment.
    pub async fn load(&self, notebook: &Notebook, fragment: &str) -> Result<()> {
        notebook.browser.client.goto("about:blank").await?;
        notebook.browser.client.goto(&format!("{}/#{fragment}", self.program.url())).await?;
        notebook.until_shown("function").await
    }
}

impl Notebook {
    /// Waits until the runner's chip shows this text.
    pub async fn until_runner(&self, text: &str) -> Result<()> {
        let summary = "document.querySelector('[data-test=runner] summary')";
        self.browser.until(&format!("{summary}?.textContent.includes('{text}')")).await
    }

    /// Replaces the address and the token of the runner, and connects.
    pub async fn connect(&self, address: &str, token: &str) -> Result<()> {
        for (field, text) in [("runner-address", address), ("runner-token", token)] {
            let field = self.find(&format!("[data-test={field}]")).await?;
            field.clear().await?;
            field.send_keys(text).await?;
        }
        self.click("runner-connect").await
    }
}

fn start(folder: &Path, more: &[String]) -> Result<RunnerProgram> {
    let (config, page) = (folder.join("benchbook.toml"), dist()?);
    let [config, page] = [config, page].map(|path| path.to_string_lossy().into_owned());
    let mut arguments = vec!["--config", &config, "--page", &page, "--name", NAME];
    arguments.extend(more.iter().map(String::as_str));
    RunnerProgram::start_at(&folder.join("results.sqlite"), &[&folder.join("demo")], &arguments)
}
