//! Progress of a measurement: on the page, for screen readers, in the title, and across tabs.

use anyhow::Result;
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::sites::{demo, long_first_priority, with_notebook};
use benchbook_tests::stored_sorts::{COUNTED, SORTS, WARM_UP};
use serde_json::json;

#[tokio::test]
async fn progress_includes_priority_points_precision_and_remaining_time() -> Result<()> {
    let _turn = turn().await;
    // Long enough for progress within a point.
    let qualities = long_first_priority(5_000.0, 500.0);
    let site = with_notebook(&json!({ "suites": ["suites/demo.wasm"], "qualities": qualities }));
    let notebook = Notebook::open(site).await?;
    notebook.choose("numbers::sum").await?;
    // Records all updates of the progress.
    notebook
        .browser
        .value("(() => { const progress = document.querySelector('[data-test=progress]'); window.updates = []; window.titles = [];
            new MutationObserver(() => { updates.push([progress.querySelector('[role=status]').textContent, progress.textContent + (document.querySelector('[data-test=forecast]')?.textContent ?? '')]); titles.push(document.title); })
                .observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true }); return true; })()")
        .await?;
    notebook.measure().await?;
    let updates: Vec<(String, String)> = serde_json::from_value(notebook.browser.value("window.updates").await?)?;
    let contains = |words: &[&str]| updates.iter().any(|(_, all)| words.iter().all(|word| all.contains(word)));
    for priority in 1..=4 {
        assert!(contains(&[&format!("Refining {priority} of 4"), "points", "left"]), "{priority}: {updates:?}");
    }
    assert!(contains(&["±"]), "{updates:?}");
    // Screen readers announce the state, not every update.
    let announced: std::collections::BTreeSet<&String> = updates.iter().map(|(status, _)| status).collect();
    assert!((5..=7).contains(&announced.len()), "{announced:?}");
    let titles: Vec<String> = serde_json::from_value(notebook.browser.value("window.titles").await?)?;
    assert!(titles.iter().any(|title| title.contains("/4") && title.contains("sum · Benchbook")), "{titles:?}");
    notebook.browser.until("document.title === '✓ sum · Benchbook'").await?;
    notebook.close().await
}

#[tokio::test]
async fn a_hidden_tab_pauses_the_measurement() -> Result<()> {
    let _turn = turn().await;
    // A point takes longer than the tab is hidden, and the tab is hidden for longer than the timeout.
    let qualities = long_first_priority(2_000.0, 3_000.0);
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
    let text = notebook.texts("progress").await?.concat();
    assert!(text.contains("Paused: browsers slow down hidden tabs. Show this tab to continue."), "{text}");
    let wait = "const [done] = arguments; const before = sent; setTimeout(() => done(sent - before), 2500);";
    assert_eq!(notebook.browser.client.execute_async(wait, Vec::new()).await?, 0, "messages sent while hidden");
    assert_eq!(notebook.data("progress").await?["state"], "waiting");

    notebook.browser.show().await?;
    notebook.until_state("measuring").await?;
    // It can be stopped while the tab is hidden.
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
async fn the_target_of_the_last_priority_is_checked_and_part_of_the_link() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("numbers::sum").await?;
    // Invalid input is reported at the field, before the measurement starts.
    notebook.set_target("aim", "0").await?;
    assert_eq!(notebook.texts("problem").await?, ["expected a number above 0, at most 100"]);
    notebook.click("measure").await?;
    notebook.browser.until("document.activeElement.dataset.test === 'aim'").await?;
    assert_eq!(notebook.data("progress").await?["state"], "idle");

    notebook.set_target("aim", "0.001").await?;
    notebook.set_target("point-time", "0.5").await?;
    // This target is out of reach, so the forecast of the last priority names it.
    const WATCH: &str = "const progress = document.querySelector('[data-test=progress]'); window.updates = [];
        new MutationObserver(() => updates.push([progress.dataset.priority ?? '', document.querySelector('[data-test=forecast]')?.textContent ?? '']))
            .observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });";
    notebook.browser.client.execute(WATCH, Vec::new()).await?;
    let rows = notebook.measure().await?;
    assert!(rows.iter().all(|row| row.failed.is_none()), "{rows:?}");
    let updates: Vec<(String, String)> = serde_json::from_value(notebook.browser.value("window.updates").await?)?;
    let names_target = |(_, forecast): &&(String, String)| forecast.contains("0.0010%");
    assert!(updates.iter().any(|update| names_target(&update)), "{updates:?}");
    assert!(updates.iter().filter(names_target).all(|(priority, _)| priority == "4"), "{updates:?}");

    let fragment = notebook.settings().await?;
    assert!(fragment.contains("&aim=0.001&time=0.5"), "{fragment}");
    notebook.visit(&fragment).await?;
    for (field, value) in [("aim", "0.001"), ("point-time", "0.5")] {
        notebook.browser.until(&format!("document.querySelector('[data-test={field}]')?.value === '{value}'")).await?;
    }
    notebook.close().await
}

