//! Links that are too long: the page offers the file instead.

use anyhow::{Context, Result};
use benchbook_tests::browser::turn;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::sites::demo;
use fantoccini::key::Key;
use serde_json::{Value, json};

/// Records downloads.
const INTERCEPT: &str = "URL.createObjectURL = (blob) => { blob.text().then((text) => { window.file = text; }); return 'blob:intercepted'; };";

/// Drops a file on the page.
const DROP: &str = "const data = new DataTransfer();
    data.items.add(new File([arguments[0]], 'long.benchbook.json'));
    for (const type of ['dragover', 'drop']) {
        window.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
    }";

/// The characters of a text that hardly compresses: as many as a link may have, and half as many again.
const LENGTH: usize = 45_000;

/// Letters and digits without a pattern, from a linear congruential generator (Knuth, MMIX).
fn incompressible() -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-.";
    let mut state = 1_u64;
    let letter = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(LETTERS[(state >> 58) as usize])
    };
    (0..LENGTH).map(letter).collect()
}

async fn press_with_control(notebook: &Notebook, keys: &str) -> Result<()> {
    let keys = format!("{}{keys}{}", char::from(Key::Control), char::from(Key::Null));
    Ok(notebook.find("body").await?.send_keys(&keys).await?)
}

#[tokio::test]
async fn the_notice_about_a_link_that_is_too_long_offers_the_file() -> Result<()> {
    let _turn = turn().await;
    let notebook = Notebook::open(demo()).await?;
    let client = &notebook.browser.client;
    client.execute(INTERCEPT, Vec::new()).await?;
    notebook.choose("numbers::sum").await?;
    notebook.add_text("A text").await?;
    press_with_control(&notebook, "s").await?;
    notebook.browser.until_reloaded("window.file !== undefined").await?;
    let file = notebook.browser.value("window.file").await?;
    let text = incompressible();
    let file = file.as_str().context("a text")?.replace("A text", &text);
    client.execute(DROP, vec![json!(file)]).await?;
    notebook.browser.until("document.querySelector('[data-test=text]')?.textContent.trim().length > 40000").await?;

    let shift = char::from(Key::Shift);
    press_with_control(&notebook, &format!("{shift}l")).await?;
    let outcome = "document.querySelector('[data-test=share-outcome]').textContent";
    notebook.browser.until(&format!("{outcome}.includes('too long for a link')")).await?;
    assert_eq!(notebook.texts("offer-file").await?, ["Download as a file"]);
    notebook.assert_accessible("a link that is too long").await?;
    client.execute("delete window.file", Vec::new()).await?;
    notebook.click("offer-file").await?;
    notebook.browser.until_reloaded("window.file !== undefined").await?;
    let downloaded = notebook.browser.value("window.file").await?;
    let downloaded: Value = serde_json::from_str(downloaded.as_str().context("a text")?)?;
    assert!(downloaded.to_string().contains(&text), "the file contains all of it");
    notebook.browser.until(&format!("{outcome}.startsWith('Downloaded ')")).await?;
    assert!(notebook.texts("offer-file").await?.is_empty());
    let focused = "document.activeElement.matches('[data-test=share-menu] > summary')";
    assert_eq!(notebook.browser.value(focused).await?, true, "the focus is not lost with the button");

    press_with_control(&notebook, &format!("{shift}l")).await?;
    notebook.until_shown("close-outcome").await?;
    notebook.click("close-outcome").await?;
    notebook.browser.until(&format!("{outcome} === ''")).await?;
    notebook.close().await
}
