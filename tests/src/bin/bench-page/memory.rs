//! Memory after many measurements: what the page holds when all garbage is collected, and the workers that are left.

use anyhow::{Context, Result};
use benchbook_tests::browser::Browser;
use benchbook_tests::notebook::{DESKTOP, Notebook};
use benchbook_tests::sites;
use serde_json::{Value, json};

/// Measurements before the first reading: the page keeps eight earlier curves on purpose.
const WARM_UP: usize = 20;

/// Measurements between the first reading and the second.
const MORE: usize = 50;

/// What is measured in turns: a name, and the functions' paths.
const CASES: [(&str, &[&str]); 2] = [
    ("one function", &["sorting::sort_unstable"]),
    ("two functions in turns", &["sorting::sort_unstable", "collections::hash_map_get"]),
];

/// Keeps hold of what the page's own wasm exports, its memory among it. Trunk announces it.
const KEEP_WASM: &str =
    "addEventListener('TrunkApplicationStarted', (event) => { window.benchbook_wasm = event.detail.wasm; });";

/// What the page holds.
#[derive(Clone, Copy, Debug)]
struct Held {
    /// Objects of JavaScript, in bytes.
    objects: f64,
    /// Array buffers and the like, in bytes.
    buffers: f64,
    /// The linear memory of the page's wasm, in bytes: it never shrinks.
    wasm: f64,
    /// Nodes of the document, and others that something still refers to.
    nodes: f64,
    /// Listeners of events.
    listeners: f64,
    /// Workers, of the page's suites.
    workers: usize,
}

/// Measures and prints the page after few measurements and after many.
pub(crate) async fn bench() -> Result<()> {
    println!("\nmemory, isolated, garbage collected");
    println!(
        "{:44} {:>14} {:>14} {:>14} {:>8} {:>10} {:>8}",
        "KiB", "JS objects", "JS buffers", "page's wasm", "nodes", "listeners", "workers"
    );
    for (name, paths) in CASES {
        let browser = Browser::start(DESKTOP.0, DESKTOP.1).await?;
        browser.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": KEEP_WASM })).await?;
        let notebook = Notebook::load(browser, sites::demo(), "").await?;
        notebook.browser.until("document.querySelector('[data-test=function]')").await?;
        measure(&notebook, paths, WARM_UP).await?;
        print(&format!("{name}, after {WARM_UP} measurements"), held(&notebook).await?);
        measure(&notebook, paths, MORE).await?;
        print(&format!("{name}, after {MORE} more"), held(&notebook).await?);
        notebook.close().await?;
    }
    println!("to reach: no growth, and one worker for the one suite");
    Ok(())
}

/// Measures so many times, the functions in turns. The page presses its own buttons: the driver keeps hold of each
/// element that it was asked for, and so of cells that are long gone.
async fn measure(notebook: &Notebook, paths: &[&str], times: usize) -> Result<()> {
    let browser = &notebook.browser;
    for path in paths.iter().cycle().take(times) {
        browser.value(&format!("document.querySelector(\"[data-test=function][data-path='{path}']\").click()")).await?;
        browser.until(&format!("document.querySelector(\"[data-test=cell][data-path='{path}']\")")).await?;
        browser.value("document.querySelector('[data-test=measure]').click()").await?;
        notebook.until_state("done").await.with_context(|| format!("measuring {path}"))?;
    }
    Ok(())
}

async fn held(notebook: &Notebook) -> Result<Held> {
    let browser = &notebook.browser;
    browser.devtools("HeapProfiler.collectGarbage", json!({})).await?;
    let heap = browser.devtools("Runtime.getHeapUsage", json!({})).await?;
    let counters = browser.devtools("Memory.getDOMCounters", json!({})).await?;
    let targets = browser.devtools("Target.getTargets", json!({ "filter": [{ "type": "worker" }] })).await?;
    let number = |value: &Value, name: &str| value[name].as_f64().with_context(|| format!("no {name} in {value}"));
    Ok(Held {
        objects: number(&heap, "usedSize")?,
        buffers: number(&heap, "backingStorageSize")?,
        wasm: serde_json::from_value(browser.value("benchbook_wasm.memory.buffer.byteLength").await?)?,
        nodes: number(&counters, "nodes")?,
        listeners: number(&counters, "jsEventListeners")?,
        workers: targets["targetInfos"].as_array().context("the browser lists its targets")?.len(),
    })
}

fn print(name: &str, held: Held) {
    let kibibytes = |bytes: f64| format!("{:.0}", bytes / 1_024.0);
    println!(
        "{name:44} {:>14} {:>14} {:>14} {:>8} {:>10} {:>8}",
        kibibytes(held.objects),
        kibibytes(held.buffers),
        kibibytes(held.wasm),
        held.nodes,
        held.listeners,
        held.workers
    );
}
