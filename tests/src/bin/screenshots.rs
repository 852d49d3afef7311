//! Pictures of the page in its states, into the folder that is named: `cargo xtask screenshots` builds what it needs and
//! runs it. A new state is a line of [`STATES`].

use std::env;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use benchbook_tests::browser::Browser;
use benchbook_tests::looks::Looks::{self, Contrast, Dark, Forced, Light};
use benchbook_tests::notebook::Notebook;
use benchbook_tests::server::{Site, dist};
use benchbook_tests::sites;
use serde_json::{Value, json};

use Step::{Choose, Click, Compare, Drag, Hover, Measure, Search, Type, UntilPriority};
use Suite::{Demo, Misbehaving};

/// What is shown in a picture.
struct State {
    /// The picture's name.
    name: &'static str,
    suite: Suite,
    screen: Screen,
    looks: Looks,
    /// How a person comes there from the start.
    steps: &'static [Step],
}

#[derive(Clone, Copy)]
enum Suite {
    Demo,
    Misbehaving,
}

/// Width and height in pixels of the page.
type Screen = (u32, u32);

const LAPTOP: Screen = (1360, 900);
/// Upright, and as long as the page.
const TELEPHONE: Screen = (390, 1600);
const WALL: Screen = (3840, 2160);

enum Step {
    /// Chooses the function at this path.
    Choose(&'static str),
    /// Compares it with the function at this path.
    Compare(&'static str),
    /// Searches the list.
    Search(&'static str),
    /// Types a text into a field of a parameter: its name, the field, the text.
    Type(&'static str, &'static str, &'static str),
    /// Clicks what has this `data-test`.
    Click(&'static str),
    /// Measures to the last priority.
    Measure,
    /// Waits until this priority is at work.
    UntilPriority(u8),
    /// Drags over the plot, in parts of its width and height.
    Drag((f64, f64), (f64, f64)),
    /// Lets the pointer rest there.
    Hover(f64, f64),
}

const SORT: Step = Choose("sorting::sort_unstable");
const OTHER_SORT: Step = Compare("sorting::sort_stable");
const FAILING: Step = Choose("functions::panics");

const fn state(name: &'static str, suite: Suite, screen: Screen, looks: Looks, steps: &'static [Step]) -> State {
    State { name, suite, screen, looks, steps }
}

const STATES: &[State] = &[
    state("start", Demo, LAPTOP, Light, &[]),
    state("start-dark", Demo, LAPTOP, Dark, &[]),
    state("start-telephone", Demo, TELEPHONE, Light, &[]),
    state("search", Demo, LAPTOP, Light, &[Search("sort")]),
    state("machine-card", Demo, LAPTOP, Light, &[Click("clock")]),
    state("help", Demo, LAPTOP, Light, &[Click("help")]),
    state("chosen", Demo, LAPTOP, Light, &[SORT]),
    state("native", Demo, LAPTOP, Light, &[Choose("memory::write_file")]),
    state("bad-input", Demo, LAPTOP, Light, &[SORT, Type("size", "low", "many"), Click("measure")]),
    state("measuring", Demo, LAPTOP, Light, &[SORT, Click("measure"), UntilPriority(3)]),
    state("done", Demo, LAPTOP, Light, &[SORT, Measure]),
    state("reading", Demo, LAPTOP, Light, &[SORT, Measure, Hover(0.5, 0.5)]),
    state("zoomed", Demo, LAPTOP, Light, &[SORT, Measure, Drag((0.4, 0.2), (0.8, 0.7))]),
    state("table", Demo, LAPTOP, Light, &[SORT, Measure, Click("tab-table")]),
    state("samples", Demo, LAPTOP, Light, &[SORT, Measure, Click("tab-samples")]),
    state("compared", Demo, LAPTOP, Light, &[SORT, OTHER_SORT, Measure]),
    state("compared-table", Demo, LAPTOP, Light, &[SORT, OTHER_SORT, Measure, Click("tab-table")]),
    state("compared-dark", Demo, LAPTOP, Dark, &[SORT, OTHER_SORT, Measure]),
    state("compared-contrast", Demo, LAPTOP, Contrast, &[SORT, OTHER_SORT, Measure]),
    state("compared-forced", Demo, LAPTOP, Forced, &[SORT, OTHER_SORT, Measure]),
    state("compared-telephone", Demo, TELEPHONE, Light, &[SORT, OTHER_SORT, Measure]),
    state("compared-wall", Demo, WALL, Light, &[SORT, OTHER_SORT, Measure]),
    state("failed", Misbehaving, LAPTOP, Light, &[FAILING, Measure]),
    state("failed-table", Misbehaving, LAPTOP, Dark, &[FAILING, Measure, Click("tab-table")]),
];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let folder = PathBuf::from(env::args_os().nth(1).context("which folder do the pictures go to?")?);
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    for state in STATES {
        let picture = picture(state).await.with_context(|| format!("coming to the state `{}`", state.name))?;
        let path = folder.join(state.name).with_extension("png");
        fs::write(&path, picture).with_context(|| format!("writing {}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(())
}

async fn picture(state: &State) -> Result<Vec<u8>> {
    let (width, height) = state.screen;
    let browser = Browser::start(width, height).await?;
    browser.resize(width, height).await?;
    browser.look(state.looks).await?;
    let notebook = Notebook::load(browser, site(state.suite)?, "").await?;
    notebook.browser.until("document.querySelector('[data-test=function]')").await?;
    for step in state.steps {
        take(&notebook, step).await?;
    }
    let picture = notebook.browser.client.screenshot().await?;
    notebook.close().await?;
    Ok(picture)
}

async fn take(notebook: &Notebook, step: &Step) -> Result<()> {
    match step {
        Choose(path) => notebook.choose(path).await,
        Compare(path) => notebook.compare(path).await,
        Search(text) => notebook.find_function(text).await,
        Type(parameter, field, text) => notebook.type_into(parameter, field, text).await,
        Click(test) => notebook.click(test).await,
        Measure => notebook.measure().await.map(drop),
        UntilPriority(priority) => {
            let at_work = "document.querySelector('[data-test=progress]').dataset.priority";
            notebook.browser.until(&format!("{at_work} === '{priority}'")).await
        }
        Drag(from, to) => notebook.drag(*from, *to).await,
        Hover(right, down) => notebook.hover((*right, *down)).await,
    }
}

fn site(suite: Suite) -> Result<Site> {
    match suite {
        Demo => demo(),
        Misbehaving => sites::misbehaving(5_000.0),
    }
}

/// The notebook that is shipped, but with qualities that come to smooth curves in seconds.
fn demo() -> Result<Site> {
    let quality = |points: u32, precision: f64, point_ms: f64| {
        json!({
            "points": points,
            "precision": precision,
            "point_ms": point_ms,
            "warm_up": { "at_least": 5, "at_most": 50, "ms": point_ms / 4.0 },
            "samples": { "at_least": 10, "at_most": 200 },
            "processes": 1,
            "timeout_ms": 5_000.0,
        })
    };
    let qualities = [quality(5, 0.2, 20.0), quality(9, 0.1, 40.0), quality(9, 0.05, 80.0), quality(17, 0.02, 160.0)];
    let shipped = fs::read_to_string(dist()?.join("notebook.json"))?;
    let mut notebook: Value = serde_json::from_str(&shipped).context("reading the shipped notebook.json")?;
    notebook["qualities"] = json!(qualities);
    Ok(sites::with_notebook(&notebook))
}
