//! Loading: the time until the page shows content, and until it is interactive.

use anyhow::{Context, Result};
use benchbook_tests::browser::Browser;
use benchbook_tests::notebook::{DESKTOP, Notebook};
use benchbook_tests::server::Site;
use serde::Deserialize;
use serde_json::json;

use benchbook_programs::figures::Figures;

/// The number of page loads.
const LOADS: usize = 20;

/// The times of a load, in milliseconds since the start of the navigation.
#[derive(Clone, Copy, Debug, Deserialize)]
struct Load {
    /// The first contentful paint.
    first_paint: f64,
    /// The frame that shows the functions and the example.
    interactive: f64,
    /// The frame that reacts to a click on the example at that time.
    click_response: f64,
}

/// Runs in each page before its own scripts.
const WATCH: &str = "
    const after_frame = (act) => requestAnimationFrame(() => { const c = new MessageChannel(); c.port1.onmessage = act; c.port2.postMessage(0); });
    const shows = (selector) => new Promise((resolve) => {
      const watch = new MutationObserver(() => {
        if (document.querySelector(selector)) { watch.disconnect(); after_frame(() => resolve(performance.now())); }
      });
      watch.observe(document, { subtree: true, childList: true, attributes: true });
    });
    window.benchbook_loading = (async () => {
      const interactive = Math.max(...(await Promise.all([shows('[data-test=example]'), shows('[data-test=function]')])));
      const pressed = shows('[data-test=progress]:is([data-state=waiting], [data-state=measuring])');
      document.querySelector('[data-test=example]').click();
      const click_response = await pressed;
      const [{ startTime: first_paint }] = performance.getEntriesByName('first-contentful-paint');
      return { first_paint, interactive, click_response };
    })();";

/// Loads the shipped page repeatedly, with an empty cache.
pub(crate) async fn bench() -> Result<()> {
    let browser = Browser::start(DESKTOP.0, DESKTOP.1).await?;
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH })).await?;
    let notebook = Notebook::load(browser, Site { isolated: true, ..Site::default() }, "").await?;
    let mut loads: Vec<Load> = Vec::new();
    for _ in 0..LOADS {
        notebook.browser.client.goto("about:blank").await?;
        notebook.browser.devtools("Network.clearBrowserCache", json!({})).await?;
        notebook.browser.client.goto(notebook.server.url()).await?;
        let load = notebook.browser.client.execute_async("benchbook_loading.then(arguments[0]);", Vec::new()).await?;
        loads.push(serde_json::from_value(load).context("watching the page load")?);
    }
    notebook.close().await?;
    let of = |figure: fn(&Load) -> f64| loads.iter().map(figure).collect::<Figures>().median_and_worst();
    println!("\nloading, isolated, empty cache");
    println!(
        "{:36} {:>22} {:>22} {:>22}",
        "ms: median (worst)", "first contentful paint", "interactive", "reaction to a click"
    );
    println!(
        "{:36} {:>22} {:>22} {:>22}",
        "the page as shipped",
        of(|load| load.first_paint),
        of(|load| load.interactive),
        of(|load| load.click_response)
    );
    println!("goal: interactive in 300");
    Ok(())
}
