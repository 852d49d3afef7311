//! A large notebook: the time to open it, frames while scrolling and zooming, and the time to save an edit.

use std::fs;
use std::rc::Rc;

use anyhow::{Context, Result, ensure};
use benchbook_host::units::count;
use benchbook_notebook::cell::{Cell, CellContent};
use benchbook_notebook::file;
use benchbook_notebook::id::Id;
use benchbook_notebook::notebook::Notebook as Document;
use benchbook_programs::figures::Figures;
use benchbook_tests::browser::Browser;
use benchbook_tests::notebook::{DESKTOP, Notebook};
use benchbook_tests::server::Site;
use benchbook_tests::sites;
use serde::Deserialize;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::frames::{self, FRAMES, Frames};

/// The number of cells.
const CELLS: usize = 100;

/// The distance between two text cells.
const TEXT_EVERY: usize = 4;

/// The minimum number of raw samples of all cells.
const SAMPLES: usize = 100_000;

/// The points of a cell: two functions at five sizes.
const POINTS: usize = 10;

/// How often the notebook is opened in each way.
const ROUNDS: usize = 5;

/// The edits in each round.
const EDITS: usize = 4;

/// The longest allowed frame, in milliseconds.
const LIMIT_MS: f64 = 32.0;

/// A text with the common elements.
const TEXT: &str = "## Which sort is faster?\n\nBoth functions sort **the same keys**, in `u32`:\n\n\
    | function | memory |\n| --- | --- |\n| `sort` | half of the keys |\n| `sort_unstable` | nothing |\n\n\
    1. Few keys: insertion sort.\n2. Many keys: merging or partitioning.\n";

/// When the notebook was shown, in milliseconds since the navigation or since the choice of the file.
#[derive(Clone, Copy, Debug, Deserialize)]
struct Opening {
    /// The frame that shows all cells, and of the current one the table and the plot.
    shown: f64,
    /// The frame that also offers to measure it: its suite is loaded.
    ready: f64,
}

/// Runs in each page before its own scripts. `CELLS` stands for the number of cells.
const WATCH: &str = "
    const after_frame = (act) => requestAnimationFrame(() => { const c = new MessageChannel(); c.port1.onmessage = act; c.port2.postMessage(0); });
    let start = 0;
    addEventListener('change', (event) => { if (event.target.matches('[data-test=file-picker]')) start = event.timeStamp; }, { capture: true });
    const is_shown = (current) =>
      current?.querySelector('[data-test=table] tbody tr') && current.querySelector('[data-test=plot] canvas[width]')
      && document.querySelectorAll('[data-test=cell], [data-test=text-cell]').length === CELLS;
    const shows = (condition) => new Promise((resolve) => {
      const watch = new MutationObserver(() => {
        if (!condition(document.querySelector('[data-current]'))) return;
        watch.disconnect();
        after_frame(() => resolve(performance.now() - start));
      });
      watch.observe(document, { subtree: true, childList: true, attributes: true });
    });
    const shown = shows(is_shown);
    const ready = shows((current) => is_shown(current) && current.querySelector('[data-test=measure]'));
    window.benchbook_opening = (async () => ({ shown: await shown, ready: await ready }))();";

/// Scrolls from the top to the bottom of the page in this number of frames.
const SCROLL: &str = "
    const [count, done] = arguments;
    const page = document.scrollingElement;
    page.scrollTop = 0;
    const frames = { work: [], intervals: [], moved: 0 };
    let before;
    function next(now) {
      if (before !== undefined) frames.intervals.push(now - before);
      before = now;
      const start = performance.now();
      const top = page.scrollTop;
      // The height changes when a cell comes into view for the first time.
      page.scrollTop = (page.scrollHeight - page.clientHeight) * (frames.work.length + 1) / count;
      frames.moved += page.scrollTop !== top;
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        frames.work.push(performance.now() - start);
        if (frames.work.length < count) requestAnimationFrame(next); else done(frames);
      };
      channel.port2.postMessage(0);
    }
    requestAnimationFrame(() => requestAnimationFrame(next));";

