//! A killed browser loses nothing that the page showed as saved. `cargo xtask soak browser` repeats it more often.

use anyhow::Result;
use benchbook_tests::browser::turn;
use benchbook_tests::crashes::kill_repeatedly;

#[tokio::test]
async fn a_killed_browser_loses_nothing_that_was_shown_as_saved() -> Result<()> {
    let _turn = turn().await;
    kill_repeatedly(5, 1).await
}
