//! The HTML report of a check, opened from its file.

use anyhow::Result;
use benchbook_tests::browser::{Browser, turn};
use benchbook_tests::notebook::PHONE;
use benchbook_tests::suites::workspace;

/// The report that the tests of `cargo benchbook` write.
const REPORT: &str = "cli/src/check/report/tests/golden/report.html";

#[tokio::test]
async fn the_report_needs_no_other_file_links_its_benchmarks_and_is_accessible_on_screens_of_all_sizes() -> Result<()> {
    let _turn = turn().await;
    let browser = Browser::reuse(1280, 900).await?;
    browser.client.goto(&format!("file://{}", workspace()?.root().join(REPORT).display())).await?;
    assert_eq!(browser.value("performance.getEntriesByType('resource').length").await?, 0);
    assert_eq!(browser.value("document.querySelectorAll('script, link, iframe, img').length").await?, 0);
    let images =
        "[...document.querySelectorAll('svg')].every((one) => one.closest('[role=img]').ariaLabel.length > 20)";
    assert_eq!(browser.value(images).await?, true);

    let open_all = "document.querySelectorAll('details').forEach((one) => { one.open = true; });";
    browser.client.execute(open_all, Vec::new()).await?;
    browser.assert_accessible("the report of a check").await?;
    browser.resize(PHONE.0, PHONE.1).await?;
    browser.assert_accessible("the report of a check on a phone").await?;
    // Only the tables with the results of a benchmark scroll sideways.
    let page = "document.documentElement.scrollWidth === document.documentElement.clientWidth";
    assert_eq!(browser.value(page).await?, true);
    let changes = "(([table]) => table.scrollWidth === table.clientWidth)(document.querySelectorAll('.scrolled'))";
    assert_eq!(browser.value(changes).await?, true, "the table of the changes fits");

    browser.client.execute("document.querySelector('tbody a').click();", Vec::new()).await?;
    assert_eq!(browser.value("document.querySelector(':target h3').textContent").await?, "sorting::sort<u32>");
    browser.close().await
}