#[tokio::test]
async fn tabs_take_turns_if_the_browser_allows_it() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    let client = &notebook.browser.client;
    notebook.choose("numbers::sum").await?;
    // Another tab has its turn and does not release it yet.
    let first = client.window().await?;
    let address = client.current_url().await?;
    let second = notebook.browser.open_tab(address.as_str()).await?;
    let hold = "const [done] = arguments;
        navigator.locks.request('benchbook-measuring', () => new Promise(release => { window.release = release; done(true); }));";
    client.execute_async(hold, Vec::new()).await?;

    client.switch_to_window(first.clone()).await?;
    notebook.click("measure").await?;
    notebook.until_state("waiting").await?;
    notebook.until_text("progress", "another tab").await?;
    // It can be stopped while it waits, which also gives up its turn.
    notebook.click("stop").await?;
    notebook.until_state("stopped").await?;
    notebook.click("measure").await?;
    notebook.until_state("waiting").await?;

    client.switch_to_window(second).await?;
    client.execute("window.release()", Vec::new()).await?;
    client.switch_to_window(first).await?;
    notebook.until_state("done").await?;
    assert!(notebook.rows().await?.iter().all(|row| row.failed.is_none()));

    let reject = "navigator.locks.request = () => Promise.reject(new DOMException('', 'SecurityError'));";
    client.execute(reject, Vec::new()).await?;
    let rows = notebook.measure().await?;
    assert!(!rows.is_empty() && rows.iter().all(|row| row.failed.is_none()), "{rows:?}");
    notebook.close().await
}

#[tokio::test]
async fn samples_can_be_copied_unless_the_browser_blocks_it() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open_sorts(&SORTS[..1]).await?;
    notebook.intercept().await?;
    notebook.click("tab-samples").await?;
    notebook.click("copy-samples").await?;
    notebook.browser.until("document.querySelector('[data-test=copy-samples]').textContent === 'Copied'").await?;
    let copied = notebook.intercepted("copied").await?;
    let lines: Vec<&str> = copied.lines().collect();
    let (warm_up, counted): (Vec<&str>, Vec<&str>) = lines.iter().partition(|line| line.ends_with(" w"));
    assert_eq!((warm_up.len(), counted.len()), (WARM_UP, COUNTED), "{lines:?}");
    assert!(counted.iter().all(|line| line.parse::<f64>().is_ok()), "{counted:?}");

    // The page reports if the browser blocks the clipboard.
    let reject =
        "navigator.clipboard.writeText = () => Promise.reject(new Error()); document.execCommand = () => false;";
    notebook.browser.client.execute(reject, Vec::new()).await?;
    notebook.click("copy-samples").await?;
    notebook.until_text("copy-samples", "blocked").await?;
    notebook.close().await
}

#[tokio::test]
async fn machine_card_shows_clock_machine_and_advice() -> Result<()> {
    let _turn = turn().await;
    for (isolated, advice) in [(true, "as fine as this browser allows"), (false, "20 times finer")] {
        let notebook = Notebook::open(benchbook_tests::server::Site { isolated, ..demo() }).await?;
        notebook.until_shown("clock").await?;
        notebook.click("clock").await?;
        let text = notebook.texts("machine-card").await?.remove(0);
        for word in ["Chrome", "Processors", "Clock resolution", "Hardware counters", "worker", advice] {
            assert!(text.contains(word), "{word}: {text}");
        }
        let resolution = notebook.clock().await?.resolution;
        assert_eq!(resolution < 10_000.0, isolated, "{resolution}");
        notebook.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn the_self_test_can_be_stopped_and_repeated_and_ends_with_a_verdict() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    let browser = &notebook.browser;
    let state = |state: &str| format!("document.querySelector('[data-test=self-test][data-state={state}]')");
    browser.until("document.querySelector('[data-test=clock]')").await?;
    notebook.click("clock").await?;
    notebook.click("open-self-test").await?;
    browser.until(&state("idle")).await?;
    browser.until("!document.querySelector('[data-test=clock]').open").await?;

    notebook.click("start-self-test").await?;
    browser.until(&state("measuring")).await?;
    notebook.click("stop").await?;
    browser.until(&state("stopped")).await?;

    notebook.click("start-self-test").await?;
    browser.until(&state("done")).await?;
    let checks = notebook.texts("check").await?;
    for part in ["interference", "processor", "equal functions", "empty functions", "known ratios"] {
        assert!(checks.iter().any(|check| check.contains(part)), "{part}: {checks:?}");
    }
    let verdict = notebook.texts("verdict").await?.remove(0);
    assert!(verdict.contains("checks passed") || verdict.contains("checks failed"), "{verdict}");
    notebook.assert_accessible("the self-test").await?;
    assert_eq!(notebook.fragment().await?, "self_test=browser");
    notebook.close().await
}