/// Times an edit, from the key to the frame that shows that it is saved.
const WATCH_EDIT: &str = "
    window.benchbook_edit = new Promise((resolve) => {
      let start, is_saving = false;
      addEventListener('keydown', (event) => { start = event.timeStamp; }, { capture: true, once: true });
      const watch = new MutationObserver(() => {
        const { state } = document.querySelector('[data-test=saved]').dataset;
        is_saving ||= start !== undefined && state === 'saving';
        if (!is_saving || state !== 'saved') return;
        watch.disconnect();
        requestAnimationFrame(() => { const c = new MessageChannel(); c.port1.onmessage = () => resolve(performance.now() - start); c.port2.postMessage(0); });
      });
      watch.observe(document, { subtree: true, attributes: true, attributeFilter: ['data-state'] });
    });";

/// Measures and prints all of it.
pub(crate) async fn bench() -> Result<()> {
    let document = large(&measured().await?)?;
    let samples = samples(&document);
    ensure!(samples >= SAMPLES, "the notebook has {samples} samples");
    let text = file::write(&document);
    let folder = TempDir::new()?;
    let path = folder.path().join("large.benchbook.json");
    fs::write(&path, &text)?;
    let path = path.to_str().context("the path is text")?;

    let browser = Browser::start(DESKTOP.0, DESKTOP.1).await?;
    let watch = WATCH.replace("CELLS", &CELLS.to_string());
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": watch })).await?;
    let notebook = Notebook::load(browser, Site { isolated: true, ..Site::default() }, "").await?;

    let (mut from_file, mut from_storage, mut edits) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        from_file.push(open_file(&notebook, path).await.context("failed to open the file")?);
    }
    let address = notebook.browser.client.current_url().await?;
    let (mut scrolling, mut zooming) = (Frames::default(), Frames::default());
    for _ in 0..ROUNDS {
        from_storage
            .push(open_stored(&notebook, address.as_str()).await.context("failed to open the stored notebook")?);
        add(&mut scrolling, scroll(&notebook).await?);
        notebook.browser.click("[data-current] [data-test=show-samples]").await?;
        add(&mut zooming, frames::perform(&notebook, "plot", "wheel").await?);
        notebook.browser.click("[data-current] [data-test=show-samples]").await?;
        until_saved(&notebook).await?;
        edits.extend(edit(&notebook).await.context("editing a text")?);
    }
    notebook.close().await?;

    println!("\na notebook of {CELLS} cells with {} raw samples, isolated", count(samples as u64));
    println!("{:44} {:>24}", format!("a file of {:.1} MB", text.len() as f64 / 1e6), "ms: median (worst)");
    let print = |name: &str, times: Figures| println!("{name:44} {:>24}", times.median_and_worst());
    print("open from the storage: shown", from_storage.iter().map(|opening| opening.shown).collect());
    print("open from the storage: ready to measure", from_storage.iter().map(|opening| opening.ready).collect());
    print("open from a file: shown", from_file.iter().map(|opening| opening.shown).collect());
    print("save an edit", edits.into_iter().collect());
    println!("goals: shown in 1000, saved in 500");
    println!(
        "{:44} {:>24} {:>12} {:>24} {:>12}",
        "ms: median / 95% / worst",
        "main thread",
        format!("over {LIMIT_MS}"),
        "between frames",
        format!("over {LIMIT_MS}")
    );
    for (name, Frames { work, intervals, .. }) in [("scroll through it", scrolling), ("zoom a plot", zooming)] {
        let (work, intervals): (Figures, Figures) = (work.into_iter().collect(), intervals.into_iter().collect());
        println!(
            "{name:44} {:>24} {:>12} {:>24} {:>12}",
            work.spread(),
            work.over(LIMIT_MS),
            intervals.spread(),
            intervals.over(LIMIT_MS)
        );
    }
    println!("goal: no frame over {LIMIT_MS} ms");
    Ok(())
}

/// Measures two functions and returns the notebook with this cell.
async fn measured() -> Result<Document> {
    let quality = |points: usize, samples: usize| {
        json!({
            "points": points,
            // Unreachable, so that the number of samples ends the point.
            "precision": 1e-9,
            "point_ms": 20_000,
            "warm_up": { "at_least": 5, "at_most": 20, "ms": 5 },
            "samples": { "at_least": 5, "at_most": samples },
            "processes": 1,
        })
    };
    let quick = quality(POINTS / 2, 10);
    let measurements = CELLS - CELLS / TEXT_EVERY;
    let last = quality(POINTS / 2, SAMPLES.div_ceil(measurements * POINTS));
    let qualities: Value = json!([quick, quick, quick, last]);
    let site = sites::with_notebook(&json!({ "suites": ["suites/demo.wasm"], "qualities": qualities }));
    let notebook = Notebook::open(site).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.type_into("size", "high", "3000").await?;
    notebook.compare("sorting::sort_stable").await?;
    notebook.measure().await?;
    // A headless browser's clipboard cannot be read, so the text is intercepted.
    let intercept = "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); };";
    notebook.browser.client.execute(intercept, Vec::new()).await?;
    notebook.browser.click("[data-test=share-menu] summary").await?;
    notebook.click("share-text").await?;
    notebook.browser.until("window.copied").await?;
    let text: String = serde_json::from_value(notebook.browser.value("window.copied").await?)?;
    notebook.close().await?;
    Ok(file::read(&text)?)
}

