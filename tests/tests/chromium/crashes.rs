//! A killed browser loses nothing that the page showed as saved (`cargo xtask soak browser` repeats this more often), and a page
//! whose program has stopped reports it.

use anyhow::Result;
use benchbook_tests::browser::{Browser, turn};
use benchbook_tests::crashes::{kill_after_first_priority, kill_repeatedly};
use benchbook_tests::notebook::{DESKTOP, Notebook, PHONE};
use benchbook_tests::sites::demo;
use serde_json::json;

/// Runs code as the page's own: the errors of a driver's scripts reach no listener.
const RUN: &str =
    "document.body.append(Object.assign(document.createElement('script'), { textContent: arguments[0] }));";

#[tokio::test]
async fn a_killed_browser_loses_nothing_that_was_shown_as_saved() -> Result<()> {
    let _turn = turn().await;
    kill_repeatedly(5, 1).await
}

#[tokio::test]
async fn a_browser_that_is_killed_after_the_first_priority_keeps_its_results() -> Result<()> {
    let _turn = turn().await;
    kill_after_first_priority(3).await
}

#[tokio::test]
async fn a_page_whose_program_has_stopped_reports_it() -> Result<()> {
    let _turn = turn().await;
    for (screen, crash) in [
        (DESKTOP, "throw new WebAssembly.RuntimeError('unreachable');"),
        (PHONE, "Promise.reject(new WebAssembly.RuntimeError('unreachable'));"),
    ] {
        let notebook = Notebook::load(Browser::start(screen.0, screen.1).await?, demo(), "").await?;
        notebook.until_shown("function").await?;
        // Errors of extensions and the like don't end the program.
        for code in ["throw new Error('harmless');", crash, crash] {
            notebook.browser.client.execute(RUN, vec![json!(code)]).await?;
        }
        notebook.browser.until("document.querySelector('[role=alert]#crashed')").await?;
        let notices = "[...document.querySelectorAll('#crashed')].map((notice) => notice.textContent).join()";
        let shown = notebook.browser.value(notices).await?;
        assert!(shown.as_str().is_some_and(|text| text.matches("Reload the page").count() == 1), "{shown}");
        notebook.assert_accessible("a page whose program has stopped").await?;
        notebook.close().await?;
    }
    Ok(())
}
