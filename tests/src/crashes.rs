//! Kills the browser while a notebook is edited, saved and measured, and checks that nothing is lost that the page showed as saved.
//!
//! A script inside the page makes random edits, a random number of animation frames apart, and observes each frame. The browser is
//! killed a random number of frames after the last edit.

use anyhow::{Context, Result, ensure};
use benchbook_contract::rng::Rng;
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::browser::Browser;
use crate::notebook::{DESKTOP, Notebook};
use crate::server::Server;
use crate::sites::demo;

/// The most edits before a kill.
const MAX_EDITS: usize = 8;

/// The most frames after an edit. At 60 Hz, this exceeds the 150 ms that edits wait before they are written.
const MAX_FRAMES: u32 = 15;

/// The most frames before a kill. A measurement of the test's cells takes about as long.
const MAX_FRAMES_BEFORE_KILL: u32 = 60;

/// The most measurement cells, so that the notebook does not grow with each kill.
const MAX_MEASUREMENTS: usize = 4;

/// A step inside the page.
#[derive(Debug, Serialize)]
struct PageStep {
    kind: &'static str,
    /// The letter that is typed, if any.
    letter: char,
    /// The frames until the next step, at least one.
    frames: u32,
}

/// A notebook as the page shows it.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShownNotebook {
    title: String,
    cells: Vec<ShownCell>,
}

#[derive(Clone, Debug, Deserialize)]
struct ShownCell {
    id: String,
    /// The text; absent for a measurement.
    text: Option<String>,
    /// The figures of a measurement.
    rows: Vec<ShownRow>,
    /// The priority that is being measured: only figures of earlier ones count as saved. Absent without a measurement.
    current: Option<u8>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
struct ShownRow {
    path: String,
    x: String,
    priority: u8,
    mean: Option<String>,
    median: Option<String>,
}

/// The notebooks that the page showed before a kill.
#[derive(Debug, Deserialize)]
struct Observations {
    /// The last notebook that the page showed as saved.
    saved: ShownNotebook,
    /// That notebook and all later ones.
    later: Vec<ShownNotebook>,
}

/// Defines `content`, which reads the notebook in one turn, so that its parts belong together.
const CONTENT: &str = "
    const all = (selector, within = document) => [...within.querySelectorAll(selector)];
    const row = ({ path, x, priority, mean, median }) => ({ path, x, priority: Number(priority), mean, median });
    const current = (progress) => ['measuring', 'waiting'].includes(progress?.dataset.state) ? Number(progress.dataset.priority ?? 1) : null;
    const content = () => ({
        title: document.querySelector('[data-test=title]').value,
        cells: all('[data-test=cell], [data-test=text-cell]').map((cell) => ({
            id: cell.dataset.id,
            text: cell.querySelector('[data-test=text-field]')?.value ?? cell.querySelector('[data-test=text]')?.textContent.trim() ?? null,
            rows: all('[data-test=table] tbody tr', cell).map(({ dataset }) => row(dataset)),
            current: current(cell.querySelector('[data-test=progress]')),
        })),
    });
    const isSaved = () => ['saved', 'measuring'].includes(document.querySelector('[data-test=saved]').dataset.state);";

/// Takes the steps, and returns [`Observations`].
const STEPS: &str = "
    const [steps, framesBeforeKill, done] = arguments;
    const measurements = () => all('[data-test=cell]');
    const type = (field, letter) => {
        field.value += letter;
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    };
    const actions = {
        title: (letter) => type(document.querySelector('[data-test=title]'), letter),
        text: (letter) => type(document.querySelector('[data-test=text-field]'), letter),
        add: () => all('[data-test=insert-measurement]').at(-1).click(),
        measure: () => measurements().at(-1).querySelector('[data-test=measure]')?.click(),
        remove: () => measurements().length > 1 && measurements()[0].querySelector('[data-test=delete]').click(),
        undo: () => document.querySelector('[data-test=undo]').click(),
    };
    let saved = content();
    let later = [saved];
    const observe = () => {
        const shown = content();
        if (isSaved()) {
            saved = shown;
            later = [];
        }
        later.push(shown);
    };
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const frames = async (count) => { for (; count > 0; count -= 1) { await frame(); observe(); } };
    (async () => {
        for (const { kind, letter, frames: count } of steps) {
            actions[kind](letter);
            await frames(count);
        }
        await frames(framesBeforeKill);
        done({ saved, later });
    })();";

/// Whether the reopened page shows all cells, and can measure them.
const IS_REOPENED: &str = "document.querySelector('[data-test=saved]')?.dataset.state === 'saved'
    && document.querySelector('[data-test=cell] [data-test=measure]')
    && !document.querySelector('.cell.pending')";

/// Kills and reopens the browser `cycles` times. `seed` decides what happens before each kill, and when it happens.
pub async fn kill_repeatedly(cycles: u32, seed: u64) -> Result<()> {
    let mut random = Rng::seed_from_u64(seed);
    let mut notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.type_into("size", "high", "3000").await?;
    notebook.add_text("a").await?;
    notebook.browser.until(IS_REOPENED).await?;
    let mut shown = content(&notebook).await?;
    for cycle in 1..=cycles {
        // Opened for the steps, which type into it.
        notebook.browser.click("[data-test=text-cell] [data-test=text-edit]").await?;
        notebook.until_shown("text-field").await?;
        let steps = steps(&mut random, &shown);
        let before_kill = random.random_range(0..=MAX_FRAMES_BEFORE_KILL);
        let script = format!("{CONTENT}{STEPS}");
        let observations =
            notebook.browser.client.execute_async(&script, vec![json!(steps), json!(before_kill)]).await?;
        let observations: Observations =
            serde_json::from_value(observations).context("failed to read the observations")?;
        let fragment = notebook.fragment().await?;
        let Notebook { browser, server } = notebook;
        notebook = reopened(browser.killed(DESKTOP).await?, server, &fragment).await?;
        shown = content(&notebook).await?;
        check(&observations, &shown).with_context(|| {
            format!("cycle {cycle}: after {steps:?} and {before_kill} frames\n{observations:#?}\nbut now {shown:#?}")
        })?;
    }
    notebook.close().await
}

/// Measures, and kills the browser `cycles` times as soon as the page announces a priority after the first one: the figures of the completed ones
/// must remain.
pub async fn kill_after_first_priority(cycles: u32) -> Result<()> {
    const MEASURE: &str = "
        const [done] = arguments;
        const progress = document.querySelector('[data-test=progress]');
        const observer = new MutationObserver(() => {
            if (progress.dataset.state !== 'done' && progress.dataset.priority > 1) {
                observer.disconnect();
                done(content());
            }
        });
        observer.observe(progress, { attributes: true, attributeFilter: ['data-priority'] });
        document.querySelector('[data-test=measure]').click();";
    let mut notebook = Notebook::open(demo()).await?;
    notebook.choose("sorting::sort_unstable").await?;
    notebook.type_into("size", "high", "3000").await?;
    notebook.browser.until(IS_REOPENED).await?;
    for cycle in 1..=cycles {
        let shown = notebook.browser.client.execute_async(&format!("{CONTENT}{MEASURE}"), Vec::new()).await?;
        let shown: ShownNotebook = serde_json::from_value(shown)?;
        let fragment = notebook.fragment().await?;
        let Notebook { browser, server } = notebook;
        notebook = reopened(browser.killed(DESKTOP).await?, server, &fragment).await?;
        let reopened = content(&notebook).await?;
        let is_completed = |cell: &ShownCell| cell.rows.iter().any(|row| Some(row.priority) < cell.current);
        ensure!(shown.cells.iter().any(is_completed), "cycle {cycle}: no priority is complete in {shown:?}");
        let observations = Observations { later: vec![shown.clone()], saved: shown };
        check(&observations, &reopened)
            .with_context(|| format!("cycle {cycle}: {observations:#?}\nbut now {reopened:#?}"))?;
    }
    notebook.close().await
}

fn steps(random: &mut Rng, shown: &ShownNotebook) -> Vec<PageStep> {
    let mut measurements = shown.cells.iter().filter(|cell| cell.text.is_none()).count();
    let mut steps = Vec::new();
    let mut add = |random: &mut Rng, kind: &'static str| {
        let letter = char::from(b'a' + random.random_range(0..26));
        steps.push(PageStep { kind, letter, frames: random.random_range(1..=MAX_FRAMES) });
    };
    for _ in 0..random.random_range(1..=MAX_EDITS) {
        match random.random_range(0..10) {
            0..3 => add(random, "title"),
            3..6 => add(random, "text"),
            6 => add(random, "undo"),
            7..9 if measurements < MAX_MEASUREMENTS => {
                measurements += 1;
                add(random, "add");
                add(random, "measure");
            }
            _ => {
                measurements -= usize::from(measurements > 1);
                add(random, "remove");
            }
        }
    }
    steps
}

