//! Frames while zooming and panning 100 000 samples: the time of each on the main thread, and the intervals between
//! them.

use anyhow::{Context, Result, ensure};
use benchbook_host::units::SPACE;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::server::Site;
use benchbook_tests::{sites, suites};
use serde::Deserialize;
use serde_json::{Value, json};

use benchbook_programs::figures::Figures;

/// The minimum number of drawn samples.
const SAMPLES: usize = 100_000;

/// Frames per gesture: five seconds on a screen of 60 Hz.
pub(crate) const FRAMES: usize = 300;

/// How many events may leave the plot as it is: each of the six times that the wheel zooms out, rounding may lead to the full view
/// one event early.
const UNMOVED: usize = 6;

/// The longest allowed time of a frame on the main thread, in milliseconds.
const LIMIT_MS: f64 = 20.0;

/// The gestures on a board, with one event per frame.
const GESTURES: [(&str, &str); 2] = [("wheel", "zoom with the wheel"), ("drag", "pan with Shift and drag")];

/// The results of a gesture: one value per frame, in milliseconds.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Frames {
    /// The time on the main thread: from the event until the browser has drawn and yields the thread.
    pub(crate) work: Vec<f64>,
    /// The time since the previous frame.
    pub(crate) intervals: Vec<f64>,
    /// The number of events after which the visible range differed.
    pub(crate) moved: usize,
}

/// Performs a gesture of `count` frames on a board. Each frame starts with an event, as with a mouse. A message posted in
/// the frame arrives after the page has handled the event and drawn.
const GESTURE: &str = "
    const [board, gesture, count, done] = arguments;
    const plot = document.querySelector(`[data-test=${board}]`);
    const canvas = plot.querySelector('canvas');
    canvas.scrollIntoView({ block: 'center' });
    const box = canvas.getBoundingClientRect();
    const around_center = (frame, radius) => {
      const angle = frame / 60 * 2 * Math.PI;
      return {
        bubbles: true, cancelable: true, pointerId: 1, isPrimary: true,
        clientX: box.left + box.width * (0.5 + radius * Math.cos(angle)),
        clientY: box.top + box.height * (0.5 + radius * Math.sin(angle)),
      };
    };
    const move = (frame, radius) => canvas.dispatchEvent(new PointerEvent('pointermove', around_center(frame, radius)));
    const act = {
      // Zooms in until a few hundred samples fill the plot, then out, and so on, while the page looks up the point under
      // the pointer.
      wheel: (frame) => {
        move(frame, 0.2);
        const deltaY = Math.floor(frame / 25) % 2 ? 120 : -120;
        canvas.dispatchEvent(new WheelEvent('wheel', { ...around_center(frame, 0.2), deltaY }));
      },
      drag: (frame) => move(frame, 0.1),
    }[gesture];
    if (gesture === 'drag') {
      canvas.dispatchEvent(new PointerEvent('pointerdown', { ...around_center(-1, 0.1), shiftKey: true }));
    }
    const frames = { work: [], intervals: [], moved: 0 };
    let before;
    function next(now) {
      if (before !== undefined) frames.intervals.push(now - before);
      before = now;
      const { ariaLabel } = canvas;
      const start = performance.now();
      act(frames.work.length);
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        frames.work.push(performance.now() - start);
        frames.moved += canvas.ariaLabel !== ariaLabel;
        if (frames.work.length < count) { requestAnimationFrame(next); return; }
        canvas.dispatchEvent(new PointerEvent('pointerup', around_center(0, 0)));
        done(frames);
      };
      channel.port2.postMessage(0);
    }
    requestAnimationFrame(next);";

/// Measures and prints both boards with that many samples.
pub(crate) async fn bench() -> Result<()> {
    println!("\nframes, isolated");
    println!(
        "{:44} {:>24} {:>12} {:>24}",
        "ms: median / 95% / worst",
        "main thread",
        format!("over {LIMIT_MS}"),
        "between frames"
    );
    let notebook = measured(9, SAMPLES.div_ceil(9)).await?;
    notebook.click("show-samples").await?;
    let drawn = drawn(&notebook).await?;
    gestures(&notebook, "plot", &format!("all of {drawn} samples")).await?;
    notebook.close().await?;

    let notebook = measured(2, SAMPLES).await?;
    notebook.click("tab-samples").await?;
    // The label begins with the number of samples.
    let label = notebook.chart_label("in-order").await?;
    let (drawn, _) = label.split_once(" samples").context("no number of samples")?;
    let drawn: usize = drawn.replace(SPACE, "").parse()?;
    ensure!(drawn >= SAMPLES, "one point has {drawn} samples");
    gestures(&notebook, "in-order", &format!("{drawn} samples in order")).await?;
    notebook.close().await?;
    println!("goal: no frame over {LIMIT_MS} ms on the main thread");
    Ok(())
}

