//! The page with a runner, in Chromium.

use anyhow::Result;
use benchbook_host::api::StoredResults;
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::{Notebook, Row};
use benchbook_tests::runner_site::RunnerSite;
use benchbook_tests::sites::demo;
use benchbook_tests::suites;

use crate::profile::choose;

const SORT: &str = "sorting::sort_unstable";

fn rows_of_machine<'a>(rows: &'a [Row], machine: &str) -> Vec<&'a Row> {
    rows.iter().filter(|row| row.machine == machine).collect()
}

/// Chooses two functions at five sizes.
async fn choose_sorts(notebook: &Notebook) -> Result<()> {
    notebook.choose(SORT).await?;
    notebook.type_into("size", "high", "3000").await?;
    notebook.compare("sorting::sort_stable").await
}

/// The number of results that the runner has stored.
async fn stored_results(runner: &RunnerSite) -> Result<usize> {
    let stored: StoredResults = runner.program.get("results").send().await?.json().await?;
    Ok(stored.results.len())
}

#[tokio::test]
async fn after_a_first_curve_in_the_browser_the_runner_adds_its_own_curves() -> Result<()> {
    let _turn = turn().await;
    let runner = RunnerSite::start(&suites::demo()?, 20, &[])?;
    let notebook = runner.open().await?;
    choose_sorts(&notebook).await?;
    let rows = notebook.measure().await?;
    let (here, there) = (rows_of_machine(&rows, "browser"), rows_of_machine(&rows, "native"));
    assert!(here.iter().all(|row| row.priority == "1" && row.mean.is_some()), "{here:?}");
    assert_eq!(there.len(), 10, "five points of two functions: {there:?}");
    assert!(there.iter().all(|row| row.priority == "4" && row.mean.is_some() && !row.is_separate), "{there:?}");
    let labels = notebook.texts("series").await?;
    assert!(labels.len() == 4 && labels[2].contains("sort_unstable · bench-01"), "{labels:?}");
    assert_eq!(notebook.texts("remark").await?, [""; 0]);
    let machines = notebook.texts("machines").await?;
    assert!(machines.len() >= 3 && machines[0].contains("sort_unstable takes"), "{machines:?}");
    notebook.click("machines-details").await?;
    notebook.assert_accessible("browser and native").await?;
    assert_eq!(stored_results(&runner).await?, 4, "one for each priority");
    notebook.measure().await?;
    assert_eq!(stored_results(&runner).await?, 8, "\"Measure again\" measures again");
    notebook.close().await?;

    // Another page gets the stored points.
    let notebook = runner.open().await?;
    choose_sorts(&notebook).await?;
    let rows = notebook.measure().await?;
    let there = rows_of_machine(&rows, "native");
    assert_eq!(there.len(), 10, "{rows:?}");
    assert!(there.iter().all(|row| row.priority == "4"), "{there:?}");
    assert_eq!(stored_results(&runner).await?, 8, "the runner measured nothing");
    let status = notebook.texts("progress").await?.concat();
    assert!(status.starts_with("Done: stored, ") && status.contains(" on bench-01"), "{status}");
    notebook.close().await
}

#[tokio::test]
async fn the_user_chooses_the_machines() -> Result<()> {
    let _turn = turn().await;
    let runner = RunnerSite::start(&suites::demo()?, 20, &[])?;
    let notebook = runner.open().await?;
    let link = "suite=demo&function=sorting::sort_unstable&args.size=200&args.size=300&time=0.02";
    runner.go(&notebook, link).await?;
    notebook.until_shown("run-on-browser").await?;
    notebook.click("run-on-browser").await?;
    let rows = notebook.measure().await?;
    for machine in ["browser", "native"] {
        let priorities: Vec<&str> = rows_of_machine(&rows, machine).iter().map(|row| row.priority.as_str()).collect();
        assert_eq!(priorities, ["4", "4"], "{machine}: {rows:?}");
    }
    assert!(notebook.settings().await?.contains("run_on=both"));
    // The machine code is that of the runner's executable.
    notebook.click("tab-assembly").await?;
    notebook.until_shown("assembly-function").await?;
    choose(&notebook, "assembly-function", &format!("native {SORT}")).await?;
    notebook.until_text("assembly-note", "From the executable that was measured").await?;
    notebook.until_text("assembly-answer", " instructions (").await?;
    assert_eq!(notebook.texts("assembly-before").await?, [""; 0], "code for other machines is not compared");

    notebook.click("run-on-runner").await?;
    let stored = stored_results(&runner).await?;
    let rows = notebook.measure().await?;
    assert!(rows_of_machine(&rows, "browser").iter().all(|row| row.priority == "4" && !row.is_separate), "{rows:?}");
    // The runner's earlier result remains next to it.
    assert!(rows_of_machine(&rows, "native").iter().all(|row| row.is_separate), "{rows:?}");
    assert_eq!(stored_results(&runner).await?, stored, "the runner measured nothing");
    notebook.close().await
}

