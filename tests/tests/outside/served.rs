//! The page of a user's crate in Chromium: `cargo benchbook serve` follows the sources, and `build` writes accepted results next to it.

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use benchbook_host::api::HistoryFunction;
use benchbook_tests::accepted_history::{FUNCTION, accepted_history, accepted_history_of, write_history};
use benchbook_tests::browser::{quiet_turn, turn};
use benchbook_tests::notebook::{Notebook, Row};
use benchbook_tests::own_crate::{BENCH, LIBRARY, OwnCrate, SLOW_LIBRARY};
use benchbook_tests::server::Site;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_saved_change_is_built_and_the_page_follows() -> Result<()> {
    let _turn = turn().await;
    let own = OwnCrate::new("served")?;
    let mut served = own.serve(&[])?;
    served.until_printed("Built mixing for the runner and for browsers: 1 function, 1 generator.")?;
    served.until_printed("The build took")?;
    // Such as about a virtual machine: the page shows these.
    assert_eq!(served.count_printed(" WARN "), 0);
    let notebook = served.open().await?;
    notebook.choose("mix").await?;
    notebook.set_target("point-time", "0.02").await?;
    notebook.set_role("size", "list").await?;
    notebook.type_into("size", "values", "5000; 20000").await?;
    let machines = |rows: Vec<Row>| {
        assert!(rows.iter().all(|row| row.mean.is_some()), "{rows:?}");
        rows.into_iter().map(|row| row.machine).collect::<BTreeSet<_>>()
    };
    let both = BTreeSet::from(["browser", "native"].map(str::to_owned));
    assert_eq!(machines(notebook.measure().await?), both);
    notebook.browser.value("window.isSamePage = true").await?;

    // An error is shown in rustc's words, and the last build stays usable.
    own.write("src/lib.rs", "pub fn mix(numbers: &[u64]) -> u64 { numbers.len() }\n")?;
    served.until_printed("error[E0308]: mismatched types")?;
    notebook.until_shown("build-problem").await?;
    notebook.until_text("builds", "The previous build still works").await?;
    let problem = notebook.texts("build-problem").await?.concat();
    assert!(problem.contains("does not compile") && problem.contains("expected `u64`, found `usize`"), "{problem}");
    notebook.assert_accessible("a build with an error").await?;
    assert_eq!(machines(notebook.measure().await?), both);

    own.write("src/lib.rs", SLOW_LIBRARY)?;
    notebook.browser.until("!document.querySelector('[data-test=build-problem]')").await?;
    notebook.browser.until("document.querySelector('[data-test=builds]')?.dataset.revision === '2'").await?;
    notebook.browser.until("document.querySelector('[data-test=cell]').innerText.includes('before')").await?;
    notebook.until_state("done").await?;
    // The controls remain.
    let sizes = "document.querySelector('[data-test=parameter][data-name=size] [data-test=values]').value.replace(/[^\\d;]/g, '')";
    assert_eq!(notebook.browser.value(sizes).await?, "5000;20000");
    assert_eq!(notebook.browser.value("window.isSamePage").await?, true, "the page was never reloaded");
    notebook.close().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "nightly: asserts ratios on a real clock"]
async fn a_saved_change_is_compared_with_the_result_before_it() -> Result<()> {
    let _turn = quiet_turn().await;
    let own = OwnCrate::new("watched")?;
    let mut served = own.serve(&[])?;
    served.until_printed("The build took")?;
    let notebook = served.open().await?;
    notebook.choose("mix").await?;
    notebook.set_target("point-time", "0.2").await?;
    notebook.set_role("size", "list").await?;
    notebook.type_into("size", "values", "5000; 20000").await?;
    // In this browser alone.
    notebook.click("run-on-runner").await?;
    notebook.measure().await?;

    own.write("src/lib.rs", SLOW_LIBRARY)?;
    let builds = "document.querySelector('[data-test=builds]')?.dataset";
    notebook.browser.until(&format!("{builds}?.revision === '2'")).await?;
    notebook.browser.until("document.querySelector('[data-test=progress]').dataset.state !== 'done'").await?;
    notebook.until_state("done").await?;
    // The result of the previous build remains.
    let answers = notebook.browser.value("document.querySelector('[data-test=cell]').innerText").await?.to_string();
    assert!(answers.contains("before") && !answers.contains("has been rebuilt"), "{answers}");
    assert_eq!(answers.matches(", measured separately: mix").count(), 1, "{answers}");

    // On the runner alone, both executables are measured interleaved without a click, so that the ratio is paired. The build before is
    // the slow one.
    notebook.click("run-on-runner").await?;
    notebook.click("run-on-browser").await?;
    own.write("src/lib.rs", LIBRARY)?;
    notebook.browser.until(&format!("{builds}?.revision === '3'")).await?;
    let has_ratio = "document.querySelectorAll('[data-test=ranked]').length === 2
        && Number(document.querySelector('[data-test=progress]').dataset.priority) >= 3";
    notebook.browser.until(has_ratio).await?;
    let ratio = "parseFloat([...document.querySelectorAll('[data-test=ranked] td')].find(cell => /×/.test(cell.textContent) && cell.querySelector('small')).textContent)";
    let ratio = notebook.browser.value(ratio).await?.as_f64().context("the ratio is a number")?;
    assert!((ratio - 2.0).abs() < 0.1, "twice the work takes twice as long, not {ratio} times");
    let compared = notebook.texts("builds-compared").await?.concat();
    assert!(compared.starts_with("Build ") && compared.contains(" against "), "{compared}");
    assert!(notebook.texts("ranked").await?[1].starts_with("mix · before"), "the slow build is second");
    let change = notebook.texts("change").await?.concat().replace('\u{202f}', " ");
    let times = change
        .strip_prefix("mix takes ")
        .and_then(|change| change.split(' ').next())
        .with_context(|| change.clone())?;
    assert!((times.parse::<f64>()?.recip() - 2.0).abs() < 0.1, "half the work takes half as long: {change}");
    assert!(change.contains(") times as long as before at "), "{change}");
    notebook.close().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_tool_writes_the_results_of_a_crate_next_to_its_page() -> Result<()> {
    let _turn = turn().await;
    let own = OwnCrate::unchanged(LIBRARY, BENCH)?;
    let mut results = accepted_history_of("mixing", "mix");
    // A suite that is not on the page.
    results.extend(accepted_history());
    write_history(&own.path().join("results"), &results)?;
    let output = own.command(&["build", "--out", "site", "--history", "results"])?.output()?;
    let printed = String::from_utf8(output.stdout)?;
    assert!(
        printed.contains("and 25 accepted results to site."),
        "{printed}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let page = own.path().join("site");
    let demo = page.join("history").join(HistoryFunction::file("demo", FUNCTION));
    assert!(!demo.exists(), "the suite is not on the page");
    let notebook = Notebook::open(Site { page: Some(page), isolated: true, ..Site::default() }).await?;
    notebook.choose("mix").await?;
    notebook.until_present("[data-test=open-history]").await?;
    notebook.click("open-history").await?;
    notebook.until_present("[data-test=step]").await?;
    let answer = notebook.texts("history-answer").await?.concat().replace('\u{202f}', " ");
    assert!(answer.contains("mix has become 12% slower at size 100 000 with 77c0a41f"), "{answer}");
    notebook.click("step").await?;
    notebook.until_present("[data-test=sides-table]").await?;
    notebook.close().await
}
