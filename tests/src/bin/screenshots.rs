//! Takes screenshots of the page in its states. Run it with `cargo xtask screenshots`. To add a state, add a line to
//! [`STATES`], to [`CELL_STATES`] for all looks, or to [`RUNNER_STATES`] if the page needs a runner. The arguments are the output folder, and optionally
//! prefixes of the states' names.

use std::env;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use benchbook_tests::appearance::Appearance::{self, Contrast, Dark, Forced, Light};
use benchbook_tests::browser::Browser;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::runner_site::{RunnerQuality, RunnerSite};
use benchbook_tests::server::{Site, dist};
use benchbook_tests::{sites, suites};
use serde_json::{Value, json};

use Step::{
    Add, Choose, Click, Compare, Drag, Follow, Go, Hover, LoseRunner, Measure, Print, Search, Text, Type, UntilDrawn,
    UntilPriority, UntilRunner, UntilSaved, UntilShown,
};
use Suite::{Demo, DemoOfRunner, Misbehaving, OwnNotebooks};

/// A state of the page.
#[derive(Clone, Copy)]
struct State {
    /// The name of the picture.
    name: &'static str,
    suite: Suite,
    screen: Screen,
    looks: Appearance,
    /// The steps from the start page.
    steps: &'static [Step],
}

#[derive(Clone, Copy)]
enum Suite {
    Demo,
    /// The demo suite, with a runner that measures it natively.
    DemoOfRunner,
    Misbehaving,
    /// The demo suite, with our own notebooks.
    OwnNotebooks,
}

/// Width and height in pixels of the page.
type Screen = (u32, u32);

const LAPTOP: Screen = (1360, 900);
/// Portrait, and as tall as the page.
const TELEPHONE: Screen = (390, 1600);
/// As tall as a page with curves of a runner.
const LONG_TELEPHONE: Screen = (390, 2800);
/// As tall as several cells.
const LONG: Screen = (1360, 2400);
/// As tall as one of our notebooks.
const WHOLE: Screen = (1360, 4200);
/// A4 at 96 pixels per inch, two pages long.
const PAPER: Screen = (794, 2246);
const WALL: Screen = (3840, 2160);

