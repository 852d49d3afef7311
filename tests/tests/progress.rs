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
async fn a_hidden_tab_measures_nothing_and_goes_on_when_it_is_shown() -> Result<()> {
    let _turn = turn().await;
    // A point takes longer than the tab is hidden, and that longer than nothing may finish.
    let mut qualities = qualities(2_000.0);
    qualities[0]["point_ms"] = json!(3_000.0);
    qualities[0]["precision"] = json!(1e-6);
    qualities[0]["samples"] = json!({ "at_least": 5, "at_most": 100_000 });
    let site = with_notebook(&json!({ "suites": ["suites/demo.wasm"], "qualities": qualities }));
    let notebook = Notebook::open(site).await?;
    notebook.choose("numbers::sum").await?;
    let count = "const post = Worker.prototype.postMessage; window.sent = 0;
        Worker.prototype.postMessage = function (...all) { sent += 1; return post.apply(this, all); };";
    notebook.browser.client.execute(count, Vec::new()).await?;
    notebook.click("measure").await?;
    notebook.until_state("measuring").await?;

    notebook.browser.hide().await?;
    notebook.until_state("waiting").await?;
    let told = notebook.texts("progress").await?.concat();
    assert!(told.contains("Paused: this tab is hidden"), "{told}");
    let wait = "const [done] = arguments; const before = sent; setTimeout(() => done(sent - before), 2500);";
    assert_eq!(notebook.browser.client.execute_async(wait, Vec::new()).await?, 0, "nothing is asked");
    assert_eq!(notebook.data("progress").await?["state"], "waiting");

    notebook.browser.show().await?;
    notebook.until_state("measuring").await?;
    // It can be stopped while it is hidden.
    notebook.browser.hide().await?;
    notebook.until_state("waiting").await?;
    notebook.browser.client.execute("document.querySelector('[data-test=stop]').click()", Vec::new()).await?;
    notebook.until_state("stopped").await?;
    notebook.browser.show().await?;
    assert_eq!(notebook.data("progress").await?["state"], "stopped");
    assert!(notebook.rows().await?.iter().all(|row| row.failed.is_none()));
    notebook.close().await
}

#[tokio::test]
async fn the_last_priority_aims_at_what_a_person_says() -> Result<()> {
    let _turn = turn().await;
    let mut qualities = qualities(5_000.0);
    for quality in qualities.as_array_mut().context("four")? {
        quality["points"] = json!(2);
        quality["samples"] = json!({ "at_least": 5, "at_most": 100_000 });
    }
    let site = with_notebook(&json!({ "suites": ["suites/demo.wasm"], "qualities": qualities }));
    let notebook = Notebook::open(site).await?;
    notebook.choose("numbers::sum").await?;
    // What cannot be is told beside the field, and before anything is measured.
    notebook.aim("aim", "0").await?;
    assert_eq!(notebook.texts("problem").await?, ["expected above 0 to 100 %"]);
    notebook.click("measure").await?;
    notebook.browser.until("document.activeElement.dataset.test === 'aim'").await?;
    assert_eq!(notebook.data("progress").await?["state"], "idle");

    // Out of reach, so that all of the time is taken.
    notebook.aim("aim", "0.001").await?;
    notebook.aim("point-time", "0.5").await?;
    notebook
        .browser
        .value("(() => { const progress = document.querySelector('[data-test=progress]'); window.told = [];
            new MutationObserver(() => told.push([progress.dataset.priority ?? '', document.querySelector('[data-test=outlook]').textContent]))
                .observe(progress, { subtree: true, childList: true, characterData: true, attributes: true }); return true; })()")
        .await?;
    let rows = notebook.measure().await?;
    let told: Vec<(String, String)> = serde_json::from_value(notebook.browser.value("window.told").await?)?;
    let last: Vec<&String> =
        told.iter().filter(|(priority, all)| priority == "4" && !all.is_empty()).map(|(_, all)| all).collect();
    assert!(!last.is_empty() && last.iter().all(|all| all.contains("0.0010\u{202f}%")), "{told:?}");
    assert!(told.iter().all(|(priority, all)| priority == "4" || !all.contains("0.0010")), "{told:?}");
    assert!(rows.iter().all(|row| row.failed.is_none()), "{rows:?}");

    let fragment = notebook.fragment().await?;
    assert!(fragment.contains("&aim=0.001&time=0.5"), "{fragment}");
    notebook.visit(&fragment).await?;
    notebook.browser.until("document.querySelector('[data-test=aim]')?.value === '0.001' && document.querySelector('[data-test=point-time]').value === '0.5'").await?;
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
    // A figure that cannot be told from none is not told in either.
    let told: Vec<_> = lines[1..].iter().zip(&rows).filter(|(line, _)| !line[3].is_empty()).collect();
    assert!(!told.is_empty() && told.iter().all(|(line, row)| Some(line[3]) == row.mean.as_deref()), "{lines:?}");
    assert!(lines[1..].iter().all(|line| line[0] == "numbers::sum"), "{lines:?}");

    notebook.click("tab-samples").await?;
    notebook.click("copy-samples").await?;
    notebook.browser.until("document.querySelector('[data-test=copy-samples]').textContent === 'Copied'").await?;
    let copied = notebook.browser.value("window.copied").await?;
    let lines: Vec<&str> = copied.as_str().context("a text")?.lines().collect();
    let (warm, counted): (Vec<&str>, Vec<&str>) = lines.iter().partition(|line| line.ends_with(['w', 'i']));
    assert!(!warm.is_empty() && !counted.is_empty(), "{lines:?}");
    assert!(counted.iter().all(|line| line.parse::<f64>().is_ok()), "{counted:?}");

    // Where the browser refuses, it says so.
    let refuse =
        "navigator.clipboard.writeText = () => Promise.reject(new Error()); document.execCommand = () => false;";
    notebook.browser.client.execute(refuse, Vec::new()).await?;
    notebook.click("copy-samples").await?;
    notebook
        .browser
        .until("document.querySelector('[data-test=copy-samples]').textContent.includes('blocked')")
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
