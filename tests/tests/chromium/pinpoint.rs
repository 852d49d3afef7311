//! Why a function is slower than in an earlier build: the cell, and its search by time.

use anyhow::Result;
use benchbook_pinpoint::FindLimits;
use benchbook_tests::browser::{Browser, quiet_turn};
use benchbook_tests::notebook::{DESKTOP, Notebook, PHONE};
use benchbook_tests::slower::Slower;

use crate::profile::text;

/// How often the search is repeated if noise makes it undecided.
const ATTEMPTS: u32 = 5;

#[tokio::test]
async fn the_slow_call_is_found_by_counts_and_by_time() -> Result<()> {
    let _turn = quiet_turn().await;
    let slower = Slower::build()?;
    let limits = FindLimits { depth: Some(2), ..FindLimits::default() };
    let notebook = Notebook::load(Browser::reuse(DESKTOP.0, DESKTOP.1).await?, slower.site(limits)?, "").await?;
    notebook.until_shown("pinpoint-chain").await?;
    let answer = text(&notebook, "answer").await?;
    assert!(answer.starts_with("The body of Buf::size has changed"), "{answer}");
    notebook.assert_accessible("a comparison of builds").await?;

    let mut compared = Vec::new();
    for _ in 0..ATTEMPTS {
        notebook.click("pinpoint-start").await?;
        notebook.until_shown("pinpoint-stop").await?;
        notebook.until_shown("pinpoint-start").await?;
        let found = text(&notebook, "pinpoint-found").await?;
        compared = notebook.texts("pinpoint-range").await?;
        println!("{found}\n{}", compared.join("\n"));
        if found == "Most of the added time is in run > bridge > Failure::run. The search goes no deeper." {
            break;
        }
        // Noise makes it undecided, but not wrong.
        let is_undecided = ["is undecided", "the noise hides it"].iter().any(|words| found.contains(words));
        assert!(is_undecided, "{found}");
    }
    // The whole, then half of the 16 calls of `run`, and so on.
    let expected = [
        "run",
        "run, calls 1 to 8 of 16: ok",
        "run, calls 9 to 12 of 16: ok",
        "run, calls 13 to 14 of 16: ok",
        "run, call 15 of 16: ok",
        "run > bridge",
        "run > bridge, call 1 of 2: foo",
        "run > bridge > Failure::run",
    ];
    assert_eq!(compared, expected);
    println!("{} comparisons; one call after the other would take {}", compared.len(), 1 + 16 + 2);
    notebook.assert_accessible("what was found by time").await?;
    notebook.browser.resize(PHONE.0, PHONE.1).await?;
    notebook.assert_accessible("a comparison of builds on a phone").await?;
    notebook.close().await
}
