//! What is told while something is measured: on the page, to screen readers, in the title, and to another tab.

use anyhow::{Context, Result};
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::sites::{demo, qualities, with_notebook};
use serde_json::json;

#[tokio::test]
async fn progress_tells_priority_points_precision_and_the_time_left() -> Result<()> {
    let _turn = turn().await;
    // Long enough that progress is told within a point too.
    let mut qualities = qualities(5_000.0);
    qualities[0]["point_ms"] = json!(500.0);
    qualities[0]["precision"] = json!(1e-6);
    qualities[0]["samples"] = json!({ "at_least": 5, "at_most": 100_000 });
    let site = with_notebook(&json!({ "suites": ["suites/demo.wasm"], "qualities": qualities }));
    let notebook = Notebook::open(site).await?;
    notebook.choose("numbers::sum").await?;
    // Everything that progress says, from the first change on.
    notebook
        .browser
        .value("(() => { const progress = document.querySelector('[data-test=progress]'); window.told = []; window.titles = [];
            new MutationObserver(() => { told.push([progress.querySelector('[role=status]').textContent, progress.textContent]); titles.push(document.title); })
                .observe(progress, { subtree: true, childList: true, characterData: true, attributes: true }); return true; })()")
        .await?;
    notebook.measure().await?;
    let told: Vec<(String, String)> = serde_json::from_value(notebook.browser.value("window.told").await?)?;
    let said = |words: &[&str]| told.iter().any(|(_, all)| words.iter().all(|word| all.contains(word)));
    for priority in 1..=4 {
        assert!(
            said(&[&format!("Priority {priority} of 4 in this browser"), "points", "left"]),
            "{priority}: {told:?}"
        );
    }
    assert!(said(&["±"]), "{told:?}");
    // What is read out is the state, and not each answer.
    let announced: std::collections::BTreeSet<&String> = told.iter().map(|(status, _)| status).collect();
    assert!((5..=7).contains(&announced.len()), "{announced:?}");
    let titles: Vec<String> = serde_json::from_value(notebook.browser.value("window.titles").await?)?;
    assert!(titles.iter().any(|title| title.contains("/4") && title.contains("sum · Benchbook")), "{titles:?}");
    notebook.browser.until("document.title === '✓ sum · Benchbook'").await?;
    notebook.close().await
}

#[tokio::test]
async fn tabs_that_measure_at_once_take_turns() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    let client = &notebook.browser.client;
    notebook.choose("numbers::sum").await?;
    // Another tab has its turn, and keeps it for now.
    let first = client.window().await?;
    let address = client.current_url().await?;
    let second = client.new_window(true).await?.handle;
    client.switch_to_window(second.clone()).await?;
    client.goto(address.as_str()).await?;
    let hold = "const [done] = arguments;
        navigator.locks.request('benchbook-measuring', () => new Promise(release => { window.release = release; done(true); }));";
    client.execute_async(hold, Vec::new()).await?;

    client.switch_to_window(first.clone()).await?;
    notebook.click("measure").await?;
    notebook.until_state("waiting").await?;
    notebook
        .browser
        .until("document.querySelector('[data-test=progress]').textContent.includes('another tab')")
        .await?;
    // It can be stopped while it waits, and its turn then passes by.
    notebook.click("stop").await?;
    notebook.until_state("stopped").await?;
    notebook.click("measure").await?;
    notebook.until_state("waiting").await?;

    client.switch_to_window(second).await?;
    client.execute("window.release()", Vec::new()).await?;
    client.switch_to_window(first).await?;
    notebook.until_state("done").await?;
    assert!(notebook.rows().await?.iter().all(|row| row.failed.is_none()));
    notebook.close().await
}

#[tokio::test]
async fn where_the_browser_refuses_locks_nobody_waits() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("numbers::sum").await?;
    let refuse = "navigator.locks.request = () => Promise.reject(new DOMException('', 'SecurityError'));";
    notebook.browser.client.execute(refuse, Vec::new()).await?;
    let rows = notebook.measure().await?;
    assert!(!rows.is_empty() && rows.iter().all(|row| row.failed.is_none()));
    notebook.close().await
}

#[tokio::test]
async fn the_table_and_the_samples_are_copied() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("numbers::sum").await?;
    let rows = notebook.measure().await?;
    // Headless browsers have no clipboard that can be read: what is written to it is kept instead.
    let keep = "navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); };";
    notebook.browser.client.execute(keep, Vec::new()).await?;
    notebook.click("tab-table").await?;
    notebook.click("copy-table").await?;
    notebook.browser.until("document.querySelector('[data-test=copy-table]').textContent === 'Copied'").await?;
    let copied = notebook.browser.value("window.copied").await?;
    let lines: Vec<Vec<&str>> =
        copied.as_str().context("a text")?.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines.len(), rows.len() + 1);
    assert!(lines.iter().all(|line| line.len() == lines[0].len()), "{lines:?}");
    assert_eq!(lines[0][..4], ["function", "paired", "count", "mean [ns]"]);
    assert_eq!((lines[1][0], lines[1][3]), ("numbers::sum", rows[0].mean.as_deref().context("a mean")?));

    notebook.click("tab-samples").await?;
    notebook.click("copy-samples").await?;
    notebook.browser.until("document.querySelector('[data-test=copy-samples]').textContent === 'Copied'").await?;
    let copied = notebook.browser.value("window.copied").await?;
    let lines: Vec<&str> = copied.as_str().context("a text")?.lines().collect();
    let (warm, counted): (Vec<&str>, Vec<&str>) = lines.iter().partition(|line| line.ends_with(" w"));
    assert!(!warm.is_empty() && !counted.is_empty(), "{lines:?}");
    assert!(counted.iter().all(|line| line.parse::<f64>().is_ok()), "{counted:?}");

    // Where the browser refuses, it says so.
    let refuse =
        "navigator.clipboard.writeText = () => Promise.reject(new Error()); document.execCommand = () => false;";
    notebook.browser.client.execute(refuse, Vec::new()).await?;
    notebook.click("copy-samples").await?;
    notebook
        .browser
        .until("document.querySelector('[data-test=copy-samples]').textContent.includes('refuses')")
        .await?;
    notebook.close().await
}

#[tokio::test]
async fn the_card_tells_clock_and_machine_with_advice() -> Result<()> {
    let _turn = turn().await;
    for (isolated, advice) in [(true, "as fine as it gets"), (false, "20 times finer")] {
        let notebook = Notebook::open(benchbook_tests::server::Site { isolated, ..demo() }).await?;
        notebook.browser.until("document.querySelector('[data-test=clock]')").await?;
        notebook.click("clock").await?;
        let told = notebook.texts("machine-card").await?.remove(0);
        for word in ["Chrome", "Processors", "Clock steps by", "worker", advice] {
            assert!(told.contains(word), "{word}: {told}");
        }
        let resolution: f64 = notebook.data("clock").await?["resolution"].parse()?;
        assert_eq!(resolution < 10_000.0, isolated, "{resolution}");
        notebook.close().await?;
    }
    Ok(())
}
