//! The address reflects the page's state, and opening it restores that state.

use anyhow::Result;
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::server::Site;
use benchbook_tests::sites::demo;
use serde_json::json;

const SORT: &str = "suite=demo&function=sorting::sort_unstable&generator=sorting::keys";

/// Waits until the fragment ends with this text.
async fn until_fragment(notebook: &Notebook, end: &str) -> Result<()> {
    // The address is not part of the document, so this polls.
    const WATCH: &str = "const [end, done] = arguments;
        const look = () => location.hash.endsWith(end) ? done(true) : requestAnimationFrame(look);
        look();";
    notebook.browser.client.execute_async(WATCH, vec![end.into()]).await?;
    Ok(())
}

async fn field(notebook: &Notebook, parameter: &str, field: &str) -> Result<String> {
    let selector = format!("[data-test=parameter][data-name={parameter}] [data-test={field}]");
    let value = notebook.browser.value(&format!("document.querySelector('{selector}').value")).await?;
    Ok(value.as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn a_link_restores_the_state() -> Result<()> {
    let _turn = turn().await;
    let site = Site { folder: Some("/some/folder".to_owned()), ..demo() };
    let notebook = Notebook::open(site).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.type_into("size", "low", "200").await?;
    notebook.type_into("size", "high", "3k").await?;
    notebook.pick("spread", "Sorted").await?;
    notebook.compare("sorting::sort_stable").await?;
    notebook.measure().await?;
    notebook.drag((0.3, 0.3), (0.7, 0.7)).await?;
    notebook.click("scale-y").await?;
    notebook.drag((0.3, 0.3), (0.7, 0.7)).await?;
    // On a busy machine, interruptions may distort the mean, which is then hidden by default.
    let shows_mean = notebook.browser.value("document.querySelector('[data-test=show-mean]').checked").await?;
    notebook.click("show-mean").await?;
    until_fragment(&notebook, if shows_mean == json!(true) { "&hide=mean" } else { "&show=mean" }).await?;
    let (link, view) = (notebook.settings().await?, notebook.visible().await?);

    notebook.visit(&link).await?;
    notebook.browser.until("document.querySelector('[data-test=cell]')").await?;
    let bounds = (field(&notebook, "size", "low").await?, field(&notebook, "size", "high").await?);
    assert_eq!((bounds.0.as_str(), bounds.1.as_str()), ("200", "3\u{202f}000"));
    let rows = notebook.measure().await?;
    assert_eq!(rows[0].x, "200");
    assert!(rows.iter().any(|row| row.path == "sorting::sort_stable"), "{rows:?}");
    let reopened = notebook.visible().await?;
    assert_eq!(reopened, view);
    assert_eq!(notebook.texts("scale-y").await?, ["y linear"]);
    assert_eq!(notebook.settings().await?, link, "opening a link does not change it");
    notebook.close().await
}

#[tokio::test]
async fn history_switches_between_cells() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.type_into("size", "low", "500").await?;
    until_fragment(&notebook, "arg.size=500..100000&arg.spread=Random").await?;
    notebook.add_cell("numbers::sum").await?;
    let current = "document.querySelector('[data-current]')?.dataset.path";
    let client = &notebook.browser.client;
    client.back().await?;
    notebook.browser.until(&format!("{current} === 'sorting::sort_unstable'")).await?;
    assert_eq!(field(&notebook, "size", "low").await?, "500");
    client.back().await?;
    notebook.browser.until("document.querySelector('[data-test=start]')").await?;
    client.forward().await?;
    client.forward().await?;
    notebook.browser.until(&format!("{current} === 'numbers::sum'")).await?;
    notebook.click("home").await?;
    notebook.browser.until("document.querySelector('[data-test=start]')").await?;
    assert_eq!(notebook.fragment().await?, "");
    notebook.close().await
}

#[tokio::test]
async fn undo_restores_the_generator_field() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.generator("sorting::nearly_sorted").await?;
    notebook.browser.until("document.querySelector('[data-name=disorder]')").await?;
    let shown = "document.querySelector('[data-test=generator]').value";
    notebook.click("undo").await?;
    notebook
        .browser
        .until(&format!("{shown} === 'sorting::keys' && document.querySelector('[data-name=spread]')"))
        .await?;
    notebook.click("redo").await?;
    notebook
        .browser
        .until(&format!("{shown} === 'sorting::nearly_sorted' && document.querySelector('[data-name=disorder]')"))
        .await?;
    notebook.close().await
}

