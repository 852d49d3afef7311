//! The address reflects the page's state, and opening it restores that state. `app/src/state/tests/opening.rs` tests each part of a link.

use anyhow::Result;
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::sites::demo;
use benchbook_tests::stored_sorts::SORTS;

async fn field(notebook: &Notebook, parameter: &str, field: &str) -> Result<String> {
    let selector = format!("[data-test=parameter][data-name={parameter}] [data-test={field}]");
    let value = notebook.browser.value(&format!("document.querySelector('{selector}').value")).await?;
    Ok(value.as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn a_link_restores_the_state() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open_sorts(&SORTS).await?;
    // The curves are close to each other, so the plot shows their ratios.
    notebook.click("relative").await?;
    notebook.drag((0.3, 0.3), (0.7, 0.7)).await?;
    notebook.click("scale-y").await?;
    notebook.drag((0.3, 0.3), (0.7, 0.7)).await?;
    notebook.click("show-mean").await?;
    notebook.browser.until("location.hash.endsWith('&hide=mean')").await?;
    let (link, view) = (notebook.settings().await?, notebook.visible().await?);

    notebook.visit(&link).await?;
    notebook.until_shown("cell").await?;
    let bounds = (field(&notebook, "size", "low").await?, field(&notebook, "size", "high").await?);
    assert_eq!((bounds.0.as_str(), bounds.1.as_str()), ("1\u{202f}000", "3\u{202f}000"));
    let rows = notebook.measure().await?;
    assert_eq!(rows[0].x, "1000");
    assert!(rows.iter().any(|row| row.path == SORTS[1]), "{rows:?}");
    assert_eq!(notebook.visible().await?, view);
    let is_log = "document.querySelector('[data-test=scale-y]').ariaPressed";
    assert_eq!(notebook.browser.value(is_log).await?, "true");
    assert_eq!(notebook.settings().await?, link, "opening a link does not change it");
    notebook.close().await
}

#[tokio::test]
async fn history_switches_between_cells_while_one_is_measured() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.type_into("size", "low", "500").await?;
    notebook.browser.until("location.hash.endsWith('arg.size=500..100000&arg.spread=Random')").await?;
    notebook.click("measure").await?;
    notebook.add_cell("numbers::sum").await?;
    assert_eq!(notebook.data("progress").await?["state"], "idle");
    let current = "document.querySelector('[data-current]')?.dataset.path";
    let client = &notebook.browser.client;
    client.back().await?;
    notebook.browser.until(&format!("{current} === 'sorting::sort_unstable'")).await?;
    assert_eq!(field(&notebook, "size", "low").await?, "500");
    notebook.until_state("done").await?;
    assert!(notebook.rows().await?.iter().all(|row| row.failed.is_none()));
    client.back().await?;
    notebook.until_shown("start").await?;
    client.forward().await?;
    client.forward().await?;
    notebook.browser.until(&format!("{current} === 'numbers::sum'")).await?;
    notebook.click("home").await?;
    notebook.until_shown("start").await?;
    assert_eq!(notebook.fragment().await?, "");
    notebook.close().await
}

#[tokio::test]
async fn an_invalid_link_is_reported_and_stays_in_the_address_and_the_history() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.visit("%ff%fe=%00").await?;
    notebook.until_text("problem", "an unknown part").await?;
    // A function can still be chosen.
    notebook.choose("numbers::sum").await?;
    assert_eq!(notebook.texts("problem").await?, [""; 0], "the error disappears on navigation");
    notebook.browser.client.execute("location.hash = 'suite=demo&function=bogus'", Vec::new()).await?;
    notebook.until_text("problem", "bogus").await?;
    assert_eq!(notebook.fragment().await?, "suite=demo&function=bogus");
    notebook.choose("numbers::is_even").await?;
    notebook.browser.client.back().await?;
    notebook.until_text("problem", "bogus").await?;
    assert_eq!(notebook.fragment().await?, "suite=demo&function=bogus");
    notebook.close().await
}
