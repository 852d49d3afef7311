//! The page and its runner: the real program on loopback, and the page in Chromium.

use std::fs;

use anyhow::{Context, Result};
use benchbook_tests::browser::{Browser, turn};
use benchbook_tests::notebook::{DESKTOP, Notebook, Row};
use benchbook_tests::runner::RunnerProgram;
use benchbook_tests::server::{Site, dist};
use benchbook_tests::sites::demo;
use benchbook_tests::suites;
use fantoccini::Locator;
use tempfile::TempDir;

const SORT: &str = "sorting::sort_unstable";

/// A runner with this suite and four priorities of a few points, whose points take so long; it serves the page too.
struct Runner {
    program: RunnerProgram,
    folder: TempDir,
}

impl Runner {
    fn start(suite: &suites::Faces, point_ms: u32, more: &[&str]) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let quality = |(points, precision): (u32, f64)| {
            format!(
                "[[qualities]]\npoints = {points}\nprecision = {precision}\npoint_ms = {point_ms}.0\n\
                 warm_up = {{ at_least = 1, at_most = 5, ms = 1 }}\nsamples = {{ at_least = 4, at_most = 40 }}\nprocesses = 1\n"
            )
        };
        fs::write(
            folder.path().join("benchbook.toml"),
            [(3, 0.5), (3, 0.4), (5, 0.3), (5, 0.2)].map(quality).concat(),
        )?;
        // The twins stand side by side.
        let (program, module) = (folder.path().join("demo"), folder.path().join("demo.wasm"));
        fs::copy(&suite.program, &program)?;
        fs::copy(&suite.module, &module)?;
        let program = Self::program(&folder, more)?;
        Ok(Self { program, folder })
    }

    fn program(folder: &TempDir, more: &[&str]) -> Result<RunnerProgram> {
        let (config, page) = (folder.path().join("benchbook.toml"), dist()?);
        let text = |path: &std::path::Path| path.to_string_lossy().into_owned();
        let (config, page) = (text(&config), text(&page));
        let mut arguments = vec!["--config", &config, "--page", &page, "--name", "bench-01"];
        arguments.extend(more);
        let suite = folder.path().join("demo");
        RunnerProgram::start_at(&folder.path().join("results.sqlite"), &[&suite], &arguments)
    }

    /// The page that it serves, once it is connected.
    async fn open(&self) -> Result<Notebook> {
        // The notebook's own host is of no interest here.
        let notebook = Notebook::load(Browser::start(DESKTOP.0, DESKTOP.1).await?, Site::default(), "").await?;
        self.go(&notebook, "").await?;
        Ok(notebook)
    }

    async fn go(&self, notebook: &Notebook, fragment: &str) -> Result<()> {
        notebook.browser.client.goto("about:blank").await?;
        notebook.browser.client.goto(&format!("{}/#{fragment}", self.program.url())).await?;
        notebook.browser.until("document.querySelector('[data-test=function]')").await?;
        until_runner(notebook, "ready").await
    }
}

async fn until_runner(notebook: &Notebook, state: &str) -> Result<()> {
    notebook.browser.until(&format!("document.querySelector('[data-test=runner]')?.dataset.state === '{state}'")).await
}

fn of_machine<'a>(rows: &'a [Row], machine: &str) -> Vec<&'a Row> {
    rows.iter().filter(|row| row.machine == machine).collect()
}

#[tokio::test]
async fn after_a_first_curve_here_the_runner_measures_in_curves_of_its_own() -> Result<()> {
    let _turn = turn().await;
    let runner = Runner::start(&suites::demo()?, 20, &[])?;
    let notebook = runner.open().await?;
    notebook.choose(SORT).await?;
    notebook.type_into("size", "high", "3000").await?;
    notebook.compare("sorting::sort_stable").await?;
    let rows = notebook.measure().await?;
    let (here, there) = (of_machine(&rows, "browser"), of_machine(&rows, "native"));
    assert!(here.iter().all(|row| row.priority == "1" && row.mean.is_some()), "{here:?}");
    assert_eq!(there.len(), 10, "five points of two functions: {there:?}");
    assert!(there.iter().all(|row| row.priority == "4" && row.mean.is_some() && row.unpaired.is_none()), "{there:?}");
    let labels = notebook.texts("series").await?;
    assert!(labels.len() == 4 && labels[2].contains("sort_unstable · bench-01"), "{labels:?}");
    assert_eq!(notebook.texts("remark").await?, [""; 0]);
    // What is stored comes at once, at the priority that it has.
    notebook.measure().await?;
    notebook.close().await
}

#[tokio::test]
async fn what_is_native_is_measured_by_the_runner_alone() -> Result<()> {
    let _turn = turn().await;
    let runner = Runner::start(&suites::fixture("misbehaving")?, 20, &[])?;
    let notebook = runner.open().await?;
    notebook.choose("functions::catches").await?;
    let rows = notebook.measure().await?;
    assert!(!rows.is_empty() && rows.iter().all(|row| row.machine == "native" && row.mean.is_some()), "{rows:?}");
    notebook.close().await
}

