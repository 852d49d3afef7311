//! Pages of rustdoc with cells, as `cargo benchbook doc` writes them.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use fantoccini::Locator;
use fantoccini::key::Key;

use crate::browser::Browser;
use crate::notebook::{DESKTOP, Notebook};
use crate::other_browsers::{firefox, webkit};
use crate::server::Site;

/// The frame of the first cell.
const FRAME: &str = ".benchbook-cell iframe";

/// How often Tab may be pressed to reach a button.
const MOST_TABS: usize = 30;

/// A browser, and whether its driver can press keys in a frame.
pub struct ReadersBrowser {
    /// The browser.
    pub browser: Browser,
    /// Whether [`measure_cell`] presses keys.
    pub has_keys: bool,
}

impl ReadersBrowser {
    /// Starts Chromium.
    pub async fn chromium() -> Result<Self> {
        Ok(Self { browser: Browser::start(DESKTOP.0, DESKTOP.1).await?, has_keys: true })
    }

    /// Starts Firefox and WebKit, as far as they are installed.
    pub async fn others() -> Result<Vec<Self>> {
        let firefox = firefox(DESKTOP.0, DESKTOP.1).await?.map(|browser| Self { browser, has_keys: true });
        // WebKit's driver cannot press keys in frames.
        let webkit = webkit(DESKTOP.0, DESKTOP.1).await?.map(|browser| Self { browser, has_keys: false });
        let browsers: Vec<Self> = firefox.into_iter().chain(webkit).collect();
        if browsers.len() < 2 {
            println!("Firefox or WebKit is not installed: tested in {} of 2 browsers", browsers.len());
        }
        Ok(browsers)
    }
}

/// A folder as a plain host of files serves it, at a path below the root.
pub fn plain_host(folder: &Path) -> Site {
    Site {
        page: Some(folder.to_owned()),
        folder: Some("/some/path".to_owned()),
        service_worker: true,
        ..Site::default()
    }
}

/// Opens a page of documentation and measures its first cell as a reader does, with keys only if the driver can press them. Checks with axe that
/// both the cell and the content of its frame are accessible, and that the height of the frame follows its content.
pub async fn measure_cell(readers: ReadersBrowser, docs: &Path, page: &str) -> Result<()> {
    let ReadersBrowser { browser, has_keys } = readers;
    let notebook = Notebook::load(browser, plain_host(docs), page).await?;
    let browser = &notebook.browser;
    browser.until(&format!("document.querySelector('{FRAME}')")).await?;
    browser.value(&format!("document.querySelector('{FRAME}').scrollIntoView()")).await?;
    browser.assert_part_accessible(".benchbook-cell", "the cell on the page").await?;
    let sandbox = browser.value(&format!("document.querySelector('{FRAME}').getAttribute('sandbox')")).await?;
    let is_isolated = sandbox.as_str().is_some_and(|allowed| !allowed.contains("top-navigation"));
    ensure!(is_isolated, "the frame may replace the page around it: {sandbox}");
    enter_frame(&notebook).await?;
    browser.until_reloaded("document.querySelector('[data-test=measure]:enabled') !== null").await?;
    if has_keys {
        browser.client.clone().enter_parent_frame().await?;
        press_measure(&notebook).await?;
    } else {
        browser.value("document.querySelector('[data-test=measure]').click()").await?;
    }
    browser.until_reloaded("document.querySelector('[data-test=table] tbody tr') !== null").await?;
    for (part, selector) in [("plot", "[data-test=plot] canvas"), ("controls", "[data-test=toggle-controls]")] {
        let is_shown = browser.value(&format!("document.querySelector('{selector}') !== null")).await?;
        ensure!(is_shown == true, "the cell has no {part}");
    }
    browser.assert_part_accessible("html", "the content of the cell").await?;
    leave_fitted_frame(browser, FRAME).await?;
    notebook.close().await
}

/// Leaves a frame of the same host, and waits until it is as high as its content, which may still change.
///
/// * `frame`: selects it in the page around it.
pub async fn leave_fitted_frame(browser: &Browser, frame: &str) -> Result<()> {
    browser.client.clone().enter_parent_frame().await?;
    const DIFFERENCE: &str =
        "(({ clientHeight, contentDocument: { body } }) => clientHeight - body.getBoundingClientRect().height)";
    browser.until(&format!("Math.abs({DIFFERENCE}(document.querySelector('{frame}'))) < 2")).await
}

async fn enter_frame(notebook: &Notebook) -> Result<()> {
    let frame = notebook.browser.client.find(Locator::Css(FRAME)).await?;
    frame.enter_frame().await.context("entering the frame")
}

/// Reaches the button Measure with Tab, from the link before the frame, and presses Enter.
async fn press_measure(notebook: &Notebook) -> Result<()> {
    let browser = &notebook.browser;
    browser.value("document.querySelector('.benchbook-cell a').focus()").await?;
    notebook.press(Key::Tab).await?;
    ensure!(browser.value(&format!("document.activeElement === document.querySelector('{FRAME}')")).await? == true);
    enter_frame(notebook).await?;
    for _ in 0..MOST_TABS {
        if browser.value("document.activeElement.dataset.test === 'measure'").await? == true {
            return notebook.press(Key::Enter).await;
        }
        notebook.press(Key::Tab).await?;
    }
    bail!("Tab does not reach the button Measure")
}
