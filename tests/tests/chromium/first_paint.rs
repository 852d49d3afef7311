//! The first paint: `index.html` shows the frame of the page before its code arrives, and nothing moves afterwards.

use anyhow::{Context, Result, ensure};
use benchbook_tests::browser::{Browser, turn};
use benchbook_tests::notebook::{DESKTOP, Notebook, PHONE};
use benchbook_tests::server::Site;
use serde_json::{Value, json};

/// The cumulative layout shift that is allowed: half of what Lighthouse calls good.
const MAX_SHIFT: f64 = 0.05;

/// Runs in each page before its own scripts.
const OBSERVE: &str = "
    self.shifts = [];
    self.shiftObserver = new PerformanceObserver((list) => shifts.push(...list.getEntries()));
    shiftObserver.observe({ type: 'layout-shift', buffered: true });";

/// The sum of the layout shifts so far, and the elements that moved.
const SHIFTS: &str = "
    const done = arguments[0];
    requestAnimationFrame(() => requestAnimationFrame(() => {
        shifts.push(...shiftObserver.takeRecords());
        const name = (node) => node?.outerHTML?.slice(0, 80) ?? node?.textContent;
        const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join();
        const moved = ({ node, previousRect, currentRect }) => `${place(previousRect)} to ${place(currentRect)}: ${name(node)}`;
        done([shifts.reduce((sum, { value }) => sum + value, 0), JSON.stringify(shifts.map(({ value, sources }) => [value, sources.map(moved)]))]);
    }));";

/// A host with the headers that isolate the page, so that it does not reload itself.
fn isolated() -> Site {
    Site { isolated: true, ..Site::default() }
}

async fn browser((width, height): (u32, u32)) -> Result<Browser> {
    let browser = Browser::start(width, height).await?;
    browser.resize(width, height).await?;
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": OBSERVE })).await?;
    Ok(browser)
}

/// The page's compression ratio (3.4 with Brotli), rounded down. Hosts compress the page and this test's server does not, so the simulated
/// network is faster by this factor.
const COMPRESSION: u32 = 3;

/// Simulates Lighthouse's phone: a slow network and a processor at a quarter of its speed.
async fn throttle(browser: &Browser) -> Result<()> {
    let network = json!({
        "offline": false,
        "latency": 150,
        "downloadThroughput": 1_600_000 / 8 * COMPRESSION,
        "uploadThroughput": 750_000 / 8,
    });
    browser.devtools("Network.enable", json!({})).await?;
    browser.devtools("Network.emulateNetworkConditions", network).await?;
    browser.devtools("Emulation.setCPUThrottlingRate", json!({ "rate": 4 })).await.map(drop)
}

async fn block(browser: &Browser, urls: &[&str]) -> Result<()> {
    browser.devtools("Network.enable", json!({})).await?;
    browser.devtools("Network.setBlockedURLs", json!({ "urls": urls })).await.map(drop)
}

async fn until_loaded(notebook: &Notebook) -> Result<()> {
    let loaded = ["function", "example", "clock"].map(|test| format!("document.querySelector('[data-test={test}]')"));
    notebook.browser.until(&loaded.join(" && ")).await
}

async fn shifts(browser: &Browser) -> Result<(f64, String)> {
    let shifts = browser.client.execute_async(SHIFTS, Vec::new()).await?;
    serde_json::from_value(shifts).context("reading the layout shifts")
}

/// The positions and sizes of the frame.
async fn frame(browser: &Browser) -> Result<Value> {
    let rectangle = |selector: &str| {
        format!(
            "(({{ x, y, width, height }}) => [x, y, width, height])(document.querySelector('{selector}').getBoundingClientRect())"
        )
    };
    let all = ["header", "header .home", "nav", "nav input", "main h1"].map(rectangle);
    browser.value(&format!("[{}]", all.join(", "))).await
}

