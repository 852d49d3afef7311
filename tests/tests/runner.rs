//! The page and its runner: the real program on loopback, and the page in Chromium.

use anyhow::{Context, Result};
use benchbook::api::{STREAM, StoredResults};
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::{Notebook, Row};
use benchbook_tests::runner_site::RunnerSite;
use benchbook_tests::sites::demo;
use benchbook_tests::suites;
use fantoccini::Locator;
use reqwest::Response;
use serde_json::json;

const SORT: &str = "sorting::sort_unstable";

/// The generator of the suite that misbehaves.
const GENERATOR: &str = "generators::sizes";

/// What a script asks for, all at once.
const OF_SCRIPT: [&str; 3] = ["functions::nothing", "functions::copes", "functions::reads_the_clock"];

fn of_machine<'a>(rows: &'a [Row], machine: &str) -> Vec<&'a Row> {
    rows.iter().filter(|row| row.machine == machine).collect()
}

#[tokio::test]
async fn after_a_first_curve_here_the_runner_measures_in_curves_of_its_own() -> Result<()> {
    let _turn = turn().await;
    let runner = RunnerSite::start(&suites::demo()?, 20, &[])?;
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
    let runner = RunnerSite::start(&suites::fixture("misbehaving")?, 20, &[])?;
    let notebook = runner.open().await?;
    notebook.choose("functions::catches").await?;
    let rows = notebook.measure().await?;
    assert!(!rows.is_empty() && rows.iter().all(|row| row.machine == "native" && row.mean.is_some()), "{rows:?}");
    notebook.close().await
}

#[tokio::test]
async fn what_is_stored_is_found_by_links_with_its_curve_and_its_samples() -> Result<()> {
    let _turn = turn().await;
    let runner = RunnerSite::start(&suites::demo()?, 20, &[])?;
    let notebook = runner.open().await?;
    notebook.choose(SORT).await?;
    notebook.type_into("size", "high", "3000").await?;
    notebook.measure().await?;
    // Each of its priorities was measured there, one after the other.
    let listed: StoredResults = runner.program.get("results").send().await?.json().await?;
    let priorities: Vec<u8> = listed.results.iter().rev().map(|card| card.request.priority.number()).collect();
    assert_eq!(priorities, [1, 2, 3, 4]);
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
    let mut runner = RunnerSite::start(&suites::demo()?, 400, &["--origin", &origin])?;
    notebook.click("runner").await?;
    notebook.connect(runner.program.url(), "").await?;
    notebook.until_runner("ready").await?;
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
    assert!(remark.contains("The runner was lost. Its points remain"), "{remark}");
    notebook.until_runner("lost").await?;

    // It comes back on its own.
    runner.restart()?;
    notebook.until_runner("ready").await?;
    let rows = notebook.measure().await?;
    assert!(of_machine(&rows, "native").iter().all(|row| row.priority == "4"), "{rows:?}");
    assert!(!of_machine(&rows, "native").is_empty() && notebook.texts("remark").await?.is_empty(), "{rows:?}");
    notebook.close().await
}

#[cfg(unix)]
#[tokio::test]
async fn where_the_runner_falls_silent_measuring_goes_on_here() -> Result<()> {
    let _turn = turn().await;
    let runner = RunnerSite::start(&suites::demo()?, 400, &[])?;
    let notebook = runner.open().await?;
    notebook.choose(SORT).await?;
    notebook.type_into("size", "high", "3000").await?;
    notebook.click("measure").await?;
    notebook.browser.until("document.querySelector('[data-test=table] [data-machine=native]')").await?;
    runner.program.fall_silent()?;
    let remark = "document.querySelector('[data-test=remark]')?.textContent";
    notebook.browser.until(&format!("{remark}.includes('The runner was lost. Its points remain')")).await?;
    notebook.until_state("done").await?;
    let rows = notebook.rows().await?;
    assert!(!of_machine(&rows, "native").is_empty(), "what arrived stays: {rows:?}");
    assert!(of_machine(&rows, "browser").iter().all(|row| row.priority == "4"), "{rows:?}");
    notebook.until_runner("lost").await?;
    notebook.close().await
}

/// Asks, for a client, for one function of the suite that misbehaves, and waits until the runner has taken it.
async fn ask(runner: &RunnerSite, client: &str, function: &str) -> Result<Response> {
    let request = json!({
        "suite": "misbehaving", "functions": [function], "generator": GENERATOR,
        "arguments": { "size": { "low": 1, "high": 10 } }, "priority": 1, "client": client,
    });
    let asked = runner.program.post("measure").header("accept", STREAM).json(&request).send();
    let mut stream = asked.await?.error_for_status()?;
    stream.chunk().await?.context("it is taken")?;
    Ok(stream)
}

/// The number of the first result of a function: results are numbered in the order in which they were measured.
async fn first_result(runner: &RunnerSite, function: &str) -> Result<u64> {
    let path = format!("results?suite=misbehaving&function={function}&generator={GENERATOR}");
    let stored: StoredResults = runner.program.get(&path).send().await?.error_for_status()?.json().await?;
    stored.results.iter().map(|result| result.id).min().context("it was measured")
}

#[tokio::test]
async fn two_pages_take_turns_at_one_runner() -> Result<()> {
    let _turn = turn().await;
    // The first priority is given time, so that what hangs in it is not ended meanwhile.
    let qualities = [(3, 0.5, 10_000), (3, 0.4, 100), (5, 0.3, 100), (5, 0.2, 100)];
    let runner = RunnerSite::with_qualities(&suites::fixture("misbehaving")?, qualities, &[])?;
    let (first, second) = (runner.open().await?, runner.open().await?);
    // It hangs until nobody wants it any more; so all that follows waits.
    let occupier = ask(&runner, "an-occupier", "functions::hangs").await?;
    // A third client asks for three things before the pages ask for one each.
    let mut streams = Vec::new();
    for function in OF_SCRIPT {
        streams.push(ask(&runner, "a-script", function).await?);
    }
    let of_pages = ["functions::catches", "functions::well"];
    for (notebook, path) in [&first, &second].into_iter().zip(of_pages) {
        notebook.choose(path).await?;
        notebook.click("measure").await?;
        notebook.browser.until("document.querySelector('[data-test=cell]').textContent.includes('before you')").await?;
    }
    drop(occupier);
    for notebook in [&first, &second] {
        notebook.until_state("done").await?;
        let rows = notebook.rows().await?;
        assert!(of_machine(&rows, "native").iter().all(|row| row.priority == "4" && row.mean.is_some()), "{rows:?}");
        assert_eq!(of_machine(&rows, "native").len(), 5);
    }
    for stream in streams {
        stream.bytes().await?;
    }
    let mut order = Vec::new();
    for function in [&OF_SCRIPT[..], &of_pages].concat() {
        order.push((first_result(&runner, function).await?, function));
    }
    order.sort_unstable();
    let order: Vec<&str> = order.into_iter().map(|(_, function)| function).collect();
    // One of the script's, one of each page, and only then the rest of the script's.
    assert_eq!(order[..3], [OF_SCRIPT[0], of_pages[0], of_pages[1]], "{order:?}");
    first.close().await?;
    second.close().await
}
