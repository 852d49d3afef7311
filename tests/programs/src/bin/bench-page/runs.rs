//! Clicks on Measure and Stop: the time until the first point and the first curve, the longest task of the main thread
//! meanwhile, and the time until Stop takes effect.

use anyhow::{Context, Result};
use benchbook_tests::notebook::Notebook;
use benchbook_tests::server::Site;
use serde::Deserialize;

use benchbook_programs::figures::Figures;

/// Clicks on Measure per function.
const REPEATS: usize = 20;

/// The cases, with their default arguments: a name, and the path of the function.
const CASES: [(&str, &str); 3] = [
    ("sort_unstable, random, 10³ to 10⁵", "sorting::sort_unstable"),
    ("a lookup in a HashMap", "collections::hash_map_get"),
    ("a function of about 1 ns", "numbers::is_even"),
];

/// The times after one click on Measure, in milliseconds.
#[derive(Clone, Copy, Debug, Deserialize)]
struct RunDurations {
    /// From pointer-up to the frame that shows the first point.
    first_point: f64,
    /// From pointer-up to the frame that shows a curve of five points.
    first_curve: f64,
    /// The longest task of the main thread until then. It is 0 if none exceeded 50 ms, the threshold of browsers.
    longest_task: f64,
    /// From pointer-up on Stop to the frame that shows the new state.
    stop: f64,
}

/// Times a click in the page, from the event to the end of the frame that shows the change.
const WATCH: &str = "
    const done = arguments[0];
    const after_frame = (act) => requestAnimationFrame(() => { const c = new MessageChannel(); c.port1.onmessage = act; c.port2.postMessage(0); });
    const run = {}; let tasks = [];
    const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries()));
    observer.observe({ entryTypes: ['longtask'] });
    let start, before;
    // The last results stay until there are new ones, which differ in some digit of the mean, if not in their text.
    const rows = () => [...document.querySelectorAll('[data-test=table] tbody tr')].filter((row) => row.dataset.mean).map((row) => row.outerHTML);
    const begin = (event) => { if (event.target.closest('[data-test=measure]')) { start = event.timeStamp; before = new Set(rows()); } };
    addEventListener('pointerup', begin, { capture: true });
    const watch = new MutationObserver(look);
    function look() {
      if (start === undefined) return;
      const progress = document.querySelector('[data-test=progress]');
      const count = rows().filter((row) => !before.has(row)).length;
      if (!run.saw_point && count >= 1 && progress.dataset.priority === '1') {
        run.saw_point = true;
        after_frame(() => { run.first_point = performance.now() - start; });
      }
      if (!run.saw_curve && count >= 5) {
        run.saw_curve = true;
        after_frame(() => {
          run.first_curve = performance.now() - start;
          run.longest_task = Math.max(0, ...tasks.map((task) => task.duration));
          watch.disconnect(); observer.disconnect(); removeEventListener('pointerup', begin, { capture: true });
          done(run);
        });
      }
    }
    watch.observe(document, { subtree: true, childList: true, attributes: true });";

/// Times a click on Stop.
const WATCH_STOP: &str = "
    const done = arguments[0];
    let start;
    const begin = (event) => { if (event.target.closest('[data-test=stop]')) { start = event.timeStamp; } };
    addEventListener('pointerup', begin, { capture: true });
    const watch = new MutationObserver(() => {
      if (start === undefined || document.querySelector('[data-test=progress]').dataset.state !== 'stopped') return;
      watch.disconnect(); removeEventListener('pointerup', begin, { capture: true });
      requestAnimationFrame(() => { const c = new MessageChannel(); c.port1.onmessage = () => done(performance.now() - start); c.port2.postMessage(0); });
    });
    watch.observe(document, { subtree: true, childList: true, attributes: true });";

/// Measures and prints each function, with the fine and with the coarse clock.
pub(crate) async fn bench() -> Result<()> {
    for isolated in [true, false] {
        println!(
            "\nmeasurement runs, {}",
            if isolated { "isolated, clock of 5 µs" } else { "not isolated, clock of 100 µs" }
        );
        println!(
            "{:36} {:>22} {:>22} {:>22} {:>22}",
            "ms: median (worst)", "first point", "five points", "longest task", "stop"
        );
        for (name, path) in CASES {
            let runs = runs(path, isolated).await.with_context(|| format!("measuring {path}"))?;
            let of = |figure: fn(&RunDurations) -> f64| runs.iter().map(figure).collect::<Figures>().median_and_worst();
            println!(
                "{:36} {:>22} {:>22} {:>22} {:>22}",
                name,
                of(|run| run.first_point),
                of(|run| run.first_curve),
                longest(&runs),
                of(|run| run.stop),
            );
        }
    }
    println!("goals: first point 100, five points 300, longest task 50, stop 100");
    Ok(())
}

async fn runs(path: &str, isolated: bool) -> Result<Vec<RunDurations>> {
    let notebook = Notebook::open(Site { isolated, ..Site::default() }).await?;
    notebook.choose(path).await?;
    let mut runs = Vec::new();
    // The first click also compiles the function, and counts too.
    for _ in 0..REPEATS {
        let mut run = watched(&notebook, WATCH, "measure").await?;
        let stop = watched(&notebook, WATCH_STOP, "stop").await?;
        run["stop"] = stop;
        runs.push(serde_json::from_value(run)?);
    }
    notebook.close().await?;
    Ok(runs)
}

/// Clicks a button while a script watches, and returns the script's result.
async fn watched(notebook: &Notebook, script: &str, button: &str) -> Result<serde_json::Value> {
    // WebDriver would queue the click behind a script that waits for it, so the script runs in the page, and its result
    // is fetched later.
    let start =
        format!("window.benchbook_press = new Promise((resolve) => {{ (function () {{ {script} }})(resolve); }});");
    notebook.browser.client.execute(&start, Vec::new()).await?;
    notebook.click(button).await?;
    Ok(notebook.browser.client.execute_async("window.benchbook_press.then(arguments[0]);", Vec::new()).await?)
}

fn longest(runs: &[RunDurations]) -> String {
    match runs.iter().map(|run| run.longest_task).fold(0.0, f64::max) {
        0.0 => "none over 50".to_owned(),
        worst => format!("{worst:.0}"),
    }
}