enum Step {
    /// Chooses the function at this path.
    Choose(&'static str),
    /// Adds the function at this path to the comparison.
    Compare(&'static str),
    /// Searches the list of functions.
    Search(&'static str),
    /// Types into a field of a parameter: its name, the field, the text.
    Type(&'static str, &'static str, &'static str),
    /// Clicks the element with this `data-test`.
    Click(&'static str),
    /// Adds a text cell after the last cell.
    Text(&'static str),
    /// Adds a measurement cell with the function at this path.
    Add(&'static str),
    /// Measures to the last priority.
    Measure,
    /// Waits for the measurement of this priority.
    UntilPriority(u8),
    /// Waits for an element with this `data-test`.
    UntilShown(&'static str),
    /// Waits for the plots of all cells near the window.
    UntilDrawn,
    /// Waits for this state of the runner.
    UntilRunner(&'static str),
    /// Follows a link to a function.
    Follow(&'static str),
    /// Navigates to a fragment of the address in the archive.
    Go(&'static str),
    /// Waits until the notebook is saved.
    UntilSaved,
    /// Shows the page as on paper.
    Print,
    /// Ends the runner.
    LoseRunner,
    /// Drags over the plot; coordinates are fractions of its width and height.
    Drag((f64, f64), (f64, f64)),
    /// Moves the pointer there.
    Hover(f64, f64),
}

const SORT: Step = Choose("sorting::sort_unstable");
const OTHER_SORT: Step = Compare("sorting::sort_stable");
const FAILING: Step = Choose("functions::panics");

const fn state(name: &'static str, suite: Suite, screen: Screen, looks: Appearance, steps: &'static [Step]) -> State {
    State { name, suite, screen, looks, steps }
}

/// A list of choices.
const SPREADS: &str = "suite=demo&function=sorting::sort_unstable&with=sorting::sort_stable&arg.size=1000&args.spread=Random\
    &args.spread=Sorted&args.spread=Reversed&args.spread=FewDistinct";
/// Functions without parameters.
const SINGLE: &str = "suite=demo&function=strings::string_from_literal&with=strings::string_from_characters";
const ALLOCATIONS: &str =
    "suite=demo&function=memory::fill_with_capacity&with=memory::fill_by_pushing&metric=allocations";
const FIRST_CALLS: &str =
    "suite=demo&function=sorting::sort_unstable&with=sorting::sort_stable&first_calls=on&metric=first_call";

/// A question, two measurements and a conclusion.
const NOTEBOOK: &[Step] = &[
    SORT,
    OTHER_SORT,
    Measure,
    Add("collections::hash_map_get"),
    Compare("collections::btree_map_get"),
    Measure,
    Text(
        "## Conclusion\n\nUse `sort_unstable` unless equal keys must keep their order.\n\n| Keys | Function |\n| --- | --- |\n| any | `sort_unstable` |",
    ),
];

const READING: &[Step] =
    &[SORT, OTHER_SORT, Measure, Text("## Conclusion\n\nUse `sort_unstable`."), Click("reader-mode")];
const PRINTED: &[Step] = &[SORT, OTHER_SORT, Measure, Text("## Conclusion\n\nUse `sort_unstable`."), Print];
const COLLAPSED: &[Step] =
    &[SORT, OTHER_SORT, Measure, Click("collapse"), Text("## Conclusion\n\nUse `sort_unstable`.")];
const ALL_COLLAPSED: &[Step] = &[
    SORT,
    OTHER_SORT,
    Measure,
    Click("collapse"),
    Add("collections::hash_map_get"),
    Compare("collections::btree_map_get"),
    Measure,
    Click("collapse"),
];
const CONTENTS: &[Step] = &[SORT, OTHER_SORT, Measure, Click("contents"), UntilShown("in-cell")];
const ROW_MENU: &[Step] = &[SORT, OTHER_SORT, Measure, Click("row-menu"), UntilShown("make-baseline")];
/// Functions that overtake each other.
const CROSSING: &str =
    "suite=demo&function=collections::sorted_vec_get&with=collections::hash_map_get&with=collections::btree_map_get";
const STOPPABLE: &[Step] =
    &[SORT, Click("collapse"), Add("sorting::sort_stable"), Click("measure-all"), UntilShown("queued")];
const LIBRARY: &[Step] = &[SORT, Measure, UntilSaved, Click("home"), UntilShown("open-notebook")];

const OWN_NOTEBOOK: &[Step] =
    &[UntilShown("open-site-notebook"), Click("open-site-notebook"), UntilShown("machine"), UntilDrawn];
const OWN_NOTEBOOK_PRINTED: &[Step] =
    &[UntilShown("open-site-notebook"), Click("open-site-notebook"), UntilShown("machine"), UntilDrawn, Print];
const COPY_OF_OWN_NOTEBOOK: &[Step] = &[
    UntilShown("open-site-notebook"),
    Click("open-site-notebook"),
    UntilShown("machine"),
    Click("reader-mode"),
    UntilShown("stale"),
    UntilDrawn,
];
const REPEATED: &[Step] = &[
    UntilShown("open-site-notebook"),
    Click("open-site-notebook"),
    UntilShown("machine"),
    Click("reader-mode"),
    UntilShown("stale"),
    Click("measure"),
    UntilShown("reproduction"),
    UntilDrawn,
];
const LIMIT: &str = "suite=demo&function=sorting::sort_unstable&with=sorting::sort_stable&limit=20000";
const SELF_TEST: &[Step] = &[Click("clock"), Click("open-self-test"), Click("start-self-test"), UntilShown("check")];

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
    state("list", Demo, LAPTOP, Light, &[Follow(SPREADS), Measure]),
    state("list-dark", Demo, LAPTOP, Dark, &[Follow(SPREADS), Measure]),
    state("list-telephone", Demo, TELEPHONE, Light, &[Follow(SPREADS), Measure]),
    state("single", Demo, LAPTOP, Light, &[Follow(SINGLE), Measure]),
    state("single-table", Demo, LAPTOP, Dark, &[Follow(SINGLE), Measure, Click("tab-table")]),
    state("allocations", Demo, LAPTOP, Light, &[Follow(ALLOCATIONS), Measure]),
    state("allocations-table", Demo, LAPTOP, Light, &[Follow(ALLOCATIONS), Measure, Click("tab-table")]),
    state("allocations-telephone", Demo, TELEPHONE, Dark, &[Follow(ALLOCATIONS), Measure]),
    state("limit", Demo, LAPTOP, Light, &[Follow(LIMIT), Measure]),
    state("notebook", Demo, LONG, Light, NOTEBOOK),
    state("notebook-dark", Demo, LONG, Dark, NOTEBOOK),
    state("notebook-telephone", Demo, LONG_TELEPHONE, Light, NOTEBOOK),
    state("notebook-reading", Demo, LONG, Light, READING),
    state("notebook-printed", Demo, PAPER, Light, PRINTED),
    state("notebook-collapsed", Demo, LAPTOP, Dark, COLLAPSED),
    state("contents-telephone", Demo, TELEPHONE, Light, CONTENTS),
    state("contents-telephone-dark", Demo, TELEPHONE, Dark, CONTENTS),
    state("crossing", Demo, LONG, Light, &[Follow(CROSSING), Measure, Hover(0.5, 0.5)]),
    state("crossing-dark", Demo, LONG, Dark, &[Follow(CROSSING), Measure, Hover(0.5, 0.5)]),
    state("crossing-telephone", Demo, LONG_TELEPHONE, Light, &[Follow(CROSSING), Measure]),
    state("library", Demo, LAPTOP, Light, LIBRARY),
    state("library-telephone", Demo, TELEPHONE, Dark, LIBRARY),
    state("own-notebooks", OwnNotebooks, LAPTOP, Light, &[UntilShown("open-site-notebook")]),
    state("own-notebook", OwnNotebooks, WHOLE, Light, OWN_NOTEBOOK),
    state("own-notebook-dark", OwnNotebooks, WHOLE, Dark, OWN_NOTEBOOK),
    state("own-notebook-telephone", OwnNotebooks, LONG_TELEPHONE, Light, OWN_NOTEBOOK),
    state("own-notebook-printed", OwnNotebooks, PAPER, Light, OWN_NOTEBOOK_PRINTED),
    state("stale", OwnNotebooks, LAPTOP, Light, COPY_OF_OWN_NOTEBOOK),
    state("repeated", OwnNotebooks, WHOLE, Light, REPEATED),
    state("repeated-telephone", OwnNotebooks, LONG_TELEPHONE, Dark, REPEATED),
    state("share-menu", Demo, LAPTOP, Light, &[SORT, Click("share-menu"), UntilShown("share")]),
    state("cell-menu", Demo, LAPTOP, Dark, &[SORT, Click("cell-menu"), UntilShown("move-up")]),
    state("text-editing", Demo, LAPTOP, Light, &[SORT, Click("insert-text")]),
    state("self-test", Demo, LAPTOP, Light, SELF_TEST),
    state("self-test-telephone", Demo, TELEPHONE, Dark, SELF_TEST),
    state("first-calls", Demo, LAPTOP, Light, &[Follow(FIRST_CALLS), Measure]),
    state("first-calls-samples", Demo, LAPTOP, Light, &[Follow(FIRST_CALLS), Measure, Click("tab-samples")]),
    state("first-calls-telephone", Demo, TELEPHONE, Light, &[Follow(FIRST_CALLS), Measure]),
    state("failed", Misbehaving, LAPTOP, Light, &[FAILING, Measure]),
    state("failed-table", Misbehaving, LAPTOP, Dark, &[FAILING, Measure, Click("tab-table")]),
];

/// States of cells, and the steps from the start page. Each is taken in all of [`LOOKS`].
const CELL_STATES: &[(&str, &[Step])] =
    &[("collapsed", ALL_COLLAPSED), ("row-menu", ROW_MENU), ("stop-all", STOPPABLE)];

/// States of a page with a runner, and the steps from the start page. Each is taken in all of [`LOOKS`].
const RUNNER_STATES: &[(&str, &[Step])] = &[
    ("runner-start", &[]),
    ("runner-card", &[Click("runner")]),
    ("runner-chosen", &[SORT]),
    ("runner-native", &[Choose("memory::write_file"), Measure]),
    ("runner-escalating", &[SORT, Click("measure"), UntilRunner("measuring"), UntilPriority(3)]),
    ("runner-escalated", &[SORT, Measure]),
    ("runner-table", &[SORT, Measure, Click("tab-table")]),
    ("runner-compared", &[SORT, OTHER_SORT, Measure]),
    ("runner-machines", &[SORT, OTHER_SORT, Measure, Click("machines-details")]),
    ("runner-functions", &[SORT, Measure, Go("archive=all")]),
    ("runner-results", &[SORT, Measure, Go(OF_KEYS)]),
    ("runner-result", &[SORT, OTHER_SORT, Measure, Go("archive=4")]),
    ("runner-samples", &[SORT, Measure, Go("archive=4&view=samples")]),
    (
        "runner-lost",
        &[SORT, Click("measure"), UntilRunner("measuring"), UntilPriority(3), LoseRunner, UntilShown("remark")],
    ),
    ("runner-lost-card", &[LoseRunner, UntilRunner("runner unreachable"), Click("runner")]),
    ("runner-lost-archive", &[LoseRunner, UntilRunner("runner unreachable"), Go("archive=all")]),
];

const OF_KEYS: &str = "archive=all&suite=demo&function=sorting::sort_unstable&generator=sorting::keys";

/// The suffix of the name, the screen, and the looks.
const LOOKS: [(&str, Screen, Appearance); 3] =
    [("", LAPTOP, Light), ("-dark", LAPTOP, Dark), ("-telephone", LONG_TELEPHONE, Light)];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let folder = PathBuf::from(env::args_os().nth(1).context("the output folder is missing")?);
    fs::create_dir_all(&folder).with_context(|| format!("creating {}", folder.display()))?;
    let wanted: Vec<String> = env::args().skip(2).collect();
    let in_all_looks = |states: &'static [(&str, &[Step])], suite: Suite| {
        let taken = move |(name, steps): &'static (&str, &[Step])| {
            LOOKS.map(|(end, screen, looks)| (format!("{name}{end}"), state("", suite, screen, looks, steps)))
        };
        states.iter().flat_map(taken)
    };
    let all = STATES.iter().map(|state| (state.name.to_owned(), *state));
    let all = all.chain(in_all_looks(CELL_STATES, Demo)).chain(in_all_looks(RUNNER_STATES, DemoOfRunner));
    for (name, state) in all {
        if !wanted.is_empty() && !wanted.iter().any(|wanted| name.starts_with(wanted)) {
            continue;
        }
        let picture = picture(&state).await.with_context(|| format!("in the state `{name}`"))?;
        let path = folder.join(name).with_extension("png");
        fs::write(&path, picture).with_context(|| format!("writing {}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(())
}

async fn picture(state: &State) -> Result<Vec<u8>> {
    let (width, height) = state.screen;
    let browser = Browser::start(width, height).await?;
    browser.resize(width, height).await?;
    browser.emulate(state.looks).await?;
    let mut runner = match state.suite {
        DemoOfRunner => Some(RunnerSite::with_qualities(&suites::demo()?, NATIVE_QUALITIES, &[])?),
        Demo | Misbehaving | OwnNotebooks => None,
    };
    let notebook = Notebook::load(browser, site(state.suite)?, "").await?;
    match &runner {
        Some(runner) => runner.go(&notebook, "").await?,
        None => notebook.browser.until("document.querySelector('[data-test=function]')").await?,
    }
    for step in state.steps {
        match (step, &mut runner) {
            (LoseRunner, Some(runner)) => {
                runner.program.kill()?;
                // As if the network had returned: the page queries the runner at once.
                notebook.browser.client.execute("dispatchEvent(new Event('online'))", Vec::new()).await?;
            }
            _ => take(&notebook, step).await?,
        }
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
        Text(text) => notebook.add_text(text).await,
        Add(path) => notebook.add_cell(path).await,
        Measure => notebook.measure().await.map(drop),
        UntilPriority(priority) => {
            let priority_shown = "document.querySelector('[data-test=progress]').dataset.priority";
            notebook.browser.until(&format!("{priority_shown} === '{priority}'")).await
        }
        UntilRunner(state) => notebook.until_runner(state).await,
        Follow(fragment) => {
            notebook.browser.client.execute(&format!("location.hash = '{fragment}'"), Vec::new()).await?;
            notebook.browser.until("document.querySelector('[data-test=cell]')").await
        }
        Go(fragment) => {
            notebook.browser.client.execute(&format!("location.hash = '{fragment}'"), Vec::new()).await?;
            let is_shown = "document.querySelector('[data-test=archive]') && \
                 !document.querySelector('[data-test=archive-status]')?.textContent.startsWith('Loading')";
            notebook.browser.until(is_shown).await
        }
        Print => notebook.browser.emulate_print().await,
        UntilSaved => {
            notebook.browser.until("document.querySelector('[data-test=saved]').dataset.state === 'saved'").await
        }
        LoseRunner => bail!("there is no runner"),
        UntilShown(test) => notebook.browser.until(&format!("document.querySelector('[data-test={test}]')")).await,
        UntilDrawn => {
            let all_drawn = "(plots => plots.length > 0 && plots.every(plot => plot.hasAttribute('width')))\
                 ([...document.querySelectorAll('.near [data-test=plot] canvas')])";
            notebook.browser.until(all_drawn).await
        }
        Drag(from, to) => notebook.drag(*from, *to).await,
        Hover(right, down) => notebook.hover((*right, *down)).await,
    }
}

fn site(suite: Suite) -> Result<Site> {
    match suite {
        Demo | DemoOfRunner => demo(),
        Misbehaving => sites::misbehaving(5_000.0),
        OwnNotebooks => Ok(sites::own_notebooks()),
    }
}

/// Qualities of a runner that finishes its curves in seconds.
const NATIVE_QUALITIES: [RunnerQuality; 4] = [(5, 0.2, 10), (9, 0.1, 20), (9, 0.05, 40), (17, 0.02, 80)];

/// The shipped notebook, but with qualities that give smooth curves in seconds.
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