#[tokio::test]
async fn an_invalid_link_stays_in_the_address_and_the_history() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("numbers::sum").await?;
    notebook.browser.client.execute("location.hash = 'suite=demo&function=bogus'", Vec::new()).await?;
    notebook.browser.until("document.querySelector('[data-test=problem]')?.textContent.includes('bogus')").await?;
    assert_eq!(notebook.fragment().await?, "suite=demo&function=bogus");
    notebook.choose("numbers::is_even").await?;
    notebook.browser.client.back().await?;
    notebook.browser.until("document.querySelector('[data-test=problem]')?.textContent.includes('bogus')").await?;
    assert_eq!(notebook.fragment().await?, "suite=demo&function=bogus");
    notebook.close().await
}

#[tokio::test]
async fn measuring_continues_while_another_function_is_shown() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.choose("numbers::sum").await?;
    notebook.click("measure").await?;
    notebook.choose("sorting::sort_unstable").await?;
    assert_eq!(notebook.data("progress").await?["state"], "idle");
    notebook.browser.client.back().await?;
    notebook.browser.until("document.querySelector('[data-current]').dataset.path === 'numbers::sum'").await?;
    notebook.until_state("done").await?;
    assert!(notebook.rows().await?.iter().all(|row| row.path == "numbers::sum" && row.failed.is_none()));
    notebook.close().await
}

#[tokio::test]
async fn errors_in_links_are_reported_and_the_page_works() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    let table = [
        ("garbage".to_owned(), "an unknown part"),
        ("%ff%fe=%00".to_owned(), "an unknown part"),
        ("suite=nowhere&function=sort".to_owned(), "unknown suite: “nowhere”"),
        ("suite=demo&function=sorting::bogus".to_owned(), "The suite demo has no function “sorting::bogus”"),
        (format!("{SORT}&generator=bogus"), "sorting::sort_unstable does not use the generator “bogus”"),
        (format!("{SORT}&with=text::find"), "cannot be measured together"),
        (format!("{SORT}&arg.bogus=1"), "The generator Keys has no parameter “bogus”"),
        (format!("{SORT}&arg.spread=Bogus"), "an unknown choice: “Bogus”"),
        (format!("{SORT}&arg.size=5"), "expected 100 to"),
        (format!("{SORT}&view=wall"), "view=wall"),
        (format!("{SORT}&zoom=NaN,1,2,3"), "zoom=NaN,1,2,3"),
        (format!("{SORT}&arg.size=900..200"), "low must not be greater than high"),
        (format!("{SORT}&arg.size=1..1e30"), "expected 100 to"),
        (format!("{SORT}&arg.size=1000..100000000000000000000"), "expected 100 to"),
    ];
    for (link, expected) in table {
        notebook.visit(&link).await?;
        let is_shown = format!(
            "[...document.querySelectorAll('[data-test=problem]')].some(problem => problem.textContent.includes('{expected}'))"
        );
        notebook.browser.until(&is_shown).await?;
        // A function can still be chosen and its parameters set.
        notebook.choose("numbers::sum").await?;
        assert_eq!(notebook.texts("problem").await?, [""; 0], "{link}: the error disappears on navigation");
    }
    notebook.close().await
}

#[tokio::test]
async fn off_grid_values_in_links_are_snapped() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.visit(&format!("{SORT}&arg.size=1234..5678")).await?;
    notebook
        .browser
        .until("document.querySelector('[data-test=parameter] .notes')?.textContent.includes('rounded to')")
        .await?;
    let rows = notebook.measure().await?;
    assert_eq!((rows[0].x.as_str(), rows.last().map(|row| row.x.as_str())), ("1200", Some("5700")));
    notebook.close().await
}
