//! The page in Firefox and WebKit: measure a function, zoom, open a copied link, edit the notebook, and
//! open a file.

use anyhow::{Context, Result};
use benchbook_tests::browser::quiet_turn;
use benchbook_tests::notebook::{DESKTOP, Notebook};
use benchbook_tests::other_browsers::{firefox, webkit};
use benchbook_tests::sites::demo;
use fantoccini::Locator;
use fantoccini::key::Key;

#[tokio::test]
async fn the_page_works_in_firefox() -> Result<()> {
    let _turn = quiet_turn().await;
    match firefox(DESKTOP.0, DESKTOP.1).await? {
        Some(browser) => smoke_test(Notebook::load(browser, demo(), "").await?).await,
        None => {
            println!("Skipped: Firefox and geckodriver are not installed.");
            Ok(())
        }
    }
}

#[tokio::test]
async fn the_page_works_in_webkit() -> Result<()> {
    let _turn = quiet_turn().await;
    match webkit(DESKTOP.0, DESKTOP.1).await? {
        Some(browser) => smoke_test(Notebook::load(browser, demo(), "").await?).await,
        None => {
            println!("Skipped: WebKitGTK's driver and Xvfb are not installed.");
            Ok(())
        }
    }
}

async fn smoke_test(notebook: Notebook) -> Result<()> {
    let browser = &notebook.browser;
    browser.until("document.querySelector('[data-test=function]')").await?;
    notebook.choose("sorting::sort_unstable").await?;
    fill(&notebook, "low", "200").await?;
    fill(&notebook, "high", "3k").await?;
    notebook.compare("sorting::sort_stable").await?;

    let rows = notebook.measure().await?;
    assert!(rows.iter().all(|row| row.failed.is_none() && row.mean.is_some()), "{rows:?}");
    assert_eq!((rows[0].x.as_str(), rows[0].machine.as_str()), ("200", "browser"));
    assert!(rows.iter().any(|row| row.path == "sorting::sort_stable"), "{rows:?}");
    // A blank canvas has one colour, axes alone a few shades of grey.
    let coloured = "(() => {
        const canvas = document.querySelector('[data-test=plot] canvas');
        const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
        let count = 0;
        for (let i = 0; i < pixels.length; i += 4) {
            const [red, green, blue] = [pixels[i], pixels[i + 1], pixels[i + 2]];
            if (pixels[i + 3] > 0 && Math.max(red, green, blue) - Math.min(red, green, blue) > 60) count += 1;
        }
        return count;
    })()";
    let count = browser.value(coloured).await?.as_u64().context("a number of pixels")?;
    assert!(count > 300, "the plot has {count} coloured pixels");

    let whole = notebook.visible().await?;
    notebook.drag((0.3, 0.3), (0.7, 0.7)).await?;
    notebook.until_zoomed("plot", true).await?;
    let zoomed = notebook.visible().await?;
    assert!(whole.contains(&zoomed), "{zoomed:?} is not a part of {whole:?}");
    // The address follows when the view has settled.
    let settled = "const done = arguments[0];
        const check = () => location.hash.includes('zoom=') ? done(true) : requestAnimationFrame(check);
        check();";
    browser.client.execute_async(settled, Vec::new()).await?;

    // The clipboard cannot be read without a permission: record what the page writes.
    let record = "const write = navigator.clipboard.writeText.bind(navigator.clipboard);
        navigator.clipboard.writeText = text => { window.copied = text; return write(text); };";
    browser.client.execute(record, Vec::new()).await?;
    notebook.find("[data-test=share-menu] summary").await?.click().await?;
    notebook.click("share").await?;
    browser.until("document.querySelector('[data-test=share-outcome]').textContent.startsWith('Copied')").await?;
    let copied = browser.value("window.copied").await?;
    let (_, link) = copied.as_str().and_then(|link| link.split_once('#')).context("the link has a fragment")?;

    notebook.visit(link).await?;
    browser.until("document.querySelector('[data-test=cell]')?.dataset.path === 'sorting::sort_unstable'").await?;
    // The link contains the figures.
    let rows = notebook.rows().await?;
    assert_eq!(rows[0].x, "200");
    assert!(rows.iter().any(|row| row.path == "sorting::sort_stable"), "{rows:?}");
    let reopened = notebook.visible().await?;
    assert_eq!(reopened, zoomed);
    // It was stored in this browser, with its results.
    browser.until("document.querySelector('[data-test=saved]').dataset.state === 'saved'").await?;
    browser.client.refresh().await?;
    browser.until("document.querySelector('[data-test=table]')").await?;
    assert_eq!(notebook.rows().await?, rows);
    edit(&notebook).await?;
    open_dropped_file(&notebook).await?;
    notebook.close().await
}

/// Adds a text, duplicates it, undoes that, and reloads.
async fn edit(notebook: &Notebook) -> Result<()> {
    let texts = "[...document.querySelectorAll('[data-test=text]')].map((text) => text.textContent.trim()).join()";
    let until_texts = async |expected: &str| notebook.browser.until(&format!("{texts} === '{expected}'")).await;
    notebook.add_text("Which *sort*?").await?;
    until_texts("Which sort?").await?;
    notebook.find("[data-test=cell-menu] summary").await?.click().await?;
    notebook.click("duplicate").await?;
    until_texts("Which sort?,Which sort?").await?;
    notebook.click("undo").await?;
    until_texts("Which sort?").await?;
    notebook.browser.until("document.querySelector('[data-test=saved]').dataset.state === 'saved'").await?;
    notebook.browser.client.refresh().await?;
    until_texts("Which sort?").await
}

/// Drops a notebook file on the page.
async fn open_dropped_file(notebook: &Notebook) -> Result<()> {
    const DROP: &str = "
        const data = new DataTransfer();
        const text = JSON.stringify({ benchbook: 1, title: 'Dropped', cells: [{ id: 'a', text: 'A conclusion' }] });
        data.items.add(new File([text], 'dropped.benchbook.json'));
        window.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));";
    notebook.browser.client.execute(DROP, Vec::new()).await?;
    notebook.browser.until("document.querySelector('[data-test=title]')?.value === 'Dropped'").await?;
    assert_eq!(notebook.texts("text").await?.concat().trim(), "A conclusion");
    Ok(())
}

/// Replaces the text of a bound of the axis. These drivers do not release Ctrl before the text, so a script selects the old
/// text.
async fn fill(notebook: &Notebook, field: &str, text: &str) -> Result<()> {
    let selector = format!("[data-test=parameter][data-name=size] [data-test={field}]");
    notebook.browser.value(&format!("document.querySelector('{selector}').select()")).await?;
    let input = notebook.browser.client.find(Locator::Css(&selector)).await?;
    Ok(input.send_keys(&format!("{text}{}", char::from(Key::Tab))).await?)
}
