//! A repository with ten commits, of which the seventh makes a function slower: the exit status of each check, the report, the history in the
//! terminal and on the page.

use anyhow::{Context, Result, ensure};
use benchbook_tests::browser::{Browser, quiet_turn};
use benchbook_tests::checked_crate::CheckedCrate;
use benchbook_tests::notebook::DESKTOP;
use benchbook_tests::own_crate::{LIBRARY, OwnCrate, SLOW_LIBRARY};

const COMMITS: usize = 10;

/// The commit that makes the function slower.
const SLOWER: usize = 7;

/// The arguments of each check.
const SIZE: [&str; 2] = ["--set", "size=1k,4k"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "nightly: asserts times on a real clock"]
async fn the_commit_that_makes_a_function_slower_is_found_and_shown() -> Result<()> {
    let _turn = quiet_turn().await;
    let checked = CheckedCrate::new(OwnCrate::new("ten_commits")?)?;
    let report = checked.own.path().join("report.html");
    let report = report.to_str().context("a valid path")?;
    let mut hashes = Vec::new();
    for commit in 1..=COMMITS {
        let library = if commit < SLOWER { LIBRARY } else { SLOW_LIBRARY };
        // Each commit also changes something else.
        checked
            .own
            .write("src/lib.rs", &format!("{library}\n/// Version {commit}.\npub const VERSION: u32 = {commit};\n"))?;
        checked.own.commit(&format!("Version {commit}"))?;
        hashes.push(checked.own.head()?);
        let status = i32::from(commit == SLOWER);
        let html = if commit == SLOWER { &["--html", report][..] } else { &[] };
        let (stdout, _) = checked.check(status, &[&SIZE[..], html].concat())?;
        let answers = match commit {
            1 => &["Nothing was compared: 2 new."][..],
            SLOWER => &["Slower than the accepted results: 2 slower."],
            // On a loaded machine, a point may be undecided.
            _ => &["No regression found: ", "Undecided for "],
        };
        assert!(answers.iter().any(|answer| stdout[1..].starts_with(answer)), "commit {commit}: {stdout}");
        checked.accept()?;
    }

    let (status, history, _) = checked.run(&["history", "mix", "--history", &checked.history])?;
    let lines: Vec<&str> = history.lines().filter(|line| line.contains("Ada")).collect();
    ensure!(status == 0 && lines.len() == 2 * COMMITS, "{history}");
    for paragraph in lines.chunks(COMMITS) {
        let slower = paragraph[SLOWER - 1];
        assert!(slower.contains(&hashes[SLOWER - 1][..8]) && slower.contains("step: +"), "{history}");
    }

    let browser = Browser::start(DESKTOP.0, DESKTOP.1).await?;
    browser.client.goto(&format!("file://{report}")).await?;
    assert_eq!(browser.value("document.querySelectorAll('.finding.slower').length > 0").await?, true);
    browser.assert_accessible("the report of the slower commit").await?;
    browser.close().await?;

    let served = checked.own.serve(&["--history", &checked.history])?;
    let notebook = served.open().await?;
    notebook.choose("mix").await?;
    notebook.until_shown("open-history").await?;
    notebook.click("open-history").await?;
    notebook.until_shown("history-table").await?;
    let row = "[...document.querySelectorAll('[data-test=history-table] tbody tr')]\
        .find(row => Number(row.dataset.step) > 0.5)";
    let text = notebook.browser.value(&format!("{row}.textContent")).await?;
    assert!(text.as_str().is_some_and(|text| text.contains(&hashes[SLOWER - 1][..8])), "{text}");
    notebook.assert_accessible("the history of ten commits").await?;
    notebook.browser.client.execute(&format!("{row}.querySelector('a').click();"), Vec::new()).await?;
    notebook.until_shown("sides-table").await?;
    let ratio = "Number(document.querySelector('[data-test=sides-table] tbody tr').dataset.ratio)";
    let ratio = notebook.browser.value(ratio).await?.as_f64().context("a ratio")?;
    assert!(ratio > 1.5, "twice the work takes {ratio} times as long");
    notebook.assert_accessible("the sides of the step").await?;
    // A link shows the same view.
    let link = notebook.fragment().await?;
    assert!(link.contains("history=time") && link.contains("step="), "{link}");
    notebook.close().await?;
    Ok(())
}
