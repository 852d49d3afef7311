//! Takes screenshots of the page in its states. Run it with `cargo xtask screenshots`. To add a state, add a line to a list in
//! `states.rs`. The arguments are the output folder, and optionally prefixes of the states' names.

mod states;
mod step;

use std::env;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use benchbook_pinpoint::FindLimits;
use benchbook_tests::accepted_history::{accepted_history, write_history};
use benchbook_tests::browser::Browser;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::runner_site::{RunnerQuality, RunnerSite};
use benchbook_tests::server::{Site, dist};
use benchbook_tests::{sites, slower, suites};
use serde_json::{Value, json};
use tempfile::TempDir;

use states::Suite::{Article, Demo, DemoOfRunner, Frame, Misbehaving, OtherHost, OwnNotebooks, Slower};
use states::{CELL_STATES, LOOKS, RUNNER_STATES, STATES, State, Suite, state};
use step::Step::LoseRunner;
use step::{Step, take};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let folder = PathBuf::from(env::args_os().nth(1).context("the output folder is missing")?);
    fs::create_dir_all(&folder).with_context(|| format!("failed to create {}", folder.display()))?;
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
        fs::write(&path, picture).with_context(|| format!("failed to write {}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(())
}

async fn picture(state: &State) -> Result<Vec<u8>> {
    let (width, height) = state.screen;
    let files = TempDir::new()?;
    let browser = Browser::start(width, height).await?;
    browser.resize(width, height).await?;
    browser.emulate(state.looks).await?;
    let mut runner = match state.suite {
        DemoOfRunner => {
            let notebooks = dist()?.join("notebooks");
            let history = files.path().join("history");
            write_history(&history, &accepted_history())?;
            let [notebooks, history] = [&notebooks, &history].map(|path| path.to_string_lossy().into_owned());
            let options = ["--notebooks", &notebooks, "--history", &history];
            Some(RunnerSite::with_qualities(&suites::demo()?, NATIVE_QUALITIES, &options)?)
        }
        Demo | Misbehaving | OwnNotebooks | Article | Frame | OtherHost | Slower => None,
    };
    let page = if matches!(state.suite, Frame) { sites::BLOG } else { "" };
    let notebook = Notebook::load(browser, site(state.suite)?, page).await?;
    match (&runner, state.suite) {
        (Some(runner), _) => runner.go(&notebook, "").await?,
        // They have no list of functions: their states begin with a step that waits.
        (None, Article | Frame | Slower) => {}
        (None, _) => notebook.browser.until("document.querySelector('[data-test=function]')").await?,
    }
    for step in state.steps {
        match (step, &mut runner) {
            (LoseRunner, Some(runner)) => {
                runner.program.kill()?;
                // As if the network had returned: the page queries the runner at once.
                notebook.browser.client.execute("dispatchEvent(new Event('online'))", Vec::new()).await?;
            }
            _ => take(&notebook, step, files.path()).await?,
        }
    }
    let picture = notebook.browser.client.screenshot().await?;
    notebook.close().await?;
    Ok(picture)
}

fn site(suite: Suite) -> Result<Site> {
    match suite {
        Demo | DemoOfRunner => demo(),
        Misbehaving => sites::misbehaving(5_000.0),
        OwnNotebooks => Ok(sites::own_notebooks()),
        Article => {
            let (suites, qualities) = (["suites/demo.wasm"], sites::qualities(5_000.0));
            let config =
                json!({ "suites": suites, "qualities": qualities, "article": "notebooks/sorts.benchbook.json" });
            Ok(sites::with_notebook(&config))
        }
        Frame => Ok(sites::blog(
            "<iframe src=\"./?embed#suite=demo&amp;function=sorting::sort_unstable&amp;with=sorting::sort_stable\" title=\"A measurement\" style=\"width: 100%; height: 1000px; border: 0\"></iframe>",
        )),
        Slower => slower::Slower::build()?.site(FindLimits::default()),
        OtherHost => {
            let suites = json!(["http://127.0.0.1:1/suites/ours.wasm", "suites/demo.wasm"]);
            Ok(sites::with_notebook(&json!({ "suites": suites })))
        }
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
    let mut notebook: Value = serde_json::from_str(&shipped).context("failed to read the shipped notebook.json")?;
    notebook["qualities"] = json!(qualities);
    Ok(sites::with_notebook(&notebook))
}
