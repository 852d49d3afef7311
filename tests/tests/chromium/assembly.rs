//! The code of a cell's functions: listed, marked, copied, compared and stored.

use std::fs;

use anyhow::{Context, Result};
use benchbook_assembly::{LISTINGS_SECTION, Listing, ListingRow, ListingTable, answer, listing_text};
use benchbook_host::units::count;
use benchbook_instrument::COUNTING_MODULE;
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::{Notebook, PHONE};
use benchbook_tests::sites::demo;
use benchbook_tests::stored_sorts::{SORTS, file_of_own_build};
use benchbook_tests::suites;
use benchbook_tests::wasm::custom_section;
use fantoccini::key::Key;
use serde_json::json;

use crate::profile::{choose, site, text, with_section};

/// The path of the generator of stored results.
const GENERATOR: &str = "sorting::keys";

/// Focuses the instruction that is a tab stop.
const FOCUS_LINE: &str = "document.querySelector('[data-test=assembly-line][tabindex=\"0\"]').focus()";

/// Whether the listing is scrolled to the marked instruction.
const IS_MARK_VISIBLE: &str = "(() => {
    const bounds = selector => document.querySelector(selector).getBoundingClientRect();
    const [row, list] = [bounds('tr.marked'), bounds('.code-listing')];
    return row.top >= list.top && row.bottom <= list.bottom;
})()";

/// The code in the counting module of the demo suite.
fn expected(function: &str) -> Result<Listing> {
    let module = fs::read(suites::demo()?.module.with_extension(COUNTING_MODULE))?;
    let section = custom_section(&module, LISTINGS_SECTION).context("the module has listings")?;
    let table: ListingTable = serde_json::from_slice(&section)?;
    table.find(function, GENERATOR).cloned().context("the function has code")
}

/// What is shown without markup.
fn plain(sentence: &str) -> String {
    sentence.replace('`', "")
}

#[tokio::test]
async fn code_is_listed_marked_copied_compared_and_stored() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    notebook.drop_sorts(&file_of_own_build(&SORTS)?).await?;
    notebook.click("tab-assembly").await?;
    notebook.until_shown("assembly-listing").await?;
    let listing = expected(SORTS[0])?;
    assert_eq!(text(&notebook, "assembly-answer").await?, plain(&answer(SORTS[0], &listing, count)));
    let instructions = |shows_around| {
        let rows = listing.rows(SORTS[0], shows_around);
        rows.iter().filter(|row| matches!(row, ListingRow::Instruction(_))).count()
    };
    assert_eq!(notebook.texts("assembly-line").await?.len(), instructions(false));
    notebook.assert_accessible("code").await?;
    notebook.intercept().await?;
    notebook.click("assembly-copy").await?;
    notebook.browser.until("window.copied").await?;
    let copied = notebook.browser.value("window.copied").await?;
    assert!(copied.as_str().context("a text")?.ends_with(&listing_text(SORTS[0], &listing, count)), "{copied}");
    notebook.click("assembly-around").await?;
    assert_eq!(notebook.texts("assembly-line").await?.len(), listing.instructions.len());
    assert!(instructions(false) < listing.instructions.len());

    // One instruction is a tab stop; keys lead to the others, and Enter marks one. Links and reloads keep the mark.
    notebook.browser.client.execute(FOCUS_LINE, Vec::new()).await?;
    notebook.press(Key::Down).await?;
    let second = listing.instructions[1].offset;
    let (focused, has_outline) = notebook.focused().await?;
    assert!(focused.contains(&format!("data-offset=\"{second}\"")) && has_outline, "{focused}");
    notebook.press(Key::Enter).await?;
    let marked = format!("tr.marked [data-offset='{second}'][tabindex='0'][aria-pressed=true]");
    notebook.until_present(&marked).await?;
    let is_linked =
        format!("location.hash.includes('assembly_at={second}') && location.hash.includes('assembly_around=on')");
    notebook.browser.until(&is_linked).await?;
    notebook.until_saved().await?;
    notebook.browser.client.refresh().await?;
    notebook.until_present(&marked).await?;
    let counting = notebook.server.requests().iter().filter(|path| path.contains(COUNTING_MODULE)).count();
    assert_eq!(counting, 1, "the code is a part of the results");
    // A mark at the end is shown without scrolling the page.
    notebook.browser.client.execute(FOCUS_LINE, Vec::new()).await?;
    notebook.press(Key::End).await?;
    notebook.press(Key::Enter).await?;
    let last = listing.instructions.last().context("the function has code")?.offset;
    notebook.browser.until(&format!("location.hash.includes('assembly_at={last}')")).await?;
    notebook.until_saved().await?;
    notebook.browser.client.refresh().await?;
    notebook.until_present(&format!("tr.marked [data-offset='{last}']")).await?;
    notebook.browser.until(IS_MARK_VISIBLE).await?;
    assert_eq!(notebook.browser.value("scrollY").await?, json!(0));

    choose(&notebook, "assembly-before", SORTS[1]).await?;
    notebook.until_shown("assembly-difference").await?;
    assert!(text(&notebook, "assembly-answer").await?.contains(" differ: "));
    let difference = text(&notebook, "assembly-difference").await?;
    assert!(difference.contains("\n+") && difference.contains("\n-"), "{difference}");
    notebook.assert_accessible("a difference of code").await?;
    choose(&notebook, "assembly-before", "").await?;
    notebook.browser.resize(PHONE.0, PHONE.1).await?;
    notebook.assert_accessible("code on a phone").await?;
    let is_as_wide = "document.documentElement.scrollWidth <= innerWidth";
    assert_eq!(notebook.browser.value(is_as_wide).await?, json!(true), "the code widens the page");
    notebook.close().await
}

#[tokio::test]
async fn without_code_there_is_a_reason() -> Result<()> {
    let _turn = turn().await;
    let module = fs::read(suites::demo()?.module.with_extension(COUNTING_MODULE))?;
    let empty = br#"{"format":1,"functions":[],"listings":[]}"#;
    for (counting, reason) in [
        (None, "is not available: the host has no such file"),
        (Some(with_section(&module, LISTINGS_SECTION, b"{")), "the listings in the counting module are damaged"),
        (Some(with_section(&module, LISTINGS_SECTION, empty)), "has no code of its own"),
    ] {
        let notebook = Notebook::open(site(counting)?).await?;
        notebook.drop_sorts(&file_of_own_build(&SORTS[..1])?).await?;
        notebook.click("tab-assembly").await?;
        notebook.until_text("assembly-problem", reason).await?;
        notebook.close().await?;
    }
    Ok(())
}