#[tokio::test]
async fn what_is_stored_is_found_by_links_with_its_curve_and_its_samples() -> Result<()> {
    let _turn = turn().await;
    let runner = Runner::start(&suites::demo()?, 20, &[])?;
    let notebook = runner.open().await?;
    notebook.choose(SORT).await?;
    notebook.type_into("size", "high", "3000").await?;
    notebook.measure().await?;
    let stored = "document.querySelector('[data-test=stored] a')";
    runner.go(&notebook, "archive=all").await?;
    notebook.browser.until(stored).await?;
    notebook.assert_accessible("the archive").await?;
    for fragment in ["function=sorting::sort_unstable", "generator=sorting::keys", "archive="] {
        notebook.browser.until(stored).await?;
        notebook.browser.client.find(Locator::Css("[data-test=stored] a")).await?.click().await?;
        notebook.browser.until(&format!("decodeURIComponent(location.hash).includes('{fragment}')")).await?;
        let name = fragment.split("::").last().unwrap_or_default().split('=').next_back().unwrap_or_default();
        let told = format!("document.querySelector('[data-test=archive] h1').textContent.includes('{name}')");
        notebook.browser.until(&told).await?;
    }
    notebook.browser.until("document.querySelector('[data-test=archive] [data-test=table] tr[data-x]')").await?;
    let link = notebook.fragment().await?;
    runner.go(&notebook, &link).await?;
    notebook.browser.until("document.querySelector('[data-test=archive] [data-test=table] tr[data-x]')").await?;
    let rows = notebook.rows().await?;
    assert!(rows.iter().all(|row| row.machine == "native" && row.path == SORT), "{rows:?}");
    notebook.click("runner").await?;
    notebook.assert_accessible("a stored result, and the choice of a runner").await?;
    notebook.click("runner").await?;
    notebook.click("tab-samples").await?;
    notebook.browser.until("Number(document.querySelector('[data-test=in-order]')?.dataset.count) > 0").await?;
    notebook.browser.client.back().await?;
    runner.go(&notebook, &link).await?;
    notebook.browser.until("document.querySelector('[data-test=again]')").await?;
    notebook.click("again").await?;
    notebook.browser.until(&format!("document.querySelector(\"[data-test=cell][data-path='{SORT}']\")")).await?;
    notebook.close().await
}

#[tokio::test]
async fn where_the_runner_is_lost_what_arrived_stays_and_measuring_goes_on_here() -> Result<()> {
    let _turn = turn().await;
    // A page of another host, in which a person chooses the runner.
    let notebook = Notebook::open(demo()).await?;
    let origin = notebook.server.url().trim_end_matches('/').to_owned();
    let mut runner = Runner::start(&suites::demo()?, 400, &["--origin", &origin])?;
    let address = runner.program.url().to_owned();
    notebook.click("runner").await?;
    let field = notebook.browser.client.find(Locator::Css("[data-test=runner-address]")).await?;
    field.send_keys(&address).await?;
    notebook.click("runner-connect").await?;
    until_runner(&notebook, "ready").await?;
    notebook.click("runner").await?;
    notebook.choose(SORT).await?;
    notebook.type_into("size", "high", "3000").await?;
    notebook.click("measure").await?;
    notebook.browser.until("document.querySelector('[data-test=table] [data-machine=native]')").await?;
    runner.program.kill()?;
    notebook.until_state("done").await?;
    let rows = notebook.rows().await?;
    assert!(!of_machine(&rows, "native").is_empty(), "what arrived stays: {rows:?}");
    let here = of_machine(&rows, "browser");
    assert!(here.iter().all(|row| row.priority == "4"), "{here:?}");
    let remark = notebook.texts("remark").await?.concat();
    assert!(remark.contains("The runner was lost. What arrived stays"), "{remark}");
    until_runner(&notebook, "lost").await?;

    let port = address.rsplit(':').next().context("it has a port")?;
    runner.program = Runner::program(&runner.folder, &["--origin", &origin, "--port", port])?;
    notebook.browser.client.execute("dispatchEvent(new Event('online'))", Vec::new()).await?;
    until_runner(&notebook, "ready").await?;
    let rows = notebook.measure().await?;
    assert!(of_machine(&rows, "native").iter().all(|row| row.priority == "4"), "{rows:?}");
    assert!(!of_machine(&rows, "native").is_empty() && notebook.texts("remark").await?.is_empty(), "{rows:?}");
    notebook.close().await
}

#[tokio::test]
async fn two_pages_take_turns_at_one_runner() -> Result<()> {
    let _turn = turn().await;
    let runner = Runner::start(&suites::demo()?, 100, &[])?;
    let (first, second) = (runner.open().await?, runner.open().await?);
    for (notebook, path) in [(&first, SORT), (&second, "sorting::sort_stable")] {
        notebook.choose(path).await?;
        notebook.type_into("size", "high", "3000").await?;
        notebook.click("measure").await?;
    }
    for notebook in [&first, &second] {
        notebook.until_state("done").await?;
        let rows = notebook.rows().await?;
        assert!(of_machine(&rows, "native").iter().all(|row| row.priority == "4" && row.mean.is_some()), "{rows:?}");
        assert_eq!(of_machine(&rows, "native").len(), 5);
    }
    first.close().await?;
    second.close().await
}
