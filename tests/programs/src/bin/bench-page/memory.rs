//! Memory of the page after many measurements and a garbage collection, and the number of its workers.

use anyhow::{Context, Result};
use benchbook_tests::browser::Browser;
use benchbook_tests::notebook::{DESKTOP, Notebook};
use benchbook_tests::sites;
use serde_json::{Value, json};

/// Measurements before the first reading: the page keeps eight earlier curves by design.
const WARM_UP: usize = 20;

/// Measurements between the two readings.
const MORE: usize = 50;

/// The cases: a name, and the paths of the functions, which are measured in turn.
const CASES: [(&str, &[&str]); 2] = [
    ("one function", &["sorting::sort_unstable"]),
    ("two functions in turn", &["sorting::sort_unstable", "collections::hash_map_get"]),
];

/// Stores the exports of the page's wasm, which contain its memory, when Trunk announces them.
const KEEP_WASM: &str =
    "addEventListener('TrunkApplicationStarted', (event) => { window.benchbook_wasm = event.detail.wasm; });";

/// The memory of the page.
#[derive(Clone, Copy, Debug)]
struct PageMemory {
    /// JavaScript objects, in bytes.
    objects: f64,
    /// Array buffers and similar storage, in bytes.
    buffers: f64,
    /// The linear memory of the page's wasm, in bytes. It never shrinks.
    wasm: f64,
    /// DOM nodes, in the document or still referenced.
    nodes: f64,
    /// Event listeners.
    listeners: f64,
    /// Workers of suites.
    workers: usize,
}

/// Measures and prints the page after some measurements, and after more.
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
        print(&format!("{name}, after {WARM_UP} measurements"), page_memory(&notebook).await?);
        measure(&notebook, paths, MORE).await?;
        print(&format!("{name}, after {MORE} more"), page_memory(&notebook).await?);
        notebook.close().await?;
    }
    println!("goal: no growth, and one worker for the one suite");
    Ok(())
}

/// Measures the functions in turn, `times` times in total. A script clicks the buttons: the driver keeps every element
/// that it returns, and with it cells that the page has removed.
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

async fn page_memory(notebook: &Notebook) -> Result<PageMemory> {
    let browser = &notebook.browser;
    browser.devtools("HeapProfiler.collectGarbage", json!({})).await?;
    let heap = browser.devtools("Runtime.getHeapUsage", json!({})).await?;
    let counters = browser.devtools("Memory.getDOMCounters", json!({})).await?;
    let targets = browser.devtools("Target.getTargets", json!({ "filter": [{ "type": "worker" }] })).await?;
    let number = |value: &Value, name: &str| value[name].as_f64().with_context(|| format!("no {name} in {value}"));
    Ok(PageMemory {
        objects: number(&heap, "usedSize")?,
        buffers: number(&heap, "backingStorageSize")?,
        wasm: serde_json::from_value(browser.value("benchbook_wasm.memory.buffer.byteLength").await?)?,
        nodes: number(&counters, "nodes")?,
        listeners: number(&counters, "jsEventListeners")?,
        workers: targets["targetInfos"].as_array().context("the browser returned no targets")?.len(),
    })
}

fn print(name: &str, memory: PageMemory) {
    let kibibytes = |bytes: f64| format!("{:.0}", bytes / 1_024.0);
    println!(
        "{name:44} {:>14} {:>14} {:>14} {:>8} {:>10} {:>8}",
        kibibytes(memory.objects),
        kibibytes(memory.buffers),
        kibibytes(memory.wasm),
        memory.nodes,
        memory.listeners,
        memory.workers
    );
}