/// Opens the page, and measures this number of points and of samples per point.
async fn measured(points: usize, samples: usize) -> Result<Notebook> {
    let notebook = Notebook::open(plenty(points, samples)?).await?;
    notebook.choose("walk").await?;
    notebook.click("measure").await?;
    for done in 1..=points {
        let progress = "document.querySelector('[data-test=progress]').dataset";
        notebook
            .browser
            .until(&format!(
                "{progress}.state === 'done' || {progress}.priority === '4' && {progress}.points >= {done}"
            ))
            .await?;
    }
    notebook.until_state("done").await?;
    Ok(notebook)
}

/// The suite with many samples, and a notebook whose last priority requests them.
fn plenty(points: usize, samples: usize) -> Result<Site> {
    let quality = |points: usize, samples: usize, point_ms: f64| {
        json!({
            "points": points,
            // Unreachable, so that the number of samples ends the point.
            "precision": 1e-9,
            "point_ms": point_ms,
            "warm_up": { "at_least": 5, "at_most": 20, "ms": point_ms / 4.0 },
            "samples": { "at_least": 5, "at_most": samples },
            "processes": 1,
        })
    };
    let quick = quality(2, 10, 10.0);
    let qualities: Value = json!([quick, quick, quick, quality(points, samples, 120_000.0)]);
    let notebook = json!({ "suites": ["suites/plenty.wasm"], "qualities": qualities });
    let module = suites::fixture("plenty")?.module;
    Ok(Site { suites: vec![("plenty.wasm".to_owned(), module)], ..sites::with_notebook(&notebook) })
}

/// The number of samples in the plot, of all points.
async fn drawn(notebook: &Notebook) -> Result<usize> {
    const COLUMN: &str = "(() => {
        const heads = [...document.querySelectorAll('[data-test=table] thead th')].map(head => head.textContent);
        const rows = [...document.querySelectorAll('[data-test=table] tbody tr')];
        const counts = rows.map(row => row.children[heads.indexOf('samples')].textContent);
        return counts.map(count => Number(count.replace(/[^0-9]/g, ''))).reduce((sum, count) => sum + count, 0);
    })()";
    let drawn: usize = serde_json::from_value(notebook.browser.value(COLUMN).await?)?;
    ensure!(drawn >= SAMPLES, "the plot has {drawn} samples");
    Ok(drawn)
}

async fn gestures(notebook: &Notebook, board: &str, name: &str) -> Result<()> {
    // A hidden board computes its size before it draws.
    notebook
        .browser
        .until(&format!("document.querySelector('[data-test={board}] canvas').hasAttribute('width')"))
        .await?;
    for (gesture, label) in GESTURES {
        let frames = perform(notebook, board, gesture).await?;
        let work: Figures = frames.work.into_iter().collect();
        let intervals: Figures = frames.intervals.into_iter().collect();
        println!(
            "{:44} {:>24} {:>12} {:>24}",
            format!("{name}, {label}"),
            work.spread(),
            work.over(LIMIT_MS),
            intervals.spread()
        );
    }
    Ok(())
}

/// Performs a gesture on the first such board of the page.
pub(crate) async fn perform(notebook: &Notebook, board: &str, gesture: &str) -> Result<Frames> {
    let result = notebook.browser.client.execute_async(GESTURE, vec![json!(board), json!(gesture), json!(FRAMES)]);
    let frames: Frames = serde_json::from_value(result.await?).with_context(|| format!("{gesture} on {board}"))?;
    // The events must change the plot; otherwise their frames cost nothing.
    ensure!(frames.moved >= FRAMES - UNMOVED, "{} of {FRAMES} events of {gesture} moved {board}", frames.moved);
    Ok(frames)
}