#[tokio::test]
async fn nothing_moves_while_the_page_loads() -> Result<()> {
    let _turn = turn().await;
    for screen in [PHONE, DESKTOP] {
        let browser = browser(screen).await?;
        throttle(&browser).await?;
        let notebook = Notebook::load(browser, isolated(), "").await?;
        until_loaded(&notebook).await?;
        let (sum, moved) = shifts(&notebook.browser).await?;
        ensure!(sum < MAX_SHIFT, "{screen:?}: a shift of {sum}: {moved}");

        const PUSH: &str =
            "const box = document.createElement('div'); box.style.height = '300px'; document.body.prepend(box);";
        notebook.browser.client.execute(PUSH, Vec::new()).await?;
        let (pushed, _) = shifts(&notebook.browser).await?;
        ensure!(pushed > sum + MAX_SHIFT, "{screen:?}: a shift is not observed: {pushed}");
        notebook.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn the_first_paint_has_the_geometry_of_the_page_and_reports_a_failed_start() -> Result<()> {
    let _turn = turn().await;
    for screen in [PHONE, DESKTOP] {
        let browser = browser(screen).await?;
        block(&browser, &["*_bg.wasm"]).await?;
        let notebook = Notebook::load(browser, isolated(), "").await?;
        let status = "document.querySelector('main [role=status]').textContent";
        notebook.browser.until(&format!("{status}.includes('WebAssembly')")).await?;
        let painted = frame(&notebook.browser).await?;
        notebook.assert_accessible("a page that cannot start").await?;

        block(&notebook.browser, &[]).await?;
        notebook.browser.client.refresh().await?;
        until_loaded(&notebook).await?;
        assert_eq!(frame(&notebook.browser).await?, painted, "{screen:?}");
        notebook.close().await?;
    }
    Ok(())
}

/// The cumulative layout shift that is allowed after a click on Measure.
const MAX_SHIFT_OF_MEASURE: f64 = 0.02;

/// Whether all of these elements of the current cell are within the window.
fn are_in_view(tests: &[&str]) -> String {
    let is_in_view = |test: &&str| {
        format!(
            "(({{ top, bottom, height }}) => height > 0 && top >= 0 && bottom <= innerHeight)(document.querySelector('[data-test={test}]').getBoundingClientRect())"
        )
    };
    tests.iter().map(is_in_view).collect::<Vec<_>>().join(" && ")
}

#[tokio::test]
async fn measure_moves_nothing_and_shows_the_answer_with_the_plot() -> Result<()> {
    let _turn = turn().await;
    const FOUR: &str = "#suite=demo&function=collections::hash_map_get&with=collections::btree_map_get&with=collections::sorted_vec_get&with=collections::fx_hash_map_get";
    for (screen, shown) in [((1440, 900), ["answer", "ranking", "plot"].as_slice()), (PHONE, &["answer", "plot"])] {
        let notebook = Notebook::load(browser(screen).await?, isolated(), FOUR).await?;
        notebook.browser.until("document.querySelector('[data-test=measure]:enabled')").await?;
        let (before, _) = shifts(&notebook.browser).await?;
        notebook.click("measure").await?;
        notebook.browser.until("document.querySelectorAll('[data-test=ranked]').length === 4").await?;
        notebook.browser.until(&are_in_view(shown)).await.with_context(|| format!("{screen:?}"))?;
        let (after, moved) = shifts(&notebook.browser).await?;
        ensure!(after - before < MAX_SHIFT_OF_MEASURE, "{screen:?}: a shift of {}: {moved}", after - before);
        notebook.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn without_scripts_the_page_states_what_to_do() -> Result<()> {
    let _turn = turn().await;
    let browser = Browser::start(DESKTOP.0, DESKTOP.1).await?;
    browser.devtools("Emulation.setScriptExecutionDisabled", json!({ "value": true })).await?;
    let notebook = Notebook::load(browser, isolated(), "").await?;
    let tree = notebook.browser.devtools("Accessibility.getFullAXTree", json!({})).await?.to_string();
    assert!(tree.contains("Enable JavaScript, then reload the page."), "{tree}");
    assert!(!tree.contains("Loading the suites"), "{tree}");
    notebook.close().await
}