#[tokio::test]
async fn both_machines_count_wasm_instructions_while_they_are_shown() -> Result<()> {
    let _turn = turn().await;
    let runner = RunnerSite::start(&suites::demo()?, 20, &[])?;
    let notebook = runner.open().await?;
    let link =
        "suite=demo&function=sorting::sort_unstable&args.size=200&args.size=300&time=0.02&metric=wasm_instructions";
    runner.go(&notebook, link).await?;
    let rows = notebook.measure().await?;
    assert_eq!(rows_of_machine(&rows, "native").len(), 2, "{rows:?}");
    let rows = notebook.copied_rows().await?;
    let mut counts: Vec<&str> = rows.iter().map(|row| row["Wasm instructions per call"].as_str()).collect();
    counts.sort_unstable();
    counts.dedup();
    assert!(rows.len() == 4 && counts.len() == 2 && !counts[0].is_empty(), "both count the same: {rows:?}");
    notebook.close().await
}

#[tokio::test]
async fn if_the_runner_is_lost_its_points_remain_and_the_browser_continues() -> Result<()> {
    let _turn = turn().await;
    // A page from another host, on which the user chooses the runner.
    let notebook = Notebook::open(demo()).await?;
    let origin = notebook.server.url().trim_end_matches('/').to_owned();
    let mut runner = RunnerSite::start(&suites::demo()?, 400, &["--origin", &origin])?;
    notebook.click("runner").await?;
    notebook.connect(runner.program.url(), "").await?;
    notebook.until_runner("idle").await?;
    let counters = notebook.texts("runner-counters").await?.concat();
    let is_stated = ["unavailable: ", "instructions"].iter().any(|text| counters.contains(text));
    assert!(counters.starts_with("Hardware counters: ") && is_stated, "{counters}");
    notebook.click("runner").await?;
    notebook.choose(SORT).await?;
    notebook.type_into("size", "high", "3000").await?;
    notebook.click("measure").await?;
    notebook.browser.until("document.querySelector('[data-test=table] [data-machine=native]')").await?;
    runner.program.kill()?;
    notebook.until_state("done").await?;
    let rows = notebook.rows().await?;
    assert!(!rows_of_machine(&rows, "native").is_empty(), "the runner's points remain: {rows:?}");
    let here = rows_of_machine(&rows, "browser");
    assert!(here.iter().all(|row| row.priority == "4"), "{here:?}");
    let remark = notebook.texts("remark").await?.concat();
    assert!(remark.contains("The runner disconnected. Its points remain"), "{remark}");
    notebook.until_runner("runner unreachable").await?;

    // The page reconnects without user interaction.
    runner.restart()?;
    notebook.until_runner("idle").await?;
    let rows = notebook.measure().await?;
    assert!(rows_of_machine(&rows, "native").iter().all(|row| row.priority == "4"), "{rows:?}");
    assert!(!rows_of_machine(&rows, "native").is_empty() && notebook.texts("remark").await?.is_empty(), "{rows:?}");
    notebook.close().await
}

#[cfg(unix)]
#[tokio::test]
async fn if_the_runner_is_unresponsive_the_browser_continues() -> Result<()> {
    let _turn = turn().await;
    let runner = RunnerSite::start(&suites::demo()?, 400, &[])?;
    let notebook = runner.open().await?;
    notebook.choose(SORT).await?;
    // The browser measures with its default qualities, which take long for many points, except at the last priority.
    notebook.set_target("point-time", "0.05").await?;
    notebook.type_into("size", "high", "1200").await?;
    notebook.click("measure").await?;
    notebook.browser.until("document.querySelector('[data-test=table] [data-machine=native]')").await?;
    runner.program.suspend()?;
    notebook.until_text("remark", "The runner disconnected. Its points remain").await?;
    notebook.until_state("done").await?;
    let rows = notebook.rows().await?;
    assert!(!rows_of_machine(&rows, "native").is_empty(), "the runner's points remain: {rows:?}");
    assert!(rows_of_machine(&rows, "browser").iter().all(|row| row.priority == "4"), "{rows:?}");
    notebook.until_runner("runner unreachable").await?;
    notebook.close().await
}
