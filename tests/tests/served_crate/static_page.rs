//! `cargo benchbook build` writes accepted results next to the page, which shows them.

use anyhow::Result;
use benchbook_host::api::HistoryFunction;
use benchbook_tests::accepted_history::{FUNCTION, accepted_history, accepted_history_of, write_history};
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::own_crate::OwnCrate;
use benchbook_tests::server::Site;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_tool_writes_the_results_of_a_crate_next_to_its_page() -> Result<()> {
    let _turn = turn().await;
    let own = OwnCrate::new()?;
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
    assert!(answer.contains("mix has become 12 % slower at size 100 000 with 77c0a41f"), "{answer}");
    notebook.click("step").await?;
    notebook.until_present("[data-test=sides-table]").await?;
    notebook.close().await
}