/// Repeats the first cell of a notebook, with texts in between.
fn large(measured: &Document) -> Result<Document> {
    let cell = measured.cells.first().context("no cell was measured")?;
    let mut ids = (0..).map(Id::from_random);
    let mut next = || ids.next().expect("the numbers suffice");
    let cells = (1..=CELLS).map(|number| match number % TEXT_EVERY {
        0 => Cell { id: next(), is_collapsed: false, content: CellContent::Text(TEXT.to_owned()) },
        _ => cell.copied(&mut next),
    });
    Ok(Document { title: "Which sort?".to_owned(), cells: cells.map(Rc::new).collect() })
}

/// The number of raw samples.
fn samples(document: &Document) -> usize {
    let curves = document.results().flat_map(|result| &result.curves);
    let points = curves.flat_map(|measured| measured.curve.readings()).filter_map(|reading| reading.measured());
    points.map(|point| point.samples().count()).sum()
}

/// Loads the start of the page, and chooses a file there.
async fn open_file(notebook: &Notebook, path: &str) -> Result<Opening> {
    notebook.browser.client.goto("about:blank").await?;
    notebook.browser.client.goto(notebook.server.url()).await?;
    notebook.browser.until("document.querySelector('[data-test=file-picker]')").await?;
    notebook.find("[data-test=file-picker]").await?.send_keys(path).await?;
    let opening = opening(notebook).await?;
    until_saved(notebook).await?;
    Ok(opening)
}

async fn open_stored(notebook: &Notebook, address: &str) -> Result<Opening> {
    notebook.browser.client.goto("about:blank").await?;
    notebook.browser.client.goto(address).await?;
    opening(notebook).await
}

async fn opening(notebook: &Notebook) -> Result<Opening> {
    let opening = notebook.browser.client.execute_async("benchbook_opening.then(arguments[0]);", Vec::new()).await?;
    Ok(serde_json::from_value(opening)?)
}

async fn until_saved(notebook: &Notebook) -> Result<()> {
    notebook.browser.until("document.querySelector('[data-test=saved]').dataset.state === 'saved'").await
}

async fn scroll(notebook: &Notebook) -> Result<Frames> {
    let frames = notebook.browser.client.execute_async(SCROLL, vec![json!(FRAMES)]).await?;
    let frames: Frames = serde_json::from_value(frames).context("scrolling")?;
    // A cell that becomes shorter may cancel the movement of a frame.
    ensure!(frames.moved >= FRAMES * 95 / 100, "{} of {FRAMES} frames scrolled the page", frames.moved);
    Ok(frames)
}

fn add(all: &mut Frames, Frames { work, intervals, moved }: Frames) {
    all.work.extend(work);
    all.intervals.extend(intervals);
    all.moved += moved;
}

/// Types into a text in the middle of the notebook. Returns the time of each edit.
async fn edit(notebook: &Notebook) -> Result<Vec<f64>> {
    const BEGIN: &str = "const buttons = document.querySelectorAll('[data-test=text-edit]'); buttons[Math.floor(buttons.length / 2)].click();";
    let client = &notebook.browser.client;
    client.execute(BEGIN, Vec::new()).await?;
    notebook.browser.until("document.activeElement.matches('[data-test=text-field]')").await?;
    let mut times = Vec::new();
    for _ in 0..EDITS {
        client.execute(WATCH_EDIT, Vec::new()).await?;
        client.active_element().await?.send_keys("x").await?;
        let time = client.execute_async("benchbook_edit.then(arguments[0]);", Vec::new()).await?;
        times.push(serde_json::from_value(time)?);
    }
    Ok(times)
}