/// Checks that the reopened notebook is the last one that was shown as saved, or a later one.
fn check(observations: &Observations, reopened: &ShownNotebook) -> Result<()> {
    let document = |notebook: &ShownNotebook| {
        let cells = notebook.cells.iter().map(|cell| (cell.id.clone(), cell.text.clone()));
        (notebook.title.clone(), cells.collect::<Vec<_>>())
    };
    ensure!(
        observations.later.iter().any(|later| document(later) == document(reopened)),
        "the title, a text or a cell that was shown as saved is missing"
    );
    for cell in &observations.saved.cells {
        let Some(now) = reopened.cells.iter().find(|now| now.id == cell.id) else { continue };
        let is_claimed = |row: &&ShownRow| cell.current.is_none_or(|current| row.priority < current);
        for row in cell.rows.iter().filter(is_claimed) {
            let is_retained = |now: &ShownRow| {
                now == row || (&now.path, &now.x) == (&row.path, &row.x) && now.priority > row.priority
            };
            ensure!(now.rows.iter().any(is_retained), "figures are missing that were shown as saved: {row:?}");
        }
    }
    Ok(())
}

async fn reopened(browser: Browser, server: Server, fragment: &str) -> Result<Notebook> {
    browser.client.goto(&format!("{}#{fragment}", server.url())).await?;
    browser.until(IS_REOPENED).await?;
    Ok(Notebook { browser, server })
}

async fn content(notebook: &Notebook) -> Result<ShownNotebook> {
    let content = notebook.browser.client.execute(&format!("{CONTENT} return content();"), Vec::new()).await?;
    serde_json::from_value(content).context("failed to read the notebook that the page shows")
}
